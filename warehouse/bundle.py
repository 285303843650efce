"""One Parquet file per source with everything stored about it: how facts travel with the repository."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from benchhealth.analytics.record.by_item.packing import fits
from benchhealth.analytics.record.tables.columns import NUMBERS, TEXT, TEXTS
from benchhealth.warehouse.loading.items import packed_lists
from benchhealth.warehouse.sql import FACTS, SNAPSHOT_PARTS, select
from benchhealth.warehouse.store import RESULT_KEY, Store, check_results, reading

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset, Expression

TABLES = ("source", "snapshot", "look", "item", *SNAPSHOT_PARTS)
COMPRESSION_LEVEL = 15
_LAYOUT = pl.Schema({"table": TEXT, **{column: kind for name in TABLES for column, kind in FACTS[name].items()}})
_FIRST = ("source", "snapshot", "result", "rejection", "model_fact", "benchmark_fact")
_ADDED = ("printed_in", "row_setting")
_LATER = {
    column: kind
    for column, kind in _LAYOUT.items()
    if column in _ADDED or not any(column in FACTS[name] for name in _FIRST)
}
_LATER.pop("table")
"""The columns of tables that the first bundles do not have, and those that came to a table later."""
_RETIRED = {"items": TEXTS, "outcomes": NUMBERS}
"""Columns of the table `item_fact` of earlier bundles, which held names and outcomes in every row."""

_ORDER = {
    "snapshot": ("observed_at", "snapshot_id"),
    "result": (*RESULT_KEY, "observed_at", "snapshot_id"),
    "rejection": ("reason", "source_row", "published", "observed_at", "snapshot_id"),
    "model_fact": ("model_id", "name", "source_row", "observed_at", "snapshot_id"),
    "benchmark_fact": ("benchmark_id", "name", "observed_at", "snapshot_id"),
    "report_fact": ("benchmark_id", "subject", "source_row", "observed_at", "snapshot_id"),
    "mention_fact": ("benchmark_id", "document", "source_row", "observed_at", "snapshot_id"),
    "name_fact": ("entity", "listed", "key", "source_row", "observed_at", "snapshot_id"),
    "item_run": ("list_id", "source_row", "observed_at", "snapshot_id"),
    "price_fact": ("provider", "published_name", "terms", "starts_on", "observed_at", "snapshot_id"),
}
"""What hardly changes from one snapshot to the next stands together, which is what makes the file small."""


class NotRedistributable(ValueError):  # noqa: N818 - a state of the licence, not a fault
    """The source's licence does not let its facts be passed on."""


class BundleError(ValueError):
    """A file that is not what `dump` writes, or that contradicts itself; nothing of it was stored."""


def dump(home: Path, source_id: str, folder: Path) -> Path:
    """Write everything stored about one source to `to/<source_id>.parquet` (zstd) and return that file.

    Of the looks at each board the newest goes along, so that who restores it knows until when it speaks. The column
    `table` names the table of the facts that a row belongs to; a row has nulls in all columns that its table does not
    have. The same facts always give the same file. Raises NotRedistributable, or KeyError for a source that is not
    stored.
    """
    with reading(home) as connection:
        source = select(connection, "SELECT * FROM source WHERE source_id = $source", {"source": source_id})
        if source.is_empty():
            raise KeyError(f"no source {source_id!r} is stored")
        if source["redistributable"].item() is not True:
            raise NotRedistributable(f"{source_id}: its licence is {source['licence'].item()!r}")
        snapshots = select(connection, "SELECT * FROM snapshot WHERE source_id = $source", {"source": source_id})
        looks = select(
            connection,
            "SELECT source_id, board_id, max(looked_at) AS looked_at FROM look WHERE source_id = $source GROUP BY ALL",
            {"source": source_id},
        )
        items = select(connection, "SELECT * FROM item WHERE source_id = $source", {"source": source_id})
        tables = {name: select(connection, f'SELECT * FROM "{name}"') for name in SNAPSHOT_PARTS}  # noqa: S608 - own
    packed = pack({"source": source, "snapshot": snapshots, "look": looks, "item": items, **tables})
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{source_id}.parquet"
    partial = folder / f".{source_id}.parquet.partial"
    try:
        packed.write_parquet(partial, compression="zstd", compression_level=COMPRESSION_LEVEL)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target


