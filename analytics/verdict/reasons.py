"""Table `verdict_reason`: of every verdict the rules that are its reasons, each with the numbers that it compared."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.rule import Comparison, Rule, Unknown
from benchhealth.analytics.verdict.rules import OF_HEADROOM, RULES
from benchhealth.analytics.verdict.thresholds import Thresholds

SCHEMA = PUBLISHED["verdict_reason"]
HOLDS, BY_MARGIN, DENIED, KEPT_OUT = "holds", "held_by_margin", "denied", "kept_out"
"""How a rule is a reason: it holds; it holds because it did before, within the margin; neither it nor a stricter one
about the same holds; it does not hold because it did not before, within the margin."""


class _Reason(NamedTuple):
    """A rule that is a reason where `applies`; `stricter` is the rule before it about the same."""

    rule: Rule
    how: str
    applies: pl.Expr
    stricter: Rule | None = None


def verdict_reasons(ruled: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """A row for each benchmark, reason (`place`, from 1 in the order of the rules) and test of its rule (`part`).

    `ruled` has the columns of `verdict.rule_outcomes`. For each thing that rules are about there is one
    reason, and one for every rule that only its margin keeps from holding.

    `value`, `low`, `high`, `n` are those of `indicator`, `other_value` that of `other_indicator`, where the test takes
    two; `compared` is what stands on the `side` of `threshold`, or was there before and is within `margin` of it.
    `side` is `unknown` where the test is that nothing is known. `stricter` is the threshold of the rule before, where
    the number does not reach it; `chance` the chance level that is taken where it is not known. `rests_on` are the
    indicators whose basis belongs to the reason. `reason` is left to whoever makes sentences.
    """
    reasons = list(_reasons())
    applied = ruled.select(reason.applies.any().alias(str(order)) for order, reason in enumerate(reasons)).row(0)
    tables = [
        _reason_rows(ruled.filter(reason.applies), reason, test, limits).with_columns(
            order=pl.lit(order, pl.Int64), part=pl.lit(test_number, pl.Int64)
        )
        for order, reason in enumerate(reasons)
        if applied[order] or not order  # the first gives the columns where none applies
        for test_number, test in enumerate(reason.rule.tests, 1)
    ]
    reason_number = pl.col("order").rank("dense").over("benchmark_id").cast(pl.Int64)
    placed = pl.concat(tables, how="diagonal").with_columns(place=reason_number).sort("benchmark_id", "place", "part")
    return placed.match_to_schema(SCHEMA, missing_columns="insert", extra_columns="ignore")


def _reasons() -> Iterator[_Reason]:
    """Every way in which a rule can be a reason, in the order of the rules."""
    for _, same in groupby(RULES, key=lambda rule: rule.about):
        rules = list(same)
        yield from _one_of(rules)
        for rule in rules:
            if rule.has_margin:
                yield _Reason(rule, KEPT_OUT, rule.is_kept_out)


def _one_of(rules: list[Rule]) -> Iterator[_Reason]:
    """The first rule that holds; where none does, the last, if it speaks then."""
    none_before: pl.Expr = pl.lit(value=True)
    for index, rule in enumerate(rules):
        first, by_margin = none_before & pl.col(f"is_{rule.name}"), pl.col(f"kept_{rule.name}")
        stricter = rules[index - 1] if index else None
        yield _Reason(rule, HOLDS, first & ~by_margin, stricter)
        if rule.has_margin:
            yield _Reason(rule, BY_MARGIN, first & by_margin, stricter)
        none_before &= ~pl.col(f"is_{rule.name}")
    if rules[-1].speaks_when_denied:
        yield _Reason(rules[-1], DENIED, none_before & ~rules[-1].is_kept_out)


def _reason_rows(rows: pl.DataFrame, reason: _Reason, test: Comparison | Unknown, limits: Thresholds) -> pl.DataFrame:
    """The rows of the table for one test of a reason, but for their `place`."""
    compared_to = test.measure.other if isinstance(test, Comparison) else None
    texts = {"rule": reason.rule.name, "about": reason.rule.about, "how": reason.how, **_names(test)}
    return rows.select(
        "benchmark_id",
        *(pl.lit(text, pl.String).alias(name) for name, text in texts.items()),
        *_numbers(test, limits),
        other_value=pl.lit(None, pl.Float64) if compared_to is None else pl.col(compared_to),
        stricter=_stricter(reason, test, limits),
        rests_on=_rests_on(reason.rule),
    )


def _names(test: Comparison | Unknown) -> dict[str, str | None]:
    if isinstance(test, Unknown):
        return {"measure": test.column, "indicator": test.indicator, "other_indicator": None, "side": "unknown"}
    measure = test.measure
    return {
        "measure": measure.column,
        "indicator": measure.indicator,
        "other_indicator": measure.other,
        "side": test.side,
    }


def _numbers(test: Comparison | Unknown, limits: Thresholds) -> list[pl.Expr]:
    nothing = pl.lit(None, pl.Float64)
    if isinstance(test, Unknown):
        unknown = [nothing.alias(name) for name in ("value", "low", "high", "compared", "threshold", "margin")]
        return [*unknown, pl.lit(None, pl.Int64).alias("n"), nothing.alias("chance")]
    measure = test.measure
    key = measure.indicator
    bare = pl.col(key).is_null() & pl.lit(measure.column.startswith("headroom_max"))
    return [
        *(pl.col(f"{key}{end}").alias(name) for name, end in (("value", ""), ("low", ".low"), ("high", ".high"))),
        pl.col(f"{key}.n").alias("n"),
        pl.col(measure.column).alias("compared"),
        pl.lit(_limit(limits, test.threshold)).alias("threshold"),
        pl.lit(None if test.margin is None else _limit(limits, test.margin), pl.Float64).alias("margin"),
        pl.when(bare).then("highest_chance").alias("chance"),
    ]


def _stricter(reason: _Reason, test: Comparison | Unknown, limits: Thresholds) -> pl.Expr:
    """The stricter threshold for the same number; null where the margin alone keeps that rule from holding."""
    stricter = reason.stricter
    if stricter is None or isinstance(test, Unknown):
        return pl.lit(None, pl.Float64)
    limit = next(
        (
            _limit(limits, stricter_test.threshold)
            for stricter_test in stricter.tests
            if isinstance(stricter_test, Comparison) and stricter_test.measure == test.measure
        ),
        None,
    )
    return pl.when(~stricter.is_kept_out).then(pl.lit(limit, pl.Float64))


def _rests_on(rule: Rule) -> pl.Expr:
    indicators = (rule.tests[0].indicator,) if rule.rests_on is None else rule.rests_on
    all_indicators = pl.lit(list(indicators), dtype=pl.List(pl.String))
    if indicators != OF_HEADROOM:
        return all_indicators
    return (
        pl.when(pl.col("headroom").is_null()).then(all_indicators).otherwise(pl.lit(["headroom"], pl.List(pl.String)))
    )


def _limit(limits: Thresholds, name: str | None) -> float:
    return 0.0 if name is None else float(getattr(limits, name))
