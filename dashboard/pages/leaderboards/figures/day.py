"""A board on one day: each model's place with the places that its error allows."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.effort import beside
from benchhealth.dashboard.figures.language import LABEL, laid_out, noting
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.ranks import both, how_compared
from benchhealth.dashboard.words.text import count, model_within, plotly

SHOWN, ROW, NAME, FARTHEST = 12, 22, 40, 40


def title(rows: pl.DataFrame) -> str:
    """The finding: how many could be first that day."""
    first = rows.row(0, named=True)
    could = rows.filter(pl.col("rank_low") == 1).height
    if rows["rank_low"].count() == 0:
        return f"{model_within(first['model'], 40)} was first; errors are not known"
    if could <= 1:
        return f"{model_within(first['model'], 40)} was first by more than its error"
    return f"{could} models could have been first"


def chart(one: Board, rows: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
    """The first SHOWN of a board on the day of these rows (`published.reigns.standing`)."""
    if rows.is_empty():
        return Nothing("Nothing is on record for that day.", "Choose a later day.")
    shown = rows.head(SHOWN)
    seen = shown["observed_at"][0]
    places = list(range(shown.height, 0, -1))
    figure = go.Figure()
    for place, row in zip(places, shown.iter_rows(named=True), strict=True):
        colour = palette.accent if row["rank_low"] == 1 else palette.ink3
        if row["rank_low"] is not None:
            figure.add_scatter(
                x=[row["rank_low"], min(row["rank_high"], FARTHEST)], y=[place, place], mode="lines", hoverinfo="skip",
                line={"width": 6, "color": palette.faint(colour, 0.45)},
            )  # fmt: skip
    could = [low == 1 for low in shown["rank_low"].fill_null(0)]
    figure.add_scatter(
        x=shown["rank"].to_list(),
        y=places,
        mode="markers",
        marker={
            "size": 9,
            "color": [palette.accent if first else palette.paper for first in could],
            "line": {"color": [palette.accent if first else palette.ink3 for first in could], "width": 1.5},
        },
        hovertext=[_hover(row, one.unit) for row in shown.iter_rows(named=True)],
        hovertemplate="%{hovertext}<extra></extra>",
        customdata=shown.select("model_id").rows(),
        meta={"page": "models", "parameter": "model"},
    )
    farthest = min(FARTHEST, int(str(shown["rank_high"].max() or shown["rank"].max())))
    laid_out(figure, palette, ROW * shown.height + 58)
    figure.update_layout(
        yaxis={
            "tickvals": places,
            "ticktext": [
                beside(plotly(model_within(name, NAME), 60), setting, palette.ink3)
                for name, setting in shown.select("model", "setting").iter_rows()
            ],
            "range": [0.3, shown.height + 0.7],
            "showgrid": False,
            "tickfont": {"color": palette.ink, "size": LABEL},
        },
        xaxis={"showgrid": True, "range": [0.3, farthest + 0.7], "nticks": 8, "title": {"text": "place"}},
        margin={"l": 4, "r": 60, "t": 8, "b": 4},
    )
    with noting(figure) as note:
        for place, row, first in zip(places, shown.iter_rows(named=True), could, strict=True):
            note(
                xref="paper", x=1, y=place, xanchor="left", xshift=6, showarrow=False,
                text=score(row["score"], one.unit),
                font={"size": LABEL, "color": palette.ink2 if first else palette.ink3},
            )  # fmt: skip
    return Chart(
        title=title(rows),
        subtitle=(
            f"The first {shown.height} of {count(rows.height, 'model')} of {one.name} on {day_of(seen)}, with the "
            f"places that their errors allow{how_compared(rows)}"
            f"{f' (drawn to {FARTHEST})' if farthest == FARTHEST else ''}. "
            "Filled: could be first."
        ),
        figure=figure,
        rows=shown,
        alt=f"{title(rows)} of {rows.height} on {day_of(seen)}: {', '.join(shown['model'].head(3))} lead.",
        sources=sources,
        known_until=seen.date(),
        method="rank",
    )


def _hover(row: dict[str, object], unit: str | None) -> str:
    ranks = both(row)
    value = score(float(str(row["score"])), unit)
    return f"<b>{plotly(str(row['model']))}</b><br>{value}, listed at {row['rank']}<br>{ranks}"
