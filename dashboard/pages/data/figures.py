"""When each source was last looked at, and when it last said something new: stale and dormant are not the same."""

from datetime import date, datetime

import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import days, laid_out
from dashboard.theme import BLUE, GREY, ORANGE
from dashboard.words.text import count, day, listed, plotly

ROW_PIXELS = 34


def finding(sources: pl.DataFrame, as_of: date | None) -> str:
    """The sentence: how many sources were looked at in the week before the assessment, and which spoke last when."""
    if sources.is_empty():
        return "No source is on record"
    spoke = sources.drop_nulls("last_observed_at").sort("last_observed_at")
    if spoke.is_empty() or as_of is None:
        return f"None of {count(sources.height, 'source')} was read yet"
    looked = pl.col("last_fetched_at").dt.date() >= pl.lit(as_of).dt.offset_by("-7d")
    recent = sources.filter(looked.fill_null(value=False)).height
    silent = spoke.row(0, named=True)
    return (
        f"{recent} of {count(sources.height, 'source')} looked at in the 7 days up to {day(as_of)}; "
        f"{silent['title'] or silent['source_id']} has said nothing new since {day(silent['last_observed_at'])}"
    )


def alt_text(sources: pl.DataFrame) -> str:
    """What the chart shows, in words."""
    said = [
        f"{title or source_id} last spoke {day(spoke)}, last looked at {day(looked)}"
        for source_id, title, spoke, looked in sources.select(
            "source_id", "title", "last_observed_at", "last_fetched_at"
        ).iter_rows()
    ]
    return f"For each source a line from its newest statement to our last look. {listed(said)}."


def figure(sources: pl.DataFrame) -> go.Figure:
    """One row a source: a circle where it last said something new, a diamond where we last looked."""
    ordered = sources.sort("last_observed_at", "source_id", nulls_last=True)
    labels = [plotly(source_id, 22) for source_id in ordered["source_id"]]
    drawn = go.Figure()
    for label, spoke, looked in zip(labels, ordered["last_observed_at"], ordered["last_fetched_at"], strict=True):
        if spoke is not None and looked is not None:
            drawn.add_trace(_between(label, spoke, looked))
    for column, name, symbol, colour in (
        ("last_observed_at", "last statement of the source", "circle", BLUE),
        ("last_fetched_at", "our last look", "diamond", ORANGE),
    ):
        drawn.add_trace(
            go.Scatter(
                x=days(ordered[column]),
                y=labels,
                name=name,
                mode="markers",
                marker={"symbol": symbol, "size": 10, "color": colour},
                hovertemplate="%{y}: " + name + " %{x|%Y-%m-%d}<extra></extra>",
            )
        )
    laid_out(drawn, height=110 + ROW_PIXELS * ordered.height)
    drawn.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    drawn.update_yaxes(type="category", autorange="reversed")
    return drawn


def _between(label: str, spoke: datetime, looked: datetime) -> go.Scatter:
    return go.Scatter(
        x=[spoke.date(), looked.date()],
        y=[label, label],
        mode="lines",
        line={"color": GREY, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
