"""What is expected of the frontier, with the track record of the method, and when the scale will be used up."""

import polars as pl

from benchhealth.analytics.forecast.table import USED_UP_AT, YEARS_AHEAD
from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.declared import Unit

OPEN_ENDED = Unless(~pl.col("bounded"), "the scale is open-ended", "not_applicable")
NONE_MADE = Unless(
    pl.col("made_on").is_null(),
    "no forecast: a part of a benchmark, no dated results within a year, fewer than five, or the ceiling is passed",
)


def _rows(evidence: Evidence, months: int) -> pl.DataFrame:
    made = evidence.outlook.filter(pl.col("horizon_months") == months).rename({"n": "tested"})
    return evidence.facts.join(made, on="benchmark_id", how="left")


NOT_SHOWN = Unless(
    pl.col("median").is_null(), pl.format("no forecast: {}; by what was known until {}", "basis", "made_on")
)


def _in_half_a_year(evidence: Evidence) -> pl.DataFrame:
    return _published(_passed(evidence, _rows(evidence, 6)))


def _in_a_year(evidence: Evidence) -> pl.DataFrame:
    return _published(_passed(evidence, _rows(evidence, 12)))


def _published(rows: pl.DataFrame) -> pl.DataFrame:
    return settle(
        rows,
        OPEN_ENDED,
        NONE_MADE,
        NOT_SHOWN,
        value=pl.col("median"),
        low=pl.col("low80"),
        high=pl.col("high80"),
        n=pl.col("tested"),
        note=pl.format("if a stronger model is tested between {} and {}; {}", "made_on", "target_on", "basis"),
    )


def _passed(evidence: Evidence, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows whose basis says so where the day that is forecast lies before that of the assessment."""
    said = pl.format("a day that has passed, as nothing later than {} is known; {}", "made_on", "basis")
    return rows.with_columns(
        basis=pl.when((pl.col("target_on") <= evidence.as_of) & pl.col("median").is_not_null())
        .then(said)
        .otherwise("basis")
    )


def _used_up(evidence: Evidence) -> pl.DataFrame:
    rows = _rows(evidence, 12)
    earliest = pl.when(pl.col("wait_low").is_finite()).then(
        pl.format("; one forecast in ten says within {} months of {}", pl.col("wait_low").round(0), "made_on")
    )
    too_far = pl.concat_str(
        pl.lit(f"at the expected rate the headroom does not fall below {USED_UP_AT:.0%} within {YEARS_AHEAD}"),
        earliest.otherwise(pl.lit("")),
    )
    return settle(
        rows,
        OPEN_ENDED,
        NONE_MADE,
        NOT_SHOWN,
        Unless(pl.col("wait").is_infinite(), too_far),
        value=pl.col("wait"),
        low=pl.col("wait_low"),
        high=pl.when(pl.col("wait_high").is_finite()).then("wait_high"),
        n=pl.col("tested"),
        note=pl.format(
            f"if a stronger model is tested every year from {{}}; no upper end means beyond {YEARS_AHEAD}", "made_on"
        ),
    )


_REFERENCE = (
    "rolling-origin evaluation (Tashman 2000, doi:10.1016/S0169-2070(00)00065-0); conformal prediction (Vovk et al. "
    "2005) with fading weights (Barber et al. 2023, doi:10.1214/23-AOS2276) and days as groups (Dunn et al. 2023, "
    "doi:10.1080/01621459.2022.2060112)"
)

FORECAST_6 = Indicator(
    "forecast_6_months",
    "Best score expected half a year on, if a stronger model is tested",
    "Half way between the last best score and where the growth of the best capability would carry it, counted from the "
    "day until which the benchmark is known; the 80% interval is calibrated on earlier forecasts of benchmarks of the "
    "same kind whose best score moved. It is given only where such forecasts avoided more than 15% of the error of "
    "the last best score, beyond the error of that comparison, and their intervals held at least 70% of what moved. "
    "Whether a stronger model will be tested is another question: the chance of that stands beside it.",
    _REFERENCE,
    _in_half_a_year,
    unit=Unit.FRACTION,
)
FORECAST_12 = Indicator(
    "forecast_12_months",
    "Best score expected a year on, if a stronger model is tested",
    "As for half a year.",
    _REFERENCE,
    _in_a_year,
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
