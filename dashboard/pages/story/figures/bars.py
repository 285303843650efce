"""Bars below one another: each with its name above and its number at the end."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.forest import colour_of
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.drawn import Drawn, empty_plot, text
from benchhealth.dashboard.words.text import plotly

ROW = 52
"""The height of a bar with its name, in pixels."""

THICK = 0.36
"""The share of a row that its bar takes."""


class Bar(NamedTuple):
    """A bar: its name, how long it is, the number as it is written, the colour's role, whether it is hollow."""

    name: str
    value: float
    written: str
    role: str = "accent"
    hollow: bool = False


class Limit(NamedTuple):
    """A line across all bars at a value, and its label."""

    value: float
    written: str


def bars(rows: Sequence[Bar], full_length: float, palette: Palette, limit: Limit | None = None) -> Drawn:
    """The picture; `full_length` is the length of a full track, which is drawn behind each bar."""
    figure = empty_plot(palette, ROW * len(rows) + (34 if limit else 14), margin={"l": 0, "r": 0, "t": 4, "b": 4})
    heights = [float(-height) for height in range(len(rows))]
    figure.add_bar(
        x=numbers(pl.Series([full_length] * len(rows))), y=heights, orientation="h", width=THICK, hoverinfo="skip",
        marker={"color": palette.fill, "line": {"width": 0}},
    )  # fmt: skip
    colours = [colour_of(row.role, palette) for row in rows]
    figure.add_bar(
        x=numbers(pl.Series([row.value for row in rows], dtype=pl.Float64)),
        y=heights,
        orientation="h",
        width=THICK,
        marker={
            "color": [palette.paper if row.hollow else colour for row, colour in zip(rows, colours, strict=True)],
            "line": {"color": colours, "width": [1.6 if row.hollow else 0 for row in rows]},
        },
        hovertext=[f"<b>{plotly(row.name)}</b><br>{plotly(row.written)}" for row in rows],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    figure.update_layout(
        barmode="overlay",
        xaxis={"range": [0, full_length * 1.16]},
        yaxis={"range": [0.75 - len(rows) - (0.35 if limit else 0), 0.72]},
    )
    for row, height in zip(rows, heights, strict=True):
        figure.add_annotation(
            x=0, y=height + THICK / 2, xanchor="left", yanchor="bottom", yshift=1, text=plotly(row.name, 80),
            showarrow=False, font=text(palette.ink),
        )  # fmt: skip
        figure.add_annotation(
            x=full_length, y=height, xanchor="left", xshift=6, text=f"<b>{plotly(row.written)}</b>",
            showarrow=False, font=text(palette.ink),
        )  # fmt: skip
    if limit is not None:
        figure.add_annotation(
            x=limit.value, y=heights[-1] - 0.42, xanchor="right", xshift=-6, text=plotly(limit.written, 80),
            showarrow=False, font=text(palette.doubt, 12),
        )  # fmt: skip
    if limit is not None:
        figure.add_shape(
            type="line", x0=limit.value, x1=limit.value, y0=heights[-1] - 0.6, y1=0.4,
            line={"color": palette.doubt, "width": 1.6},
        )  # fmt: skip
    table = [(row.name, row.value, row.written) for row in rows]
    return Drawn(figure, pl.DataFrame(table, schema=["name", "value", "written"], orient="row"))
