"""The scatter plot of how much is tried on a benchmark against the gap to a second measurement of it."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.language import LABEL, OPENS_BENCHMARK, hovering, laid_out, reference
from benchhealth.dashboard.figures.lettering.axes import log_ticks
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.text import plotly, short, words_within

NAMED_POINTS = 5
"""Points with a name beside them: more names would overlap on a narrow screen. All names show at the pointer."""


def pressure_figure(
    rows: pl.DataFrame, hovers: Sequence[str], palette: Palette, *, x_title: str, logarithmic: bool
) -> go.Figure:
    """A point for each row, those of the widest gaps with their names, and a line at no gap.

    `rows` has `name`, `subject` (the benchmark's id), `pressure` (on the axis that `x_title` names) and `gap` in
    points; `hovers` are the texts at the pointer, in the order of the rows.
    """
    widest_gaps = set(rows.sort(pl.col("gap").abs(), descending=True).head(NAMED_POINTS)["name"])
    figure = go.Figure(
        go.Scatter(
            x=numbers(rows["pressure"]),
            y=numbers(rows["gap"]),
            mode="markers+text",
            text=[plotly(words_within(short(name), 22)) if name in widest_gaps else "" for name in rows["name"]],
            textposition="top center",
            textfont={"size": LABEL, "color": palette.ink2},
            cliponaxis=False,
            marker={"color": palette.accent, "size": 9},
            **hovering(hovers, OPENS_BENCHMARK, rows["subject"]),
        )
    )
    laid_out(figure, palette, 380)
    ticks = log_ticks(rows.select("pressure")) if logarithmic else {"nticks": 6}
    figure.update_xaxes(title={"text": x_title, "standoff": 4, "font": {"size": LABEL}}, showgrid=True, **ticks)
    figure.update_yaxes(ticksuffix=" pts")
    figure.update_layout(margin={"r": 56})
    reference(figure, 0.0, "no gap", palette)
    return figure