def read_bundles(*bundles: Path) -> dict[str, pl.DataFrame]:
    """The tables that were dumped, those of all files together. Raises BundleError for what `dump` did not write so."""
    tables = _joined_files([_read_bundle(bundle) for bundle in bundles])
    if tables["snapshot"]["snapshot_id"].is_duplicated().any():
        raise BundleError("a snapshot in two bundles")
    return tables


def restore(store: Store, tables: Mapping[str, pl.DataFrame]) -> int:
    """Store the snapshots of `read_bundles` that the store does not have yet, in one transaction; returns how many.

    One transaction for all, because each would compress its own. A source's row is stored too, unless the store has
    one already, and each look that is newer than the store's.
    """
    fresh = tables["snapshot"].filter(~pl.col("snapshot_id").is_in(list(store.snapshot_ids())))
    new = {
        name: tables[name].join(fresh.select("snapshot_id"), on="snapshot_id", how="semi") for name in SNAPSHOT_PARTS
    }
    lists = tables["item"].join(new["item_run"], on="list_id", how="semi")
    store.append_all({"snapshot": fresh, "item": lists, **new})
    store.write_looks(tables["look"])
    store.write_sources(tables["source"].filter(~pl.col("source_id").is_in(list(store.source_ids()))))
    return fresh.height


def _read_bundle(bundle: Path) -> dict[str, pl.DataFrame]:
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and most commands read no bundle

    refusals = (pa.ArrowException, OSError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException)
    try:
        tables = unpack(bundle)
        _check(tables)
    except refusals as error:
        raise BundleError(f"{bundle}: {error}") from error
    return tables


def _joined_files(bundles: Sequence[Mapping[str, pl.DataFrame]]) -> dict[str, pl.DataFrame]:
    return {name: pl.concat([pl.DataFrame(schema=FACTS[name]), *(facts[name] for facts in bundles)]) for name in TABLES}


