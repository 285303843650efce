"""Since when a stage holds: the beginning of the last stretch of the history of stages."""

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED


def with_since(judged: pl.DataFrame, history_by_date: pl.DataFrame) -> pl.DataFrame:
    """The verdicts with `since`, the first day of the last stretch of the history by date, where that has one.

    That is a day on which the stage could be known and held. `since_case` says how it is set: one of
    `history.SINCE_CASES`; where it is not the day of the change itself (`history.WAITED`), `reached_on` is the day from
    which the numbers alone would have made the stage. Null where the stage is unknown.
    """
    lasts = history_by_date.filter(pl.col("until_on").is_null(), pl.col("from_on").is_not_null()).select(
        "benchmark_id", since="from_on", since_case="how", reached_on="reached_on"
    )
    dated = judged.drop("since", "since_case", "reached_on").join(
        lasts.join(judged.filter(pl.col("stage") != "unknown"), on="benchmark_id", how="semi"),
        on="benchmark_id",
        how="left",
        maintain_order="left",
    )
    return dated.select(PUBLISHED["verdict"].names()).cast(PUBLISHED["verdict"])
