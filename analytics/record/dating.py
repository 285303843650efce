"""Results that their source does not date, or before the model was there: the day that is known, and its basis."""

import polars as pl

from analytics.record.model_facts.release import AGREE


def dated(results: pl.DataFrame, models: pl.DataFrame) -> pl.DataFrame:
    """The results with `dated_on` never null: as stated, else the model's reconciled release, else the snapshot's day.

    A stated day more than 31 days before the release is a slip (Grok 4 in July 2024) and counts as none: what is held
    of the model from several sources goes before one row of one. A model that was announced as released after the
    snapshot saw its score was there before: the snapshot's day counts then, and no result is dated after it was
    observed.
    """
    observed_on = pl.col("observed_at").dt.date()
    released = (pl.col("released_on") <= observed_on).fill_null(value=False)
    slipped = released & (pl.col("dated_on") < pl.col("released_on") - AGREE)
    undated = pl.col("dated_on").is_null() | slipped.fill_null(value=False)
    return (
        results.join(models.select("model_id", "released_on"), on="model_id", how="left", maintain_order="left")
        .with_columns(
            dated_on=pl.when(~undated).then("dated_on").when(released).then("released_on").otherwise(observed_on),
            date_basis=pl.when(~undated)
            .then("date_basis")
            .when(released)
            .then(pl.lit("model_release"))
            .otherwise(pl.lit("snapshot")),
        )
        .drop("released_on")
    )
