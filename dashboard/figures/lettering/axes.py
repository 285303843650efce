"""Axes that several charts share: no two ticks read alike, and none is without numbers."""

import math
from datetime import date
from math import ceil, floor
from typing import Any

import polars as pl

from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.dashboard.figures.base import is_bounded

MOST_TICKS = 8
"""More ticks than these are not written on an axis."""

FEWEST_TICKS = 3
"""With fewer ticks than these an axis cannot be read."""


MONTH_STEPS, YEAR = (1, 2, 3, 6, 12, 24, 36, 60, 120), 12
"""The steps between ticks of an axis of time, in months."""


def months_step(months: float) -> int:
    """The smallest step, in months, with no more than MOST_TICKS steps in so many months."""
    return next((step for step in MONTH_STEPS if months / step <= MOST_TICKS), MONTH_STEPS[-1])


def calendar_axis(first: date, last: date) -> dict[str, Any]:
    """Ticks at the first of months, or of years where there are many; within two months at single days."""
    days = (last - first).days
    if days < 2 * MONTH_DAYS:
        step = max(1, ceil(days / 4)) * 24 * 60 * 60 * 1000
        return {"dtick": step, "tick0": first.isoformat(), "tickformat": "%-d %b<br>%Y"}
    step = months_step(days / MONTH_DAYS)
    return {"dtick": f"M{step}", "tick0": f"{first.year}-01-01", "tickformat": "%b<br>%Y" if step < YEAR else "%Y"}


def step_of(low: float, high: float, most: int = MOST_TICKS) -> float:
    """The smallest step of 1, 2 or 5 times a power of ten with no more than `most` steps from low to high.

    Where fewer than two multiples of it lie between them, the next smaller one: an axis of one number has no scale.
    """
    width = high - low
    if not width > 0 or not math.isfinite(width):
        return 1.0
    magnitude = 10.0 ** math.floor(math.log10(width / most))
    steps = [step * magnitude for step in (0.5, 1, 2, 5, 10)]
    index = next(index for index, step in enumerate(steps) if index and width / step <= most * (1 + 1e-9))
    return steps[index] if floor(high / steps[index]) - ceil(low / steps[index]) >= 1 else steps[index - 1]


def decimals_of(step: float) -> int:
    """How many decimals tell two ticks apart that lie this far from one another."""
    return max(0, -math.floor(math.log10(step) + 1e-9))


def score_axis(low: float, high: float, unit: str | None, most: int = MOST_TICKS) -> dict[str, object]:
    """The ticks of an axis of scores in this unit from low to high: percent where the unit has a range."""
    return share_axis(low, high, most) if is_bounded(unit) else number_axis(low, high, most)


def share_axis(low: float, high: float, most: int = MOST_TICKS) -> dict[str, object]:
    """The ticks of an axis of shares, as percent with as many decimals as tell them apart."""
    step = step_of(low, high, most)
    return {"tick0": 0, "dtick": step, "tickformat": f".{decimals_of(step * 100)}%"}


def number_axis(low: float, high: float, most: int = MOST_TICKS) -> dict[str, object]:
    """The ticks of an axis of plain numbers, with as many decimals as tell them apart."""
    step = step_of(low, high, most)
    return {"tick0": 0, "dtick": step, "tickformat": f",.{decimals_of(step)}f"}


def log_ticks(values: pl.DataFrame) -> dict[str, object]:
    """A logarithmic axis from a little below the lowest to a little above the highest, with 1, 2 and 5 as ticks."""
    positive = [value for column in values.iter_columns() for value in column.drop_nulls() if value > 0]
    if not positive:
        return {"type": "log"}
    low, high = min(positive) / 1.25, max(positive) * 1.25
    exponents = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if math.log10(high / low) < 2.2 else (1,)
    ticks = [step * 10.0**exponent for exponent in exponents for step in steps if low <= step * 10.0**exponent <= high]
    if len(ticks) < FEWEST_TICKS:
        even = step_of(low, high)
        ticks = [round(multiple * even, 12) for multiple in range(math.ceil(low / even), math.floor(high / even) + 1)]
    return {
        "type": "log",
        "range": [math.log10(low), math.log10(high)],
        "tickvals": ticks,
        "ticktext": [f"{tick:,.10g}" for tick in ticks],
    }


def round_values(low: float, high: float) -> list[float]:
    """At most six round values from `low` to `high`, for the ticks of an axis."""
    span = high - low
    if span <= 0:
        return [low]
    magnitude = 10.0
    while magnitude > span:
        magnitude /= 10
    while magnitude * 10 <= span:
        magnitude *= 10
    step = next(magnitude * factor for factor in (0.1, 0.2, 0.25, 0.5, 1, 2, 5) if span / (magnitude * factor) <= 6)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(multiple * step, 10) for multiple in range(first, last + 1)]
