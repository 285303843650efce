"""Axes that several charts share."""

import math
from math import ceil, floor

import polars as pl


def log_ticks(values: pl.DataFrame) -> dict[str, object]:
    """A logarithmic axis from a little below the lowest to a little above the highest, with 1, 2 and 5 as ticks."""
    every = [value for column in values.iter_columns() for value in column.drop_nulls() if value > 0]
    if not every:
        return {"type": "log"}
    low, high = min(every) / 1.25, max(every) * 1.25
    places = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if math.log10(high / low) < 2.2 else (1,)
    ticks = [step * 10.0**place for place in places for step in steps if low <= step * 10.0**place <= high]
    return {
        "type": "log",
        "range": [math.log10(low), math.log10(high)],
        "tickvals": ticks,
        "ticktext": [f"{tick:,.10g}" for tick in ticks],
    }


def round_values(low: float, high: float) -> list[float]:
    """At most six round values between two."""
    span = high - low
    if span <= 0:
        return [low]
    power = 10.0
    while power > span:
        power /= 10
    while power * 10 <= span:
        power *= 10
    step = next(power * factor for factor in (0.1, 0.2, 0.25, 0.5, 1, 2, 5) if span / (power * factor) <= 6)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(at * step, 10) for at in range(first, last + 1)]
