"""The newest leading models by the most used benchmarks: who measured each pair, as a shape."""

from collections.abc import Sequence
from datetime import date
from itertools import product

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.measurers.blind_spots import NOBODY
from benchhealth.analytics.measurers.numbers import INDEPENDENT, MAKER, NOT_SAID
from benchhealth.dashboard.figures.chart import Chart, SourceLine
from benchhealth.dashboard.figures.language import LABEL, ONLY_WIDE, OPENS_BENCHMARK, laid_out, noting
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.measurers import blind_spots as words
from benchhealth.dashboard.words.text import model_within, plotly, short

ROW, HEAD = 20, 132
NAMES = 10.4
"""Room for the names of benchmarks, in columns."""
FAINT = 0.55
"""The opacity of what could not be seen."""
PRICE = 4.8
"""Room for what filling a row takes."""


def chart(rows: pl.DataFrame, until: date | None, sources: Sequence[SourceLine], palette: Palette) -> Chart:
    """The matrix of rows of `blind_spot` with `model`, `benchmark` and `who_named` (see `words.cell`) in words."""
    figure = go.Figure()
    marks = {
        INDEPENDENT: ("square", 11, palette.accent, 0.0),
        NOT_SAID: ("diamond", 9, palette.paper, 1.5),
        MAKER: ("square", 9, palette.paper, 1.5),
        NOBODY: ("circle", 3, palette.ink3, 0.0),
    }
    for (who, (symbol, size, fill, line)), looked in product(marks.items(), (True, False)):
        part = rows.filter(pl.col("who") == who, pl.col("looked") == looked)
        figure.add_scatter(
            x=part["model_place"].to_list(),
            y=part["benchmark_place"].to_list(),
            mode="markers",
            marker={
                "symbol": symbol,
                "size": size,
                "color": fill,
                "line": {"color": palette.ink if looked else palette.ink3, "width": line},
                "opacity": 1.0 if looked or who == INDEPENDENT else FAINT,
            },
            customdata=part.select("benchmark_id", "model_id").rows(),
            hovertext=[plotly(hover, 160) for hover in part["who_named"]],
            hovertemplate="%{hovertext}<extra></extra>",
            meta=OPENS_BENCHMARK,
        )
    _layout(figure, rows, palette)
    return Chart(
        title=words.title(rows),
        subtitle=words.subtitle(rows, until),
        figure=figure,
        rows=rows.drop("who_named"),
        alt=words.alt(rows),
        sources=sources,
        known_until=until,
        method="blind_spots",
    )


def _layout(figure: go.Figure, rows: pl.DataFrame, palette: Palette) -> None:
    models = rows.unique("model_id").sort("model_place")
    benchmarks = rows.unique("benchmark_id").sort("benchmark_place")
    lines = benchmarks.height
    laid_out(figure, palette, HEAD + ROW * lines + 10)
    figure.update_layout(margin={"l": 0, "r": 0, "t": HEAD, "b": 4})
    figure.update_xaxes(range=[0.5 - NAMES, models.height + 0.5 + PRICE], visible=False)
    figure.update_yaxes(range=[lines + 0.6, 0.4], visible=False)
    missing = rows.group_by("benchmark_id").agg((pl.col("who") != INDEPENDENT).sum().alias("missing"))
    counted = benchmarks.join(missing, on="benchmark_id", maintain_order="left")
    with noting(figure) as note:
        for name, place in models.select("model", "model_place").iter_rows():
            note(
                x=place, y=1, yref="paper", xanchor="center", yanchor="bottom", yshift=2, textangle=-90,
                text=plotly(model_within(name, 20)), showarrow=False, font={"size": 11, "color": palette.ink2},
            )  # fmt: skip
        for name, place, n_missing, n_items in counted.select(
            "benchmark", "benchmark_place", "missing", "n_items"
        ).iter_rows():
            note(
                x=0.3, y=place, xanchor="right", text=plotly(short(name), 17), showarrow=False,
                font={"size": LABEL, "color": palette.ink},
            )  # fmt: skip
            note(
                x=models.height + 0.8, y=place, xanchor="left", showarrow=False, opacity=ONLY_WIDE,
                text=words.row_price(n_missing, n_items), font={"size": LABEL, "color": palette.ink3},
            )  # fmt: skip
