"""What a run of a benchmark costs, where a source publishes it."""

import polars as pl

from benchhealth.analytics.record.frames import Frames

OF_RUN = ("cost of the whole run", "cost of the run", "dollars for the whole run")
OF_ITEM = ("cost of a task", "dollars a question")
"""What sources call the dollars of one run over all items, and those of one item of it; other metrics are no cost."""


def run_costs(frames: Frames, facts: pl.DataFrame) -> pl.DataFrame:
    """`run_cost`, the median of what runs over all items cost in dollars, over `priced_runs` of them, by benchmark.

    A cost is a result of the part `<benchmark>/cost` or the like, at the prices of its day; that of one item is counted
    as many times as the benchmark has items. A cost of 0 is none.
    """
    metrics = [*OF_RUN, *OF_ITEM]
    parts = facts.filter(pl.col("metric").is_in(metrics), pl.col("unit") == "dollars").select(
        "benchmark_id", "metric", of=pl.col("benchmark_id").str.replace(r"/[^/]+$", "")
    )
    items = facts.select(of="benchmark_id", n_items="n_items")
    runs = (
        frames.result.join(parts.lazy(), on="benchmark_id")
        .filter("stands", pl.col("score") > 0)
        .select("of", "metric", "score")
        .collect()
        .join(items, on="of", how="left")
    )
    of_run = pl.col("metric").is_in(OF_RUN)
    priced = runs.with_columns(cost=pl.col("score") * pl.when(of_run).then(1).otherwise("n_items"), of_run=of_run)
    return (
        priced.drop_nulls("cost")
        .group_by(benchmark_id="of")
        .agg(run_cost=pl.col("cost").median(), priced_runs=pl.len().cast(pl.Int64))
        .sort("benchmark_id")
    )
