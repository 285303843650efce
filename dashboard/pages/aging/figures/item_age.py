"""Scores by the month that items are from, by difficulty, with what is known of the end of models' training."""

from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import days, laid_out, numbers
from dashboard.figures.colours import CATEGORICAL, GREY
from dashboard.words.known import known
from dashboard.words.text import count, day, listed, plotly

ORDER = ("easy", "medium", "hard")
BAND_OPACITY = 0.14


def difficulties(rows: pl.DataFrame) -> list[str]:
    """The difficulties, easiest first where their names say so."""
    named = rows["difficulty"].unique().to_list()
    return sorted(named, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def finding(rows: pl.DataFrame, model: str | None, test: dict[str, object] | None, until: date | None) -> str:
    """The sentence: of a model, what the test at the end of its training found; of all, how far the months differ."""
    months = rows["month"].sort()
    of = f"{count(int(rows['n_items'].sum()), 'item')} from {months[0]:%Y-%m} to {months[-1]:%Y-%m}"
    if model is None:
        return (
            f"Of {of}, the mean score of {_models(rows)} on the newer half of the months against that on the older: "
            f"{_moves(rows)}{known(until)}"
        )
    if test is None:
        return f"{model} by the age of the items: no test at the end of its training data is possible"
    value, low, high = (float(str(test[name])) for name in ("value", "low", "high"))
    what = (
        f"{abs(value):.1f} points {'higher' if value >= 0 else 'lower'} on items from before the end of its training "
        f"data than others let expect (95%: {low:.1f} to {high:.1f})"
    )
    settled = "" if low > 0 or high < 0 else ", which is within error"
    return f"{model} scores {what}{settled}, over {of}{known(until)}"


def _models(rows: pl.DataFrame) -> str:
    return count(int(rows["n_models"].max() or 0), "listed model")  # type: ignore[arg-type]


def _moves(rows: pl.DataFrame) -> str:
    parts = []
    for name in difficulties(rows):
        ordered = rows.filter(pl.col("difficulty") == name).sort("month")
        half = ordered.height // 2
        if half:
            older, newer = (_mean(part) for part in (ordered.head(half), ordered.tail(half)))
            parts.append(f"{newer * 100:.0f}% after {older * 100:.0f}% on {name} ones")
    return listed(parts)


def _mean(part: pl.DataFrame) -> float:
    """The mean over items of months, by halves of the months."""
    return float(np.average(part["score"].to_numpy(), weights=part["n_items"].to_numpy()))


def alt_text(rows: pl.DataFrame, model: str | None) -> str:
    """What the lines show, in words."""
    months = rows["month"].sort().to_list()
    cutoff = rows["cutoff_on"].drop_nulls()
    ended = f" A vertical line marks the stated end of its training data, {day(cutoff[0])}." if cutoff.len() else ""
    whose = _models(rows) if model is None else model
    return (
        f"Lines of the score of {whose} on the items of each month from {months[0]:%Y-%m} to {months[-1]:%Y-%m}, one "
        f"for each of {listed(difficulties(rows))}, with 95% bands for the number of items.{ended}"
    )


def figure(rows: pl.DataFrame, ends: list[tuple[date, str]]) -> go.Figure:
    """A line with its band for each difficulty; the ends of training as vertical lines, or as ticks where many."""
    drawn = go.Figure()
    for name, colour in zip(difficulties(rows), CATEGORICAL, strict=False):
        line = rows.filter(pl.col("difficulty") == name).sort("month")
        drawn.add_traces(_band(line, name, colour))
        drawn.add_trace(_line(line, name, colour))
    if len(ends) == 1:
        on, said = ends[0]
        drawn.add_vline(x=on.isoformat(), line={"color": GREY, "dash": "dash", "width": 2})
        drawn.add_annotation(
            x=on.isoformat(),
            y=1,
            yref="paper",
            yanchor="bottom",
            text=plotly(said, 40),
            showarrow=False,
            font={"size": 12},
        )
    elif ends:
        drawn.add_trace(_ticks(ends))
    laid_out(drawn, height=430)
    drawn.update_yaxes(title="Score, %", range=[0, 104], zeroline=False)
    drawn.update_xaxes(title={"text": "Month that the items are from", "standoff": 4}, zeroline=False)
    drawn.update_layout(legend={"y": -0.22})
    return drawn


def _line(line: pl.DataFrame, name: str, colour: str) -> go.Scatter:
    return go.Scatter(
        x=days(line["month"]),
        y=numbers(line["score"] * 100),
        name=plotly(name),
        legendgroup=name,
        mode="lines+markers",
        line={"color": colour, "width": 2},
        marker={"size": 6, "color": colour},
        customdata=[
            f"{month:%Y-%m}, {name}: {score * 100:.0f}% ({low * 100:.0f} to {high * 100:.0f}) on {count(n, 'item')}"
            for month, score, low, high, n in line.select("month", "score", "low", "high", "n_items").iter_rows()
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _band(line: pl.DataFrame, name: str, colour: str) -> list[go.Scatter]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    look = {"mode": "lines", "legendgroup": name, "showlegend": False, "hoverinfo": "skip", "line": {"width": 0}}
    x = days(line["month"])
    fill = f"rgba({red},{green},{blue},{BAND_OPACITY})"
    return [
        go.Scatter(x=x, y=numbers(line["high"] * 100), **look),
        go.Scatter(x=x, y=numbers(line["low"] * 100), fill="tonexty", fillcolor=fill, **look),
    ]


def _ticks(ends: list[tuple[date, str]]) -> go.Scatter:
    """A tick at the foot of the chart for each day on which some models' training data end."""
    return go.Scatter(
        x=days(pl.Series([on for on, _ in ends], dtype=pl.Date)),
        y=numbers(pl.Series([2.0] * len(ends))),
        name="end of a model's training data",
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 14, "color": GREY, "line": {"width": 2}},
        customdata=[plotly(said, 120) for _, said in ends],
        hovertemplate="%{x|%Y-%m-%d}: %{customdata}<extra></extra>",
    )
