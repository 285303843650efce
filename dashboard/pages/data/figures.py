"""Until when each source is known, and when it last said something new: stale and dormant are not the same."""

from datetime import date, datetime

import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import days, laid_out
from dashboard.figures.colours import BLUE, GREY, ORANGE
from dashboard.words.text import count, day, listed, plotly

ROW_PIXELS = 34
NEVER = "never fetched here"
_NEVER_FETCHED = pl.col("known_until").is_null() & pl.col("last_observed_at").is_null()


def finding(sources: pl.DataFrame, as_of: date | None) -> str:
    """The sentence: how many sources are known into the week before the assessment, and which is silent longest."""
    if sources.is_empty():
        return "No source is on record"
    dated = sources.drop_nulls("last_observed_at").sort("last_observed_at")
    if dated.is_empty() or as_of is None:
        return f"None of {count(sources.height, 'source')} was fetched yet"
    in_week = pl.col("known_until") >= pl.lit(as_of).dt.offset_by("-7d")
    recent = sources.filter(in_week.fill_null(value=False)).height
    missing = sources.filter(_NEVER_FETCHED).height
    never = f", {missing} {NEVER}" if missing else ""
    silent = dated.row(0, named=True)
    return (
        f"{recent} of {count(sources.height, 'source')} last seen in the 7 days up to {day(as_of)}{never}; "
        f"{silent['title'] or silent['source_id']} has said nothing new since {day(silent['last_observed_at'])}"
    )


def alt_text(sources: pl.DataFrame) -> str:
    """What the chart shows, in words."""
    dates = [
        f"{title or source_id}: {NEVER}"
        if newest is None and fetched is None
        else f"{title or source_id}: newest statement {day(newest)}, known until {day(fetched)}"
        for source_id, title, newest, fetched in sources.select(
            "source_id", "title", "last_observed_at", "known_until"
        ).iter_rows()
    ]
    return f"For each source a line from its newest statement to the day until which it is known. {listed(dates)}."


def figure(sources: pl.DataFrame) -> go.Figure:
    """One row a source: a circle at its newest statement, a diamond where it is known until, or the word for never."""
    ordered = sources.sort("last_observed_at", "source_id", nulls_last=True).with_columns(
        label=pl.col("source_id").map_elements(lambda name: plotly(name, 22), return_dtype=pl.String)
    )
    drawn = go.Figure()
    whole = ordered.drop_nulls(["last_observed_at", "known_until"])
    for row in whole.select("label", "last_observed_at", "known_until").iter_rows():
        drawn.add_trace(_between(*row))
    for column, name, symbol, colour in (
        ("last_observed_at", "newest statement of the source", "circle", BLUE),
        ("known_until", "known until", "diamond", ORANGE),
    ):
        dated = ordered.drop_nulls(column)
        drawn.add_trace(
            go.Scatter(
                x=days(dated[column]),
                y=dated["label"].to_list(),
                name=name,
                mode="markers",
                marker={"symbol": symbol, "size": 10, "color": colour},
                hovertemplate="%{y}: " + name + " %{x|%Y-%m-%d}<extra></extra>",
            )
        )
    for label in ordered.filter(_NEVER_FETCHED)["label"]:
        drawn.add_annotation(
            x=0.01, xref="paper", xanchor="left", y=label, yanchor="bottom", text=NEVER, showarrow=False
        )
    laid_out(drawn, height=110 + ROW_PIXELS * ordered.height)
    drawn.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    drawn.update_xaxes(type="date")
    # The range is given, because Plotly leaves out categories without a point.
    drawn.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=ordered["label"].to_list(),
        range=[ordered.height - 0.5, -0.5],
    )
    return drawn


def _between(label: str, newest: datetime, until: date) -> go.Scatter:
    return go.Scatter(
        x=[newest.date(), until],
        y=[label, label],
        mode="lines",
        line={"color": GREY, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
