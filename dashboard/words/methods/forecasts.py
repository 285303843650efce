"""What the Methods page says about forecasts: functions whose docstrings are its texts, in order."""

from collections.abc import Callable

from benchhealth.analytics.forecast.chance import chances
from benchhealth.analytics.forecast.closed import closed_before
from benchhealth.analytics.forecast.held import forecast_held
from benchhealth.analytics.forecast.record import forecast_backcast, forecast_record
from benchhealth.analytics.forecast.regrades import regrades
from benchhealth.analytics.forecast.scale import capability_elsewhere, scale_at_origins
from benchhealth.analytics.forecast.series import known_results
from benchhealth.analytics.forecast.skill import skills
from benchhealth.analytics.forecast.table import forecasts
from benchhealth.warehouse.forecasts.issued import issue

FORECASTS: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    (
        "forecasts",
        "Two forecasts",
        r"h_0 + (1 - h_0)\,\bar{s},\quad \bar{s} = \frac{\sum_i 2^{-a_i} s_i}{\sum_i 2^{-a_i}}",
        forecasts,
    ),
    ("forecast_known", "What was known when", None, known_results),
    ("forecast_stronger", "Who is a stronger model", None, scale_at_origins),
    ("forecast_elsewhere", "A model judged by its scores elsewhere", None, capability_elsewhere),
    ("forecast_chance", "The chance that a stronger model is tested", None, chances),
    ("forecast_interval", "What earlier steps closed, and its interval", None, closed_before),
    ("forecast_regrade", "Scores that are lowered", None, regrades),
    ("forecast_skill", "Whether forecasts had skill", r"1 - \frac{\text{error}}{\text{error of reference}}", skills),
    ("forecast_record", "The record of forecasts issued", None, forecast_record),
    ("forecast_backcast", "Backcast forecasts", None, forecast_backcast),
    ("forecast_held", "How often backcast forecasts held", None, forecast_held),
    ("forecast_ledger", "The ledger of forecasts", None, issue),
)
"""Anchor, title, formula and function of each method."""
