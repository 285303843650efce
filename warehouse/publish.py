"""Publishing: a new immutable generation is built beside the old one, checked, and put in its place in one step."""

import shutil
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import datetime
from itertools import count
from pathlib import Path

import duckdb
import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.sides import with_sides
from benchhealth.analytics.record.tables import NO_MODEL, PUBLISHED
from benchhealth.warehouse.check import check_generation
from benchhealth.warehouse.faults import explain_errors
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.places.disk import put_on_disk
from benchhealth.warehouse.read import (
    CURRENT,
    NAME,
    PUBLISHED_FOLDER,
    NoGeneration,
    current_path,
    files_of,
    generations,
    number_of,
)
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sharing.fact_sources import fact_sources
from benchhealth.warehouse.sql import NEW_FILES, append, create_table, select, transaction
from benchhealth.warehouse.status import run_table
from benchhealth.warehouse.store import reading

KEEP = 3
"""Generations that stay where nobody says how many."""

BUILDING = ".building.duckdb"

MEMORY = "1GB"
"""What DuckDB may hold of a generation while it is written and checked."""


class PublishError(ValueError):
    """The tables to publish break the contract; the generation in service stays."""


def publish(  # noqa: PLR0913 - what a caller may ask for
    home: Path,
    tables: Mapping[str, Rows],
    published_at: datetime,
    *,
    keep: int = KEEP,
    hand_over: Callable[[Path], None] | None = None,
    on_table: Callable[[str], None] | None = None,
) -> Path:
    """Write every published table into a new generation, check it, make it the current one and return its file.

    `tables` has every table of the contract by its name; `published_at` (naive UTC) is in the file's name. Of the
    generations the `keep` newest stay. `hand_over` is given the file before it is in service here, to put it in service
    elsewhere, `on_table` the name of each table that was written.
    Whatever fails, the generation in service stays in service. Raises PublishError for tables that are not the
    contract's, CheckError for contents that contradict themselves.
    """
    conforming = {name: _conform(name, frame) for name, frame in tables.items()}
    if missing := [name for name in PUBLISHED if name not in conforming]:
        raise PublishError(f"not computed: {', '.join(missing)}")
    folder = home / PUBLISHED_FOLDER
    with exclusive(folder / "lock", wait=True):
        building = folder / BUILDING
        _discard(building)
        try:
            _write(building, conforming, on_table)
            target = folder / _next_name(folder, published_at)
            building.rename(target)
        finally:
            _discard(building)
        try:
            if hand_over is not None:
                hand_over(target)
        except BaseException:
            _discard(target)
            raise
        _put_in_service(folder, target)
        _prune(folder, target, keep)
    return target


def put_back(home: Path, generation: Path) -> Path:
    """Move a generation file of a backup among those of `home`, make it the current one and return where it is now.

    Where `home` has generations it gets a number above theirs: a reader that opened a file of this very name would
    go on seeing the old contents.
    """
    folder = home / PUBLISHED_FOLDER
    with exclusive(folder / "lock", wait=True):
        numbers = [number_of(path) for path in generations(home)]
        stamp, number_of_backup = generation.stem.rsplit("-", 1)
        number = max([int(number_of_backup), *numbers]) + 1 if numbers else int(number_of_backup)
        target = folder / f"{stamp}-{number:06d}.duckdb"
        put_on_disk(generation)
        generation.rename(target)
        _put_in_service(folder, target)
    return target


def take_in(home: Path, name: str, fill: Callable[[Path], None]) -> Path:
    """Put a generation in service that was published elsewhere under that name: `fill` writes its file.

    Whatever fails, the generation in service stays. Raises PublishError for a name that is no generation's, and what
    `fill` raises.
    """
    folder = home / PUBLISHED_FOLDER
    target = folder / f"{name}.duckdb"
    if not NAME.fullmatch(name):
        raise PublishError(f"{name!r} is no name of a generation")
    with exclusive(folder / "lock", wait=True):
        building = folder / BUILDING
        _discard(building)
        try:
            if not target.exists():  # readers may have that very file open
                fill(building)
                put_on_disk(building)
                building.rename(target)
        finally:
            _discard(building)
        _put_in_service(folder, target)
        _prune(folder, target, KEEP)
    return target


def is_in_service(home: Path, name: str) -> bool:
    """Whether the generation of that name is the one in service here, and its file is there."""
    try:
        path = current_path(home)
    except NoGeneration:
        return False
    return path.stem == name and path.exists()


def fact_tables(home: Path, registry: Registry, frames: Frames, copy: pl.DataFrame) -> dict[str, Rows]:
    """The published tables of facts as they are known in `frames`, and the runs up to now.

    `copy` is the table of that name, which says whose number a result is that several places print.
    """
    return {
        "benchmark": frames.benchmark,
        "model": frames.model,
        "alias": _aliases(registry, frames),
        "source": frames.source,
        "fact_source": fact_sources(home, registry, frames),
        "snapshot": frames.snapshot,
        "result": _with_baselines_marked(with_sides(frames.result, frames.measurer, copy)),
        **_by_item(frames),
        "rejection": _rejections(home, frames),
        "breakpoint": frames.breakpoint,
        "successor": frames.successor,
        "contamination_report": frames.contamination_report,
        "mention": frames.mention,
        "price": frames.price,
        "kept_out": frames.kept_out,
        "run": run_table(home),
    }


def serve(home: Path, target: Path) -> None:
    """Put a generation of this home that is there already in service. Raises OSError where the link cannot be made."""
    folder = home / PUBLISHED_FOLDER
    with exclusive(folder / "lock", wait=True):
        _swap(folder, target)


