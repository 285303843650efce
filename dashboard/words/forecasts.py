"""Forecasts in words: the chance that a stronger model is tested, and what came of those that were issued."""

import polars as pl

from benchhealth.dashboard.words.numbers import day_of, percent
from benchhealth.dashboard.words.text import count

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
