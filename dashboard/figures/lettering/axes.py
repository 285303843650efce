"""Axes that several charts share."""

import math

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
