"""A benchmark against its second measurement: one mark a model, the line of equal scores, the furthest named."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import is_bounded, numbers
from dashboard.figures.chart import Chart, Nothing, SourceLine
from dashboard.figures.labels import Box, Point, place
from dashboard.figures.language import LABEL, ONLY_WIDE, laid_out
from dashboard.figures.palette import Palette
from dashboard.pages.benchmark.figures.frame import Facts
from dashboard.words.numbers import correlation, day_of
from dashboard.words.text import count, plotly, shorten, words_within

HEIGHT, WIDTH, NAMED = 380, 520, 3
MINUS = "\u2212"


def title(row: Facts) -> str:
    """The finding: how much lower the second is, and whether the order held."""
    kind = {"independent rerun": "The rerun", "fresh sample": "The fresh sample"}.get(row["kind"], "The second")
    if row["gap"] is None:
        return f"{kind} has too few models in common to compare"
    gap = row["gap"]
    moved = (
        f"{kind} comes out about even"
        if abs(gap) < 0.5
        else f"{kind} comes out {abs(gap):.0f} point{'s' * (round(abs(gap)) != 1)} {'lower' if gap > 0 else 'higher'}"
    )
    order = "" if row["kendall_tau"] is None else f"; order kept at {correlation(row['kendall_tau'])}"
    return f"{moved}{order}"


def chart(row: Facts, rows: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
    """`row` of `twin_pairs.twins`, `rows` of `twin_pairs.residuals`; scores in points."""
    rows = rows.drop_nulls(["original", "other"])
    if rows.is_empty():
        return Nothing("There is nothing to compare yet.", "No model has a result on both sides.")
    figure = go.Figure()
    ends = pl.concat([rows["original"], rows["other"]])
    low, high = float(ends.min()), float(ends.max())  # type: ignore[arg-type]
    pad = (high - low) * 0.07 or 1.0
    low, high = low - pad, high + pad
    figure.add_scatter(
        x=[low, high], y=[low, high], mode="lines", hoverinfo="skip",
        line={"color": palette.ink3, "width": 1, "dash": "dot"},
    )  # fmt: skip
    flagged = pl.col("flagged").fill_null(value=False)
    mine = rows.filter("own")
    theirs = rows.filter(~pl.col("own"))
    looks = (
        (theirs.filter(~flagged), palette.ink3, "circle-open"),
        (theirs.filter(flagged), palette.accent, "circle"),
        *([(mine, palette.accent, "diamond")] if mine.height else []),
    )
    for part, colour, symbol in looks:
        figure.add_scatter(
            x=numbers(part["other"]),
            y=numbers(part["original"]),
            mode="markers",
            marker={"size": 8, "symbol": symbol, "color": colour, "line": {"width": 1.3, "color": colour}},
            hovertext=[
                f"<b>{plotly(one['model'])}</b><br>first {one['original']:.1f}, second {one['other']:.1f}"
                for one in part.iter_rows(named=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            customdata=part.select("model_id").rows(),
            meta={"page": "models", "parameter": "model"},
        )
    _named(figure, rows, (low, high), palette)
    laid_out(figure, palette, HEIGHT)
    axis = {"range": [low, high], "showgrid": True, "ticksuffix": "%" if is_bounded(row["original_unit"]) else ""}
    figure.update_layout(xaxis=axis, yaxis=axis)
    names = [words_within(row[side], 40) for side in ("original", "other")]
    for text, spot in (
        (f"{names[0]} ↑", {"x": 0, "y": 1, "xanchor": "left", "yanchor": "top", "xshift": 6}),
        (f"{names[1]} →", {"x": 1, "y": 0, "xanchor": "right", "yanchor": "bottom", "yshift": 4}),
    ):
        figure.add_annotation(
            xref="paper", yref="paper", text=plotly(text), showarrow=False,
            font={"size": LABEL, "color": palette.ink3}, **spot,
        )  # fmt: skip
    return Chart(
        title=title(row),
        subtitle=(
            f"{count(theirs.height, 'model')} on both ({row['kind']}), until {day_of(row['known_until'])}. Dotted: "
            f"equal scores. Filled: differs by more than the error.{' Diamond: your own.' if mine.height else ''}"
        ),
        figure=figure,
        rows=rows.select("model", "original", "other", "expected", "residual", "flagged"),
        alt=f"{row['original']} against {row['other']} for {count(rows.height, 'model')}. {title(row)}.",
        sources=sources,
        known_until=row["known_until"],
        method="twins",
    )


def _named(figure: go.Figure, rows: pl.DataFrame, ends: tuple[float, float], palette: Palette) -> None:
    """The names of the models that lie furthest from the line of equal scores."""
    low, high = ends
    apart = rows.with_columns(apart=(pl.col("original") - pl.col("other")).abs()).sort("apart", descending=True)

    def at(one: Facts, text: str = "") -> Point:
        x, y = ((one[side] - low) / (high - low) for side in ("other", "original"))
        return Point(x * WIDTH, y * HEIGHT, 5, text)

    every = list(apart.iter_rows(named=True))
    wanted = [at(one, shorten(one["model"], 28)) for one in every[:NAMED]]
    marks = [at(one) for one in every[NAMED:300]]
    diagonal = [Box(t - 3, t * HEIGHT / WIDTH - 3, t + 3, t * HEIGHT / WIDTH + 3) for t in np.arange(0, WIDTH, 12.0)]
    for label in place([*wanted, *marks], Box(0, 0, WIDTH, HEIGHT), LABEL, diagonal):
        one, point = every[label.index], wanted[label.index]
        gap = one["original"] - one["other"]
        sign = "+" if gap > 0 else MINUS
        figure.add_annotation(
            x=one["other"],
            y=one["original"],
            text=f"{plotly(point.text)} <b>{sign}{abs(gap):.0f}</b>",
            ax=label.x - point.x,
            ay=-(label.y - point.y),
            standoff=6,
            showarrow=True,
            arrowhead=0,
            arrowwidth=0.7,
            arrowcolor=palette.line,
            font={"size": LABEL, "color": palette.ink2},
            opacity=ONLY_WIDE,
        )
