"""Since when a stage holds: today's rules on the standing results of each earlier day, back to where they said another.

A curve is replayed on the last day of every month on which a result came, and on the day until which the benchmark is
known; between two such days nothing is asked. Documents, twins and flags are not replayed, as stages do not rest on
them; nor are ratings, whose scores of earlier days are no results that stand.
"""

from dataclasses import replace

import polars as pl

from benchhealth.analytics.corroboration.sides import measured
from benchhealth.analytics.record.current import leaderboard
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import parts
from benchhealth.analytics.record.frontier import RATING, frontier
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.saturation.activity import N_MODELS
from benchhealth.analytics.saturation.staleness import AGE, SINCE_ADVANCE, SINCE_RESULT, TRIES_SINCE_ADVANCE
from benchhealth.analytics.verdict.hysteresis import REMEMBERED, WITH_MARGIN, sides_by_month
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.values import values
from benchhealth.analytics.verdict.verdict import staged

REPLAYED = (*REMEMBERED, N_MODELS, AGE, SINCE_RESULT, SINCE_ADVANCE, TRIES_SINCE_ADVANCE)
"""The indicators that stages rest on and that follow from the curve and the day."""

AT_ONCE = 400_000
"""Rows that are replayed together, where no benchmark has more: each counts once a month."""

_NOTHING = (
    pl.lit(None, pl.Date).alias("on"),
    *(pl.lit(None, pl.String).alias(name) for name in ("stage", "plain", "unawaited")),
    *(pl.lit(None, pl.Boolean).alias(name) for name in ("is_few", "by_others")),
)

CROSSED, FIRST_DAY, MARGIN, FIFTH_MODEL, GROWN_UP = "crossed", "first_day", "margin", "fifth_model", "grown_up"
OTHERS_STOPPED = "others_stopped"
SINCE_CASES = (CROSSED, FIRST_DAY, MARGIN, FIFTH_MODEL, GROWN_UP, OTHERS_STOPPED)
"""How the day is set since which a stage holds: its numbers were others before; it is the first day that has results;
the numbers had passed the limits before, but not by their margin; they had, but with fewer models than a verdict needs
(the day is that of the fifth); they had, but the benchmark was too young for a verdict; until then verdicts read what
others than the makers measured, who have stopped, so that from that day on they read what makers report."""

WAITED = (MARGIN, FIFTH_MODEL, GROWN_UP)
"""The cases in which the numbers alone would have made the stage before."""

AS_TODAY = ("condition_stated", "models_elsewhere", "constant_answer_margin", "best_has_error", "makers_mentioning_12m")
"""Those that are taken as they are today."""


def with_since(
    judged: pl.DataFrame,
    evidence: Evidence,
    indicator: pl.DataFrame,
    curated_breakpoint: pl.DataFrame,
    thresholds: Thresholds,
) -> pl.DataFrame:
    """The verdicts with `since`: the earliest replayed day from which the rules gave today's stage without a break.

    That is a day on which the stage could be known and held. `since_case` says how it is set: one of `SINCE_CASES`;
    where it is not the day of the change itself (WAITED), `reached_on` is the day from which the numbers alone would
    have made the stage.

    Null where the stage is unknown, or where the replay of all that is dated gives another stage than the verdict
    (the results that decide have no days, or an earlier state of the board is remembered).
    """
    asked = judged.filter(pl.col("stage") != "unknown").select("benchmark_id", now="stage")
    past = _placed(evidence.past.join(asked, on="benchmark_id", how="semi"))
    months = pl.len() * (pl.col("at").dt.truncate("1mo").n_unique() + 1)
    stages = [
        _stages(part, evidence, indicator, curated_breakpoint, thresholds) for part in parts(past, AT_ONCE, months)
    ]
    replayed = pl.concat(stages).join(asked, on="benchmark_id") if stages else asked.clear().with_columns(_NOTHING)
    found = judged.drop("since", "since_case", "reached_on").join(
        _held(replayed), on="benchmark_id", how="left", maintain_order="left"
    )
    return found.select(PUBLISHED["verdict"].names()).cast(PUBLISHED["verdict"])


