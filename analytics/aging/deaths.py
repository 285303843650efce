"""When a benchmark was saturated: the verdict's own rules held against what was believed on each past day."""

from dataclasses import replace
from datetime import date

import polars as pl

from benchhealth.analytics.corroboration.sides import is_by_others
from benchhealth.analytics.record.conditions.references import TOP
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.saturation.activity import N_MODELS
from benchhealth.analytics.saturation.headroom import HEADROOM, HUMAN_MARGIN
from benchhealth.analytics.saturation.resolution import RESOLUTION
from benchhealth.analytics.saturation.staleness import AGE, SINCE_ADVANCE, SINCE_RESULT, TRIES_SINCE_ADVANCE
from benchhealth.analytics.verdict.rules import (
    HEADROOM_MAX,
    HUMAN_MARGIN_LOW,
    HUMAN_PASSED,
    NEARLY_EXHAUSTED,
    SURELY_NARROW,
)
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import judge

STAGE_INDICATORS = (HEADROOM, HUMAN_MARGIN, RESOLUTION, N_MODELS, AGE, SINCE_RESULT, SINCE_ADVANCE, TRIES_SINCE_ADVANCE)
"""The indicators on which the stage rests of a benchmark whose chance level is known."""

DAY = ["benchmark_id", "believed_on"]


