"""Indicators to verdicts: the stage, the flags and their reasons, by `analytics.verdict.rules`."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.hysteresis import SIDES_BEFORE
from benchhealth.analytics.verdict.reasons import verdict_reasons
from benchhealth.analytics.verdict.rule import NOT_REMEMBERED
from benchhealth.analytics.verdict.rules import FLAG_RULES, OTHERWISE, RULES, STAGE_RULES
from benchhealth.analytics.verdict.thresholds import RULES_VERSION, InColumns, Thresholds
from benchhealth.analytics.verdict.values import values


def judge(
    indicators: pl.DataFrame, limits: Thresholds, as_of: date, sides_before: pl.DataFrame | None = None
) -> pl.DataFrame:
    """One verdict for each benchmark of the indicator table.

    `sides_before` is as in `ruled`. `since` is left to `analytics.verdict.since`, `reasons` to whoever makes sentences
    of `analytics.verdict.reasons`.
    """
    known_until = indicators.select("benchmark_id", "known_until").unique()
    flags = [pl.when(f"is_{rule.name}").then(pl.lit(rule.name)) for rule in FLAG_RULES]
    return (
        ruled(indicators, limits, sides_before)
        .join(known_until, on="benchmark_id", how="left")
        .with_columns(
            flags=pl.concat_list(flags).list.drop_nulls(),
            reasons=pl.lit([], dtype=pl.List(pl.String)),
            rules_version=pl.lit(RULES_VERSION),
            as_of=pl.lit(as_of),
            since=pl.lit(None, dtype=pl.Date),
        )
        .select(PUBLISHED["verdict"].names())
        .cast(PUBLISHED["verdict"])
        .sort("benchmark_id")
    )


def reasons(indicators: pl.DataFrame, limits: Thresholds, sides_before: pl.DataFrame | None = None) -> pl.DataFrame:
    """Table `verdict_reason` of the verdicts that `judge` makes of the same."""
    return verdict_reasons(ruled(indicators, limits, sides_before), limits)


def ruled(indicators: pl.DataFrame, limits: Thresholds, sides_before: pl.DataFrame | None = None) -> pl.DataFrame:
    """One row for each benchmark of the indicator table: `staged`, and `kept_<rule>` of every rule.

    `sides_before` (of `analytics.verdict.hysteresis.sides_before`) says which rules with a margin held before; without
    it the thresholds alone decide. A rule that rests on something unknown does not hold.
    """
    remembered = SIDES_BEFORE.to_frame() if sides_before is None else sides_before.match_to_schema(SIDES_BEFORE)
    known = values(indicators, limits).join(remembered, on="benchmark_id", how="left")
    return staged(known, limits).with_columns(_kept(limits))


def staged(table: pl.DataFrame, limits: Thresholds | InColumns) -> pl.DataFrame:
    """The `values` of benchmarks, with the sides before, and with `is_<rule>` of every rule and the `stage`."""
    return table.with_columns(_conditions(limits)).with_columns(stage=_stage())


def _conditions(limits: Thresholds | InColumns) -> list[pl.Expr]:
    """`is_<rule>` of every rule."""
    before = {rule: pl.col(f"was_{rule.name}") if rule.has_margin else NOT_REMEMBERED for rule in RULES}
    return [rule.holds(limits, was).fill_null(value=False).alias(f"is_{rule.name}") for rule, was in before.items()]


def _kept(limits: Thresholds) -> list[pl.Expr]:
    """`kept_<rule>` of every rule: whether it is as before and the threshold alone would say otherwise."""
    return [
        (pl.col(f"is_{rule.name}") != rule.holds(limits)).fill_null(value=False).alias(f"kept_{rule.name}")
        for rule in RULES
    ]


def _stage() -> pl.Expr:
    """The first stage of which a case applies."""
    stage = pl.lit(OTHERWISE)
    for name, cases in reversed(STAGE_RULES):
        applies = pl.any_horizontal(pl.all_horizontal(f"is_{rule.name}" for rule in case) for case in cases)
        stage = pl.when(applies).then(pl.lit(name)).otherwise(stage)
    return stage