def _held(replayed: pl.DataFrame) -> pl.DataFrame:
    """`since`, `since_case` and `reached_on` of each `benchmark_id`, of the replayed days `on` and the stage `now`.

    The day before tells how `since` is set: there the stage was the same but for the margin, or but for what a verdict
    waits for; `reached_on` is then the first day of the unbroken run of which that is true.
    """
    of = "benchmark_id"
    last_run = (pl.col("stage") != pl.col("now")).reverse().cum_sum().reverse().over(of) == 0
    days = replayed.sort(of, "on").with_columns(holds=last_run)
    since = days.filter("holds").group_by(of).agg(since=pl.col("on").min())
    before = days.join(since, on=of).filter(pl.col("on") < pl.col("since"))
    reached = (pl.col("unawaited") != pl.col("now")).reverse().cum_sum().reverse().over(of) == 0
    run = before.filter(reached).group_by(of).agg(reached_on=pl.col("on").min())
    eve = before.group_by(of, maintain_order=True).last()
    first = days.join(since, on=of).filter(pl.col("on") == pl.col("since")).select(of, still_by_others="by_others")
    case = (
        pl.when(pl.col("plain").is_null())
        .then(pl.lit(FIRST_DAY))
        .when(pl.col("plain") == pl.col("now"))
        .then(pl.lit(MARGIN))
        .when(pl.col("by_others") & ~pl.col("still_by_others"))
        .then(pl.lit(OTHERS_STOPPED))
        .when(pl.col("unawaited") != pl.col("now"))
        .then(pl.lit(CROSSED))
        .when("is_few")
        .then(pl.lit(FIFTH_MODEL))
        .otherwise(pl.lit(GROWN_UP))
    )
    told = (
        since.join(eve.select(of, "plain", "unawaited", "is_few", "now", "by_others"), on=of, how="left")
        .join(first, on=of, how="left")
        .join(run, on=of, how="left")
    )
    waited = pl.col("since_case").is_in(WAITED)
    return told.with_columns(since_case=case).select(
        of, "since", "since_case", reached_on=pl.when(waited).then("reached_on")
    )


def _placed(past: pl.DataFrame) -> pl.DataFrame:
    """The results that count and have a day, `at`: a first look is no day."""
    best_listed = pl.col("merit").filter("listed").max().over("benchmark_id")
    counted = past.filter(pl.col("unit") != RATING, pl.col("listed") | (pl.col("merit") <= best_listed))
    return counted.filter(pl.col("dated_on").is_not_null()).with_columns(at="dated_on")


def _stages(
    past: pl.DataFrame, evidence: Evidence, indicator: pl.DataFrame, breakpoints: pl.DataFrame, limits: Thresholds
) -> pl.DataFrame:
    """`stage` of each `benchmark_id` on each replayed day `on`, and `is_few`, whether models were fewer than needed.

    `by_others` says whether it is judged by what others measured (`corroboration.sides.measured`).
    `plain` is the stage without what is remembered of the days before, `unawaited` that also without waiting for as
    many models as a verdict needs, or for a benchmark to be old enough.
    """
    days = _days(past, evidence.known)
    then = (
        days.join(past, on="benchmark_id").filter(pl.col("at") <= pl.col("on")).with_columns(benchmark_id="replayed_id")
    )
    known = days.select(benchmark_id="replayed_id", known_until="on")
    others = measured(then)
    replayed = replace(
        evidence,
        facts=evidence.facts.join(days, on="benchmark_id").with_columns(benchmark_id="replayed_id"),
        board=leaderboard(then),
        past=then,
        reported=then,
        frontier=frontier(then.clear(), then, breakpoints, known),
        board_by_others=leaderboard(others),
        frontier_by_others=frontier(others.clear(), others, breakpoints, known),
        known=known,
    )
    computed = [each.compute(replayed).with_columns(indicator=pl.lit(each.key)) for each in REPLAYED]
    columns = computed[0].columns
    fixed = (
        indicator.filter(pl.col("indicator").is_in(AS_TODAY))
        .join(days, on="benchmark_id")
        .with_columns(benchmark_id="replayed_id")
    )
    looked = days.select(benchmark_id="replayed_id", indicator=pl.lit("months_since_look"), value=pl.lit(0.0))
    table = values(pl.concat([*computed, fixed.select(columns), looked], how="diagonal_relaxed"), limits)
    named = table.rename({"benchmark_id": "replayed_id"}).join(days, on="replayed_id")
    sided = staged(sides_by_month(named, limits), limits).select(
        "benchmark_id",
        "on",
        "stage",
        is_few=pl.col("n_models") < limits.min_models,
        by_others=_name_of_day().is_in(others["benchmark_id"].unique().implode()),
    )
    forgotten = named.with_columns(pl.lit(None, pl.Boolean).alias(f"was_{rule.name}") for rule in WITH_MARGIN)
    unawaited = forgotten.with_columns(
        pl.max_horizontal("n_models", pl.lit(limits.min_models)),
        pl.max_horizontal("months_since_release", pl.lit(limits.young_months)),
    )
    waivers = [
        staged(waived, limits).select("benchmark_id", "on", pl.col("stage").alias(name))
        for name, waived in (("plain", forgotten), ("unawaited", unawaited))
    ]
    return sided.join(waivers[0], on=["benchmark_id", "on"]).join(waivers[1], on=["benchmark_id", "on"])


def _days(past: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """`benchmark_id`, `on` and `replayed_id`, one name for both."""
    came = past.group_by("benchmark_id", pl.col("at").dt.truncate("1mo")).agg(on=pl.col("at").max()).drop("at")
    ends = known.join(past, on="benchmark_id", how="semi").select("benchmark_id", on="known_until")
    days = pl.concat([came, ends]).join(known, on="benchmark_id").filter(pl.col("on") <= pl.col("known_until"))
    return (
        days.select("benchmark_id", "on").unique().sort("benchmark_id", "on").with_columns(replayed_id=_name_of_day())
    )


def _name_of_day() -> pl.Expr:
    return pl.format("{} on {}", "benchmark_id", "on")
