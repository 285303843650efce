"""Indicators to verdicts: the stage, the flags and their reasons, by `analytics.verdict.rules`."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.hysteresis import SIDES_BEFORE
from benchhealth.analytics.verdict.reasons import verdict_reasons
from benchhealth.analytics.verdict.rule import NOT_REMEMBERED
from benchhealth.analytics.verdict.rules import FLAG_RULES, MEASURES, RULES, STAGE_OF, STAGE_RULES
from benchhealth.analytics.verdict.thresholds import RULES_VERSION, InColumns, Thresholds
from benchhealth.analytics.verdict.values import values

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
            since=pl.lit(None, dtype=pl.Date),
            since_case=pl.lit(None, dtype=pl.String),
            reached_on=pl.lit(None, dtype=pl.Date),
            p=pl.lit(None, dtype=pl.Float64),
            between=pl.lit([], dtype=pl.List(pl.String)),
        )
        .select(PUBLISHED["verdict"].names())
        .cast(PUBLISHED["verdict"])
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

    The columns of `analytics.verdict.values.values`, `is_<rule>` and `kept_<rule>` of every rule, `case` and `stage`.
    `sides_before` (of `analytics.verdict.hysteresis.sides_before`) says which rules with a margin held before; without
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
