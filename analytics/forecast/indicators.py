"""What is expected of the frontier, with the track record of the method, and when the scale will be used up."""

from functools import partial

import polars as pl

from benchhealth.analytics.forecast.skill import ENOUGH_STRETCHES, LEAST_COVERAGE, LEAST_SKILL
from benchhealth.analytics.forecast.table import USED_UP_AT, WIDEST
from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit

OPEN_ENDED = Unless(~pl.col("bounded"), "open_ended", "not_applicable")
NONE_MADE = Unless(pl.col("made_on").is_null(), "no_forecast")


def _rows(evidence: Evidence, months: int) -> pl.DataFrame:
    outlooks = evidence.outlook.filter(pl.col("horizon_months") == months).rename({"n": "tested"})
    return evidence.facts.join(outlooks, on="benchmark_id", how="left")


def _case(code: str) -> Case:
    """The case of a forecast: its kind of benchmarks, its days, and what the record of such forecasts says."""
    return Case(
        code,
        kind="population",
        on_day="made_on",
        until_day="target_on",
        numbers=pl.col("numbers"),
        names=pl.col("basis"),
    )


NOT_SHOWN = Unless(pl.col("median").is_null(), _case("forecast_not_shown"))


def _median_indicator(evidence: Evidence, months: int) -> pl.DataFrame:
    return settle(
        _rows(evidence, months),
        OPEN_ENDED,
        NONE_MADE,
        NOT_SHOWN,
        value=(pl.col("median"), pl.col("low80"), pl.col("high80")),
        n=pl.col("tested"),
        note=_case("forecast"),
    )


def _used_up(evidence: Evidence) -> pl.DataFrame:
    soonest = pl.when(pl.col("wait_low").is_finite()).then("wait_low")
    too_far = Case("far_off", on_day="made_on", numbers=(soonest,))
    return settle(
        _rows(evidence, 12),
        OPEN_ENDED,
        NONE_MADE,
        NOT_SHOWN,
        Unless(pl.col("wait").is_infinite(), too_far),
        value=(pl.col("wait"), pl.col("wait_low"), pl.when(pl.col("wait_high").is_finite()).then("wait_high")),
        n=pl.col("tested"),
        note=Case("every_year_from", on_day="made_on"),
    )


_REFERENCE = (
    "rolling-origin evaluation (Tashman 2000, doi:10.1016/S0169-2070(00)00065-0); conformal prediction (Vovk et al. "
    "2005) with fading weights (Barber et al. 2023, doi:10.1214/23-AOS2276)"
)

FORECAST_6 = Indicator(
    "forecast_6_months",
    "Best score expected half a year on, if a stronger model is tested",
    "Whether or not a stronger model is tested, no forecast that was tried beats the last best score for certain. If "
    "one is: the last best, and of the room to the ceiling the mean share that earlier steps closed, counted from the "
    "day until which the benchmark is known; the 80% interval is that of these shares, and ends below the last best "
    f"where boards lower scores. It is given only for a day to come, with an interval of at most {WIDEST:.0%} of the "
    f"way from chance to the ceiling, where such forecasts avoided more than {LEAST_SKILL:.0%} of the error of the "
    "last best score, beyond the error of that comparison, and their intervals held at least "
    f"{LEAST_COVERAGE:.0%} of what moved over at least {ENOUGH_STRETCHES} stretches of time as long as the horizon. "
    "Whether a stronger model will be tested is another question: the chance of that stands beside it.",
    _REFERENCE,
    partial(_median_indicator, months=6),
    unit=Unit.FRACTION,
)
FORECAST_12 = Indicator(
    "forecast_12_months",
    "Best score expected a year on, if a stronger model is tested",
    "As for half a year.",
    _REFERENCE,
    partial(_median_indicator, months=12),
    unit=Unit.FRACTION,
)
USED_UP_IN = Indicator(
    "months_to_tenth_of_headroom",
    f"Months until the headroom is below {USED_UP_AT:.0%}",
    "From the day until which the benchmark is known, if a stronger model is tested every year, at the share of the "
    "remaining headroom that is expected to be closed then; the interval is that of the share, 80%.",
    "the forecast for a year, carried on at a constant share",
    _used_up,
    unit=Unit.MONTHS,
)
