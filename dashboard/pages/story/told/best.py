"""The best of a board as points with bars for chance."""

from functools import partial

import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.pages.story.figures.drawn import Drawn
from benchhealth.dashboard.pages.story.told.parts import ranked
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.reigns import standing

SHOWN = 10
"""So many of a board are drawn."""


def best(view: View, board_id: str, *, bounded: bool, shown: int = SHOWN) -> pl.DataFrame:
    """The first of a board with the reach of chance: model, value, low, high, strong (could be first).

    Shares are of a hundred; nothing reaches beyond the ends of a scale that has ends.
    """
    factor = 100.0 if bounded else 1.0
    half = Z95 * pl.col("error").fill_null(0.0)
    low, high = (pl.col("score") - half) * factor, (pl.col("score") + half) * factor
    ends = (low.clip(lower_bound=0.0), high.clip(upper_bound=100.0)) if bounded else (low, high)
    rows = standing(view, {"board": board_id}).sort("rank", "model").head(shown)
    return rows.select(
        "model",
        value=pl.col("score") * factor,
        low=ends[0],
        high=ends[1],
        strong=(pl.col("tier") == 1).fill_null(value=False),
    )


def forest_of(rows: pl.DataFrame, axis: str) -> "partial[Drawn]":
    """What draws them."""
    return ranked(rows, axis, [f"{name}: {value:,.0f}" for name, value in rows.select("model", "value").iter_rows()])
