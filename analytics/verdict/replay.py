"""Today's rules on the results of each earlier day: what the verdict would have read, and the stage it would have made.

`replay` says on which days, and what is taken as it is today. Documents, twins and flags are not replayed, as stages do
not rest on them; nor are ratings, whose scores of earlier days are no results that stand.
"""

import math
from dataclasses import replace

import polars as pl

from benchhealth.analytics.corroboration.running_bests import of_others
from benchhealth.analytics.record.current import best_first, leaders
from benchhealth.analytics.record.evidence import MONTH_DAYS, Evidence
from benchhealth.analytics.record.frames import parts
from benchhealth.analytics.record.frontier import RATING, frontier
from benchhealth.analytics.saturation.activity import N_MODELS
from benchhealth.analytics.saturation.staleness import AGE, SINCE_ADVANCE, SINCE_RESULT, TRIES_SINCE_ADVANCE
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import REMEMBERED, WITH_MARGIN, sides_by_month, staged, values

INDICATORS = (*REMEMBERED, N_MODELS, AGE, SINCE_RESULT, SINCE_ADVANCE, TRIES_SINCE_ADVANCE)
"""The indicators that stages rest on and that follow from the curve and the day."""

AS_TODAY = ("condition_stated", "models_elsewhere", "constant_answer_margin", "best_has_error", "makers_mentioning_12m")
"""The indicators whose value of today is taken for every day."""

ROWS_AT_ONCE = 400_000
"""Rows that are replayed together, where no benchmark has more: each counts once a month."""

_NOT_READ = ("snapshot_id", "setting", "source_row", "sign", "released_on", "file", "date_basis", "seen_by")
"""The columns of a history that nothing reads of a replayed day: each row is copied once a day."""

_KEY = ["benchmark_id", "on"]

REPLAYED = pl.Schema(
    {
        "benchmark_id": pl.String(),
        "on": pl.Date(),
        **dict.fromkeys(("stage", "case", "plain", "unawaited"), pl.String()),
        "is_few": pl.Boolean(),
        "by_others": pl.Boolean(),
        "headroom": pl.Float64(),
        "headroom_of_ceiling": pl.Float64(),
        "score": pl.Float64(),
        "error": pl.Float64(),
        "model_id": pl.String(),
        "condition": pl.String(),
    }
)
"""A benchmark on a replayed day `on`: its `stage` and the `case` of the rules that makes it.

`plain` is the stage without what is remembered of the days before, `unawaited` that also without waiting for as many
models as a verdict needs, or for a benchmark to be old enough; `is_few`: models were fewer than a verdict needs;
`by_others`: it is judged by what others measured (`corroboration.sides.measured`). `headroom`, what it is at least
where chance is unknown (`headroom_of_ceiling`), and the `score` of the best with its `error`, its model and its
`condition`, are those that the rules read."""


def replay(
    evidence: Evidence, observed_indicator: pl.DataFrame, curated_breakpoint: pl.DataFrame, thresholds: Thresholds
) -> pl.DataFrame:
    """Every benchmark that has dated results on every replayed day, in the order of both.

    That is the last day of every month on which a result came, which is how things stood at the month's end, the day on
    which the benchmark is three months old, the one on which one of fewer than five models has had no result for a
    year, and the day until which it is known: on no other month end can a stage begin. On each the rules of today read
    what is dated until then, and nothing later. As they are today are taken: the facts of the benchmark (chance,
    ceiling, human line, release), the condition that it is judged by, which results stand and are listed, documents of
    makers, constant answers and results under other conditions. What was known on the day may have been
    less: a result counts from its own day, whenever it was seen.
    """
    history = best_first(_dated_results(evidence.history)).drop(_NOT_READ)
    days = _days(history, evidence, thresholds)
    size = pl.len() * (pl.col("dated_on").dt.truncate("1mo").n_unique() + 1)
    replayed = [
        _staged(some, days, evidence, observed_indicator, curated_breakpoint, thresholds)
        for some in parts(history, ROWS_AT_ONCE, size)
    ]
    return pl.concat([REPLAYED.to_frame(), *replayed]).sort(_KEY)


