"""Publishing: a new immutable generation is built beside the old one, checked, and put in its place in one step."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl

from analytics.record.frames import Frames
from analytics.record.tables import NO_MODEL, PUBLISHED
from warehouse.check import check_generation
from warehouse.facts import append, create_table, select, transaction
from warehouse.locking import exclusive
from warehouse.read import CURRENT, PUBLISHED_FOLDER, files_of
from warehouse.registry import Registry
from warehouse.sharing.origins import fact_sources
from warehouse.status import run_table
from warehouse.store import reading

KEEP = 3
BUILDING = ".building.duckdb"
_NAME = re.compile(r"gen-\d{8}T\d{6}Z-(\d{6})\.duckdb")


class PublishError(ValueError):
    """What was to be published is not what the contract says; the generation in service stays."""


class Draft:
    """A generation that is being built, table by table as they become known; nobody sees it before it is in service."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._building = folder / BUILDING
        self._heights: dict[str, int] = {}

    def add(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Write whole tables, each once. Raises PublishError for one that is not the contract's, or there already."""
        conforming = {name: _conform(name, frame) for name, frame in tables.items()}
        twice = sorted(self._heights.keys() & conforming)
        if twice:
            raise PublishError(f"written already: {', '.join(twice)}")
        with closing(self._connect()) as connection, transaction(connection) as cursor:
            for name, frame in conforming.items():
                cursor.sql(create_table(name, PUBLISHED[name]))
                append(cursor, name, frame)
        self._heights |= {name: frame.height for name, frame in conforming.items()}

    def lacking(self, tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
        """Those of the tables that are not written yet."""
        return {name: frame for name, frame in tables.items() if name not in self._heights}

    def into_service(self, at: datetime) -> Path:
        """Check what the file holds, make it the current generation and return it; `at` (naive UTC) is in its name.

        Raises PublishError for a table that is missing, CheckError for contents that contradict themselves.
        """
        missing = [name for name in PUBLISHED if name not in self._heights]
        if missing:
            raise PublishError(f"not computed: {', '.join(missing)}")
        with closing(self._connect()) as connection:
            connection.checkpoint()
            check_generation(connection, self._heights)
        _fsync(self._building)
        target = self._folder / _next_name(self._folder, at)
        self._building.rename(target)
        _put_in_service(self._folder, target)
        _prune(self._folder, target)
        return target

    def _connect(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(self._building, config={"preserve_insertion_order": False})  # sets: all cores write


@contextmanager
def drafting(home: Path) -> Iterator[Draft]:
    """A generation to build, the only one at a time; whatever fails, the one in service stays in service."""
    folder = home / PUBLISHED_FOLDER
    with exclusive(folder / "lock", wait=True):
        _discard(folder / BUILDING)
        try:
            yield Draft(folder)
        finally:
            _discard(folder / BUILDING)


def facts_of(home: Path, registry: Registry, frames: Frames) -> dict[str, pl.DataFrame]:
    """The published tables that rest on facts alone and stand before anything is derived."""
    return {
        "benchmark": frames.benchmark,
        "model": frames.model,
        "alias": _aliases(registry, frames),
        "source": frames.source,
        "fact_source": fact_sources(home, registry, frames),
        "snapshot": frames.snapshot,
        "result": _marked(frames.result),
        "rejection": _rejections(home, frames),
        "contamination_report": frames.contamination_report,
    }


def late_facts_of(home: Path, frames: Frames) -> dict[str, pl.DataFrame]:
    """The others: breakpoints, to which proposals are added, and the runs up to the one that publishes."""
    return {"breakpoint": frames.breakpoint, "run": run_table(home)}


def generations(home: Path) -> list[Path]:
    """The generation files of a home, oldest first."""
    folder = home / PUBLISHED_FOLDER
    return sorted((path for path in folder.glob("gen-*.duckdb") if _NAME.fullmatch(path.name)), key=_counter)


def _marked(results: pl.DataFrame) -> pl.DataFrame:
    """Results with what is no model (a human, a random or a cheating baseline) marked in the setting."""
    mark = pl.concat_str(pl.lit(NO_MODEL), pl.col("kind"))
    return results.with_columns(
        setting=pl.when(pl.col("kind") == "model")
        .then("setting")
        .otherwise(pl.concat_str(mark, pl.col("setting").replace("", None), separator=", ", ignore_nulls=True))
    )


def _aliases(registry: Registry, frames: Frames) -> pl.DataFrame:
    """Every name under which a source prints a model: the curated ones, and those that the rules for names resolve."""
    curated = registry.alias.select(PUBLISHED["alias"].names())
    names = ["source_id", "published_name", "model_id"]
    seen = frames.result.group_by(names).agg(pl.col("observed_at").max())
    newest = seen.sort("observed_at", *names).unique(["source_id", "published_name"], keep="last").select(names)
    by_rule = newest.join(curated, on=["source_id", "published_name"], how="anti")
    return pl.concat([curated, by_rule.sort(names).with_columns(setting=pl.lit(None, dtype=pl.String))])


def _conform(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    if name not in PUBLISHED:
        raise PublishError(f"not a table of the contract: {name}")
    schema = PUBLISHED[name]
    lacking = [column for column in schema if column not in frame.columns]
    if lacking:
        raise PublishError(f"{name}: no column {', '.join(lacking)}")
    ordered = frame.select(schema.names())
    if ordered.schema != schema:
        raise PublishError(f"{name}: expected {schema}, got {ordered.schema}")
    return ordered


def _rejections(home: Path, frames: Frames) -> pl.DataFrame:
    with reading(home) as connection:
        stored = select(connection, "SELECT * FROM rejection ORDER BY snapshot_id, source_row, reason, published")
    return stored.join(frames.snapshot, on="snapshot_id", how="semi", maintain_order="left")


def _next_name(folder: Path, at: datetime) -> str:
    """A name that no generation here had before: the counter goes up even where the instant does not."""
    newest = max((_counter(path) for path in generations(folder.parent)), default=0)
    return f"gen-{at:%Y%m%dT%H%M%SZ}-{newest + 1:06d}.duckdb"


def _counter(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    assert match is not None
    return int(match[1])


def _swap(folder: Path, target: Path) -> None:
    """Point `current` at the target in one step that survives a power cut."""
    fresh = folder / f".{CURRENT}.new"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target.name)
    fresh.replace(folder / CURRENT)
    _fsync(folder)


def _put_in_service(folder: Path, target: Path) -> None:
    try:
        _swap(folder, target)
    except BaseException:
        link = folder / CURRENT
        if not link.is_symlink() or link.readlink().name != target.name:
            _discard(target)
        raise


def _prune(folder: Path, current: Path) -> None:
    """Delete all but the newest generations; a reader that has one open keeps it until it closes it."""
    for path in generations(folder.parent)[:-KEEP]:
        if path != current:
            _discard(path)
            shutil.rmtree(files_of(path), ignore_errors=True)


def _discard(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.with_name(path.name + ".wal").unlink(missing_ok=True)


def _fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
