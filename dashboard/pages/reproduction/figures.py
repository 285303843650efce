"""Published numbers against ours: how far each is off, in tolerances, one row of points for each paper."""

from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import laid_out
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.text import count, known_at_latest, listed, plotly, shorten

DRAWN_TOLERANCES = 3.0
"""Further off than this many tolerances a claim is drawn at the edge."""

POINT_SPREAD = 0.3
"""How far up and down the points of one paper are spread, so that none covers another."""


def finding(rows: pl.DataFrame, until: date | None) -> str:
    """The sentence: how many papers hold in all statistics that are recomputed from many results, and how many hold.

    Statistics of one paper rest on the same results, so that papers are counted first.
    """
    judged = rows.filter(pl.col("holds").is_not_null())
    if judged.is_empty():
        return "None of the published statistics can be recomputed from what this generation holds"
    papers = judged.group_by("paper").agg(pl.col("holds").all())
    papers_holding, n_holding = int(papers["holds"].sum()), int(judged["holds"].sum())
    unknown = rows.height - judged.height
    left = f"; {unknown} cannot be computed here" if unknown else ""
    hold = "holds" if papers.height == 1 else "hold"
    return (
        f"{papers_holding or 'None'} of {count(papers.height, 'paper')} {hold} in every recomputed statistic, "
        f"{n_holding} of {count(judged.height, 'statistic')} are within tolerance{left}{known_at_latest(until)}"
    )


def alt_text(rows: pl.DataFrame) -> str:
    """The alternative text: what a point is, and which claims lie outside their tolerance."""
    differ = rows.filter(~pl.col("holds"))["statement"].to_list()
    outside = f" Outside lie: {listed([f'“{claim}”' for claim in differ[:5]])}" if differ else " None lies outside"
    more_text = f", and {len(differ) - 5} more" if len(differ) > 5 else ""
    return (
        "A point for each claim, by paper, at ours minus the published number divided by the tolerance; the band from "
        f"−1 to 1 holds those that agree.{outside}{more_text}."
    )


def chart(rows: pl.DataFrame, until: date | None, palette: Palette) -> Chart | Nothing:
    """Points by paper, most claims first: filled within the band, open outside it, squares are further off."""
    judged = rows.filter(pl.col("holds").is_not_null())
    if judged.is_empty():
        return Nothing(f"{finding(rows, until)}.", "Sources that may not be passed on have to be pulled first.")
    return Chart(
        title=finding(rows, until),
        subtitle=(
            f"Ours minus the published number, in tolerances, {count(judged.height, 'claim')} by paper, each from many "
            f"results. Within the band they agree; squares lie further off than {DRAWN_TOLERANCES:g}."
        ),
        figure=_figure(judged, palette),
        rows=judged,
        alt=alt_text(rows),
        known_until=until,
    )


def _figure(judged: pl.DataFrame, palette: Palette) -> go.Figure:
    authors = pl.col("paper").str.extract(r"^(.*?\b\d{4})").fill_null(pl.col("paper"))
    judged = judged.with_columns(paper=authors)
    most_first = judged.group_by("paper", maintain_order=True).len().sort("len", descending=True, maintain_order=True)
    papers = most_first["paper"].to_list()
    figure = go.Figure()
    figure.add_vrect(x0=-1, x1=1, fillcolor=palette.faint(palette.accent, 0.12), line_width=0, layer="below")
    placed = judged.with_columns(level=_levels(judged, papers), far=pl.col("off").abs() > DRAWN_TOLERANCES)
    for name, colour, symbol, chosen in (
        ("holds", palette.accent, "circle", pl.col("holds")),
        ("differs", palette.stages["saturated"].mark, "circle-open", ~pl.col("holds") & ~pl.col("far")),
        ("differs by more", palette.stages["saturated"].mark, "square", ~pl.col("holds") & pl.col("far")),
    ):
        trace_rows = placed.filter(chosen)
        if trace_rows.height:
            figure.add_trace(_points(trace_rows, name, colour, symbol))
    laid_out(figure, palette, height=70 + 30 * len(papers))
    figure.update_xaxes(
        range=[-DRAWN_TOLERANCES - 0.3, DRAWN_TOLERANCES + 0.3],
        tickvals=[-3, -2, -1, 0, 1, 2, 3],
        ticktext=["\u2264 \u22123", "\u22122", "\u22121", "0", "1", "2", "\u2265 3"],
    )
    figure.update_yaxes(
        tickvals=list(range(len(papers))),
        ticktext=[plotly(shorten(paper, 24)) for paper in papers],
        range=[len(papers) - 0.4, -0.6],
        showgrid=False,
    )
    return figure


def _levels(judged: pl.DataFrame, papers: list[str]) -> pl.Series:
    """The height of each point: that of its paper, with the paper's claims spread evenly in their order."""
    paper = {name: index for index, name in enumerate(papers)}
    positions = judged.select(
        at=pl.int_range(pl.len()).over("paper"), of=pl.len().over("paper"), paper=pl.col("paper").replace_strict(paper)
    )
    step = positions["at"].to_numpy() / np.maximum(positions["of"].to_numpy() - 1, 1)
    is_single = positions["of"].to_numpy() == 1
    return pl.Series(positions["paper"].to_numpy() + np.where(is_single, 0.0, (2 * step - 1) * POINT_SPREAD))


def _points(rows: pl.DataFrame, name: str, colour: str, symbol: str) -> go.Scatter:
    statements = rows.select("statement", "published", "computed", "unit").rows()
    return go.Scatter(
        x=numbers(rows["off"].clip(-DRAWN_TOLERANCES, DRAWN_TOLERANCES)),
        y=numbers(rows["level"]),
        name=name,
        mode="markers",
        marker={"color": colour, "symbol": symbol, "size": 9, "line": {"width": 0}},
        customdata=[(plotly(claim, 110), published, ours, plotly(unit)) for claim, published, ours, unit in statements],
        hovertemplate="%{customdata[0]}<br>published %{customdata[1]:.6~g}, ours %{customdata[2]:.6~g} "
        "(%{customdata[3]})<extra></extra>",
    )