def pack(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """One frame out of the tables `TABLES`: rows of the snapshots given, each table in an order that packs well."""
    observed = tables["snapshot"].select("snapshot_id", "observed_at")
    ordered = {
        "source": tables["source"],
        "snapshot": tables["snapshot"].sort(_ORDER["snapshot"]),
        "look": tables["look"].sort("board_id"),
        "item": tables["item"].unique(["list_id", "place"]).sort("list_id", "place"),
    } | {
        name: tables[name].join(observed, on="snapshot_id").sort(_ORDER[name]).drop("observed_at")
        for name in SNAPSHOT_PARTS
    }
    stacked = pl.concat([ordered[name].with_columns(table=pl.lit(name)) for name in TABLES], how="diagonal")
    return stacked.select(_LAYOUT.names())


def unpack(bundle: Path) -> dict[str, pl.DataFrame]:
    """The tables that were packed into a Parquet file. Raises BundleError for one that is not shaped like a packed one.

    By Arrow, as some damaged bytes end a process in which Polars reads them; what Arrow raises goes on to the caller.
    A bundle from before there were contamination reports, looks, mentions, listed names, items and prices has none of
    their columns.
    Its source is then of the kind that speaks for what is in it and no longer, unless the catalogue knows better.
    """
    from pyarrow.dataset import dataset  # noqa: PLC0415 - as above

    file = dataset(bundle, format="parquet")
    stored_schema = pl.DataFrame(pl.from_arrow(file.schema.empty_table())).schema
    lacking = {name: kind for name, kind in _LATER.items() if name not in stored_schema}
    current = {name: kind for name, kind in stored_schema.items() if _RETIRED.get(name) != kind}
    if {**current, **lacking} != dict(_LAYOUT):
        raise BundleError(f"expected {_LAYOUT}, got {stored_schema}")
    packed = set(_rows(file, ["table"])["table"].unique())
    if strange := packed - {*TABLES, "item_fact"}:
        raise BundleError(f"rows of {strange}")
    tables = {
        name: _table(file, name, lacking) if name in packed else pl.DataFrame(schema=FACTS[name]) for name in TABLES
    }
    if "item_fact" in packed:
        tables |= _items_of_old(file, tables)
    return tables | {"source": tables["source"].with_columns(pl.col("kind").fill_null("paper"))}


def _items_of_old(file: "Dataset", tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    from pyarrow.dataset import field  # noqa: PLC0415 - as above

    address = ["snapshot_id", "source_row"]
    rows = _rows(file, [*address, *_RETIRED], field("table") == "item_fact")
    of_results = tables["result"].group_by(address).agg(pl.col("benchmark_id", "n_items").max())
    sources = tables["snapshot"].select("snapshot_id", "source_id")
    named = rows.join(sources, on="snapshot_id", how="left").join(of_results, on=address, how="left")
    runs, items = packed_lists(named.sort(address))
    return {"item_run": runs, "item": items}


def _table(file: "Dataset", name: str, lacking: Mapping[str, pl.DataType]) -> pl.DataFrame:
    from pyarrow.dataset import field  # noqa: PLC0415 - as above

    # of a table only its own columns are read: of the whole most are null
    present = [column for column in FACTS[name] if column not in lacking]
    rows = _rows(file, present, field("table") == name)
    return rows.select(
        pl.lit(None, lacking[column]).alias(column) if column in lacking else column for column in FACTS[name]
    )


def _rows(file: "Dataset", columns: list[str], condition: "Expression | None" = None) -> pl.DataFrame:
    rows = file.to_table(columns=columns, filter=condition)
    rows.validate(full=True)
    return pl.DataFrame(pl.from_arrow(rows))


def _check(tables: Mapping[str, pl.DataFrame]) -> None:
    source, snapshots = tables["source"], tables["snapshot"]
    if source.height != 1 or not (snapshots["source_id"] == source["source_id"].item()).all():
        raise BundleError("not the snapshots of one source")
    if snapshots["snapshot_id"].is_duplicated().any():
        raise BundleError("a snapshot twice")
    if not (tables["look"]["source_id"] == source["source_id"].item()).all():
        raise BundleError("looks at another source")
    _check_items(tables["item"], tables["item_run"], source["source_id"].item())
    for name in SNAPSHOT_PARTS:
        if not tables[name].join(snapshots, on="snapshot_id", how="anti").is_empty():
            raise BundleError(f"{name} rows of a snapshot that is not there")
    counted_as_kept = ("result", "model_fact", "report_fact", "mention_fact", "name_fact", "item_run", "price_fact")
    stored = pl.concat([tables[name].select("snapshot_id") for name in counted_as_kept])
    counted = (
        snapshots.join(stored.group_by("snapshot_id").len("kept"), on="snapshot_id", how="left")
        .join(tables["rejection"].group_by("snapshot_id").len("rejected"), on="snapshot_id", how="left")
        .with_columns(pl.col("kept", "rejected").fill_null(0))
    )
    wrong = counted.filter(
        (pl.col("kept") != pl.col("rows_kept"))
        | (pl.col("rejected") != pl.col("rows_rejected"))
        | (pl.col("kept") + pl.col("rejected") != pl.col("rows_in"))
    )
    if not wrong.is_empty():
        raise BundleError(f"{wrong.height} snapshots do not have the rows that they count")
    check_results(tables["result"], ("snapshot_id", *RESULT_KEY))


def _check_items(items: pl.DataFrame, runs: pl.DataFrame, source_id: str) -> None:
    """Each list is whole and of this source, and each run fits its list."""
    if not (items["source_id"] == source_id).all() or items["item"].has_nulls():
        raise BundleError("items of another source, or without a name")
    lists = items.group_by("list_id").agg(size=pl.len(), first=pl.col("place").min(), last=pl.col("place").max())
    if (
        items.select("list_id", "place").is_duplicated().any()
        or not lists.filter((pl.col("first") != 0) | (pl.col("last") != pl.col("size") - 1)).is_empty()
    ):
        raise BundleError("a list of items with a gap or an item twice")
    sized = runs.join(lists, on="list_id", how="left").with_columns(pl.col("size").fill_null(0))
    if not all(fits(run, run["size"]) for run in sized.iter_rows(named=True)):
        raise BundleError("a run item by item that does not fit its list")
