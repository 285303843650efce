"""The map of one month, and of six year-ends, as charts: for a frame in another page, CSV and citation."""

from collections.abc import Mapping, Sequence
from datetime import date
from math import sqrt
from typing import Any

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures import language
from benchhealth.dashboard.figures.labels import Box, Point, placed_labels
from benchhealth.dashboard.figures.palette import HEADING_FONT, Palette
from benchhealth.dashboard.pages.overview.figures.map import LITTLE, LITTLE_SAID, TICKS
from benchhealth.dashboard.pages.overview.years.states import AGED, FRESH, YEARS, axis_place, radius
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import plotly, words_within

HEIGHT, SMALL_HEIGHT = 470, 620
LANE, BOTTOM, TOP = -0.06, -0.17, 1.03
"""Where the lane of benchmarks without results begins and the plot ends, in roots of the room left."""

PER_LANE = 5
"""How many marks fit beneath one another in the lane."""

EVERY_FOURTH = [year for year in YEARS if year % 4 == 0]
MARKS_NAMED, NAME_LETTERS = 14, 28
"""How many marks have names, where there is room, and how many letters a name has at most."""

PLOT_WIDTH, PLOT_HEIGHT = 1_000, 420
"""The size of the plot in pixels for which names are placed."""

ACROSS, GAP = 3, 0.05
"""Small maps beside one another, and the part of the width between them."""


def month(rows: pl.DataFrame, on: date, palette: Palette) -> go.Figure:
    """The map at the end of a month: rows of `states` that are drawn or wait."""
    figure = language.Drawing()
    _panel(figure, rows, palette, ("x", "y"))
    figure.update_layout(
        xaxis={"range": [0, 1], "tickvals": [_across(year) for year in EVERY_FOURTH], "ticktext": EVERY_FOURTH},
        yaxis=_room_axis(TICKS),
    )
    _ground(figure, on, palette, ("x", "y"))
    language.laid_out(figure, palette, HEIGHT)
    figure.add_annotation(
        x=0.98, y=0.72, text=f"<b>{on:%Y}</b>", xanchor="right", yanchor="middle", showarrow=False,
        font={"size": 150, "color": palette.watermark, "family": HEADING_FONT},
    )  # fmt: skip
    red, below = palette.stages["saturated"].text, (_across(2013), -0.02)
    language.write(figure, LITTLE_SAID, below, red, 11.5, xanchor="left", yanchor="bottom")
    _names(figure, rows.filter("drawn"), palette)
    return figure


def strip(panels: Sequence[tuple[str, date, pl.DataFrame]], palette: Palette) -> go.Figure:
    """Small maps with the same axes; each has a title, a day, and its rows of `states`."""
    figure = language.Drawing()
    width = (1 - GAP * (ACROSS - 1)) / ACROSS
    lines = -(-len(panels) // ACROSS)
    axes: dict[str, Any] = {}
    heads = []
    for index, (map_title, on, rows) in enumerate(panels):
        number = str(index + 1) if index else ""
        left, line = (index % ACROSS) * (width + GAP), index // ACROSS
        low, high = 1 - (line + 0.88) / lines, 1 - (line + 0.12) / lines
        ticks = {"tickvals": [_across(year) for year in (2012, 2018, 2024)], "ticktext": [2012, 2018, 2024]}
        axes[f"xaxis{number}"] = {"domain": [left, left + width], "range": [0, 1], "anchor": f"y{number}", **ticks}
        axes[f"yaxis{number}"] = {**_room_axis((0, 0.1, 0.5, 1)), "domain": [low, high], "anchor": f"x{number}"}
        _panel(figure, rows, palette, (f"x{number}", f"y{number}"), share=0.7)
        _ground(figure, on, palette, (f"x{number}", f"y{number}"))
        heads.append((left, high, map_title))
    figure.update_layout(**axes)
    language.laid_out(figure, palette, SMALL_HEIGHT)
    for left, high, map_title in heads:
        above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 4}
        language.write(figure, map_title, (left, high), palette.ink, 13, **above)
    return figure


