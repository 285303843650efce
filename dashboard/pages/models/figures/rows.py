"""A chart of one row a benchmark: names at left, a measure in the middle, columns of text at right."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dashboard.figures.language import LABEL, ONLY_WIDE, laid_out
from dashboard.figures.palette import Palette
from dashboard.words.text import plotly, short, words_within

NAME, LONG_NAME = 25, 36
"""Letters of a benchmark's name, and of one that would stand there twice."""

ROW, DENSE, MANY = 23, 19, 26
"""Pixels a row, a row of a long chart, and from how many rows on a chart is long."""

FIRST, SECOND, MARGIN = 10, 112, 176
"""Pixels right of the plot: where the two columns begin, and the margin that holds both."""


@dataclass(frozen=True)
class Line:
    """A row: its name, or the heading of a group with what stands beside it; texts are escaped for Plotly."""

    name: str
    columns: tuple[str, str] = ("", "")
    heading: bool = False
    beside: str = ""


def labels(names: Sequence[str]) -> dict[str, str]:
    """Short names for the rows, escaped; those that would be alike keep more of their letters."""
    shortened = {name: words_within(short(name), NAME) for name in names}
    counts = Counter(shortened.values())
    return {
        name: plotly(words_within(name, LONG_NAME) if counts[label] > 1 else label) for name, label in shortened.items()
    }


def frame(
    figure: go.Figure, lines: Sequence[Line], heads: tuple[str, str], reach: tuple[float, float], palette: Palette
) -> None:
    """Lay out the rows, the first at the top at height `len(lines)`; `reach` is the range of the measure."""
    tall = DENSE if len(lines) > MANY else ROW
    laid_out(figure, palette, tall * len(lines) + 64)
    places = range(len(lines), 0, -1)
    figure.update_layout(
        yaxis={
            "tickvals": [place for place, line in zip(places, lines, strict=True) if not line.heading],
            "ticktext": [line.name for line in lines if not line.heading],
            "range": [0.3, len(lines) + 0.7],
            "showgrid": False,
            "tickfont": {"color": palette.ink, "size": LABEL},
        },
        xaxis={"range": list(reach), "showgrid": True, "side": "bottom"},
        margin={"l": 4, "r": MARGIN, "t": 26, "b": 4},
    )
    for place, line in zip(places, lines, strict=True):
        if line.heading:
            said = f"<b>{line.name}</b>"
            _text(figure, reach[0], place, said, palette.ink)
            if line.beside:
                _text(figure, reach[0], place, line.beside, palette.ink3, shift=10 + 7 * len(line.name), wide=True)
        for shift, text in zip((FIRST, SECOND), line.columns, strict=True):
            if text:
                _column(figure, place, shift, text, palette.ink2, wide=shift == SECOND)
    for shift, text in zip((FIRST, SECOND), heads, strict=True):
        _column(figure, len(lines) + 1, shift, text, palette.ink3, wide=shift == SECOND)


def beside_rows(figure: go.Figure, at: float, notes: Sequence[tuple[int, str]], palette: Palette) -> None:
    """Texts in place of a mark, in rows of these heights."""
    for place, text in notes:
        _text(figure, at, place, text, palette.ink3, shift=6, wide=True)


def _text(  # noqa: PLR0913, PLR0917
    figure: go.Figure, x: float, y: float, text: str, colour: str, shift: float = 2, *, wide: bool = False
) -> None:
    figure.add_annotation(
        x=x, y=y, text=text, xanchor="left", yanchor="middle", xshift=shift, showarrow=False,
        font={"size": LABEL, "color": colour}, opacity=ONLY_WIDE if wide else 1,
    )  # fmt: skip


def _column(  # noqa: PLR0913
    figure: go.Figure, y: float, shift: float, text: str, colour: str, *, wide: bool
) -> None:
    figure.add_annotation(
        xref="paper", x=1, y=y, text=text, xanchor="left", yanchor="middle", xshift=shift, showarrow=False,
        font={"size": LABEL, "color": colour}, opacity=ONLY_WIDE if wide else 1,
    )  # fmt: skip
