"""How much is tried on a benchmark against the gap to a second measurement of it."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.language import LABEL, OPENS_BENCHMARK, hovering, laid_out, reference
from benchhealth.dashboard.figures.lettering.axes import log_ticks
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.text import plotly, short, words_within

NAMED_POINTS = 5
"""More names cover one another on a narrow screen; each point has its own when pointed at."""


def scattered(
    named: pl.DataFrame, hovers: Sequence[str], palette: Palette, *, across: str, logarithmic: bool
) -> go.Figure:
    """Points of `pressure` and `gap`, those of the widest gaps with names, and a line at no gap."""
    outer = set(named.sort(pl.col("gap").abs(), descending=True).head(NAMED_POINTS)["name"])
    drawn = go.Figure(
        go.Scatter(
            x=numbers(named["pressure"]),
            y=numbers(named["gap"]),
            mode="markers+text",
            text=[plotly(words_within(short(name), 22)) if name in outer else "" for name in named["name"]],
            textposition="top center",
            textfont={"size": LABEL, "color": palette.ink2},
            cliponaxis=False,
            marker={"color": palette.accent, "size": 9},
            **hovering(hovers, OPENS_BENCHMARK, named["subject"]),
        )
    )
    laid_out(drawn, palette, 380)
    ticks = log_ticks(named.select("pressure")) if logarithmic else {"nticks": 6}
    drawn.update_xaxes(title={"text": across, "standoff": 4, "font": {"size": LABEL}}, showgrid=True, **ticks)
    drawn.update_yaxes(ticksuffix=" pts")
    drawn.update_layout(margin={"r": 56})
    reference(drawn, 0.0, "no gap", palette)
    return drawn
