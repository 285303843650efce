"""The ends of a column: its first and last day, its least and greatest number."""

from datetime import date

import polars as pl


def latest(days: pl.Series) -> date | None:
    """The last of these days; None where none is known."""
    last = days.max()
    return last if isinstance(last, date) else None


def day_span(first_days: pl.Series, last_days: pl.Series) -> tuple[date, date]:
    """The first and the last of these days. Raises ValueError where one is unknown."""
    first, last = first_days.min(), latest(last_days)
    if not isinstance(first, date) or last is None:
        raise ValueError("no day is known")
    return first, last


def extent(values: pl.Series) -> tuple[float, float]:
    """The least and the greatest of these numbers. Raises ValueError where none is known."""
    known = values.drop_nulls().cast(pl.Float64).to_numpy()
    return float(known.min()), float(known.max())
