"""Pictures of stories with the rows that they draw: counts as squares, and bars with a name above and a number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.forest import colour_of
from benchhealth.dashboard.figures.language import LABEL, Drawing, laid_out, on_hover, write
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.report.still import WIDTH
from benchhealth.dashboard.words.text import plotly

TEXT = LABEL + 1
"""The size in pixels of text in a picture."""


@dataclass(frozen=True)
class Picture:
    """A picture: its figure and the rows that are drawn, no more and no less."""

    figure: go.Figure
    rows: pl.DataFrame


def empty_plot(palette: Palette, height: int, **more: object) -> go.Figure:
    """A figure of this height, in pixels, whose axes are not drawn."""
    figure = laid_out(Drawing(), palette, height)
    figure.update_layout(**more)
    axis = {"showgrid": False, "showline": False, "showticklabels": False, "automargin": False}
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    return figure


STEP, GAP = 17, 3
"""Pixels from one square to the next where there are few, and the empty columns between two blocks."""

SMALL_SQUARES_FROM, SMALL_STEP = 200, 13
"""From this many squares on they are smaller."""

HEAD_HEIGHT = 44
"""Pixels above the squares for their heading."""


class Part(NamedTuple):
    """Squares of one kind: their label, how many things, the colour's role, whether they are hollow."""

    label: str
    things: int
    role: str
    hollow: bool = False


class Block(NamedTuple):
    """A block of squares: its head, the text under it, its parts, and the number of squares in a row."""

    head: str
    below: str
    parts: Sequence[Part]
    columns: int = 10


def squares(blocks: Sequence[Block], per_square: int, palette: Palette) -> Picture:
    """The picture: a square counts `per_square` things, the last one of a part fewer; an empty part has no square."""
    n_all = sum(-(-part.things // per_square) for block in blocks for part in block.parts)
    step = SMALL_STEP if n_all >= SMALL_SQUARES_FROM else STEP
    wide = sum(block.columns for block in blocks) + GAP * (len(blocks) - 1)
    high = max(-(-sum(-(-part.things // per_square) for part in block.parts) // block.columns) for block in blocks)
    figure = empty_plot(palette, HEAD_HEIGHT + step * high + 12, margin={"l": 0, "r": 0, "t": HEAD_HEIGHT, "b": 4})
    figure.update_xaxes(range=[-0.6, max(wide, WIDTH / step / 2) - 0.4], constrain="domain", constraintoward="left")
    figure.update_yaxes(
        range=[-high + 0.4, 0.6], scaleanchor="x", scaleratio=1, constrain="domain", constraintoward="top"
    )
    left = 0
    for block in blocks:
        placed = 0
        for part in block.parts:
            n_squares = -(-part.things // per_square)
            index = pl.int_range(placed, placed + n_squares, eager=True)
            colour = colour_of(part.role, palette)
            figure.add_scatter(
                x=numbers(left + index % block.columns),
                y=numbers(-(index // block.columns)),
                mode="markers",
                marker={
                    "symbol": "square", "size": step - 4, "color": palette.paper if part.hollow else colour,
                    "line": {"color": colour, "width": 1 if part.hollow else 0},
                },
                hovertemplate=f"{plotly(part.label)}: {part.things:,}<extra></extra>",
            )  # fmt: skip
            placed += n_squares
        heading = f"<b>{plotly(block.head)}</b><br>{_colour_key(block, palette)}"
        above = {"yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 4, "align": "left"}
        write(figure, heading, (left - 0.5, 1), palette.ink, 12, **above)
        left += block.columns + GAP
    rows = [(block.head, part.label, part.things) for block in blocks for part in block.parts]
    return Picture(figure, pl.DataFrame(rows, schema=["block", "what", "things"], orient="row"))


def _colour_key(block: Block, palette: Palette) -> str:
    """The text under the head; where there are several parts, the colour of each."""
    if len(block.parts) == 1:
        return plotly(block.below)
    return "  ".join(
        f'<span style="color:{colour_of(part.role, palette)}">{"□" if part.hollow else "■"}</span> '
        f"{part.things:,} {plotly(part.label)}"
        for part in block.parts
        if part.things
    )


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


def bars(rows: Sequence[Bar], full_length: float, palette: Palette, limit: Limit | None = None) -> Picture:
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
        **on_hover(f"<b>{plotly(row.name)}</b><br>{plotly(row.written)}" for row in rows),
    )
    figure.update_layout(
        barmode="overlay",
        xaxis={"range": [0, full_length * 1.16]},
        yaxis={"range": [0.75 - len(rows) - (0.35 if limit else 0), 0.72]},
    )
    for row, height in zip(rows, heights, strict=True):
        name, written = plotly(row.name, 80), f"<b>{plotly(row.written)}</b>"
        above = {"xanchor": "left", "yanchor": "bottom", "yshift": 1}
        write(figure, name, (0, height + THICK / 2), palette.ink, TEXT, **above)
        write(figure, written, (full_length, height), palette.ink, TEXT, xanchor="left", xshift=6)
    if limit is not None:
        place = limit.value, heights[-1] - 0.42
        write(figure, plotly(limit.written, 80), place, palette.doubt, 12, xanchor="right", xshift=-6)
        figure.add_shape(
            type="line", x0=limit.value, x1=limit.value, y0=heights[-1] - 0.6, y1=0.4,
            line={"color": palette.doubt, "width": 1.6},
        )  # fmt: skip
    table = [(row.name, row.value, row.written) for row in rows]
    return Picture(figure, pl.DataFrame(table, schema=["name", "value", "written"], orient="row"))
