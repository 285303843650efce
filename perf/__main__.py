"""`python -m perf`: sizes, stitching, ingest, items, downloads, pages, speed beside others; writes perf/RESULTS.md.

Asserts nothing.
"""

import argparse
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchhealth.pipeline.settings import REPOSITORY, Settings, now
from perf import archive, downloads, histories, items, readers, sizes, stability, stitching, years

RESULTS = Path(__file__).parent / "RESULTS.md"
APART = "\n# Measured apart\n"
"""The heading in RESULTS.md below which stands what is measured by hand: `make bench` leaves it as it is."""

TIMES = (1, 10)
"""The sizes that are measured, in times of the home."""

Part = tuple[str, Callable[[], Iterable[str]]]


def main() -> None:
    """Measure part after part, each in processes of its own; print what is found and write it to RESULTS.md."""
    parser = argparse.ArgumentParser(prog="python -m perf", description=__doc__)
    parser.add_argument("--home", type=Path, help="what is enlarged; without one, the smaller of the bundled sources")
    parser.add_argument("--times", type=int, nargs="+", default=list(TIMES), help="the sizes, in times of that home")
    parser.add_argument("--only", nargs="+", help="words in the titles of the parts to measure; RESULTS.md stays")
    asked = parser.parse_args()
    started = time.perf_counter()
    sections = []
    parts = _parts(asked.home, asked.times)
    for title, measure in parts:
        if asked.only and not any(word.lower() in title.lower() for word in asked.only):
            continue
        print(f"\n{title}\n", flush=True)
        lines = list(_printed(measure()))
        sections.append(f"## {title}\n\n```\n" + "\n".join(lines).strip("\n") + "\n```\n")
    if not asked.only:
        by_hand = below(APART, RESULTS.read_text())
        RESULTS.write_text("\n".join([_head(time.perf_counter() - started), *sections]) + by_hand)
        print(f"\nwritten to {RESULTS}")


def _parts(home: Path | None, times: list[int]) -> tuple[Part, ...]:
    def of_sizes() -> list[str]:
        return sizes.table(list(sizes.sizes(home, times)))

    return (
        ("Sizes: write, assess, publish, pages", of_sizes),
        ("Stitching, seconds", lambda: stitching.table(stitching.measure())),
        ("Ingest of five sources with their history, beside bare decoding", histories.measure),
        ("Ingest of an archive of very many files, beside bare decoding", archive.measure),
        ("Results item by item: two million, and a hundred million stored", items.tables),
        ("Results item by item: two million in a home of all that is bundled", items.bundled),
        ("Downloads", _downloads),
        ("Pages beside a bare page of one chart, and readers at once", _pages),
        ("The map through the years", _years),
        ("Diversity and sensitivity, beside the package benchbench", _beside_the_package),
    )


def below(heading: str, text: str) -> str:
    """A heading and all that follows it; empty where the text lacks it."""
    _, mark, rest = text.partition(heading)
    return mark + rest


def _head(seconds: float) -> str:
    """What was measured, where and when: with it a number can be held against another."""
    commit = _said_by("git", "describe", "--always", "--dirty")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    machine = f"{_processor()}, {os.cpu_count()} processors, {memory:.0f} GB, Python {platform.python_version()}"
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        "# What `make bench` measured\n\nWritten by `python -m perf`. Ratios within one run can be held against "
        "another run, seconds only at the same load.\n\n"
        f"- {now():%Y-%m-%d %H:%M} UTC, commit {commit}, measured in {seconds:.0f} s\n- {machine}\n"
        f"- load at the end (1, 5, 15 minutes): {load}\n"
    )


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _said_by(*command: str) -> str:
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _printed(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        print(line, flush=True)
        yield line


@contextmanager
def _first_generation() -> Iterator[Path]:
    """A home made for the measurement, with the first generation."""
    from benchhealth.pipeline.night import init  # noqa: PLC0415 - a fresh process that measures itself imports this module first

    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as folder:
        settings = replace(Settings.from_environment(), home=Path(folder))
        init(settings)
        yield settings.home


def _downloads() -> list[str]:
    with _first_generation() as home:
        return downloads.table(downloads.measure(home))


def _pages() -> Iterator[str]:
    with _first_generation() as home:
        yield from readers.measure(home, readers.LOADS)


def _years() -> Iterator[str]:
    with _first_generation() as home:
        yield from years.measure(home)


def _beside_the_package() -> list[str]:
    try:
        return stability.table(stability.compare())
    except (subprocess.CalledProcessError, OSError) as error:
        return [f"not measured: the package could not be installed or run ({error})"]


if __name__ == "__main__":
    main()
