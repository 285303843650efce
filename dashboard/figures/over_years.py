"""Points with their intervals over years, in the language of all charts: lines are named at their ends."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.summaries.ends import extent
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.forest import MARK, Mark, colour_of, error_bars
from benchhealth.dashboard.figures.language import Drawing, laid_out, line_labels, reference
from benchhealth.dashboard.figures.lettering.axes import log_ticks
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.text import plotly, words_within

HEIGHT = 300
TAKEN = 34
"""Pixels of the height that the axis and margins take."""


def over_years(  # noqa: PLR0913
    lines: Sequence[tuple[Mark, pl.DataFrame]],
    palette: Palette,
    *,
    form: str = ",.3~g",
    span: tuple[float, float] | None = None,
    zero: str | None = None,
    logarithmic: bool = False,
    noun: str = "models",
    joined: bool = True,
    labelled: bool = True,
    height: int = HEIGHT,
) -> go.Figure:
    """Lines over `year` with `n` of `noun` each; `form` is how values are written, `zero` names a line at nought.

    Not `joined`, the points of different years stand by themselves, as where they do not compare; not `labelled`, the
    lines are parts of one.
    """
    figure, labelled = Drawing(), labelled and len(lines) > 1
    shift = 0.08 if labelled and any(line.low is not None for line, _ in lines) else 0.0
    ends: list[tuple[object, float, str, str]] = []
    for index, (line, rows) in enumerate(lines):
        dated = rows.filter(pl.col(line.value).is_not_null()).sort("year")
        if dated.is_empty():
            continue
        moved = shift * (index - (len(lines) - 1) / 2)
        colour = colour_of(line.role, palette)
        _line(figure, line, dated, colour, moved, palette, form=form, noun=noun, joined=joined)
        last = float(dated[line.value][-1])
        name = plotly(words_within(line.name, 24))
        ends.append((float(dated["year"][-1]) + moved, math.log10(last) if logarithmic else last, name, colour))
    laid_out(figure, palette, height)
    drawn = pl.concat([rows.filter(pl.col(line.value).is_not_null())["year"] for line, rows in lines])
    first, end = extent(drawn) if drawn.len() else (0.0, 0.0)
    room = 7 * max((len(name) for _, _, name, _ in ends if labelled), default=0)
    room = max(room, 7 * len(zero or ""))
    figure.update_layout(margin={"r": 14 + room})
    figure.update_xaxes(
        tick0=first, dtick=1 if end - first < 4 else 2, tickangle=0, tickformat="d", range=[first - 0.5, end + 0.5]
    )
    values = pl.concat([rows.select(value=name) for line, rows in lines for name in line.columns])
    axis = log_ticks(values) if logarithmic else {"tickformat": form, "nticks": 6}
    figure.update_yaxes(**(axis if span is None else {**axis, "range": list(span)}))
    if zero is not None:
        reference(figure, 0.0, zero, palette)
    if labelled:
        line_labels(figure, ends, _ends(values, span, logarithmic=logarithmic), height - TAKEN, palette)
    return figure


def _ends(values: pl.DataFrame, span: tuple[float, float] | None, *, logarithmic: bool) -> tuple[float, float]:
    if span is not None:
        return span
    present = values["value"].drop_nulls()
    if present.is_empty():
        return 0.0, 1.0
    low, high = extent(present)
    return (math.log10(low / 1.25), math.log10(high * 1.25)) if logarithmic else (low, high)


def _line(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    line: Mark,
    rows: pl.DataFrame,
    colour: str,
    moved: float,
    palette: Palette,
    *,
    form: str,
    noun: str,
    joined: bool,
) -> None:
    figure.add_scatter(
        x=numbers(rows["year"] + moved),
        y=numbers(rows[line.value]),
        name=plotly(line.name),
        mode="lines+markers" if joined else "markers",
        line={"color": colour, "width": 2},
        marker={"symbol": line.symbol, "size": MARK, "color": colour},
        error_y=error_bars(rows, line, colour, palette),
        customdata=rows.select("year", "n").rows(),
        hovertemplate=(
            f"<b>{plotly(line.name)}, %{{customdata[0]}}</b><br>%{{y:{form}}}<br>%{{customdata[1]:,}} {noun}"
            "<extra></extra>"
        ),
    )
