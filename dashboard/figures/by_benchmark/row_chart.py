"""A chart of one row a benchmark: names at left, a measure in the middle, columns of text at right."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from benchhealth.dashboard.figures.language import ONLY_NARROW, ONLY_WIDE, laid_out, named_rows, write
from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.text import plotly, short

NAME, LONG_NAME = 24, 32
"""Letters of a benchmark's name, and of one that would stand there twice."""

ROW, DENSE, MANY = 23, 19, 26
"""Pixels a row, a row of a long chart, and from how many rows on a chart is long."""

INSIDE, MARGIN = 0.11, 84
"""The share of the plot's width that the inner column takes, and the pixels of the outer one.

The outer column is there on a phone too; the inner one is not, so that the marks keep their room.
"""


@dataclass(frozen=True)
class Line:
    """A row: its name and what stands at its right, within the plot and outside; or the heading of a group with what
    stands beside it. Texts are escaped for Plotly."""

    name: str
    inner: str = ""
    outer: str = ""
    heading: bool = False
    beside: str = ""


def labels(names: Sequence[str]) -> dict[str, str]:
    """Short names for the rows, escaped; those that would be alike keep more of their letters, no two are the same.

    Of two names for one thing (`Chatbot Arena / LMArena`) the last stands.
    """
    times = Counter(short(name) for name in names)
    is_alone = [times[short(name)] == 1 for name in names]
    brief = [short(name) if alone else name.rpartition(" / ")[2] for name, alone in zip(names, is_alone, strict=True)]
    cut = zip(told_apart(brief, NAME), told_apart(brief, LONG_NAME), strict=True)
    return {
        name: plotly(narrow if alone else wide)
        for name, alone, (narrow, wide) in zip(names, is_alone, cut, strict=True)
    }


def frame(
    figure: go.Figure, lines: Sequence[Line], heads: tuple[str, str], reach: tuple[float, float], palette: Palette
) -> None:
    """Lay out the rows, the first at the top at height `len(lines)`; `reach` is the range of the measure.

    `heads` are the headings of the inner and of the outer column; without one there is no outer column.
    """
    tall = DENSE if len(lines) > MANY else ROW
    laid_out(figure, palette, tall * len(lines) + 64)
    heights = range(len(lines), 0, -1)
    names = {height: line.name for height, line in zip(heights, lines, strict=True) if not line.heading}
    named_rows(figure, names.values(), names, (0.3, len(lines) + 0.7), palette, showgrid=False)
    figure.update_layout(
        xaxis={"range": [reach[0], reach[1] + INSIDE * (reach[1] - reach[0])], "showgrid": True, "tickangle": 0},
        margin={"l": 4, "r": MARGIN if heads[1] else 8, "t": 26, "b": 4},
    )
    for height, line in zip(heights, lines, strict=True):
        if line.heading:
            _text(figure, reach[0], height, f"<b>{line.name}</b>", palette.ink, over=palette.paper)
            if line.beside:
                shift = 14 + 6.4 * len(line.name)
                beside = f" {line.beside}"
                _text(figure, reach[0], height, beside, palette.ink3, shift, opacity=ONLY_WIDE, over=palette.paper)
        else:
            _columns(figure, height, (line.inner, line.outer), palette.ink2)
    _columns(figure, len(lines) + 0.5, heads, palette.ink3, above=10)


def beside_rows(
    figure: go.Figure, notes: Sequence[tuple[int, str]], palette: Palette, *, on_phone: bool = False
) -> None:
    """Texts in place of a mark, in rows of these heights: those for a full width, or the short ones of a phone."""
    for height, text in notes:
        _text(figure, 0.0, height, text, palette.ink3, shift=6, opacity=ONLY_NARROW if on_phone else ONLY_WIDE)


def _text(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    x: float,
    y: float,
    text: str,
    colour: str,
    shift: float = 2,
    *,
    opacity: float = 1,
    over: str | None = None,
) -> None:
    """Write a text at right of a place; `over` is the colour that hides the lines behind it."""
    write(
        figure, text, (x, y), colour,
        xanchor="left", yanchor="middle", xshift=shift, opacity=opacity, bgcolor=over,
    )  # fmt: skip


def _columns(figure: go.Figure, y: float, texts: tuple[str, str], colour: str, above: int = 0) -> None:
    """The texts of the inner and of the outer column at this height."""
    for index, text in enumerate(texts):
        if text:
            write(
                figure, text, (1, y), colour, xref="paper", yanchor="middle", yshift=above,
                xanchor=("right", "left")[index], xshift=(-4, 8)[index], opacity=(ONLY_WIDE, 1)[index],
            )  # fmt: skip
