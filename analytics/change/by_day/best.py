"""Best scores by the day of the result, each beside the one before it."""

import polars as pl

from benchhealth.analytics.change.rows import intervals_part, named, scale_breaks
from benchhealth.analytics.record.current import CONTINUOUS
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, score_interval


def best_scores(
    frontier_steps: pl.DataFrame,
    breakpoint: pl.DataFrame,
    corroboration: pl.DataFrame,
    benchmark: pl.DataFrame,
    model: pl.DataFrame,
) -> pl.DataFrame:
    """Rows of kind best: a row for each step of a frontier of a whole benchmark with the step before it.

    A benchmark's first result is no better one; nor is a step beyond a break of ANOTHER_SCALE. Ratings and open scores
    that are counted on are left out, as every version refits them: who leads there is a first place. Intervals are
    those of one score by itself (95%), `beyond_noise` is whether they part, null where one has no known error: stricter
    than a test of the difference, as the best of many is too high. `corroboration` says who measured it, as the table
    of that name.
    """
    of = "benchmark_id"
    bounded = pl.col("unit").is_in(BOUNDED_UNITS)
    refitted = pl.col("unit").eq_missing(RATING) | (~bounded & pl.col("refresh").eq_missing(CONTINUOUS))
    facts = benchmark.filter(~refitted).select(of, bounded=bounded)
    low, high = score_interval()
    steps = (
        frontier_steps.filter(~pl.col("carried"), is_whole())
        .join(facts, on=of)
        .with_columns(low=low, high=high)
        .sort(of, "dated_on", maintain_order=True)
    )
    both = _with_breaks(steps, breakpoint).with_columns(
        pl.col("model_id", "score", "low", "high", "breaks", "condition").shift(1).over(of).name.suffix("_before")
    )
    whose = corroboration.filter(kind="step").select(of, "model_id", "score", corroboration="class")
    return (
        both.filter(
            pl.col("score_before").is_not_null(),
            pl.col("breaks") == pl.col("breaks_before"),
            pl.col("condition").eq_missing(pl.col("condition_before")),
        )
        .join(
            whose.unique([of, "model_id", "score"], keep="first", maintain_order=True),
            on=[of, "model_id", "score"],
            how="left",
        )
        .join(named(model), on="model_id", how="left")
        .select(
            of,
            "model_id",
            "low",
            "high",
            "low_before",
            "high_before",
            "corroboration",
            kind=pl.lit("best"),
            before="model_id_before",
            after="model_id",
            value="score",
            value_before="score_before",
            beyond_noise=intervals_part(),
            on_day="dated_on",
            case=pl.lit("best_then"),
            names=pl.concat_list(pl.coalesce("name", "model_id"), pl.col("corroboration").fill_null("")),
        )
    )


def _with_breaks(steps: pl.DataFrame, breakpoint: pl.DataFrame) -> pl.DataFrame:
    """The steps with `breaks`, how many breaks of ANOTHER_SCALE a board of the benchmark had until that day."""
    until = (
        steps.select("benchmark_id", "dated_on")
        .unique()
        .join(scale_breaks(breakpoint), on="benchmark_id")
        .group_by("benchmark_id", "dated_on")
        .agg(breaks=(pl.col("on_date") <= pl.col("dated_on")).sum())
    )
    joined = steps.join(until, on=["benchmark_id", "dated_on"], how="left", maintain_order="left")
    return joined.with_columns(pl.col("breaks").fill_null(0))


def over_days(steps: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind best of a stretch of days as one for each benchmark: its last step beside what was before its first.

    `beyond_noise` is of these two, as for a single step.
    """
    of = "benchmark_id"
    ordered = steps.sort("on_day", maintain_order=True)
    start = ("before", "value_before", "low_before", "high_before")
    first = ordered.group_by(of, maintain_order=True).agg(pl.col(start).first())
    last = ordered.group_by(of, maintain_order=True).last().drop(start)
    return (
        last.join(first, on=of, maintain_order="left").with_columns(beyond_noise=intervals_part()).select(steps.columns)
    )
