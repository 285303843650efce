"""The stored results as analytics reads them, some at a time: what a row is depends on rows of its source.

They are held packed; each step of an assessment unpacks the columns, or the benchmarks, that it reads.
"""

from collections.abc import Iterator, Sequence

import duckdb
import polars as pl

from benchhealth.analytics.packed import ROWS_AT_ONCE, Packed, in_runs
from benchhealth.analytics.record.conditions.recognise import with_condition
from benchhealth.analytics.record.conditions.standing import standing
from benchhealth.analytics.record.dating import date_results
from benchhealth.analytics.record.frames import RESULT, RESULT_ORDER
from benchhealth.analytics.record.lineages.one_id import in_one_id
from benchhealth.analytics.record.origins.houses import makers_words
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sql import quoted, select


def named_results(
    connection: duckdb.DuckDBPyConnection, snapshots: pl.DataFrame, registry: Registry
) -> list[pl.DataFrame]:
    """The results of these snapshots, some sources at a time, with the ids of today and the condition of each.

    `board_id` is the address of their board: it keeps the benchmark's id as stored.
    """
    observed_of = snapshots.select("snapshot_id", "source_id", "observed_at")
    address = pl.concat_str("source_id", pl.lit("/"), "benchmark_id")
    batches = [_NAMED.to_frame()]
    for sources in _grouped_sources(connection, snapshots):
        stored = select(connection, _OF_SOURCES.replace("$sources", ", ".join(map(quoted, sources))))
        observed = stored.join(observed_of, on="snapshot_id").with_columns(board_id=address)
        results = with_condition(in_one_id(observed, registry.benchmark_alias), registry.condition)
        batches.append(results.select(_NAMED.names()))
    return batches


def rows_of(batches: Sequence[pl.DataFrame]) -> pl.LazyFrame:
    """All rows of these parts, as a table that holds none of them twice."""
    return pl.concat([batch.lazy() for batch in batches])


def placed_in_time(
    batches: list[pl.DataFrame],
    models: pl.DataFrame,
    snapshots: pl.DataFrame,
    benchmarks: pl.DataFrame,
    registry: Registry,
) -> pl.LazyFrame:
    """The results with who reports them, their day and whether they stand, in RESULT_ORDER; schema `RESULT`.

    Takes them from `batches`. All are held unpacked until the last is placed: to pack them twice took longer.
    """
    by_source, by_benchmark = [], Packed(RESULT)
    while batches:
        with_reporters = makers_words(batches.pop(0), models, registry.measurer)
        in_time = date_results(with_reporters, models, snapshots, benchmarks, registry.breakpoint)
        placed = standing(in_time, snapshots).select(RESULT.names())
        by_source.append(placed.lazy())
    for placed in in_runs(pl.concat([by_benchmark.empty, *by_source]), RESULT_ORDER):
        by_benchmark.put(placed)
    return by_benchmark.rows()


_NAMED = pl.Schema({name: kind for name, kind in RESULT.items() if name not in {"date_precision", "stands"}})
"""The columns of RESULT but for those that `placed_in_time` adds."""

_OF_SOURCES = "SELECT r.* FROM result r SEMI JOIN (FROM snapshot WHERE source_id IN ($sources)) USING (snapshot_id)"
_ROWS = "SELECT source_id, count(*) AS rows FROM result JOIN snapshot USING (snapshot_id) GROUP BY source_id ORDER BY 1"


def _grouped_sources(connection: duckdb.DuckDBPyConnection, snapshots: pl.DataFrame) -> Iterator[list[str]]:
    """The sources of the snapshots in groups of at most ROWS_AT_ONCE rows, or of one source."""
    group: list[str] = []
    rows = 0
    counted = select(connection, _ROWS).filter(pl.col("source_id").is_in(snapshots["source_id"].unique().implode()))
    for source_id, more in counted.iter_rows():
        if group and rows + more > ROWS_AT_ONCE:
            yield group
            group, rows = [], 0
        group.append(source_id)
        rows += more
    if group:
        yield group
