"""Indicators to verdicts by `analytics.verdict.rules`: the numbers compared, the stage, flags, reasons, and hysteresis.

A value that swings around its threshold would change the stage every night. So every threshold of headroom, resolution
and human margin has a margin, as `analytics.verdict.rule.Comparison` says. Which rules held before is computed anew
each time from the leaderboards as they were known at the ends of earlier months, so a verdict follows from the facts
alone and not from the verdicts before it.
"""

from dataclasses import replace
from datetime import date

import polars as pl

from benchhealth.analytics.corroboration.running_bests import of_others
from benchhealth.analytics.record.conditions.references import in_reference
from benchhealth.analytics.record.current import leaderboard, ranked_results
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, with_missing
from benchhealth.analytics.saturation.headroom import HEADROOM, HEADROOM_OF_CEILING, HUMAN_MARGIN
from benchhealth.analytics.saturation.resolution import RESOLUTION, SPREAD
from benchhealth.analytics.verdict.reasons import verdict_reasons
from benchhealth.analytics.verdict.rule import NOT_REMEMBERED
from benchhealth.analytics.verdict.rules import FLAG_RULES, MEASURES, RULES, STAGE_OF, STAGE_RULES
from benchhealth.analytics.verdict.thresholds import RULES_VERSION, InColumns, Thresholds, limit

USED = (
    "headroom",
    "headroom_of_ceiling",
    "human_margin",
    "resolution_top5",
    "spread_top10",
    "n_models",
    "condition_stated",
    "models_elsewhere",
    "proposed_breaks",
    "constant_answer_margin",
    "best_has_error",
    "age_months",
    "months_since_result",
    "months_since_look",
    "months_since_advance",
    "tries_since_advance",
    "contamination_max_share",
    "twin_gap",
    "twin_flagged_share",
    "maker_premium",
    "turnover_excess_12m",
    "self_reported_share",
    "makers_mentioning_12m",
)
"""The indicators that verdicts rest on; the published S index is none of them."""


