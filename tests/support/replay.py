"""Nights against the real upstream files, replayed by a server that is no part of this repository."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, datetime, time
from pathlib import Path

import polars as pl

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.network.fetch import Fetcher, Pace
from benchhealth.ingest.network.payload import Limits
from benchhealth.ingest.run.progress import Lines
from benchhealth.ingest.run.report import IngestReport
from benchhealth.ingest.run.run import ingest
from benchhealth.ingest.source import FromWeb
from benchhealth.warehouse.sql import select
from benchhealth.warehouse.store import Store, fact_table, reading
from tests.support.curated_facts import curated

ROOT = Path(__file__).resolve().parents[2]
SERVE = ROOT.parent / "shared" / "upstream" / "serve"
REGISTRY = ROOT / "data" / "registry"
EVERY = tuple(source.key for source in SOURCES if source.default)
FROM_WEB = [source.key for source in SOURCES if all(isinstance(file, FromWeb) for file in source.files)]
TABLES = ("snapshot", "result", "rejection", "model_fact", "benchmark_fact", "report_fact", "mention_fact", "name_fact")
FETCHED_AT = datetime(2026, 9, 1)
LIKE_A_HOST = Pace(Limits(stall_seconds=0.5), attempts=4, sleep=lambda _seconds: None)
"""Stalls are cut sooner than in earnest, and nobody waits between attempts."""


@contextmanager
def replaying(*options: str) -> Iterator[str]:
    """The address of a server with these options; without a limit of the API unless one is named."""
    limit = () if "--api-limit" in options else ("--api-limit", "0")
    arguments = [sys.executable, str(SERVE), "--port", "0", *limit, *options]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def evening(day: date) -> tuple[str, str]:
    """The option that shows the upstreams as they were at the end of a day."""
    return "--as-of", f"{day.isoformat()}T23:59:59"


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
            curated(),
            fetcher,
            history=history,
            home=home,
            registry_folder=REGISTRY,
            progress=Lines(),
        )


def command(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command line at work, its log in `home/log`."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "log").open("a") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "benchhealth.pipeline.cli", *arguments],
            cwd=ROOT,
            env={**os.environ, "BENCHHEALTH_HOME": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=log,
            text=True,
        )


def facts(home: Path) -> dict[str, pl.DataFrame]:
    """All facts, but for the instant at which each was fetched."""
    with reading(home) as connection:
        rows = {table: select(connection, f'SELECT * FROM "{table}"') for table in TABLES}
    return {table: stored.select(pl.exclude("fetched_at")).sort(pl.all()) for table, stored in rows.items()}


def shown(home: Path, on: date) -> dict[str, pl.DataFrame]:
    """What was known at the end of that day: every cell of the newest version of each file, and what was refused of it.

    Versions of an archive's members bear the commit at which the archive was taken, so cells are named by their file.
    What comes from an address of its own comes from copies of it too, so its file is the board.
    """
    until = datetime.combine(on, time.max)
    timeless = pl.col("url").str.replace(r"/[0-9a-f]{40}/", "/*/")
    file = pl.when(pl.col("source_id").is_in(FROM_WEB)).then("board_id").otherwise(timeless)
    snapshots = fact_table(home, "snapshot").filter(pl.col("observed_at") <= until).with_columns(file=file)
    newest = snapshots.filter(pl.col("observed_at") == pl.col("observed_at").max().over("source_id", "file"))
    files = newest.select("snapshot_id", "source_id", "board_id", "file")
    cells = {
        table: fact_table(home, table).join(files, on="snapshot_id").drop("snapshot_id").sort(pl.all())
        for table in TABLES[1:]
    }
    named = ("source_id", "board_id", "file", "sha256", "rows_in", "rows_kept", "rows_rejected")
    return {"file": newest.select(named).sort(pl.all())} | cells


def unlike(one: dict[str, pl.DataFrame], other: dict[str, pl.DataFrame]) -> list[str]:
    """The tables that differ, with how many rows either side has alone and the first of them."""
    differences = []
    for table, rows in one.items():
        if not rows.equals(other[table]):
            sides = [
                left.join(right, on=rows.columns, how="anti", nulls_equal=True)
                for left, right in ((rows, other[table]), (other[table], rows))
            ]
            first = [side.row(0, named=True) for side in sides if side.height]
            differences.append(f"{table}: {sides[0].height} and {sides[1].height} alone, such as {first}")
    return differences
