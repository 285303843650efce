"""Results that their source does not date: the day that is known of them, and on what it rests."""

import polars as pl


def dated(results: pl.DataFrame, models: pl.DataFrame) -> pl.DataFrame:
    """The results with `dated_on` never null: the model's reconciled release, or the day of the snapshot.

    A model that was announced as released after the snapshot saw its score was there before: the snapshot's day
    counts then too, and no result is dated after it was observed.
    """
    observed_on = pl.col("observed_at").dt.date()
    undated = pl.col("dated_on").is_null()
    released = pl.col("released_on") <= observed_on
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
