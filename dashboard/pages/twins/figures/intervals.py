"""One row for each name: a point with its interval, and a line to hold it against."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import BLUE, GREY, ORANGE
from dashboard.words.text import plotly

ROW_PIXELS = 21


def figure(rows: pl.DataFrame, said: Sequence[str], *, axis: str, raw: str | None = None) -> go.Figure:
    """Rows from top to bottom: `name`, `value`, `low`, `high`; `said` is the hover text of each, escaped already.

    `raw` names a column that is drawn as an open point beside `value`. Zero is marked.
    """
    placed = rows.with_row_index("place")
    drawn = go.Figure()
    if raw is not None:
        drawn.add_trace(_points(placed, raw, said, "as measured", ("circle-open", ORANGE), bars=False))
    name = "shrunk, with 95% interval" if raw is not None else "with 95% interval"
    drawn.add_trace(_points(placed, "value", said, name, ("circle", BLUE), bars=True))
    drawn.add_vline(x=0, line={"color": GREY, "dash": "dash", "width": 1.5})
    laid_out(drawn, height=150 + ROW_PIXELS * rows.height)
    drawn.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    drawn.update_xaxes(title=axis, zeroline=False)
    drawn.update_yaxes(
        tickvals=numbers(placed["place"]),
        ticktext=[plotly(name, 26) for name in rows["name"]],
        range=[rows.height - 0.4, -0.6],
        zeroline=False,
        tickfont={"size": 11},
    )
    return drawn


def _points(  # noqa: PLR0913
    rows: pl.DataFrame, column: str, said: Sequence[str], name: str, look: tuple[str, str], *, bars: bool
) -> go.Scatter:
    symbol, colour = look
    above, below = (rows["high"] - rows[column], rows[column] - rows["low"])
    errors = {"type": "data", "symmetric": False, "array": numbers(above), "arrayminus": numbers(below)}
    return go.Scatter(
        x=numbers(rows[column]),
        y=numbers(rows["place"]),
        name=name,
        mode="markers",
        marker={"symbol": symbol, "size": 8, "color": colour},
        error_x={**errors, "thickness": 1.2, "width": 0, "color": colour, "visible": bars},
        customdata=list(said),
        hovertemplate="%{customdata}<extra></extra>",
    )