def _dated_results(history: pl.DataFrame) -> pl.DataFrame:
    """The results that count and have a day: a first look is no day."""
    return history.filter(pl.col("unit") != RATING, pl.col("dated_on").is_not_null())


def _days(history: pl.DataFrame, evidence: Evidence, limits: Thresholds) -> pl.DataFrame:
    """`benchmark_id`, `on` and `replayed_id`, a number for both.

    It stands for the id of the benchmark on that day. A number is grouped and joined in half the time of a text.
    """
    reported = evidence.reported.drop_nulls("dated_on").join(history, on="benchmark_id", how="semi")
    changed_on = pl.concat([frame.select("benchmark_id", "dated_on") for frame in (history, reported)]).unique()
    last_of_month = changed_on.group_by("benchmark_id", pl.col("dated_on").dt.truncate("1mo").alias("month")).agg(
        on=pl.col("dated_on").max()
    )
    ends = evidence.known_until.join(history, on="benchmark_id", how="semi").select("benchmark_id", on="known_until")
    grown = pl.duration(days=math.ceil(limits.young_months * MONTH_DAYS))
    grown_up = evidence.facts.drop_nulls("released_on").select("benchmark_id", on=pl.col("released_on") + grown)
    first = history.group_by("benchmark_id").agg(first=pl.col("dated_on").min())
    candidates = [last_of_month.select(_KEY), ends, grown_up, _dormant(history, changed_on, limits)]
    return (
        pl.concat(candidates)
        .join(first, on="benchmark_id")
        .join(evidence.known_until, on="benchmark_id")
        .filter(pl.col("on").is_between("first", "known_until"))
        .select(_KEY)
        .unique()
        .sort(_KEY)
        .with_columns(replayed_id=pl.int_range(pl.len(), dtype=pl.UInt32))
    )


