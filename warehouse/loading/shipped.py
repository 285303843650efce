"""The first generation of the bundled facts as files beside them: written with a wheel, loaded where it is installed.

A table has its rows that may be mixed and passed on in `<table>.parquet`; those that rest on share-alike sources lie in
a folder named after their licence, each with its place in the whole. Of the results, which the bundle holds, only
what was made of them is written, row by row in the order of the bundle: `result/<source>.parquet`.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.bundle import COMPRESSION_LEVEL, BundleError, NotRedistributable
from benchhealth.warehouse.read import Generation
from benchhealth.warehouse.sharing.generation import SharedGeneration

OF_THE_HOME = "run"
"""The one table that is not shipped: every home has its own."""

RESULT = "result"
PLACE = "place in the whole"
FROM_THE_BUNDLE = ("snapshot_id", "source_row", "score", "score_published", "std_error")
"""Columns of results that are as the bundle holds them: nine tenths of their bytes."""

_MADE = tuple(column for column in PUBLISHED[RESULT] if column not in FROM_THE_BUNDLE)


def write_shipped(generation: Path, bundle: Path, target: Path) -> None:
    """Write the tables of a generation file that was made of the bundled facts alone into the folder `target`.

    Raises NotRedistributable where a source of it may not be passed on or two share-alike licences meet, BundleError
    for results that the bundle does not hold.
    """
    with closing(Generation(generation)) as made_here, closing(SharedGeneration(generation)) as shared:
        licence = _licence(made_here.table("source"))
        for name in PUBLISHED:
            if name not in (OF_THE_HOME, RESULT):
                rows = made_here.table(name).with_row_index(PLACE)
                is_licensed = ~rows.drop(PLACE).hash_rows().is_in(shared.table(name).hash_rows().implode())
                _write(rows.filter(~is_licensed).drop(PLACE), target / f"{name}.parquet")
                if is_licensed.any():
                    _write(rows.filter(is_licensed), target / licence / f"{name}.parquet")
        results = made_here.table(RESULT).join(
            made_here.table("snapshot").select("snapshot_id", "source_id"), on="snapshot_id"
        )
        own_terms = with_terms(made_here.table("source"), Terms.OWN_TERMS)
    for (source_id,), computed in results.group_by("source_id"):
        folder = target / licence if source_id in own_terms else target
        _write(_beside(_stored(bundle, str(source_id)), computed), folder / RESULT / f"{source_id}.parquet")


def read_shipped(folder: Path, bundle: Path) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables that `write_shipped` wrote, one after the other: all of a generation but OF_THE_HOME.

    The caller knows that folder and bundle are those that were written: nothing is checked here.
    """
    for name in PUBLISHED:
        if name == RESULT:
            yield name, _results(folder, bundle)
        elif name != OF_THE_HOME:
            yield name, _whole(folder, name)


def _licence(source: pl.DataFrame) -> str:
    """The one licence of the share-alike sources that have spoken, empty where none has."""
    spoken = source.filter(pl.col("last_observed_at").is_not_null())
    if closed := [*with_terms(spoken, Terms.CLOSED), *with_terms(spoken, Terms.IMPORTED)]:
        raise NotRedistributable(f"what rests on {', '.join(closed)} may not be passed on")
    share_alike = spoken.filter(pl.col("source_id").is_in(with_terms(spoken, Terms.OWN_TERMS)))
    licences = sorted(share_alike["licence"].unique())
    if len(licences) > 1:
        raise NotRedistributable(f"tables of {' and '.join(licences)} cannot be under both")
    return "".join(licences)


def _whole(folder: Path, name: str) -> pl.DataFrame:
    """All rows of a table in the order that they had."""
    rows = pl.read_parquet(folder / f"{name}.parquet")
    licensed = [pl.read_parquet(path) for path in folder.glob(f"*/{name}.parquet") if path.parent.name != RESULT]
    if not licensed:
        return rows
    licensed_rows = pl.concat(licensed)
    positions = pl.int_range(rows.height + licensed_rows.height, dtype=pl.UInt32, eager=True)
    free = positions.filter(~positions.is_in(licensed_rows[PLACE].implode())).alias(PLACE)
    together = pl.concat([rows.with_columns(free), licensed_rows.select(*rows.columns, PLACE)])
    return together.sort(PLACE).drop(PLACE)


def _stored(bundle: Path, source_id: str) -> pl.DataFrame:
    """The results of a source as its bundle has them: the columns FROM_THE_BUNDLE, in its order."""
    file = pl.scan_parquet(bundle / f"{source_id}.parquet")
    return file.filter(pl.col("table") == RESULT).select(FROM_THE_BUNDLE).collect()


def _beside(stored: pl.DataFrame, computed: pl.DataFrame) -> pl.DataFrame:
    """The columns that were made of each stored row, null for one that is in no generation; as high as `stored`.

    Rows that agree in all that the bundle holds are taken in their order: which is which makes no difference.
    """
    nth = pl.int_range(pl.len()).over(FROM_THE_BUNDLE).alias("nth")
    key = [*FROM_THE_BUNDLE, "nth"]
    beside = stored.with_columns(nth).join(
        computed.with_columns(nth).select(*key, *_MADE), on=key, how="left", nulls_equal=True, maintain_order="left"
    )
    if beside["benchmark_id"].count() != computed.height:
        raise BundleError(f"{computed.height} results, of which the bundle holds {beside['benchmark_id'].count()}")
    return beside.select(_MADE)


def _results(folder: Path, bundle: Path) -> pl.DataFrame:
    """All results, benchmark by benchmark and from old to new, as a generation has them."""
    by_source = [
        pl.concat([_stored(bundle, path.stem), pl.read_parquet(path)], how="horizontal").filter(
            pl.col("benchmark_id").is_not_null()
        )
        for path in sorted(folder.rglob(f"{RESULT}/*.parquet"))
    ]
    snapshots = _whole(folder, "snapshot").sort("observed_at", "snapshot_id")
    in_time = snapshots.select("snapshot_id").with_row_index(PLACE)
    results = pl.concat(by_source).join(in_time, on="snapshot_id", how="left")
    return results.sort("benchmark_id", PLACE, maintain_order=True).select(PUBLISHED[RESULT].names())


def _write(rows: pl.DataFrame, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    rows.write_parquet(target, compression="zstd", compression_level=COMPRESSION_LEVEL, statistics=False)
