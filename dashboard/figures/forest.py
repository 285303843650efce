"""Rows of points with their intervals, in the language of all charts: one row a name, a line to hold them against."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.language import LABEL, laid_out, on_hover, write
from benchhealth.dashboard.figures.lettering.axes import log_ticks
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.text import plotly, words_within

ROW_PIXELS = 22
NAME_LIMIT = 28
"""Letters of a name in one line; a longer one takes two, broken between words."""

HEIGHT_BELOW = 40
"""Pixels below the plot for its numbers and, from its right end on to the left, for what they count."""

ERROR_WIDTH, MARK = 5, 9
"""Pixels: the bar of an interval, and the mark on it."""


class Mark(NamedTuple):
    """One kind of point, or a line of them: its columns, shape and colour; without `low` it has no interval.

    `role` is accent, ink or ink3, or a stage whose colour is meant; `name` is what hover, the
    end of the line and the subtitle call it.
    """

    name: str
    value: str = "value"
    low: str | None = "low"
    high: str | None = "high"
    symbol: str = "circle"
    role: str = "accent"

    @property
    def columns(self) -> list[str]:
        """The columns that it is drawn from."""
        return [name for name in (self.value, self.low, self.high) if name is not None]


PLAIN = Mark("with its 95% interval")


def forest(  # noqa: PLR0913
    rows: pl.DataFrame,
    marks: Sequence[Mark],
    hover: Sequence[str],
    palette: Palette,
    *,
    axis: str,
    reference: float | None = None,
    logarithmic: bool = False,
    span: tuple[float, float] | None = None,
    height: int | None = None,
    form: str = "",
) -> go.Figure:
    """Rows from top to bottom by `name` with a point of each mark; `hover` are texts, escaped already.

    With one mark, rows whose column `strong` is false are drawn in ink, as what the error does not carry; without that
    column all have the mark's colour. `span` are the ends of the axis, beyond which intervals are cut; its numbers are
    written in this `form`.
    """
    placed = rows.with_row_index("place")
    step = 0.26 if len(marks) > 1 and any(mark.low is not None for mark in marks) else 0.0
    figure = go.Figure()
    for index, mark in enumerate(marks):
        drawn = placed.filter(pl.col(mark.value).is_not_null())
        lift = step * (index - (len(marks) - 1) / 2)
        if "strong" in drawn.columns and len(marks) == 1:
            _points(figure, drawn.filter(~pl.col("strong")), mark._replace(role="ink3"), hover, lift, palette)
            drawn = drawn.filter("strong")
        _points(figure, drawn, mark, hover, lift, palette)
    labels = [wrapped(name) for name in rows["name"]]
    taller = 1.5 if any("<br>" in label for label in labels) else 1 + 0.25 * (len(marks) - 1)
    laid_out(figure, palette, height or 58 + int(ROW_PIXELS * taller * rows.height))
    columns = [column for mark in marks for column in mark.columns]
    ticks = log_ticks(rows.select(columns)) if logarithmic else {}
    figure.update_xaxes(showgrid=True, tickangle=0, **ticks)
    if form:
        figure.update_xaxes(tickformat=form)
    if axis:
        figure.update_layout(margin_b=HEIGHT_BELOW)
        write(
            figure, axis, (1, 0), palette.ink3, xref="paper", yref="paper", xanchor="right", yanchor="top", yshift=-19
        )
    if span is not None:
        figure.update_xaxes(range=list(span))
    figure.update_yaxes(
        tickvals=numbers(placed["place"]),
        ticktext=labels,
        range=[rows.height - 0.4, -0.6],
        showgrid=False,
        tickfont={"color": palette.ink, "size": LABEL},
    )
    if reference is not None:
        upright(figure, reference, palette)
    return figure


def upright(figure: go.Figure, x: float, palette: Palette) -> None:
    """A vertical line of reference over the whole height; a part of the layout, as adding a line takes far longer."""
    line = {"color": palette.ink3, "width": 1}
    figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", layer="below", line=line)


def colour_of(role: str, palette: Palette) -> str:
    """The colour of a role: accent, ink, ink2, ink3, or the name of a stage."""
    if role in palette.stages:
        return palette.stages[role].mark
    return str(getattr(palette, role))


def error_bars(rows: pl.DataFrame, mark: Mark, colour: str, palette: Palette) -> dict[str, object]:
    """The bars of a mark's intervals as all charts draw them: broad and faint, below the mark."""
    if mark.low is None or mark.high is None:
        return {"visible": False}
    above, below = rows[mark.high] - rows[mark.value], rows[mark.value] - rows[mark.low]
    return {
        "type": "data",
        "symmetric": False,
        "array": numbers(above.fill_null(0.0)),
        "arrayminus": numbers(below.fill_null(0.0)),
        "thickness": ERROR_WIDTH,
        "width": 0,
        "color": palette.faint(colour, 0.45),
    }


def _points(  # noqa: PLR0913, PLR0917
    figure: go.Figure, rows: pl.DataFrame, mark: Mark, hover: Sequence[str], lift: float, palette: Palette
) -> None:
    if rows.is_empty():
        return
    colour = colour_of(mark.role, palette)
    is_open = mark.symbol.endswith("-open")
    figure.add_scatter(
        x=numbers(rows[mark.value]),
        y=numbers(rows["place"] + lift),
        name=plotly(mark.name),
        mode="markers",
        marker={
            "symbol": mark.symbol.removesuffix("-open"),
            "size": MARK,
            "color": palette.paper if is_open else colour,
            "line": {"color": colour, "width": 1.5 if is_open else 0},
        },
        error_x=error_bars(rows, mark, colour, palette),
        **on_hover(hover[index] for index in rows["place"]),
    )


def wrapped(name: str, limit: int = NAME_LIMIT) -> str:
    """The name in one line, or in two where it is long, broken between words; escaped for Plotly."""
    if len(name) <= limit:
        return plotly(name)
    lines = textwrap.wrap(words_within(name, 2 * limit), limit, break_long_words=False, break_on_hyphens=False)
    first_line, second_line = lines[0], " ".join(lines[1:])
    return "<br>".join(plotly(line, limit + 16) for line in (first_line, second_line) if line)