def _dormant(history: pl.DataFrame, came: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """The days on which a benchmark of few models has had no result for so long that nobody seems to report it."""
    lapse = math.floor(limits.dormant_months * MONTH_DAYS) + 1
    nth = limits.min_models - 1
    debut = history.group_by("benchmark_id", "model_id").agg(on=pl.col("dated_on").min())
    enough = debut.group_by("benchmark_id").agg(enough=pl.col("on").sort().get(nth, null_on_oob=True))
    next_day = pl.col("dated_on").shift(-1).over("benchmark_id")
    lapsed = pl.col("dated_on") + pl.duration(days=lapse)
    return (
        came.sort("benchmark_id", "dated_on")
        .with_columns(on=lapsed, is_last=(next_day > lapsed).fill_null(value=True))
        .join(enough, on="benchmark_id")
        .filter("is_last", (pl.col("enough") > pl.col("dated_on")).fill_null(value=True))
        .select(_KEY)
    )


def _staged(  # noqa: PLR0913, PLR0917 - what `replay` reads, of some benchmarks
    history: pl.DataFrame,
    every_day: pl.DataFrame,
    evidence: Evidence,
    indicator: pl.DataFrame,
    breakpoints: pl.DataFrame,
    limits: Thresholds,
) -> pl.DataFrame:
    days = every_day.join(history, on="benchmark_id", how="semi")
    known_then = _known_on(history, days, evidence, breakpoints)
    named = _values(known_then, days, indicator, limits)
    sided = staged(sides_by_month(named, limits), limits)
    ends = known_then.judged_frontier.filter("carried").select(
        "score", "error", "model_id", "condition", replayed_id="benchmark_id"
    )
    board_by_others = known_then.board_by_others
    by_others = set() if board_by_others is None else set(board_by_others["benchmark_id"])
    with_stages = sided.join(ends, on="replayed_id", how="left").with_columns(
        case=pl.col("case").cast(pl.String),
        is_few=pl.col("n_models") < limits.min_models,
        by_others=pl.col("replayed_id").is_in(by_others),
    )
    for name, waived in _waivers(named, limits).items():
        with_stages = with_stages.join(staged(waived, limits).select(*_KEY, pl.col("stage").alias(name)), on=_KEY)
    return with_stages.match_to_schema(REPLAYED, extra_columns="ignore")


def _known_on(history: pl.DataFrame, days: pl.DataFrame, evidence: Evidence, breakpoints: pl.DataFrame) -> Evidence:
    """The evidence as each day of `days` has it, under its `replayed_id`; `history` is `best_first`.

    A row that its source no longer lists counts only while it does not exceed the best that was listed by then.
    """
    best_listed = pl.col("merit").filter("listed").max().over("replayed_id")
    known_then = (
        days.sort("replayed_id")
        .join(history, on="benchmark_id", maintain_order="left_right")
        .filter(pl.col("dated_on") <= pl.col("on"))
        .filter(pl.col("listed") | (pl.col("merit") <= best_listed))
        .with_columns(benchmark_id="replayed_id")
    )
    known_until = days.select(benchmark_id="replayed_id", known_until="on")
    by_others = of_others(known_then)
    return replace(
        evidence,
        facts=evidence.facts.join(days, on="benchmark_id").with_columns(benchmark_id="replayed_id"),
        board=leaders(known_then),
        history=known_then,
        reported=_newest(evidence.reported, days),
        frontier=frontier(known_then.clear(), known_then, breakpoints, known_until),
        board_by_others=leaders(by_others),
        frontier_by_others=frontier(by_others.clear(), by_others, breakpoints, known_until),
        known_until=known_until,
    )


def _newest(reported: pl.DataFrame, days: pl.DataFrame) -> pl.DataFrame:
    """The newest result by each day under any condition: all that is read of them."""
    reported_days = reported.drop_nulls("dated_on").unique().sort("dated_on")
    newest = days.sort("on").join_asof(
        reported_days, left_on="on", right_on="dated_on", by="benchmark_id", check_sortedness=False
    )
    return newest.select(benchmark_id="replayed_id", dated_on="dated_on")


def _values(evidence_then: Evidence, days: pl.DataFrame, indicator: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """The values that the rules compare, for each benchmark and day."""
    today = indicator.join(days, on="benchmark_id").with_columns(benchmark_id="replayed_id")
    table = values_then(evidence_then, today, days.select(benchmark_id="replayed_id"), limits)
    return table.rename({"benchmark_id": "replayed_id"}).join(days, on="replayed_id")


def values_then(evidence_then: Evidence, today: pl.DataFrame, named: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """The `values` of benchmarks on an earlier day, on which they were looked at, by the evidence known then.

    `today` are the indicators of today, of which those of AS_TODAY are taken, `named` the benchmarks (`benchmark_id`).
    """
    computed = [indicator.rows(evidence_then) for indicator in INDICATORS]
    fixed = today.filter(pl.col("indicator").is_in(AS_TODAY)).select(computed[0].columns)
    looked = named.select("benchmark_id", indicator=pl.lit("months_since_look"), value=pl.lit(0.0))
    return values(pl.concat([*computed, fixed, looked], how="diagonal_relaxed"), limits)


def _waivers(named: pl.DataFrame, limits: Thresholds) -> dict[str, pl.DataFrame]:
    """The numbers by which `plain` and `unawaited` are judged."""
    forgotten = named.with_columns(pl.lit(None, pl.Boolean).alias(f"was_{rule.name}") for rule in WITH_MARGIN)
    unawaited = forgotten.with_columns(
        pl.max_horizontal("n_models", pl.lit(limits.min_models)),
        pl.max_horizontal("months_since_release", pl.lit(limits.young_months)),
    )
    return {"plain": forgotten, "unawaited": unawaited}
