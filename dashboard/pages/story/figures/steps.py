"""The best so far as steps, with its lines of reference and with the time in which nobody was better."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import days, numbers
from benchhealth.dashboard.figures.labels import Box, Point, place, stepped
from benchhealth.dashboard.figures.language import (
    ONLY_WIDE,
    Drawing,
    in_margin,
    laid_out,
    months_between,
    spread_margin_labels,
)
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.drawn import TEXT, Drawn, text
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.stories.parts import Rise, hundred
from benchhealth.dashboard.words.text import model_within, plotly

HEIGHT, PLOT_HEIGHT, PLOT_WIDTH = 270, 230, 520
NARROWED = 0.5
"""The share of PLOT_WIDTH that is left in the narrowest window in which steps are named."""
LONG_MONTHS = 40
"""Months from which on years stand on the axis alone."""

RIGHT = 118
"""Pixels for what is written beside the lines of reference."""

STEPS_NAMED = 5
"""Steps that are named, the first and the last among them."""

QUIET = 12
"""Months without a better model from which on they are a field of their own."""


def steps(moves: pl.DataFrame, rise: Rise, palette: Palette) -> Drawn:
    """The picture; `moves` has the steps of the best by day: model, score as a fraction, dated_on."""
    figure = laid_out(Drawing(), palette, HEIGHT)
    low, high = _range(moves, rise)
    first, end = moves["dated_on"][0], max(rise.until, moves["dated_on"][-1])
    _quiet(figure, rise, end, palette)
    figure.add_scatter(
        x=days(moves["dated_on"]),
        y=numbers(moves["score"] * 100),
        mode="lines+markers",
        line={"shape": "hv", "color": palette.accent, "width": 2},
        marker={"size": 8, "color": palette.accent},
        hovertext=[
            f"<b>{plotly(name)}</b><br>{hundred(score)} of 100, {month_of(on)}"
            for name, score, on in moves.select("model", "score", "dated_on").iter_rows()
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    if end > rise.last_on:
        figure.add_scatter(
            x=np.array([rise.last_on, end], dtype="datetime64[D]"), y=np.array([rise.best * 100] * 2, np.float32),
            mode="lines", line={"color": palette.accent, "width": 1.6, "dash": "dot"}, hoverinfo="skip",
        )  # fmt: skip
    figure.update_layout(
        margin={"l": 4, "r": RIGHT, "t": 8, "b": 4},
        xaxis={
            "range": [(first - (end - first) / 60).isoformat(), end.isoformat()],
            "nticks": 5,
            "tickangle": 0,
            "tickformat": "%Y" if months_between(first, end) > LONG_MONTHS else "%b<br>%Y",
        },
        yaxis={"range": [low, high], "nticks": 6},
    )
    _names(figure, moves, rise, (first, end), (low, high), palette)
    _lines(figure, rise, (low, high), palette)
    return Drawn(figure, moves.select("model", "dated_on", "score"))


def _range(moves: pl.DataFrame, rise: Rise) -> tuple[float, float]:
    """From a round number below the lowest line to a little above 100."""
    least = min([*moves["score"].to_list(), *(level for level in (rise.guess, rise.people) if level is not None)])
    return max(0.0, (least * 100 - 8) // 10 * 10), 104.0


def _quiet(figure: go.Figure, rise: Rise, end: date, palette: Palette) -> None:
    """A grey field over the time since the best, where that is long."""
    if months_between(rise.last_on, end) < QUIET:
        return
    figure.add_shape(
        type="rect", x0=rise.last_on.isoformat(), x1=end.isoformat(), yref="paper", y0=0, y1=1, layer="below",
        line={"width": 0}, fillcolor=palette.fill,
    )  # fmt: skip
    middle = rise.last_on + (end - rise.last_on) / 2
    caption = f"no better one<br>in our sources<br>since {month_of(rise.last_on)}"
    figure.add_annotation(
        x=middle.isoformat(), yref="paper", y=0.3, text=caption, showarrow=False, font=text(palette.ink2, TEXT - 1)
    )


def _names(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    moves: pl.DataFrame,
    rise: Rise,
    ends: tuple[date, date],
    scores: tuple[float, float],
    palette: Palette,
) -> None:
    """Names with scores at some steps; a phone has the last score alone."""
    (first, last), (low, high) = ends, scores
    span = max(1, (last - first).days)
    rows = list(moves.select("model", "score", "dated_on").iter_rows())

    def point_at(score: float, on: date, name: str = "") -> Point:
        return Point((on - first).days / span * PLOT_WIDTH, (score * 100 - low) / (high - low) * PLOT_HEIGHT, 4, name)

    chosen = evenly(len(rows), STEPS_NAMED)
    wanted = [point_at(rows[k][1], rows[k][2], f"{model_within(rows[k][0], 24)} {hundred(rows[k][1])}") for k in chosen]
    others = [point_at(score, on) for k, (_, score, on) in enumerate(rows) if k not in chosen]
    corners = [*((score, on) for _, score, on in rows), (rows[-1][1], last)]
    line = stepped([(point.x, point.y) for point in (point_at(*corner) for corner in corners)])
    level = [
        Box(0, height - 3, PLOT_WIDTH, height + 3)
        for height in (
            point_at(value, first).y for value in (rise.ceiling, rise.people, rise.guess) if value is not None
        )
    ]
    for label in place([*wanted, *others], Box(-4, 0, PLOT_WIDTH, PLOT_HEIGHT), TEXT, [*line, *level], NARROWED):
        point = wanted[label.index]
        _, score, on = rows[chosen[label.index]]
        figure.add_annotation(
            x=on.isoformat(), y=score * 100, text=f"<b>{plotly(point.text)}</b>", opacity=ONLY_WIDE,
            ax=label.x - point.x, ay=-(label.y - point.y), standoff=6, showarrow=True, arrowhead=0, arrowwidth=0.7,
            arrowcolor=palette.line if label.leader else "rgba(0,0,0,0)", font=text(palette.accent, TEXT - 1),
        )  # fmt: skip


def evenly(many: int, wanted: int) -> list[int]:
    """At most `wanted` of the places 0 to `many` - 1 at even distances, the ends among them, the last first."""
    if many <= wanted:
        return list(range(many - 1, -1, -1))
    return sorted({round(k * (many - 1) / (wanted - 1)) for k in range(wanted)}, reverse=True)


def _lines(figure: go.Figure, rise: Rise, scores: tuple[float, float], palette: Palette) -> None:
    """The lines of reference, named in the right margin beside the best."""
    lines: Sequence[tuple[float | None, str, str]] = (
        (rise.ceiling, "labels in doubt<br>above {}", "solid"),
        (rise.people, "experts {}", "dash"),
        (rise.guess, "guessing {}", "solid"),
    )
    for value, form, dash in lines:
        if value is None:
            continue
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=value * 100, y1=value * 100, layer="below",
            line={"color": palette.ink3, "width": 1, "dash": dash},
        )  # fmt: skip
        in_margin(figure, value * 100, form.format(hundred(value)), palette.ink2)
    in_margin(figure, rise.best * 100, f"best {hundred(rise.best)}", palette.accent, bold=True)
    spread_margin_labels(figure, scores, PLOT_HEIGHT, gap=24 if rise.ceiling is not None else 15)
