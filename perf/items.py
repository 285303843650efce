"""Results item by item in a whole home: two million outcomes through all of it, a hundred million stored and loaded.

`python -m perf.items` writes simulated tests into a home of the smaller bundled sources: right and wrong answers of
models of different ability to items of different difficulty, each item of one of 14 subjects, each answer one of four
options. They go through what an ingest does after parsing: resolved, packed, written. Then the home is loaded,
assessed, published and drawn as any other. `python -m perf.items --bundled` writes them into a home of all that is
bundled instead, and assesses it with and without them.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import polars as pl

from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.ingest.names.identity import with_normalised
from benchhealth.ingest.rows import BenchmarkFact, ItemOutcomes, Parsed, RawRow
from benchhealth.ingest.run.resolve import resolve
from benchhealth.pipeline.settings import REPOSITORY, now
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.bundle import read_bundles, restore
from benchhealth.warehouse.loading.load import load_apart
from benchhealth.warehouse.registry import read_registry
from benchhealth.warehouse.sql import SOURCE
from benchhealth.warehouse.store import DATABASE, Store
from perf.clock import Clock, Took, apart
from perf.sizes import small_home
from perf.work import WHOLE, measure

SOURCE_ID = "simulated"
SUBJECTS, OPTIONS = 14, "ABCD"


class Shape(NamedTuple):
    """So many tests, each of so many runs over so many items."""

    tests: int
    runs: int
    items: int

    @property
    def outcomes(self) -> int:
        """How many outcomes that makes."""
        return self.tests * self.runs * self.items


WHOLE_HOME, LARGE = Shape(20, 50, 2_000), Shape(100, 80, 12_500)


def tables() -> Iterator[str]:
    """The lines of both sizes."""
    yield from _whole_home()
    yield ""
    yield from _large()


def bundled() -> Iterator[str]:
    """The lines of two million outcomes in a home of all that is bundled, beside that home without them."""
    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as folder:
        home = Path(folder)
        apart(_restored, home)
        without = apart(measure, home)
        apart(written, home, WHOLE_HOME)
        done = apart(measure, home)
    head = f"{without.results:,} results, all that is bundled"
    yield f"{head:<45}{'without':>20}{f'with {WHOLE_HOME.outcomes:,}':>20}"
    yield f"{'':<45}{'processor':>11}{'MB held':>9}{'processor':>11}{'MB held':>9}"
    for part in ("load", WHOLE, "publish", "overview, first visit", "benchmark page, first visit"):
        sides = (each.parts[part] for each in (without, done))
        yield f"{part:<45}" + "".join(f"{took.processor:>11.2f}{took.peak / 1e6:>9,.0f}" for took in sides)
    most = (max(took.peak for took in each.parts.values()) for each in (without, done))
    yield f"{'most memory held':<45}" + "".join(f"{held / 1e6:>20,.0f}" for held in most)


def _restored(home: Path) -> None:
    """A home of everything that is bundled, without a generation."""
    with Store.open(home) as store:
        restore(store, read_bundles(*sorted((REPOSITORY / "data" / "snapshot").glob("*.parquet"))))


def simulated(shape: Shape, test: int) -> Parsed:
    """What a parser gives of one test."""
    rng = np.random.default_rng(test)
    items = tuple(f"test {test} item {index}" for index in range(shape.items))
    clusters = tuple(f"subject {index}" for index in rng.integers(SUBJECTS, size=shape.items))
    key = rng.integers(len(OPTIONS), size=shape.items)
    difficulty = 1.5 * rng.normal(size=shape.items)
    benchmark = f"{SOURCE_ID}-{test}"
    rows, listed = [], []
    for run, ability in enumerate(np.linspace(-0.5, 2.5, shape.runs)):
        solved = rng.random(shape.items) < 1 / (1 + np.exp(difficulty - ability))
        chosen = np.where(solved, key, (key + rng.integers(1, len(OPTIONS), size=shape.items)) % len(OPTIONS))
        row = RawRow(
            row=f"run {run}",
            benchmark=benchmark,
            model=f"Simulated {run}",
            score=f"{100 * solved.mean():.6f}",
            n_items=str(shape.items),
        )
        rows.append(row)
        options = tuple(OPTIONS[index] for index in chosen)
        listed.append(ItemOutcomes(row.row, items, tuple(solved.astype(float).tolist()), "", clusters, options))
    fact = BenchmarkFact(benchmark=benchmark, name=f"Simulated {test}", metric="accuracy")
    return Parsed(rows=rows, benchmarks=[fact], items=listed)


def written(home: Path, shape: Shape) -> Took:
    """Write the simulated tests into the home; what resolving, packing and writing took."""
    clock, observed_at = Clock(), now() - timedelta(days=1)
    aliases = with_normalised(read_registry(REPOSITORY / "data" / "registry").aliases())
    about = {"source_id": SOURCE_ID, "title": "Simulated", "licence": "none", "redistributable": False, "kind": "board"}
    with Store.open(home) as store:
        store.write_sources(pl.DataFrame([about], schema=SOURCE))
        for test in range(shape.tests):
            parsed = simulated(shape, test)
            with clock.part("ingest"):
                facts = resolve(parsed, source_id=SOURCE_ID, benchmarks={}, aliases=aliases)
                store.write(
                    Batch(
                        snapshot_id=f"{SOURCE_ID}-{test}",
                        source_id=SOURCE_ID,
                        board_id=f"{SOURCE_ID}/{test}",
                        observed_at=observed_at,
                        fetched_at=observed_at,
                        url=f"https://example.org/{test}",
                        ref="",
                        sha256=f"{test}",
                        **vars(facts),
                    )
                )
    return clock.parts["ingest"]


def used(home: Path) -> int:
    """The bytes of the facts' file that hold something; the rest is free for what is written next."""
    with closing(duckdb.connect(home / DATABASE, read_only=True)) as connection:
        sql = "SELECT used_blocks * block_size FROM pragma_database_size()"
        return int(connection.sql(sql).fetchall()[0][0])


