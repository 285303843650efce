"""Each model against what its twin predicts: sorted, with interval, and the flagged ones marked by shape."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import BLUE, GREY, VERMILLION
from dashboard.pages.twins.figures.scatter import Z95, unit
from dashboard.words.known import known
from dashboard.words.probability import p_value
from dashboard.words.text import count, plotly

Twin = Mapping[str, Any]
ROW_LIMIT = 40
ROW_PIXELS = 21


def furthest(rows: pl.DataFrame, limit: int = ROW_LIMIT) -> pl.DataFrame:
    """The rows to draw, lowest residual first: all where they fit, else the flagged and then the furthest off."""
    with_residual = rows.drop_nulls("residual")
    order = with_residual.sort(
        pl.col("flagged").fill_null(value=False), pl.col("residual").abs(), descending=[True, True], maintain_order=True
    )
    return order.head(limit).sort("residual", "model_id", "original")


def finding(twin: Twin, rows: pl.DataFrame) -> str:
    """The sentence: how many models score higher on the original than the twin predicts, and the largest of them."""
    tested = rows.filter(pl.col("flagged").is_not_null())
    if tested.is_empty():
        return f"No model can be tested against what {twin['other']} predicts: errors, models or a line are missing"
    flagged = tested.filter("flagged")
    verb = "scores" if flagged.height == 1 else "score"
    number = f"{flagged.height:,}" if flagged.height else "None"
    of = f"{number} of {count(tested.height, 'result')}"
    said = f"{of} {verb} higher on {twin['original']} than {twin['other']} predicts"
    if flagged.is_empty():
        return f"{said}{known(twin['known_until'])}"
    furthest_off = flagged.sort(pl.col("residual").abs(), descending=True).row(0, named=True)
    size = f"{abs(furthest_off['residual']):.1f} {unit(twin)}"
    return f"{said}; the furthest, {furthest_off['model']}, by {size}{known(twin['known_until'])}"


def alt_text(twin: Twin, rows: pl.DataFrame) -> str:
    """What the chart shows, in words."""
    drawn = furthest(rows)
    which = "all" if drawn.height == rows.drop_nulls("residual").height else "the flagged and the furthest off"
    return (
        f"Points of the difference between each model's score on {twin['other']} and what is expected from "
        f"{twin['original']}, with 95% intervals, {drawn.height} of {count(rows.height, 'result')} ({which}), lowest "
        "first. Left of zero: lower on the second than expected. Diamonds are flagged at a false discovery rate of 5%."
    )


def figure(twin: Twin, rows: pl.DataFrame) -> go.Figure:
    """One row a model; rows are identified by their place, because one name may stand in several settings."""
    drawn_rows = furthest(rows).with_row_index("place")
    flagged = pl.col("flagged").fill_null(value=False)
    drawn = go.Figure()
    for part, name, symbol, colour, size in (
        (drawn_rows.filter(~flagged), "as expected or not tested", "circle", BLUE, 7),
        (drawn_rows.filter(flagged), "flagged", "diamond", VERMILLION, 10),
    ):
        if part.height:
            drawn.add_trace(_points(part, name, symbol, colour, size))
    drawn.add_vline(x=0, line={"color": GREY, "dash": "dash", "width": 1.5})
    laid_out(drawn, height=130 + ROW_PIXELS * drawn_rows.height)
    drawn.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    drawn.update_xaxes(title=f"On the second, less expected, {unit(twin)}", zeroline=False)
    drawn.update_yaxes(
        tickvals=numbers(drawn_rows["place"]),
        ticktext=[plotly(name, 26) for name in drawn_rows["model"]],
        range=[drawn_rows.height - 0.4, -0.6],
        zeroline=False,
        tickfont={"size": 11},
    )
    return drawn


def _points(part: pl.DataFrame, name: str, symbol: str, colour: str, size: int) -> go.Scatter:
    return go.Scatter(
        x=numbers(part["residual"]),
        y=numbers(part["place"]),
        name=name,
        mode="markers",
        marker={"symbol": symbol, "size": size, "color": colour},
        error_x={"type": "data", "array": numbers(part["std_error"] * Z95), "thickness": 1.2, "width": 0},
        customdata=[_said(row) for row in part.iter_rows(named=True)],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _said(row: Mapping[str, Any]) -> str:
    text = f"{plotly(row['model'])}<br>{row['residual']:+.2f}: {row['other']:.2f}, expected {row['expected']:.2f}"
    return (
        text if row["q_value"] is None else f"{text}<br>{p_value('p', row['p_value'])}, {p_value('q', row['q_value'])}"
    )