def _names(figure: go.Figure, drawn: pl.DataFrame, palette: Palette) -> None:
    """Names beside the benchmarks with most models, without overlaps."""
    rows = drawn.sort("models", "benchmark_id", descending=[True, False]).to_dicts()
    points = [
        Point(
            axis_place(row["released_on"]) * PLOT_WIDTH,
            (_root(row["headroom"]) - BOTTOM) / (TOP - BOTTOM) * PLOT_HEIGHT,
            radius(row["models"]),
            words_within(row["label"], NAME_LETTERS) if order < MARKS_NAMED else "",
        )
        for order, row in enumerate(rows)
    ]
    for label in placed_labels(points, Box(0, 0, PLOT_WIDTH, PLOT_HEIGHT), language.LABEL):
        row, point = rows[label.index], points[label.index]
        if label.leader:
            continue
        place = axis_place(row["released_on"]), _root(row["headroom"])
        ink = palette.ink if row["age"] == FRESH else palette.ink3
        moved = {"xshift": label.x - point.x, "yshift": label.y - point.y, "xanchor": "center", "yanchor": "middle"}
        language.write(figure, plotly(point.text), place, ink, opacity=language.ONLY_WIDE, **moved)


def _across(year: int) -> float:
    return axis_place(date(year, 1, 1))


def _room_axis(ticks: Sequence[float]) -> dict[str, Any]:
    return {
        "range": [BOTTOM, TOP],
        "tickvals": [sqrt(tick) for tick in ticks],
        "ticktext": [percent(tick) for tick in ticks],
    }


def _ground(figure: go.Figure, on: date, palette: Palette, axes: tuple[str, str]) -> None:
    """Draw the tint of the last tenth, and the line of the day."""
    x, y = axes
    language.field(figure, palette.faint(palette.fill, 0.75), y=(-0.03, sqrt(LITTLE)), xref=f"{x} domain", yref=y)
    figure.add_shape(
        type="line", xref=x, yref=f"{y} domain", x0=axis_place(on), x1=axis_place(on), y0=0, y1=1,
        line={"color": palette.accent, "width": 1, "dash": "dot"}, layer="below",
    )  # fmt: skip


def _panel(figure: go.Figure, rows: pl.DataFrame, palette: Palette, axes: tuple[str, str], share: float = 1.0) -> None:
    """Tails, marks and the lane of one map; marks are smaller by `share`."""
    named = {"xaxis": axes[0], "yaxis": axes[1]}
    drawn = rows.filter("drawn").sort("models", "benchmark_id", descending=[True, False]).to_dicts()
    for stage in STAGE_WORDS:
        tails = [row for row in drawn if row["stage"] == stage and row["tail"] is not None]
        figure.add_scatter(
            x=[coordinate for row in tails for coordinate in (*(axis_place(row["released_on"]),) * 2, None)],
            y=[coordinate for row in tails for coordinate in (_root(row["tail"]), _root(row["headroom"]), None)],
            mode="lines", hoverinfo="skip", line={"color": palette.faint(palette.stages[stage].mark, 0.32)}, **named,
        )  # fmt: skip
    marks = [mark(row, palette) for row in drawn]
    figure.add_scatter(
        x=[axis_place(row["released_on"]) for row in drawn],
        y=[_root(row["headroom"]) for row in drawn],
        mode="markers",
        cliponaxis=False,
        marker={
            "size": [2 * radius(row["models"]) * share for row in drawn],
            "symbol": [language.SHAPES[row["stage"]] for row in drawn],
            "color": [fill for fill, _ in marks],
            "line": {"color": [outline for _, outline in marks], "width": 1.3 * share},
            "opacity": 1,
        },
        **language.on_hover(map(_hover, drawn), language.OPENS_BENCHMARK, (row["benchmark_id"] for row in drawn)),
        **named,
    )
    waiting = rows.filter("waits").sort("released_on", "benchmark_id").to_dicts()
    figure.add_scatter(
        x=[axis_place(row["released_on"]) for row in waiting],
        y=[LANE - 0.022 * (index % PER_LANE) for index in range(len(waiting))],
        mode="markers",
        marker={
            "size": 6 * share,
            "symbol": "circle-open",
            "color": palette.stages["unknown"].mark,
            "line": {"width": 1},
        },
        **language.on_hover(f"<b>{plotly(row['name'])}</b>" for row in waiting),
        **named,
    )


def mark(row: Mapping[str, Any], palette: Palette) -> tuple[str, str]:
    """Fill and outline: paler after six months without a result, hollow after eighteen."""
    colour = palette.stages[row["stage"]].mark
    if row["stage"] == "unknown" or row["age"] not in {FRESH, AGED}:
        return palette.paper, palette.stages["unknown"].mark
    return (colour, palette.paper) if row["age"] == FRESH else (palette.faint(colour, 0.38), colour)


def _root(room: float) -> float:
    return sqrt(max(0.0, room))


def _hover(row: Mapping[str, Any]) -> str:
    left = f"{'at least ' if row['at_least'] else ''}{percent(row['headroom'])} left"
    return f"<b>{plotly(str(row['name']))}</b><br>{STAGE_WORDS[row['stage']]}<br>{left}<br>{row['models']:,} models"
