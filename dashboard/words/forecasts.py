"""Forecasts in words: how they are made, the chance that a stronger model is tested, what came of those issued."""

from collections.abc import Callable

import polars as pl

from analytics.forecast.backtest import intervals
from analytics.forecast.chance import chances
from analytics.forecast.record import forecast_record
from analytics.forecast.scale import elsewhere, standing
from analytics.forecast.series import known_results
from analytics.forecast.skill import skills
from analytics.forecast.table import forecasts
from dashboard.words.numbers import day_of, percent
from dashboard.words.text import count
from warehouse.forecasts.issued import issue

FORECASTS: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    (
        "forecasts",
        "Two forecasts",
        r"\tfrac12\,h_0 + \tfrac12\,\sigma\left(\operatorname{logit} h_0 + b\,\dot\theta\,t\right)",
        forecasts,
    ),
    ("forecast_known", "What was known when", None, known_results),
    ("forecast_stronger", "Who is a stronger model", None, standing),
    ("forecast_elsewhere", "A model judged by its scores elsewhere", None, elsewhere),
    ("forecast_chance", "The chance that a stronger model is tested", None, chances),
    ("forecast_interval", "Intervals that hold where something moves", None, intervals),
    ("forecast_skill", "Whether forecasts had skill", r"1 - \frac{\text{error}}{\text{error of reference}}", skills),
    ("forecast_record", "The record of forecasts issued", None, forecast_record),
    ("forecast_ledger", "The ledger of forecasts", None, issue),
)
"""Anchor, title, formula and function of each method."""

STRONGER = "a stronger model than all before is tested"
BEATEN = "the best score is beaten"


def event(population: str) -> str:
    """What the chance is of on this kind of benchmarks."""
    return STRONGER if population.startswith("on the capability scale") else BEATEN


def record_said(issued: pl.DataFrame) -> str:
    """The record of forecasts issued live: how many since when, how many are due, how many of the judged held.

    `issued` are rows of the table `forecast_record`. Only where a stronger model was tested is an interval judged.
    """
    if issued.is_empty():
        return "none issued before this edition, so none is due"
    due, unseen = issued.filter(state="due"), issued.filter(state="not seen")
    judged = due["inside"].drop_nulls()
    since = f"{count(issued.height, 'forecast')} issued since {day_of(issued['issued_on'].min())}"  # type: ignore[arg-type]
    said = [since, f"{due.height} due" if due.height else "none due yet"]
    if due.height:
        said.append(f"{judged.sum()} of {len(judged)} inside" if len(judged) else "in none was a stronger model tested")
    if unseen.height:
        said.append(f"{unseen.height} past their day without a look since")
    return ", ".join(said)


def chance_said(chance: float | None) -> str:
    """The chance as percent, or that nobody can say."""
    return "unknown chance" if chance is None else f"chance {percent(chance)}"
