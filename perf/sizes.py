"""What each size takes, from writing to pages: `python -m perf.sizes --home HOME --times 1 5`.

The home is copied and made so many times as large; without one the smaller of the bundled sources are the home. Every
size is written, assessed, published and drawn in processes of its own; `perf.enlarge` says what of it is real. With
`--without-assess` what is computed stays empty, for sizes at which that would take hours.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchhealth.pipeline.settings import REPOSITORY
from benchhealth.warehouse.bundle import read_bundles, restore
from benchhealth.warehouse.store import Store
from perf.clock import Took, apart
from perf.work import Measured, measure

SMALL = 200_000
"""Results of the home that is made where none is given: about so many."""

ALLOWED = 1.2
"""Ten times the results may take twelve times the time."""

SHORT = 0.05
"""Below this many seconds a ratio says more about the machine than about the program."""


class Size(NamedTuple):
    """One size: how many times the home, what writing the copies took (None for the home itself), and the rest."""

    times: int
    write: Took | None
    done: Measured
    disk: int


def small_home(to: Path) -> None:
    """A home of the smaller bundled sources, about SMALL results."""
    chosen, rows = [], 0
    for path in sorted((REPOSITORY / "data" / "snapshot").glob("*.parquet"), key=lambda path: path.stat().st_size):
        rows += read_bundles(path)["result"].height
        chosen.append(path)
        if rows > SMALL:
            break
    with Store.open(to) as store:
        restore(store, read_bundles(*chosen))


def sizes(home: Path | None, times: Sequence[int], assessed: bool = True) -> Iterator[Size]:
    """Each size in turn, in a folder that is thrown away."""
    for each in times:
        with _copied(home) as copy:
            print(f"measuring {each} x {home or 'the smaller bundled sources'} ...", file=sys.stderr, flush=True)
            write = _enlarged(copy, each) if each > 1 else None
            done = apart(measure, copy, assessed)
            disk = sum(path.stat().st_size for path in copy.rglob("*.duckdb") if not path.is_symlink())
            yield Size(each, write, done, disk)


def table(measured: Sequence[Size]) -> list[str]:
    """A block of lines for each size, and by how much each part grew since the first; a mark where that is too much."""
    first = measured[0]
    lines: list[str] = []
    for size in measured:
        head = f"{size.done.results:,} results, {size.times} x"
        lines += ["", f"{head:<40}{'seconds':>9}{'processor':>11}{'MB held':>9}{'times the first':>17}"]
        if size.write is not None:
            lines.append(_line("write (results a second: see below)", size.write, None, 1))
        for part, took in size.done.parts.items():
            before = first.done.parts.get(part) if size is not first else None
            lines.append(_line(part, took, before, size.done.results / first.done.results))
        if size.write is not None and size.write.rows:
            lines.append(f"{'results written a second':<40}{size.write.rows / size.write.wall:>9,.0f}")
        peak = max(took.peak for took in size.done.parts.values())
        lines.append(f"{'most memory held (MB)':<40}{peak / 1e6:>9,.0f}")
        lines.append(f"{'databases on disk (MB)':<40}{size.disk / 1e6:>9,.0f}")
    return lines


def _line(part: str, took: Took, before: Took | None, larger: float) -> str:
    held = f"{took.peak / 1e6:>9,.0f}" if took.peak else " " * 9
    line = f"{part:<40}{took.wall:>9.2f}{took.processor:>11.2f}{held}"
    if before is None:
        return line
    ratio = took.processor / max(before.processor, SHORT)
    return f"{line}{ratio:>16.1f}{'!' if ratio > ALLOWED * larger else ' '}"


@contextmanager
def _copied(home: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as folder:
        copy = Path(folder) / "home"
        copy.mkdir()
        if home is None:
            small_home(copy)
        else:
            shutil.copy(home / "warehouse.duckdb", copy)
        yield copy


def _enlarged(home: Path, times: int) -> Took:
    command = [sys.executable, "-m", "perf.enlarge", str(home), str(times)]
    return Took(**json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def main() -> None:
    """Measure the sizes asked for and print them."""
    parser = argparse.ArgumentParser(prog="python -m perf.sizes", description=__doc__)
    parser.add_argument("--home", type=Path, help="a home; it is copied, not changed")
    parser.add_argument("--times", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--without-assess", action="store_true", help="write, load, publish and read the facts alone")
    asked = parser.parse_args()
    print("\n".join(table(list(sizes(asked.home, asked.times, not asked.without_assess)))))


if __name__ == "__main__":
    main()
