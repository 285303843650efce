"""Counts as squares: blocks beside one another, each of squares in one or more colours."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.forest import colour_of
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.drawn import Drawn, empty_plot, text
from benchhealth.dashboard.report.still import WIDTH
from benchhealth.dashboard.words.text import plotly

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


def squares(blocks: Sequence[Block], per_square: int, palette: Palette) -> Drawn:
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
        figure.add_annotation(
            x=left - 0.5, y=1, yref="paper", xanchor="left", yanchor="bottom", yshift=4, text=heading, align="left",
            showarrow=False, font=text(palette.ink, 12),
        )  # fmt: skip
        left += block.columns + GAP
    rows = [(block.head, part.label, part.things) for block in blocks for part in block.parts]
    return Drawn(figure, pl.DataFrame(rows, schema=["block", "what", "things"], orient="row"))


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
