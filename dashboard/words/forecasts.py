"""Forecasts in words: the chance that a stronger model is tested, and what came of those that were issued."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.forecast.record import ON_SCALE

from benchhealth.dashboard.words.numbers import day_of, percent
from benchhealth.dashboard.words.text import count

STRONGER = "a stronger model than all before is tested"
BEATEN = "the best score is beaten"


def event(population: str) -> str:
    """What the chance is of on this kind of benchmarks."""
    return STRONGER if population.startswith(ON_SCALE) else BEATEN


def past_event(population: str) -> str:
    """Where it happened, on this kind of benchmarks."""
    return f"where {'a stronger model was tested' if population.startswith(ON_SCALE) else 'the best score was beaten'}"


def either_said(of: Mapping[str, float | None]) -> str:
    """How good forecasts are without a condition: a row of `forecast_skill` of that part, or the same by name.

    Nothing is said of no change being beaten that the interval does not say.
    """
    skill, low, high = of["skill"], of["skill_low"], of["skill_high"]
    if skill is None or low is None or high is None:
        return "without that condition too few outcomes are known to compare a forecast with no change"
    beats = "the forecast beats no change" if low > 0 else "no forecast here beats no change for certain"
    return f"whether or not one is tested {beats} (skill {skill:.2f}, {low:.2f} to {high:.2f})"


def record_said(issued: pl.DataFrame) -> str:
    """The record of forecasts issued live: how many since when, how many are due, how many of the judged held.

    `issued` are rows of the table `forecast_record`. Only where a stronger model was tested is an interval judged.
    """
    if issued.is_empty():
        return "no earlier forecast to check yet"
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
