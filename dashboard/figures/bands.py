"""Bands of stages through time: rectangles with shape and word, on a second axis below a curve or in rows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.labels import spread
from benchhealth.dashboard.figures.language import LABEL, ONLY_NARROW, ONLY_WIDE, on_hover, set_layout
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import STAGE_SHAPE, STAGE_WORDS

WIDE, NARROW = 960, 230
"""Pixels of the plot on a wide screen and on a phone, for what fits."""

LETTER, SIGN = 7.0, 14.0
BAND, THIN, GAP = 24, 13, 5
"""Pixels: the height of a band, of the thin one below it, and what is between."""

FRAME = 32
"""Pixels of a figure's height that axis and margins take."""

FAINT = 0.42


def ink_on(stage: str, palette: Palette) -> str:
    """The colour of words on a band: light on a dark one, dark on a light one."""
    if palette.dark:
        return palette.paper
    return palette.card if stage in ("discriminating", "saturated") else palette.ink


def rectangle(  # noqa: PLR0913
    stage: str,
    first_and_last: tuple[Any, Any],
    heights: tuple[float, float],
    palette: Palette,
    *,
    axis: str,
    faint: bool = False,
) -> dict[str, object]:
    """The shape of one stretch: in the colour of its stage, of an unknown one an outline."""
    mark = palette.stages[stage].mark
    is_outline = stage == "unknown"
    return {
        "type": "rect",
        "xref": "x",
        "yref": axis,
        "x0": first_and_last[0],
        "x1": first_and_last[1],
        "y0": heights[0],
        "y1": heights[1],
        "fillcolor": "rgba(0,0,0,0)" if is_outline else palette.faint(mark, FAINT) if faint else mark,
        "line": {"width": 1, "color": palette.line if is_outline else palette.paper},
    }


def words(  # noqa: PLR0913
    stage: str, middle: object, height: float, share: float, palette: Palette, *, axis: str, narrow: int = NARROW
) -> list[dict[str, object]]:
    """The annotations in a band of this share of the width: shape and word, the shape alone, or none.

    `narrow` are the pixels of the plot on a phone.
    """
    text = f"{STAGE_SHAPE[stage]} {STAGE_WORDS[stage]}"
    colour = palette.ink3 if stage == "unknown" else ink_on(stage, palette)
    annotations: list[dict[str, object]] = []
    for width, opacity in ((WIDE, ONLY_WIDE), (narrow, ONLY_NARROW)):
        room = share * width
        fits = text if room > LETTER * len(text) + 8 else STAGE_SHAPE[stage] if room > SIGN else ""
        if fits:
            annotations.append(
                {
                    "x": middle,
                    "xref": "x",
                    "y": height,
                    "yref": axis,
                    "text": fits,
                    "showarrow": False,
                    "font": {"size": LABEL, "color": colour},
                    "opacity": opacity,
                }
            )
    return annotations


def with_bands(
    chart: Chart, today: pl.DataFrame, as_known_then: pl.DataFrame, events: Sequence[tuple[int, date]], palette: Palette
) -> Chart:
    """The chart with a band of stages below it, a thin one of what was known then, and numbers of events above it.

    `today` and `as_known_then` are `published.happened.lives.stretches`; without any the chart stays as it is. The plot
    keeps its height: the figure grows.
    """
    if today.is_empty():
        return chart
    figure = chart.figure
    first, end = (date.fromisoformat(str(edge)[:10]) for edge in figure.layout.xaxis.range)
    has_then = not as_known_then.is_empty()
    below = BAND + (GAP + THIN if has_then else 0)
    above = 18 if events else 0
    plot = figure.layout.height - FRAME
    total = plot + below + 2 * GAP
    bottom = -(GAP + THIN) if has_then else 0
    set_layout(
        figure,
        height=figure.layout.height + below + 2 * GAP + above,
        yaxis={"domain": [(below + 2 * GAP) / total, 1]},
        yaxis2={
            "domain": [0, below / total],
            "range": [bottom, BAND],
            "visible": False,
            "fixedrange": True,
            "anchor": "x",
        },
        xaxis={"anchor": "y2"},
        margin={"t": (figure.layout.margin.t or 8) + above},
    )
    shapes, notes = list(figure.layout.shapes or ()), []
    for rows, ends, faint in ((today, (0, BAND), False), (as_known_then, (bottom, -GAP), True)):
        for row in rows.iter_rows(named=True):
            start, stop = max(row["from_on"], first), min(row["until_on"], end)
            if start >= stop:
                continue
            shapes.append(rectangle(row["stage"], (start, stop), ends, palette, axis="y2", faint=faint))
            if not faint:
                share, middle = (stop - start) / (end - first), start + (stop - start) / 2
                notes += words(row["stage"], middle, BAND / 2, share, palette, axis="y2")
        if not rows.is_empty():
            notes.append(_row_label("as known then" if faint else "stage", sum(ends) / 2, palette))
    _add_hover(figure, today, as_known_then, bottom)
    figure.layout.shapes = [*shapes, *_hairlines(events, first, end, palette)]
    notes += _numbers(events, first, end, palette)
    for edge in notes:
        figure.add_annotation(**edge)
    return replace(chart, rows=_with_stages(chart.rows, today, as_known_then))