def values(indicators: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """One row for each benchmark of the indicator table; `<indicator>`, `.low`, `.high` and `.n` of those USED.

    An indicator that the table lacks is null; `n_models` is then 0. Further columns, which the rules compare:
    `headroom_min` and `headroom_max`, headroom, or where that is unknown the least and the most it can be: headroom
    counted from the worst possible score, and that over 1 - `highest_chance`; `headroom_max.high`, the upper end of the
    interval of the latter;
    `makers_known`, `makers_mentioning_12m`, or 0 where no document is known: no mention is known then;
    `months_without_advance`, from the last advance to the newest result; `months_since_release`, from the release to
    the day of the assessment; `human_margin_low`, the lower end of the interval of human margin, or the margin itself
    where the error is not known.
    """
    numbers = ("value", "low", "high", "n")
    columns = {f"{number}_{key}": f"{key}.{number}".removesuffix(".value") for key in USED for number in numbers}
    by_indicator = indicators.filter(pl.col("indicator").is_in(USED)).pivot(
        on="indicator", on_columns=USED, index="benchmark_id", values=numbers
    )
    table = (
        indicators.select("benchmark_id")
        .unique(maintain_order=True)
        .join(by_indicator, on="benchmark_id", how="left", maintain_order="left")
        .select("benchmark_id", *(pl.col(name).alias(alias) for name, alias in columns.items()))
    )
    return with_headroom(table, limits).with_columns(
        n_models=pl.col("n_models").fill_null(0),
        makers_known=pl.col("makers_mentioning_12m").fill_null(0),
        months_without_advance=pl.col("months_since_advance") - pl.col("months_since_result"),
        months_since_release=pl.col("age_months") + pl.col("months_since_look"),
        human_margin_low=pl.coalesce("human_margin.low", "human_margin"),
    )


def with_headroom(table: pl.DataFrame, limits: Thresholds | InColumns) -> pl.DataFrame:
    """The rows of `values` with what their headroom can be under these limits."""
    return table.with_columns(_headroom(limits))


def _headroom(limits: Thresholds | InColumns) -> list[pl.Expr]:
    highest_chance = limit(limits, "highest_chance")
    above_chance = 1 - highest_chance
    of_ceiling, high = pl.col("headroom_of_ceiling"), pl.col("headroom_of_ceiling.high")
    if_unknown = {
        "headroom_min": ("headroom", of_ceiling),
        "headroom_max": ("headroom", of_ceiling / above_chance),
        "headroom_max.high": ("headroom.high", high / above_chance),
    }
    is_known = pl.col("headroom").is_not_null()
    return [
        *(
            pl.when(is_known).then(if_known).otherwise(otherwise).alias(name)
            for name, (if_known, otherwise) in if_unknown.items()
        ),
        highest_chance.alias("highest_chance"),
    ]


REMEMBERED = (HEADROOM, HEADROOM_OF_CEILING, HUMAN_MARGIN, RESOLUTION, SPREAD)
"""The indicators whose thresholds have a margin; all follow from the leaderboard of a day."""

WITH_MARGIN = tuple(rule for rule in RULES if rule.has_margin)

SIDES_BEFORE = pl.Schema({"benchmark_id": pl.String(), **{f"was_{rule.name}": pl.Boolean() for rule in WITH_MARGIN}})
"""Which rules held before, where that is known and matters."""


def sides_before(
    frames: Frames, evidence: Evidence, observed_indicator: pl.DataFrame, thresholds: Thresholds
) -> pl.DataFrame:
    """For each benchmark near a threshold: `was_<rule>` of the rules with a margin, as at the last month's end.

    Reads the leaderboards as known at the end of every earlier month in which a source of the benchmark said anything
    new. In each the value decides where it is outside the margin; within it the month before does, and in the first
    month that has a value the threshold itself. A rule whose value was never known is null. Benchmarks that are within
    no margin now are left out: for them what was does not matter.
    """
    near_threshold = _near_thresholds(values(observed_indicator, thresholds), thresholds)
    facts = evidence.facts.join(near_threshold, on="benchmark_id", how="semi")
    months = sides_by_month(_month_ends(frames, facts, evidence, thresholds), thresholds)
    return months.group_by("benchmark_id", maintain_order=True).agg(
        pl.col(f"was_{rule.name}").last() for rule in WITH_MARGIN
    )


def sides_by_month(months: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """`was_<rule>` of each benchmark at the end of each month `on`, as `sides_before` says.

    `months` has `benchmark_id`, `on` and the columns that the rules with a margin compare.
    """
    sides = []
    for rule in WITH_MARGIN:
        plain = rule.holds(limits)
        if_held, if_not = rule.holds(limits, pl.lit(value=True)), rule.holds(limits, pl.lit(value=False))
        is_first = plain.is_not_null() & (plain.is_not_null().cum_sum().over("benchmark_id") == 1)
        side = pl.when(if_not).then(True).when(~if_held).then(False).when(is_first).then(plain)
        sides.append(side.forward_fill().over("benchmark_id").alias(f"was_{rule.name}"))
    return months.sort("benchmark_id", "on").with_columns(sides)


def _near_thresholds(table: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """The benchmarks for which what was before can decide a rule."""
    matters = [
        rule.holds(limits, pl.lit(value=True)) != rule.holds(limits, pl.lit(value=False)) for rule in WITH_MARGIN
    ]
    return table.filter(pl.any_horizontal(is_near.fill_null(value=False) for is_near in matters)).select("benchmark_id")


def _month_ends(frames: Frames, facts: pl.DataFrame, evidence: Evidence, limits: Thresholds) -> pl.DataFrame:
    """The `values` of each benchmark of `facts`, as known at the ends `on` of earlier months."""
    results = frames.result.join(facts.lazy(), on="benchmark_id", how="semi", maintain_order="left")
    rows = in_reference(ranked_results(replace(frames, result=results), facts), evidence.reference)
    seen_on = pl.col("observed_at").dt.date()
    versions = rows.select("benchmark_id", "file", "snapshot_id", "observed_at").unique()
    months = versions.select("benchmark_id", on=seen_on.dt.month_end()).unique()
    ends = months.join(evidence.known_until, on="benchmark_id").filter(pl.col("on") < pl.col("known_until"))
    return _values_on(ends.drop("known_until"), rows, facts, evidence, limits)


def _values_on(
    days: pl.DataFrame, rows: pl.DataFrame, facts: pl.DataFrame, evidence: Evidence, limits: Thresholds
) -> pl.DataFrame:
    """The `values` for each `benchmark_id` and day `on` of `days`, as known at the end of that day.

    Only those that rest on the indicators `REMEMBERED`. `rows` are ranked results, `facts` their benchmarks, `evidence`
    lends what is not read.
    """
    versions = rows.select("benchmark_id", "file", "snapshot_id", "observed_at", "led_until").unique()
    still_leads = (pl.col("led_until") > pl.col("on")).fill_null(value=True)
    newest_versions = (
        days.join(versions, on="benchmark_id")
        .filter(pl.col("observed_at").dt.date() <= pl.col("on"), still_leads)
        .sort("observed_at", "snapshot_id")
        .group_by("benchmark_id", "on", "file")
        .agg(pl.col("snapshot_id").last())
        .with_columns(benchmark_on_day=pl.format("{} on {}", "benchmark_id", "on"))
    )
    results = newest_versions.join(rows, on=["benchmark_id", "file", "snapshot_id"]).with_columns(
        benchmark_id="benchmark_on_day"
    )
    board = leaderboard(results)
    keys = newest_versions.select("benchmark_id", "on", "benchmark_on_day").unique()
    facts_then = facts.join(keys, on="benchmark_id").with_columns(benchmark_id="benchmark_on_day")
    by_others = leaderboard(of_others(results))
    evidence_then = replace(
        evidence,
        facts=facts_then,
        board=board,
        frontier=_leaders(board),
        board_by_others=by_others,
        frontier_by_others=_leaders(by_others),
    )
    indicators = [indicator.rows(evidence_then) for indicator in REMEMBERED]
    table = values(pl.concat(indicators), limits).rename({"benchmark_id": "benchmark_on_day"})
    return table.join(keys, on="benchmark_on_day").drop("benchmark_on_day")


def _leaders(board: pl.DataFrame) -> pl.DataFrame:
    return board.filter(pl.col("place") == 1).with_columns(carried=pl.lit(value=True))


CODES = pl.Enum(list(STAGE_OF))
"""The codes of cases: a million rows of them are judged at once, which as text would take a second."""


def judge(
    observed_indicator: pl.DataFrame, thresholds: Thresholds, as_of: date, sides_before: pl.DataFrame | None = None
) -> pl.DataFrame:
    """One verdict for each benchmark of the indicator table.

    `sides_before` is as in `rule_outcomes`. `since` is left to `analytics.verdict.since`, `p` and
    `between` to `analytics.verdict.probability`, `reasons` to whoever makes sentences
    of `analytics.verdict.reasons`.
    """
    known_until = observed_indicator.select("benchmark_id", "known_until").unique()
    flags = [pl.when(f"is_{rule.name}").then(pl.lit(rule.name)) for rule in FLAG_RULES]
    return (
        rule_outcomes(observed_indicator, thresholds, sides_before)
        .join(known_until, on="benchmark_id", how="left")
        .with_columns(
            flags=pl.concat_list(flags).list.drop_nulls(),
            reasons=pl.lit([], dtype=pl.List(pl.String)),
            rules_version=pl.lit(RULES_VERSION),
            as_of=pl.lit(as_of),
            between=pl.lit([], dtype=pl.List(pl.String)),
        )
        .cast({pl.Enum: pl.String})
        .pipe(with_missing, PUBLISHED["verdict"])
        .sort("benchmark_id")
    )


def reasons(
    observed_indicator: pl.DataFrame, thresholds: Thresholds, sides_before: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Table `verdict_reason` of the verdicts that `judge` makes of the same."""
    return verdict_reasons(rule_outcomes(observed_indicator, thresholds, sides_before), thresholds)


def rule_outcomes(
    observed_indicator: pl.DataFrame, thresholds: Thresholds, sides_before: pl.DataFrame | None = None
) -> pl.DataFrame:
    """One row for each benchmark of the indicator table: what the rules compare, and what follows.

    The columns of `analytics.verdict.verdict.values`, `is_<rule>` and `kept_<rule>` of every rule, `case` and `stage`.
    `sides_before` (of `analytics.verdict.verdict.sides_before`) says which rules with a margin held before; without
    it the thresholds alone decide. A rule that rests on something unknown does not hold.
    """
    remembered = SIDES_BEFORE.to_frame() if sides_before is None else sides_before.match_to_schema(SIDES_BEFORE)
    numbers = values(observed_indicator, thresholds).join(remembered, on="benchmark_id", how="left")
    return staged(numbers, thresholds).with_columns(_kept_rules(thresholds))


def staged(table: pl.DataFrame, limits: Thresholds | InColumns) -> pl.DataFrame:
    """The `values` of benchmarks, with the sides before, `is_<rule>` of every rule, the `case` and its `stage`."""
    return (
        table.with_columns(_conditions(limits))
        .with_columns(case=_case())
        .with_columns(stage=pl.col("case").replace_strict(STAGE_OF, return_dtype=pl.String))
    )


def _conditions(limits: Thresholds | InColumns) -> list[pl.Expr]:
    """For each rule an expression `is_<rule>` of whether it holds; null counts as no."""
    before = {rule: pl.col(f"was_{rule.name}") if rule.has_margin else NOT_REMEMBERED for rule in RULES}
    return [rule.holds(limits, was).fill_null(value=False).alias(f"is_{rule.name}") for rule, was in before.items()]


def _kept_rules(limits: Thresholds) -> list[pl.Expr]:
    """`kept_<rule>` of every rule: whether it is as before and the threshold alone would say otherwise."""
    return [
        (pl.col(f"is_{rule.name}") != rule.holds(limits)).fill_null(value=False).alias(f"kept_{rule.name}")
        for rule in RULES
    ]


def _case() -> pl.Expr:
    """The code of the first case that applies, stage by stage."""
    code = pl.lit(MEASURES, dtype=CODES)
    for case in reversed([case for _, cases in STAGE_RULES for case in cases]):
        applies = pl.all_horizontal(f"is_{rule.name}" for rule in case.rules)
        code = pl.when(applies).then(pl.lit(case.code, dtype=CODES)).otherwise(code)
    return code