def delete(home: Path, generation: Path) -> None:
    """Delete a generation that is not in service, with the files made of it. Raises OSError."""
    with exclusive(home / PUBLISHED_FOLDER / "lock", wait=True):
        if not is_in_service(home, generation.stem):
            _discard(generation)
            shutil.rmtree(files_of(generation), ignore_errors=True)


def _write(building: Path, tables: Mapping[str, Rows], on_table: Callable[[str], None] | None) -> None:
    # All cores write, and what does not fit goes to a file beside the database.
    config: dict[str, str | bool | int | float | list[str]] = {
        **NEW_FILES,
        "preserve_insertion_order": False,
        "memory_limit": MEMORY,
    }
    explain = explain_errors(building, "`benchhealth assess` builds it anew")
    with explain, closing(duckdb.connect(building, config=config)) as connection:
        heights = {}
        with transaction(connection) as cursor:
            for name, rows in tables.items():
                cursor.sql(create_table(name, PUBLISHED[name]))
                heights[name] = append(cursor, name, rows)
                if on_table is not None:
                    on_table(name)
        connection.checkpoint()
        check_generation(connection, heights)
    put_on_disk(building)


def _with_baselines_marked(results: pl.LazyFrame) -> pl.LazyFrame:
    """Results with what is no model (a human, a random or a cheating baseline) marked in the setting."""
    mark = pl.concat_str(pl.lit(NO_MODEL), pl.col("kind"))
    stated = pl.when(pl.col("setting") != "").then("setting")  # `replace` would hold the whole table at once
    return results.with_columns(
        setting=pl.when(pl.col("kind") == "model")
        .then("setting")
        .otherwise(pl.concat_str(mark, stated, separator=", ", ignore_nulls=True))
    )


def _by_item(frames: Frames) -> dict[str, Rows]:
    """The results item by item that stand, with the lists of items that they are over."""
    runs = frames.item_result.filter("stands").sort("benchmark_id", "model_id", "setting", "reporter", "snapshot_id")
    return {
        "item_result": runs.select(PUBLISHED["item_result"].names()),
        "item": frames.item.join(runs, on="list_id", how="semi", maintain_order="left"),
    }


def _aliases(registry: Registry, frames: Frames) -> pl.DataFrame:
    """Every name under which a source prints a model: the curated ones, and those that the rules for names resolve."""
    curated = registry.alias.select(PUBLISHED["alias"].names())
    names = ["source_id", "published_name", "model_id"]
    printed = frames.result.group_by(names).agg(pl.col("observed_at").max()).collect(engine="streaming")
    newest = printed.sort("observed_at", *names).unique(["source_id", "published_name"], keep="last").select(names)
    by_rule = newest.join(curated, on=["source_id", "published_name"], how="anti")
    return pl.concat([curated, by_rule.sort(names).with_columns(setting=pl.lit(None, dtype=pl.String))])


def _conform(name: str, frame: Rows) -> Rows:
    if name not in PUBLISHED:
        raise PublishError(f"not a table of the contract: {name}")
    schema = PUBLISHED[name]
    columns = frame.collect_schema()
    lacking = [column for column in schema if column not in columns]
    if lacking:
        raise PublishError(f"{name}: no column {', '.join(lacking)}")
    ordered = frame.select(schema.names())
    if ordered.collect_schema() != schema:
        raise PublishError(f"{name}: expected {schema}, got {ordered.collect_schema()}")
    return ordered


def _rejections(home: Path, frames: Frames) -> pl.DataFrame:
    with reading(home) as connection:
        stored = select(connection, "SELECT * FROM rejection ORDER BY snapshot_id, source_row, reason, published")
    return stored.join(frames.snapshot, on="snapshot_id", how="semi", maintain_order="left")


def _next_name(folder: Path, published_at: datetime) -> str:
    """A name that no generation here had before: the counter goes up even where the instant does not."""
    newest = max((number_of(path) for path in generations(folder.parent)), default=0)
    return f"gen-{published_at:%Y%m%dT%H%M%SZ}-{newest + 1:06d}.duckdb"


def _swap(folder: Path, target: Path) -> None:
    """Point `current` at the target in one step that survives a power cut."""
    fresh = folder / f".{CURRENT}.new"
    fresh.unlink(missing_ok=True)
    try:
        fresh.symlink_to(target.name)
        _make_way(folder / CURRENT)
        fresh.replace(folder / CURRENT)
    finally:
        fresh.unlink(missing_ok=True)
    put_on_disk(folder)


def _make_way(link: Path) -> None:
    """Move a folder that lies where the link should be aside, to the first name that is free."""
    if link.is_dir() and not link.is_symlink():
        names = (link.with_name(f"{link.name}.{number}") for number in count(1))
        link.rename(next(path for path in names if not path.exists()))


def _put_in_service(folder: Path, target: Path) -> None:
    try:
        _swap(folder, target)
    except BaseException:
        link = folder / CURRENT
        if not link.is_symlink() or link.readlink().name != target.name:
            _discard(target)
        raise


def _prune(folder: Path, current: Path, keep: int) -> None:
    """Delete all but the newest generations; a reader that has one open keeps it until it closes it."""
    for path in generations(folder.parent)[:-keep]:
        if path != current:
            _discard(path)
            shutil.rmtree(files_of(path), ignore_errors=True)


def _discard(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.with_name(path.name + ".wal").unlink(missing_ok=True)