def loaded(home: Path) -> dict[str, Took]:
    """What loading the facts takes, and unpacking all of them, test by test."""
    clock = Clock()
    with clock.part("load"):
        frames, _ = load_apart(home, read_registry(REPOSITORY / "data" / "registry"), now())
    with clock.part("unpack all, test by test"):
        for _, rows in frames.item_result.group_by("benchmark_id"):
            items = frames.item.join(rows, on="list_id", how="semi")
            for test in ItemResults(rows, items).tests():
                test.outcomes.sum()
    return clock.parts


def _whole_home() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as folder:
        home = Path(folder)
        small_home(home)
        before = used(home)
        without = apart(loaded, home)
        ingest = apart(written, home, WHOLE_HOME)
        held = apart(loaded, home)
        stored = used(home) - before
        done = apart(measure, home)
        published = sum(path.stat().st_size for path in home.rglob("gen-*.duckdb"))
    yield _head(WHOLE_HOME)
    yield _line("ingest: resolve, pack, write", ingest)
    yield _line("load, without them", without["load"])
    yield _line("load", held["load"])
    yield _line("unpack all, test by test", held["unpack all, test by test"])
    for part in (WHOLE, "publish", "overview, first visit", "benchmark page, first visit"):
        yield _line(part, done.parts[part])
    yield _bytes("they take in the facts", stored, WHOLE_HOME)
    yield f"{'the generation (MB)':<40}{published / 1e6:>9.1f}"
    yield f"{'most memory held (MB)':<40}{max(took.peak for took in done.parts.values()) / 1e6:>9,.0f}"


def _large() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as folder:
        home = Path(folder)
        ingest = apart(written, home, LARGE)
        stored = used(home)
        held = apart(loaded, home)
    yield _head(LARGE)
    yield _line("ingest: resolve, pack, write", ingest)
    for part, took in held.items():
        yield _line(part, took)
    yield _bytes("the facts", stored, LARGE)


def _head(shape: Shape) -> str:
    head = f"{shape.outcomes:,} outcomes of {shape.tests * shape.runs:,} runs"
    return f"{head:<40}{'seconds':>9}{'processor':>11}{'MB held':>9}"


def _line(part: str, took: Took) -> str:
    return f"{part:<40}{took.wall:>9.2f}{took.processor:>11.2f}{took.peak / 1e6:>9,.0f}"


def _bytes(what: str, size: int, shape: Shape) -> str:
    return f"{f'{what} (MB, bits an outcome)':<40}{size / 1e6:>9.1f}{8 * size / shape.outcomes:>11.2f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m perf.items", description=__doc__)
    parser.add_argument("--bundled", action="store_true", help="two million in a home of all that is bundled")
    for line in bundled() if parser.parse_args().bundled else tables():
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
