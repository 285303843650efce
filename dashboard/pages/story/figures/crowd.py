"""A list of many as dots: place to the right, points upwards, the first ones in blue."""

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.language import laid_out
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.drawn import Drawn, text
from benchhealth.dashboard.words.text import model_within, plotly

HEIGHT = 230


def crowd(ranked: pl.DataFrame, best: int, palette: Palette) -> Drawn:
    """The picture; `ranked` has rank, model and score, and the first `best` are blue."""
    rows = ranked.select("rank", "model", "score").sort("rank", "model")
    figure = laid_out(go.Figure(), palette, HEIGHT)
    for part, colour, size in ((rows.slice(best), palette.ink3, 4), (rows.head(best), palette.accent, 7)):
        figure.add_scatter(
            x=numbers(part["rank"]), y=numbers(part["score"]), mode="markers", marker={"size": size, "color": colour},
            text=[plotly(name) for name in part["model"]],
            hovertemplate="<b>%{text}</b><br>%{y:.0f} points, place %{x}<extra></extra>",
        )  # fmt: skip
    figure.update_xaxes(
        title={"text": "place in the list", "font": text(palette.ink3, 12), "standoff": 4}, rangemode="tozero"
    )
    figure.update_yaxes(nticks=5, tickformat=",.0f")
    first = rows.row(0, named=True)
    figure.add_annotation(
        x=first["rank"], y=first["score"], xanchor="left", xshift=8, yshift=6, showarrow=False,
        text=f"<b>{plotly(model_within(first['model'], 24))} {first['score']:,.0f}</b>", font=text(palette.accent, 12),
    )  # fmt: skip
    return Drawn(figure, rows)
