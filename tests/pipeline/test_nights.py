"""Nights replayed one after the other: against one backfill, and against a host that misbehaves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, datetime, time
from pathlib import Path

import polars as pl
import pytest

from ingest.catalog import SOURCES
from ingest.fetch import Fetcher, Pace
from ingest.payload import Limits
from ingest.progress import Lines
from ingest.run import IngestReport, exit_code, ingest
from warehouse.registry import read_registry
from warehouse.store import Store, fact_table

ROOT = Path(__file__).resolve().parents[2]
SERVE = ROOT.parent / "shared" / "upstream" / "serve"
REGISTRY = ROOT / "data" / "registry"

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")

MONTH_ENDS = [
    *(date(2024, month, day) for month, day in ((6, 30), (7, 31), (8, 31), (9, 30), (10, 31), (11, 30), (12, 31))),
    *(date(2025, month, day) for month, day in ((1, 31), (2, 28), (3, 31), (4, 30), (5, 31))),
]
FETCHED_AT = datetime(2026, 8, 1)
TWO = ("evalplus", "swe-bench")
THREE = MONTH_ENDS[1:6:2]
SEVERAL = (
    *("lmarena", "livebench", "squad", "timm", "epoch", "evalplus", "gsm1k"),
    *("lmarena-tables", "swe-bench", "aider", "alpaca-eval", "bigcodebench", "bfcl", "vectara", "open-llm"),
)
LIKE_A_HOST = Pace(Limits(stall_seconds=0.5), attempts=4, sleep=lambda _seconds: None)
"""Stalls are cut sooner than in earnest, and nobody waits between attempts."""

FIRST_SEVEN = SEVERAL[:7]


@contextmanager
def replaying(*options: str) -> Iterator[str]:
    arguments = [sys.executable, str(SERVE), "--port", "0", "--api-limit", "0", *options]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def pull(home: Path, keys: Sequence[str], *options: str, history: bool = False) -> IngestReport:
    """One run over these sources, against a server with these options."""
    sources = [source for source in SOURCES if source.key in keys]
    with (
        replaying(*options) as url,
        Store.open(home) as store,
        closing(Fetcher(url, lambda: FETCHED_AT, pace=LIKE_A_HOST)) as fetcher,
    ):
        return ingest(
            sources,
            store,
            read_registry(REGISTRY),
            fetcher,
            history=history,
            home=home,
            registry_folder=REGISTRY,
            progress=Lines(),
        )


def shown(home: Path, on: date) -> pl.DataFrame:
    """Every cell of every board as it stood at the end of that day: the newest version of each file."""
    until = datetime.combine(on, time.max)
    snapshots = fact_table(home, "snapshot").filter(pl.col("observed_at") <= until)
    file = pl.col("url").str.replace(r"/[0-9a-f]{40}/", "/*/")
    newest = snapshots.with_columns(file=file).filter(
        pl.col("observed_at") == pl.col("observed_at").max().over("source_id", "file")
    )
    columns = ("snapshot_id", "source_id", "board_id", "observed_at", "rows_in", "rows_kept", "rows_rejected")
    return fact_table(home, "result").join(newest.select(*columns, "file"), on="snapshot_id").sort(pl.all())


def facts(home: Path) -> dict[str, pl.DataFrame]:
    """All facts, but for the instant at which each was fetched."""
    tables = ("snapshot", "result", "rejection", "model_fact", "benchmark_fact")
    return {table: fact_table(home, table).select(pl.exclude("fetched_at")).sort(pl.all()) for table in tables}


def nights_equal_a_backfill(folder: Path, keys: Sequence[str], days: Sequence[date]) -> None:
    for day in days:
        report = pull(folder / "nights", keys, "--as-of", day.isoformat())
        assert not [source.held for source in report.sources if source.held]
        # A file that is not there yet is a failure of its source, and of no other.
        assert all(error.endswith("HTTP status 404") for source in report.sources for error in source.errors)
    pull(folder / "backfill", keys, history=True)
    for day in days:
        by_night, backfilled = (shown(folder / name, day) for name in ("nights", "backfill"))
        assert by_night.height > 0
        assert by_night.equals(backfilled), day


def faults_change_nothing(folder: Path, keys: Sequence[str], days: Sequence[date]) -> None:
    for night, day in enumerate(days):
        calmly = pull(folder / "calm", keys, "--as-of", day.isoformat())
        options = ("--as-of", day.isoformat(), "--faults", "0.3", "--seed", str(night))
        report = pull(folder / "rough", keys, *options)
        failed = [source for source in report.sources if source.errors]
        assert exit_code(report) == (0 if not failed else 1 if len(failed) == len(report.sources) else 2)
        for table, rough in facts(folder / "rough").items():
            calm = facts(folder / "calm")[table]
            # What is there is whole, and nothing is there twice or besides.
            assert rough.join(calm, on=rough.columns, how="anti", nulls_equal=True).is_empty(), (day, table)
            assert not rough.is_duplicated().any() or calm.is_duplicated().sum() >= rough.is_duplicated().sum()
        snapshots = fact_table(folder / "rough", "snapshot")
        assert snapshots.filter(pl.col("rows_in") != pl.col("rows_kept") + pl.col("rows_rejected")).is_empty()
    assert exit_code(pull(folder / "rough", keys, "--as-of", days[-1].isoformat())) == exit_code(calmly)
    calm, rough = facts(folder / "calm"), facts(folder / "rough")
    assert all(rough[table].equals(calm[table]) for table in calm)


def test_three_nights_of_two_sources_equal_a_backfill(tmp_path: Path) -> None:
    nights_equal_a_backfill(tmp_path, TWO, THREE)


@pytest.mark.soak
def test_twelve_month_ends_equal_a_backfill(tmp_path: Path) -> None:
    nights_equal_a_backfill(tmp_path, SEVERAL, MONTH_ENDS)


def test_three_nights_with_faults_lose_and_double_nothing(tmp_path: Path) -> None:
    faults_change_nothing(tmp_path, TWO[:1], THREE)


@pytest.mark.soak
def test_ten_nights_with_faults_lose_and_double_nothing(tmp_path: Path) -> None:
    faults_change_nothing(tmp_path, FIRST_SEVEN, MONTH_ENDS[:10])
