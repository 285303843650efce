"""How the kinds of change become rows of one table."""

import polars as pl

from benchhealth.analytics.record.frames import benchmark_of_board
from benchhealth.analytics.record.tables import PUBLISHED

SCHEMA = PUBLISHED["change"]
ANOTHER_SCALE = "scale|moved|reset|rules"
"""Breaks, as a pattern of their kinds, across which two best scores are not compared."""


def model_names(model: pl.DataFrame) -> pl.DataFrame:
    """Every model's `name`, its id where it has none, and when it was released."""
    return model.select("model_id", "released_on", name=pl.coalesce("name", "model_id"))


def intervals_part() -> pl.Expr:
    """Whether the 95% intervals of a score and of the one before do not meet; null where one has none."""
    return (pl.col("low") > pl.col("high_before")) | (pl.col("high") < pl.col("low_before"))


def scale_breaks(breakpoint: pl.DataFrame) -> pl.DataFrame:
    """The days (`on_date`) of the breaks of ANOTHER_SCALE of the boards of each benchmark."""
    return breakpoint.filter(pl.col("kind").str.contains(ANOTHER_SCALE)).select(
        "on_date", benchmark_id=benchmark_of_board()
    )
