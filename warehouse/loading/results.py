"""The stored results as analytics reads them, some at a time: what a row is depends on rows of its source.

They are held packed, as Parquet in memory, a fiftieth of what the same rows take as a frame: names and settings repeat.
Each step of an assessment unpacks the columns, or the benchmarks, that it reads.
"""

from collections.abc import Iterator
from io import BytesIO

import duckdb
import polars as pl

from analytics.record.conditions.recognise import conditioned
from analytics.record.conditions.standing import standing
from analytics.record.dating import dated
from analytics.record.frames import AT_ONCE, RESULT, RESULT_ORDER
from analytics.record.lineages.one_id import in_one_id
from warehouse.facts import quoted, select
from warehouse.registry import Registry

PAGE = 30_000
"""Rows that are packed together, the fewest that can be unpacked alone."""


class Packed:
    """Frames of one schema put in one after the other, each kept as the bytes of a Parquet file."""

    def __init__(self, schema: pl.Schema) -> None:
        self.empty = pl.LazyFrame(schema=schema)
        self._files: list[bytes] = []

    def put(self, rows: pl.DataFrame) -> None:
        """Pack these rows behind the others."""
        packed = BytesIO()
        rows.write_parquet(packed, compression="zstd", compression_level=1, row_group_size=PAGE)
        self._files.append(packed.getvalue())

    def rows(self) -> pl.LazyFrame:
        """All rows that were put in, in that order."""
        return pl.scan_parquet(self._files) if self._files else self.empty

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """The frames that were put in; each is let go once it was taken."""
        while self._files:
            yield pl.read_parquet(self._files.pop(0))


def named(connection: duckdb.DuckDBPyConnection, snapshots: pl.DataFrame, registry: Registry) -> Packed:
    """The results of these snapshots, some sources at a time, with the ids of today and the condition of each.

    `board_id` is the address of their board: it keeps the benchmark's id as stored.
    """
    known = snapshots.select("snapshot_id", "source_id", "observed_at")
    address = pl.concat_str("source_id", pl.lit("/"), "benchmark_id")
    found = Packed(pl.Schema({name: kind for name, kind in RESULT.items() if name != "stands"}))
    for sources in _together(connection, snapshots):
        stored = select(connection, _OF_SOURCES.replace("$sources", ", ".join(map(quoted, sources))))
        observed = stored.join(known, on="snapshot_id").with_columns(board_id=address)
        found.put(conditioned(in_one_id(observed, registry.benchmark_alias), registry.condition))
    return found


def placed_in_time(parts: Packed, models: pl.DataFrame, snapshots: pl.DataFrame) -> pl.LazyFrame:
    """The results with their day and whether they stand, in RESULT_ORDER; schema `RESULT`. Takes them from `parts`."""
    by_source, by_benchmark = Packed(RESULT), Packed(RESULT)
    for part in parts:
        placed = standing(dated(part, models, snapshots), snapshots).select(RESULT.names())
        by_source.put(placed.sort(RESULT_ORDER))
    rows = by_source.rows()
    for first, last in _benchmarks_together(rows):
        here = pl.col("benchmark_id").is_between(pl.lit(first), pl.lit(last))
        by_benchmark.put(rows.filter(here).collect().sort(RESULT_ORDER))
    return by_benchmark.rows()


def _benchmarks_together(rows: pl.LazyFrame) -> Iterator[tuple[str, str]]:
    """The first and the last of benchmarks, in order, that have AT_ONCE rows or of one that has more."""
    sizes = rows.group_by("benchmark_id").agg(size=pl.len()).collect().sort("benchmark_id")
    groups = sizes.group_by(pl.col("size").cum_sum() // AT_ONCE, maintain_order=True)
    yield from (
        groups.agg(first=pl.col("benchmark_id").first(), last=pl.col("benchmark_id").last())
        .select("first", "last")
        .iter_rows()
    )


_OF_SOURCES = "SELECT r.* FROM result r SEMI JOIN (FROM snapshot WHERE source_id IN ($sources)) USING (snapshot_id)"
_ROWS = "SELECT source_id, count(*) AS rows FROM result JOIN snapshot USING (snapshot_id) GROUP BY source_id ORDER BY 1"


def _together(connection: duckdb.DuckDBPyConnection, snapshots: pl.DataFrame) -> Iterator[list[str]]:
    """The sources of the snapshots in groups of at most AT_ONCE rows, or of one source."""
    group: list[str] = []
    rows = 0
    counted = select(connection, _ROWS).filter(pl.col("source_id").is_in(snapshots["source_id"].unique().implode()))
    for source_id, more in counted.iter_rows():
        if group and rows + more > AT_ONCE:
            yield group
            group, rows = [], 0
        group.append(source_id)
        rows += more
    if group:
        yield group
