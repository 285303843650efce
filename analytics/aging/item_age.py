"""Scores by the age of the items: what models do on the problems of one month and one difficulty."""

import polars as pl

from benchhealth.analytics.contamination.exposure import MONTH_PART, dated_items
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low
from benchhealth.analytics.statistics.group_mean import group_mean

CELL = ["whole", "source_id", "month", "difficulty"]


def item_age(frames: Frames) -> pl.DataFrame:
    """Table `item_age`: each model's score on the dated items of one `month` (its first day) and `difficulty`.

    Rows without `model_id` hold the mean of the `n_models` that the newest version of the source lists on all of its
    items: their slope is what the months differ in, and against it a single model is read. A model in several
    settings counts once, by their mean; one that is no longer listed keeps its last scores. `low` to `high` is the 95%
    Wilson interval for `n_items` right or wrong, which bounds that of any mean of scores between 0 and 1 (see
    `errors`). `cutoff_on` is the end of the model's training data as `cutoff_source` states it, the one that
    stands where sources differ; null where nobody does, as a day of release is no such statement.
    """
    ids = frames.result.select(pl.col("benchmark_id").unique()).collect()
    month_ids = ids.filter(pl.col("benchmark_id").str.contains(MONTH_PART))  # far fewer names than results
    rows = dated_items(frames.result.join(month_ids.lazy(), on="benchmark_id", how="semi")).rename(
        {"stratum": "difficulty"}
    )
    newest = pl.col("observed_at") == pl.col("observed_at").max().over("whole", "source_id", "model_id")
    latest = pl.col("observed_at") == pl.col("observed_at").max().over("whole", "source_id")
    cells = (
        rows.with_columns(is_latest=latest)
        .filter(newest)
        .group_by(*CELL, "model_id")
        .agg(group_mean("score"), pl.col("n_items").max(), pl.col("is_latest").all())
    )
    listed = cells.filter("is_latest")
    wide = pl.len().over("whole", "source_id", "model_id")
    full = listed.filter(wide == wide.max().over("whole", "source_id")).sort(*CELL, "model_id")
    mean = full.group_by(CELL).agg(group_mean("score"), pl.col("n_items").max(), n_models=pl.len().cast(pl.Int64))
    stated = (
        frames.cutoff.sort("cutoff_on", "source_id")
        .unique("model_id", keep="last", maintain_order=True)
        .select("model_id", "cutoff_on", cutoff_source="source_id")
    )
    cells_and_means = pl.concat([cells.with_columns(n_models=pl.lit(1, dtype=pl.Int64)), mean], how="diagonal")
    return (
        cells_and_means.filter(pl.col("n_items") > 0)
        .join(stated, on="model_id", how="left")
        .with_columns(
            low=wilson_low(pl.col("score"), pl.col("n_items")), high=wilson_high(pl.col("score"), pl.col("n_items"))
        )
        .rename({"whole": "benchmark_id"})
        .sort("benchmark_id", "source_id", "model_id", "difficulty", "month", nulls_last=False)
        .match_to_schema(PUBLISHED["item_age"], extra_columns="ignore")
    )
