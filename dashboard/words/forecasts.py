"""Forecasts in words: the chance that a stronger model is tested, and what came of those that were issued."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.forecast.candidates import RUNNING_MEAN
from benchhealth.analytics.forecast.record import ON_SCALE
from benchhealth.analytics.forecast.skill import EITHER
from benchhealth.analytics.statistics.summaries.ends import day_span
from benchhealth.dashboard.words.numbers import day_of, percent
from benchhealth.dashboard.words.text import count

STRONGER = "a stronger model than all before is tested"
BEATEN = "the best score is beaten"
BETTER = "the forecast beats “no change”"
NO_BETTER = "no forecast here beats “no change” for certain"
"""By whether the interval of its skill lies above 0."""


def event(population: str) -> str:
    """The event whose chance is forecast for this kind of benchmarks."""
    return STRONGER if population.startswith(ON_SCALE) else BEATEN


def past_event(population: str) -> str:
    """The event in the past, for this kind of benchmarks."""
    return f"where {'a stronger model was tested' if population.startswith(ON_SCALE) else 'the best score was beaten'}"


def either_first(skills: pl.DataFrame, population: str) -> str:
    """The sentence before a conditional forecast: whether one without the condition has proven better.

    `skills` is the table `forecast_skill`; the forecasts of all horizons count.
    """
    is_row = pl.col("population").eq(population) & pl.col("part").eq(EITHER) & pl.col("method").eq(RUNNING_MEAN)
    low = skills.filter(is_row)["skill_low"]
    is_proven = bool(len(low)) and bool((low > 0).fill_null(value=False).all())
    return f"Whether or not {_event_of(population)}, {BETTER if is_proven else NO_BETTER}"


def unconditional_skill_sentence(skill_numbers: Mapping[str, float | None], population: str) -> str:
    """How good the forecast is without a condition; `skill_numbers` has its skill and the ends of the interval."""
    skill, low, high = skill_numbers["skill"], skill_numbers["skill_low"], skill_numbers["skill_high"]
    if skill is None or low is None or high is None:
        return "too few outcomes are known to compare a forecast without a condition with no change"
    better = BETTER if low > 0 else NO_BETTER
    return f"whether or not {_event_of(population)}, {better} (skill {skill:.2f}, {low:.2f} to {high:.2f})"


def _event_of(population: str) -> str:
    return "a stronger model is tested" if population.startswith(ON_SCALE) else BEATEN


def record_sentence(issued: pl.DataFrame) -> str:
    """The record of forecasts issued live: how many since when, how many are due, how many of the judged held.

    `issued` are rows of the table `forecast_record`. Only where a stronger model was tested is an interval judged.
    """
    if issued.is_empty():
        return "no earlier forecast to check yet"
    due, unseen = issued.filter(state="due"), issued.filter(state="not seen")
    judged = due["inside"].drop_nulls()
    first, _ = day_span(issued["issued_on"], issued["issued_on"])
    since = f"{count(issued.height, 'forecast')} issued since {day_of(first)}"
    clauses = [since, f"{due.height} due" if due.height else "none due yet"]
    if due.height:
        clauses.append(
            f"{judged.sum()} of {len(judged)} inside" if len(judged) else "in none was a stronger model tested"
        )
    if unseen.height:
        clauses.append(f"{unseen.height} past their day, with no source read since")
    return ", ".join(clauses)


def chance_text(chance: float | None) -> str:
    """The chance as percent, or that nobody can say."""
    return "odds not known" if chance is None else f"probability {percent(chance)}"
