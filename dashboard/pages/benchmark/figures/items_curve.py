"""How sharply a test tells neighbours apart at each strength, with the models as ticks and a grey field beyond them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, SourceLine
from benchhealth.dashboard.figures.language import LABEL, ONLY_WIDE, field, hovering, laid_out, noting, quiet_line
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.items import charts as words
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.text import model_within, plotly

Row = Mapping[str, Any]

HEIGHT = 330
RUG = 0.035
"""Half the height of a tick of a model, as a share of the peak."""

STEP = 0.1
"""Scores that are marked on the axis lie so far apart."""

FEW_MARKS = 4
"""Where fewer of them would stand on the axis, twice as many do."""

LETTERS = 20


def chart(  # noqa: PLR0913, PLR0917
    row: Row,
    curve: pl.DataFrame,
    models: pl.DataFrame,
    best: float | None,
    sources: Sequence[SourceLine],
    palette: Palette,
) -> Chart:
    """The curve of `item_information`, the models of `item_model` (with `model`, a name); `best` is today's."""
    weakest = float(models["strength"].min())  # type: ignore[arg-type]
    below = curve["strength"][curve["information"].arg_max() or 0] < weakest
    top = float(models["strength"].max())  # type: ignore[arg-type]
    inside, beyond = curve.filter(pl.col("strength") <= top), curve.filter(pl.col("strength") >= top)
    figure = go.Figure()
    if row["top_share"] is not None:
        _band(figure, curve, palette)
    _line(figure, inside, palette, fill="tozeroy", fillcolor=palette.faint(palette.accent, 0.1), line={"width": 2.4})
    _line(figure, beyond, palette, line={"width": 1.6, "dash": "dot", "color": palette.ink3})
    _rug(figure, models, palette)
    laid_out(figure, palette, HEIGHT)
    low, high = float(curve["strength"].min()), float(curve["strength"].max())  # type: ignore[arg-type]
    field(figure, palette.fill, (top, high))
    marks = np.arange(STEP, 0.96, STEP)
    scores = curve["score"].to_numpy()
    if scores.max() - scores.min() < FEW_MARKS * STEP:
        marks = np.arange(STEP / 2, 0.99, STEP / 2)
    reached = marks[(marks > scores.min()) & (marks < scores.max())]
    figure.update_xaxes(
        range=[low, high],
        tickvals=np.interp(reached, scores, curve["strength"].to_numpy()).tolist(),
        ticktext=[f"{mark:.0%}" for mark in reached],
    )
    figure.update_yaxes(visible=row["top_share"] is not None, range=[-2 * RUG, 1.14], tickformat=".0%")
    _notes(figure, row, curve, models, best, palette)
    return Chart(
        title=words.curve_title(row, below=below),
        subtitle=words.curve_subtitle(row),
        figure=figure,
        rows=pl.concat([curve, models.select("model", "strength", "score")], how="diagonal"),
        alt=words.curve_alt(row, below=below),
        sources=sources,
        known_until=row["known_until"],
        method="items_information",
    )


def _band(figure: go.Figure, curve: pl.DataFrame, palette: Palette) -> None:
    x = numbers(curve["strength"])
    quiet_line(figure, x, numbers(curve["low"]), width=0)
    band = {"fill": "tonexty", "fillcolor": palette.faint(palette.accent, 0.15), "hoverinfo": "skip"}
    figure.add_scatter(x=x, y=numbers(curve["high"]), mode="lines", line={"width": 0}, **band)


def _line(figure: go.Figure, rows: pl.DataFrame, palette: Palette, line: Mapping[str, object], **more: object) -> None:
    figure.add_scatter(
        x=numbers(rows["strength"]),
        y=numbers(rows["information"]),
        mode="lines",
        line={"color": palette.accent, **line},
        **hovering(f"a model that scores {percent(score)}" for score in rows["score"]),
        **more,
    )


def _rug(figure: go.Figure, models: pl.DataFrame, palette: Palette) -> None:
    figure.add_scatter(
        x=numbers(models["strength"]),
        y=np.full(models.height, RUG, dtype=np.float32),
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 11, "color": palette.ink2, "line": {"width": 1.6}},
        **hovering(
            f"<b>{plotly(model_within(name, 40))}</b><br>{percent(score)}"
            for name, score in models.select("model", "score").iter_rows()
        ),
    )


def _notes(  # noqa: PLR0913, PLR0917
    figure: go.Figure, row: Row, curve: pl.DataFrame, models: pl.DataFrame, best: float | None, palette: Palette
) -> None:
    """The peak, the strongest model, some names at their ticks, and why nothing is known beyond the strongest."""
    peak = curve.row(int(curve["information"].arg_max() or 0), named=True)
    order = models.sort("strength")
    strongest = order.row(-1, named=True)
    height = float(np.interp(strongest["strength"], curve["strength"].to_numpy(), curve["information"].to_numpy()))
    high = float(curve["strength"].max())  # type: ignore[arg-type]
    marked = [(strongest["strength"], height)]
    if peak["strength"] >= float(order["strength"][0]):
        marked.append((peak["strength"], peak["information"]))
    for x, y in marked:
        figure.add_scatter(x=[x], y=[y], mode="markers", marker={"size": 10, "color": palette.accent}, hoverinfo="skip")
    label = {"showarrow": False, "font": {"size": LABEL, "color": palette.accent}}
    quiet = {"showarrow": False, "font": {"size": LABEL, "color": palette.ink2}}
    with noting(figure) as note:
        if peak["strength"] >= float(order["strength"][0]):
            text = f"<b>parts models best near {percent(row['peak_score'])}</b>"
            note(x=peak["strength"], y=peak["information"] + 0.04, yanchor="bottom", text=text, **label)
        name = plotly(model_within(strongest["model"], LETTERS))
        note(x=strongest["strength"], y=height - 0.06, xanchor="right", yanchor="top", text=f"<b>{name}</b>", **label)
        for place in (0, order.height // 2):
            one = order.row(place, named=True)
            name = plotly(model_within(one["model"], LETTERS))
            note(
                x=one["strength"],
                y=3 * RUG,
                yanchor="bottom",
                text=name,
                opacity=ONLY_WIDE,
                bgcolor=palette.paper,
                **quiet,
            )
        note(
            x=(strongest["strength"] + high) / 2,
            y=0.22,
            text="<br>".join(words.beyond(row, best)),
            opacity=ONLY_WIDE,
            **quiet,
        )
