"""Benchmarks that came out, and the days on which their stages changed."""

import polars as pl

from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.verdict.history import BY_DATE, RELEASED


def stages(verdict_history: pl.DataFrame, benchmark: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind stage: a row for each stretch of the history that began in another stage than the one before.

    `before` and `after` are the stages, `value` and `value_before` what was left of the scale on the first day of the
    new stretch and on the last day of the old one, `names` the rules' case and how the day is set. `until_day` is the
    day from which the numbers alone would have made the stage, where it had to wait. The stretch from the release to
    the first result is none: that is a new benchmark. Of parts those of curated benchmarks alone.
    """
    of = "benchmark_id"
    curated = benchmark.filter("curated")[of].implode()
    history = verdict_history.filter(pl.col("basis") == BY_DATE).sort(of, "from_on", nulls_last=True)
    eve = history.with_columns(
        before=pl.col("stage").shift(1).over(of), value_before=pl.col("headroom_end").shift(1).over(of)
    )
    began = pl.col("before").is_null() | (pl.col("before") != pl.col("stage"))
    return eve.filter(
        began,
        pl.col("from_on").is_not_null(),
        pl.col("how").ne_missing(RELEASED),
        is_whole() | pl.col(of).is_in(curated),
    ).select(
        of,
        "before",
        "value_before",
        kind=pl.lit("stage"),
        after="stage",
        value="headroom",
        on_day="from_on",
        until_day="reached_on",
        case=pl.lit("stage_began"),
        names=pl.concat_list(pl.col("case").fill_null(""), pl.col("how").fill_null("")),
    )


def new_benchmarks(benchmark: pl.DataFrame, verdict: pl.DataFrame, leaderboard: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind benchmark: a row for each whole benchmark on the day of its release.

    `after` is its stage now, `n` how many models have a result of it now.
    """
    of = "benchmark_id"
    models = leaderboard.group_by(of).agg(n=pl.col("model_id").n_unique().cast(pl.Int64))
    return (
        benchmark.filter(is_whole(), pl.col("released_on").is_not_null())
        .join(verdict.select(of, after="stage"), on=of, how="left")
        .join(models, on=of, how="left")
        .select(of, "after", "n", kind=pl.lit("benchmark"), on_day="released_on", case=pl.lit("came_out"))
    )
