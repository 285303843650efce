"""`python -m perf`: ten times the results, stitching, an archive, downloads, pages, speed beside others.

Asserts nothing.
"""

import argparse
import multiprocessing
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from perf import archive, downloads, readers, stability, stitching
from perf.clock import Took
from perf.work import Measured, measure

TIMES = 10
ALLOWED = 12
"""Ten times the results, at most this many times the time."""

SHORT = 0.05
"""Below this many seconds a ratio says more about the machine than about the program."""


def main() -> None:
    """Measure the bundled facts once and several times over, each in a fresh process; then stitching and stability."""
    parser = argparse.ArgumentParser(prog="python -m perf", description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help="how many copies of the bundled facts")
    times: int = parser.parse_args().times
    started = time.perf_counter()
    once, more = _apart(1), _apart(times)
    print("\n".join(_table(once, more)))
    print("results count in restore and resolve\n", flush=True)
    print("\n".join(["Stitching, seconds", *stitching.table(stitching.measure())]), flush=True)
    print("\n".join(["", "An archive of very many files", *archive.measure()]), flush=True)
    _of_a_generation()
    print("\n".join(["", "Diversity and sensitivity, beside the package benchbench", *_beside_the_package()]))
    print(f"\nmeasured in {time.perf_counter() - started:.0f} s")


def _of_a_generation() -> None:
    """Downloads, pages and readers of the first generation, in a home made for it."""
    from pipeline.night import init  # noqa: PLC0415 - a fresh process that measures itself imports this module first
    from pipeline.settings import Settings  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as home:
        settings = replace(Settings.from_environment(), home=Path(home))
        init(settings)
        print("\n".join(["", "Downloads", *downloads.table(downloads.measure(settings.home))]), flush=True)
        print("\nPages beside a bare page of one chart, and readers at once", flush=True)
        for line in readers.measure(settings.home, readers.LOADS):
            print(line, flush=True)


def _beside_the_package() -> list[str]:
    try:
        return stability.table(stability.compare())
    except (subprocess.CalledProcessError, OSError) as error:
        return [f"not measured: the package could not be installed or run ({error})"]


def _apart(times: int) -> Measured:
    """Measure in a process of its own, so that memory counts from nothing."""
    print(f"measuring {times} x the bundled facts ...", file=sys.stderr, flush=True)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
        return alone.submit(measure, times).result()


def _table(once: Measured, more: Measured) -> list[str]:
    head = f"{'part':<40}{'1 x':>9}{f'{more.times} x':>9}{'ratio':>8}{'processor':>11}{'rows/s':>11}{'rows/s':>11}"
    lines = [f"{once.results:,} and {more.results:,} results", "", head, "-" * len(head)]
    for part, took in once.parts.items():
        lines.append(_line(part, took, more.parts[part], more.times))
    total, total_more = _total(once), _total(more)
    lines += ["-" * len(head), _line("all of it", total, total_more, more.times)]
    lines.append(
        f"{'most memory held (MB)':<40}{once.peak / 1e6:>9,.0f}{more.peak / 1e6:>9,.0f}{more.peak / once.peak:>8.1f}"
    )
    return lines


def _total(measured: Measured) -> Took:
    parts = [took for part, took in measured.parts.items() if not part.startswith("assess: ")]
    return Took(sum(took.wall for took in parts), sum(took.processor for took in parts))


def _line(part: str, once: Took, more: Took, times: int) -> str:
    """Seconds at both sizes, their ratio by the clock and in processor time; a mark where it grows too fast."""
    too_fast = more.wall / max(once.wall, SHORT) > ALLOWED * times / TIMES
    ratio = f"{more.wall / once.wall:.1f}{'!' if too_fast else ' '}"
    speed = "".join(f"{took.rows / took.wall:>11,.0f}" if took.rows else "" for took in (once, more))
    return (
        f"{part:<40}{once.wall:>9.2f}{more.wall:>9.2f}{ratio:>8}"
        f"{more.processor / max(once.processor, 1e-3):>11.1f}{speed}"
    )


if __name__ == "__main__":
    main()