def believed(past: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    """The dated results with `believed_on`, the day from which each counts; those that never do are left out.

    A result of a third party counts from its date. What the maker of a model reports itself counts from the day on
    which a third party has reported as high a score of any model; where third parties measured fewer than TOP models,
    another maker is somebody else too. A row that its
    source no longer lists counts only while it does not exceed the best that is listed now.
    """
    best_listed = pl.col("merit").filter("listed").max().over("benchmark_id")
    makers = model.select("model_id", maker=pl.col("organisation").str.to_lowercase())
    counted = (
        past.filter(pl.col("listed") | (pl.col("merit") <= best_listed))
        .join(makers, on="model_id", how="left")
        .with_columns(
            maker=pl.coalesce("maker", "model_id"),
            is_own=~is_by_others(),
            measured=pl.col("model_id").filter(is_by_others()).n_unique().over("benchmark_id") >= TOP,
        )
        .with_row_index("row")
    )
    others = counted.select("benchmark_id", "merit", "maker", "is_own", on="dated_on")
    own = counted.filter("is_own").select("row", "benchmark_id", "merit", "maker", "measured")
    confirmed = (
        own.join(others, on="benchmark_id", suffix="_other")
        .filter(
            (pl.col("merit_other") >= pl.col("merit"))
            & ~(pl.col("is_own") & (pl.col("measured") | (pl.col("maker_other") == pl.col("maker"))))
        )
        .group_by("row")
        .agg(confirmed_on=pl.col("on").min())
    )
    joined = counted.join(confirmed, on="row", how="left")
    confirmed_later = pl.when(pl.col("confirmed_on").is_not_null()).then(pl.max_horizontal("dated_on", "confirmed_on"))
    dated = joined.with_columns(believed_on=pl.when("is_own").then(confirmed_later).otherwise("dated_on"))
    return dated.filter(pl.col("believed_on").is_not_null()).drop("row", "maker", "is_own", "measured", "confirmed_on")


def deaths(evidence: Evidence, facts: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark that ever was saturated `death`, the first day on which the verdict would have said so.

    `facts` are the benchmarks that can saturate, with `top`, the best attainable score; `results` are their `believed`
    results. On each day on which one came in, the indicators of the stage are computed from those counted until then
    and judged by the rules of verdicts, without the margins of their limits: what was before does not count.
    """
    past = results.join(facts.select("benchmark_id", "top", "floor", "human"), on="benchmark_id")
    steps = _steps(past)
    days = _with_days(evidence.as_of, facts, _candidate_days(past, steps))
    past_then = _believed_by(past.select("benchmark_id", "model_id", "believed_on"), days)
    evidence_then = replace(
        evidence,
        facts=days.drop("benchmark_id", "day").rename({"benchmark_on_day": "benchmark_id"}),
        board=_board(past, days),
        past=past_then,
        reported=past_then,
        frontier=_frontier(_believed_by(steps, days), evidence.as_of),
        frontier_by_others=None,
        board_by_others=None,
        known=days.select(benchmark_id="benchmark_on_day", known_until=pl.lit(evidence.as_of)),
    )
    schema = PUBLISHED["indicator"]
    computed = pl.concat(
        [each.compute(evidence_then).with_columns(indicator=pl.lit(each.key)) for each in STAGE_INDICATORS]
    )
    until = pl.lit(evidence.as_of)
    unsaid = pl.lit(None, pl.String)
    indicators = (
        computed.with_columns(as_of=until, known_until=until, reason=unsaid).select(schema.names()).cast(schema)
    )
    saturated = judge(indicators, Thresholds(), evidence.as_of).filter(pl.col("stage") == "saturated")
    on = days.join(saturated, left_on="benchmark_on_day", right_on="benchmark_id", how="semi")
    return on.group_by("benchmark_id").agg(death=pl.col("day").min())


def _steps(past: pl.DataFrame) -> pl.DataFrame:
    """The strict improvements of the running best."""
    return _improvements(
        past.sort([*DAY, "merit", "model_id"], descending=[False, False, True, False]), ["benchmark_id"]
    )


def _board(past: pl.DataFrame, days: pl.DataFrame) -> pl.DataFrame:
    """The leaderboards of those days: of each model its best until then, which is the last it improved on itself."""
    columns = ["benchmark_id", "model_id", "believed_on", "merit", "score", "error"]
    named = ["benchmark_id", "model_id"]
    records = _improvements(past.select(columns).sort([*DAY, "merit"], descending=[False, False, True]), named)
    bettered_on = pl.col("believed_on").shift(-1).over(named)
    standing_bests = _believed_by(records.with_columns(bettered_on=bettered_on), days, before="bettered_on")
    ordered = standing_bests.sort(["benchmark_id", "merit", "model_id"], descending=[False, True, False])
    return ordered.with_columns(place=pl.int_range(1, pl.len() + 1).over("benchmark_id"))


def _improvements(ordered: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    before = pl.col("merit").cum_max().shift(1).over(by)
    return ordered.filter(before.is_null() | (pl.col("merit") > before))


def _candidate_days(past: pl.DataFrame, steps: pl.DataFrame) -> pl.DataFrame:
    """The days with a result from the first on which, errors aside, the best score could make it saturated.

    On no other can a benchmark be judged saturated.
    """
    limits = Thresholds()
    without_error = steps.with_columns(
        ((pl.col("top") - pl.col("score")) / (pl.col("top") - pl.col("floor"))).alias(HEADROOM_MAX.column),
        ((pl.col("score") - pl.col("human")) * pl.col("sign")).alias(HUMAN_MARGIN_LOW.column),
    )
    passed = HUMAN_PASSED.holds(limits) & SURELY_NARROW.holds(limits)
    near = without_error.filter(NEARLY_EXHAUSTED.holds(limits) | passed)
    first = near.group_by("benchmark_id").agg(first=pl.col("believed_on").min())
    return (
        past.select(DAY).unique().join(first, on="benchmark_id").filter(pl.col("believed_on") >= pl.col("first"))
    ).select("benchmark_id", day="believed_on")


def _with_days(as_of: date, facts: pl.DataFrame, days: pl.DataFrame) -> pl.DataFrame:
    """The facts of each benchmark once for each `day`, as `benchmark_on_day`, moved so that the day becomes `as_of`.

    Indicators count time to one day for all benchmarks, so what happened is moved instead.
    """
    named = days.with_columns(benchmark_on_day=pl.format("{} on {}", "benchmark_id", "day"))
    return facts.join(named, on="benchmark_id").with_columns(
        released_on=pl.col("released_on") + (pl.lit(as_of) - pl.col("day")), moved=pl.lit(as_of) - pl.col("day")
    )


def _believed_by(rows: pl.DataFrame, days: pl.DataFrame, before: str | None = None) -> pl.DataFrame:
    """The rows believed by each day of `days`, under its name and moved in time as it is; dated when believed.

    `before` names a column with the day from which a row no longer counts (null: it counts for good).
    """
    joined = rows.join(days.select("benchmark_id", "benchmark_on_day", "day", "moved"), on="benchmark_id")
    counts = pl.col("believed_on") <= pl.col("day")
    if before is not None:
        counts &= pl.col(before).is_null() | (pl.col("day") < pl.col(before))
    kept = joined.filter(counts)
    return kept.with_columns(benchmark_id="benchmark_on_day", dated_on=pl.col("believed_on") + pl.col("moved")).drop(
        "benchmark_on_day", "day", "moved", "believed_on"
    )


def _frontier(steps: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """The steps and, carried to the day, the last of them."""
    dated = steps.sort("benchmark_id", "dated_on").with_columns(carried=pl.lit(value=False))
    ends = dated.group_by("benchmark_id", maintain_order=True).last().select(dated.columns)
    return pl.concat([dated, ends.with_columns(dated_on=pl.lit(as_of), carried=pl.lit(value=True))])