def _row_label(text: str, height: float, palette: Palette) -> dict[str, object]:
    return {
        "xref": "paper", "x": 1, "xanchor": "left", "xshift": 6, "yref": "y2", "y": height, "text": text,
        "showarrow": False, "font": {"size": 11.5, "color": palette.ink3},
    }  # fmt: skip


def _add_hover(figure: go.Figure, today: pl.DataFrame, as_known_then: pl.DataFrame, bottom: float) -> None:
    """Add the texts that the pointer shows in the middle of each stretch."""
    spots = [(row, BAND / 2, "") for row in today.iter_rows(named=True)]
    spots += [(row, (bottom - GAP) / 2, ", as known then") for row in as_known_then.iter_rows(named=True)]
    figure.add_scatter(
        x=np.array([row["from_on"] + (row["until_on"] - row["from_on"]) / 2 for row, _, _ in spots], "datetime64[D]"),
        y=np.array([height for _, height, _ in spots], dtype=np.float32),
        yaxis="y2",
        mode="markers",
        marker={"opacity": 0, "size": 12},
        **on_hover(
            f"<b>{STAGE_WORDS[row['stage']]}</b>{ending}<br>{day_of(row['from_on'])} to {day_of(row['until_on'])}"
            for row, _, ending in spots
        ),
    )


def event_name(number: int) -> str:
    """The `name` in the layout by which `life.js` finds the hairline and the number of an event."""
    return f"event-{number}"


def _hairlines(
    numbered: Sequence[tuple[int, date]], first: date, end: date, palette: Palette
) -> list[dict[str, object]]:
    """A dotted line behind the marks on the day of each event."""
    return [
        {
            "type": "line", "name": event_name(number), "x0": day, "x1": day, "yref": "y domain", "y0": 0, "y1": 1.02,
            "layer": "below", "line": {"color": palette.ink3, "width": 1, "dash": "dot"}, "opacity": 0.35,
        }
        for number, day in numbered
        if first <= day <= end
    ]  # fmt: skip


def _numbers(numbered: Sequence[tuple[int, date]], first: date, end: date, palette: Palette) -> list[dict[str, object]]:
    """The numbers of events above the curve, moved apart where they are of the same days."""
    in_range = [(number, day) for number, day in numbered if first <= day <= end]
    span = max(1, (end - first).days)
    wanted = [(day - first).days / span * WIDE for _, day in in_range]
    return [
        {
            "x": day, "xref": "x", "xshift": moved - pixels, "yref": "paper", "y": 1, "yanchor": "bottom",
            "name": event_name(number), "captureevents": True,
            "text": f"{number}", "showarrow": False, "font": {"size": 11, "color": palette.ink2}, "opacity": ONLY_WIDE,
        }
        for (number, day), pixels, moved in zip(in_range, wanted, spread(wanted, 16, 0, WIDE), strict=True)
    ]  # fmt: skip


def _with_stages(rows: pl.DataFrame, today: pl.DataFrame, as_known_then: pl.DataFrame) -> pl.DataFrame:
    """The rows of the chart with further rows for the bands: stages by today's data, and stages as known then."""
    named = [
        verdict.select(what=pl.lit(label), stage="stage", dated_on="from_on", until_on="until_on")
        for verdict, label in ((today, "stage"), (as_known_then, "stage as known then"))
        if not verdict.is_empty()
    ]
    return pl.concat([rows, *named], how="diagonal_relaxed")
