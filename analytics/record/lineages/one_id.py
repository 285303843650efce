"""One id for one benchmark: what a source stored under another id is read under the one that a curator chose."""

import polars as pl

from benchhealth.analytics.record.tables.columns import TEXT

BENCHMARK_ALIAS = pl.Schema({"alias_id": TEXT, "benchmark_id": TEXT, "reason": TEXT, "source_url": TEXT})
"""`alias_id` is a benchmark's id as some source says it, `benchmark_id` the one that all are known by."""

RELEASE = r"-\d{4}-\d{2}-\d{2}$"
"""The end of the id of a benchmark that comes in releases by day, which have most of their items in common."""


def in_one_id(table: pl.DataFrame, aliases: pl.DataFrame) -> pl.DataFrame:
    """The table with its column `benchmark_id` in the chosen ids; a part follows its whole, unless it has its own row.

    Stored under `a`, known as `b`: `a/hard` is `b/hard`. Ids without an alias stay as they are.
    """
    chosen = dict(aliases.select("alias_id", "benchmark_id").iter_rows())
    if not chosen:
        return table
    stored = table["benchmark_id"].unique()
    renamed_ids = {name: renamed for name in stored if (renamed := _chosen(name, chosen)) != name}
    return table.with_columns(pl.col("benchmark_id").replace(renamed_ids)) if renamed_ids else table


def _chosen(benchmark_id: str, chosen: dict[str, str]) -> str:
    if benchmark_id in chosen:
        return chosen[benchmark_id]
    whole_id, slash, part_name = benchmark_id.partition("/")
    return chosen.get(whole_id, whole_id) + slash + part_name
