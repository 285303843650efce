"""Each model against what its twin predicts: sorted, with interval, the flagged ones in the accent."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.figures.twin import Twin, expectation, other_named, unit
from benchhealth.dashboard.words.known import known
from benchhealth.dashboard.words.numbers import signed
from benchhealth.dashboard.words.probability import p_value
from benchhealth.dashboard.words.text import count, plotly

ROW_LIMIT = 40


def furthest(rows: pl.DataFrame, limit: int = ROW_LIMIT) -> pl.DataFrame:
    """The rows to draw, lowest residual first: all where they fit, else the flagged and then the furthest off."""
    with_residual = rows.drop_nulls("residual")
    order = with_residual.sort(
        pl.col("flagged").fill_null(value=False), pl.col("residual").abs(), descending=[True, True], maintain_order=True
    )
    return order.head(limit).sort("residual", "model_id", "original")


def title(twin: Twin, rows: pl.DataFrame) -> str:
    """How many models score lower on the twin than is expected of them."""
    tested = rows.filter(pl.col("flagged").is_not_null() & ~pl.col("beside"))
    flagged = tested.filter("flagged").height
    if tested.is_empty():
        return f"No model can be tested on {other_named(twin)}"
    verb = "scores" if flagged == 1 else "score"
    number = f"{flagged:,}" if flagged else "None"
    return f"{number} of {count(tested.height, 'result')} {verb} lower on {other_named(twin)} than expected"


def finding(twin: Twin, rows: pl.DataFrame) -> str:
    """The sentence: how many models score lower on the twin than is expected of them, and the furthest of them."""
    tested = rows.filter(pl.col("flagged").is_not_null() & ~pl.col("beside"))
    if tested.is_empty():
        return f"No model can be tested on {twin['other']}: errors, models or a line that fits are missing"
    flagged = tested.filter("flagged")
    verb = "scores" if flagged.height == 1 else "score"
    number = f"{flagged.height:,}" if flagged.height else "None"
    number_of_results = f"{number} of {count(tested.height, 'result')}"
    sentence = f"{number_of_results} {verb} lower on {twin['other']} than {expectation(twin)}"
    if flagged.is_empty():
        return f"{sentence}{known(twin['known_until'])}"
    furthest_off = flagged.sort(pl.col("residual").abs(), descending=True).row(0, named=True)
    size = f"{abs(furthest_off['residual']):.1f} {unit(twin)}"
    return f"{sentence}; the furthest, {furthest_off['model']}, by {size}{known(twin['known_until'])}"


def chart(twin: Twin, rows: pl.DataFrame, palette: Palette) -> Chart | Nothing:
    """The chart of the difference between each model's score and what is expected of it, a row for each model."""
    drawn = furthest(rows)
    if drawn.is_empty():
        return Nothing("No model can be tested.", "Errors, models or a line that fits are missing.")
    which = "all" if drawn.height == rows.drop_nulls("residual").height else "the flagged and the furthest off"
    return Chart(
        title=title(twin, rows),
        subtitle=(
            f"{finding(twin, rows)}. Score on the second less what is expected, with 95% intervals, {drawn.height} of "
            f"{count(rows.height, 'result')} ({which}); blue: off by more than its error allows."
        ),
        figure=figure(twin, drawn, palette),
        rows=drawn,
        alt=(
            f"Points of the difference between each model's score on {twin['other']} and what is expected from "
            f"{twin['original']}, lowest first. Left of zero: lower on the second than expected."
        ),
        known_until=twin["known_until"],
    )


def figure(twin: Twin, drawn: pl.DataFrame, palette: Palette) -> go.Figure:
    """One row a model; rows are identified by their place, because one name may stand in several settings."""
    wide = (pl.col("std_error") * Z95).fill_null(0.0)
    rows = drawn.with_columns(
        name=pl.when("own").then(pl.format("{} (your own)", "model")).otherwise("model"),
        value="residual",
        low=pl.col("residual") - wide,
        high=pl.col("residual") + wide,
        strong=pl.col("flagged").fill_null(value=False),
    )
    hovers = [_hover(row) for row in drawn.iter_rows(named=True)]
    axis = f"On the second, less expected, {unit(twin)}"
    return forest(rows, [Mark("difference to what is expected")], hovers, palette, axis=axis, reference=0.0)


def _hover(row: Mapping[str, Any]) -> str:
    name, off = plotly(row["model"]), signed(row["residual"])
    text = f"<b>{name}</b><br>{off}: {row['other']:.1f}, expected {row['expected']:.1f}"
    return (
        text if row["q_value"] is None else f"{text}<br>{p_value('p', row['p_value'])}, {p_value('q', row['q_value'])}"
    )
