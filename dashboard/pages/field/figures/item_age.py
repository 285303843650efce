"""Scores by the month that items are from, by difficulty, with the known ends of models' training data."""

from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.base import days, numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import Drawing, laid_out, line_labels, on_hover
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import count, day, known, listed, model_within, plotly

ORDER = ("easy", "medium", "hard")
BAND_OPACITY = 0.14


def difficulties(rows: pl.DataFrame) -> list[str]:
    """The difficulties, easiest first where their names say so."""
    named = rows["difficulty"].unique().to_list()
    return sorted(named, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def finding(rows: pl.DataFrame, model: str | None, test: Row | None, until: date | None) -> str:
    """The sentence: for one model, the test at the end of its training; for all models, how far the months differ."""
    months = rows["month"].sort()
    items = f"{count(int(rows['n_items'].sum()), 'item')} from {months[0]:%Y-%m} to {months[-1]:%Y-%m}"
    if model is None:
        return (
            f"Of {items}, the mean score of {_models(rows)} on the newer half of the months against that on the older: "
            f"{_moves(rows)}{known(until)}"
        )
    if test is None:
        return f"{model} by the age of the items: no test at the end of its training data is possible"
    value, low, high = (test[name] for name in ("value", "low", "high"))
    effect = (
        f"{abs(value):.1f} points {'higher' if value >= 0 else 'lower'} on items from before the end of its training "
        f"data than others predict (95%: {low:.1f} to {high:.1f})"
    )
    settled = "" if low > 0 or high < 0 else ", which is within error"
    return f"{model} scores {effect}{settled}, over {items}{known(until)}"


def _models(rows: pl.DataFrame) -> str:
    return count(int(rows["n_models"].max() or 0), "listed model")  # type: ignore[arg-type]


def _moves(rows: pl.DataFrame) -> str:
    phrases = []
    for name in difficulties(rows):
        ordered = rows.filter(pl.col("difficulty") == name).sort("month")
        half = ordered.height // 2
        if half:
            older, newer = (
                float(np.average(months["score"].to_numpy(), weights=months["n_items"].to_numpy()))
                for months in (ordered.head(half), ordered.tail(half))
            )
            phrases.append(f"{newer * 100:.0f}% after {older * 100:.0f}% on {name} ones")
    return listed(phrases)


def alt_text(rows: pl.DataFrame, model: str | None) -> str:
    """The alternative text: whose scores the lines show, over which months, and where training data end."""
    months = rows["month"].sort().to_list()
    cutoff = rows["cutoff_on"].drop_nulls()
    ended = f" A vertical line marks the stated end of its training data, {day(cutoff[0])}." if cutoff.len() else ""
    whose = _models(rows) if model is None else model
    return (
        f"Lines of the score of {whose} on the items of each month from {months[0]:%Y-%m} to {months[-1]:%Y-%m}, one "
        f"for each of {listed(difficulties(rows))}, with 95% bands for the number of items.{ended}"
    )


def title(rows: pl.DataFrame, model: str | None, test: Row | None) -> str:
    """Where the scores are from, or what the test at the end of a model's training found."""
    if model is None:
        return f"{_models(rows).capitalize()} on the items of each month"
    if test is None:
        return f"{model_within(model, 34)} by the age of the items"
    value, low, high = (test[name] for name in ("value", "low", "high"))
    direction = "higher" if value >= 0 else "lower"
    if low > 0 or high < 0:
        return f"{model_within(model, 34)} scores {direction} on items from before its training ended"
    return f"{model_within(model, 34)}: items from before its training ended are within error"


def chart(  # noqa: PLR0913, PLR0917
    rows: pl.DataFrame,
    model: str | None,
    ends: list[tuple[date, str]],
    test: Row | None,
    until: date | None,
    palette: Palette,
) -> Chart | Nothing:
    """A line with its band for each difficulty; the ends of training as lines, or as ticks where many."""
    if rows.is_empty():
        return Nothing(
            "No source of this generation dates its items.",
            "LiveCodeBench does: pull it with `benchhealth ingest --source livecodebench`.",
        )
    return Chart(
        title=title(rows, model, test),
        subtitle=f"{finding(rows, model, test, until)}. Lines by difficulty, with 95% bands for the number of items.",
        figure=figure(rows, ends, palette),
        rows=rows,
        alt=alt_text(rows, model),
        known_until=until,
    )


def figure(rows: pl.DataFrame, ends: list[tuple[date, str]], palette: Palette) -> go.Figure:
    """The figure: a line with its band for each difficulty, and the `ends` of training data with their labels."""
    drawn, labels = Drawing(), []
    colours = (palette.ink3, palette.stages["compressing"].mark, palette.accent)
    for index, name in enumerate(difficulties(rows)):
        colour = colours[index % len(colours)]
        line = rows.filter(pl.col("difficulty") == name).sort("month")
        _band(drawn, line, palette.faint(colour, BAND_OPACITY))
        drawn.add_trace(_line(line, name, colour, ("circle", "diamond", "square")[index % 3]))
        labels.append((line["month"][-1].isoformat(), float(line["score"][-1]), plotly(name), colour))
    if len(ends) == 1:
        on, label = ends[0]
        shape = {"type": "line", "x0": on.isoformat(), "x1": on.isoformat(), "y0": 0, "y1": 1, "yref": "paper"}
        drawn.add_shape(**shape, line={"color": palette.ink3, "dash": "dash", "width": 1})
        drawn.add_annotation(
            x=on.isoformat(), y=1, yref="paper", yanchor="bottom", text=plotly(label, 40), showarrow=False
        )
    elif ends:
        drawn.add_trace(_ticks(ends, palette))
    laid_out(drawn, palette, 380)
    drawn.update_layout(margin={"t": 26, "r": 64})
    drawn.update_yaxes(range=[0, 1.04], tickformat=".0%")
    line_labels(drawn, labels, (0, 1.04), 330, palette)
    return drawn


def _line(line: pl.DataFrame, name: str, colour: str, symbol: str) -> go.Scatter:
    return go.Scatter(
        x=days(line["month"]),
        y=numbers(line["score"]),
        name=plotly(name),
        mode="lines+markers",
        line={"color": colour, "width": 2},
        marker={"size": 7, "color": colour, "symbol": symbol},
        **on_hover(
            f"<b>{month_of(month)}, {plotly(name)}</b><br>{score * 100:.0f}% ({low * 100:.0f} to {high * 100:.0f}) on "
            f"{count(n, 'item')}"
            for month, score, low, high, n in line.select("month", "score", "low", "high", "n_items").iter_rows()
        ),
    )


def _band(plot: go.Figure, line: pl.DataFrame, fill: str) -> None:
    look = {"mode": "lines", "hoverinfo": "skip", "line": {"width": 0}}
    x = days(line["month"])
    plot.add_scatter(x=x, y=numbers(line["high"]), **look)
    plot.add_scatter(x=x, y=numbers(line["low"]), fill="tonexty", fillcolor=fill, **look)


def _ticks(ends: list[tuple[date, str]], palette: Palette) -> go.Scatter:
    """A tick at the foot of the chart for each day on which some models' training data end."""
    return go.Scatter(
        x=days(pl.Series([on for on, _ in ends], dtype=pl.Date)),
        y=numbers(pl.Series([0.02] * len(ends))),
        name="end of a model's training data",
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 12, "color": palette.ink3, "line": {"width": 2}},
        **on_hover(f"{month_of(on)}: {plotly(model_names, 120)}" for on, model_names in ends),
    )


def read_as(model: str | None, ends: list[tuple[date, str]], test: Row | None, method_link: str) -> str:
    """What may be inferred from the lines, and what not; `method_link` leads to the test."""
    caveat = "Months differ in their problems, so a fall in time alone says nothing; the bands are for the items."
    if model is None:
        ticks = " Ticks mark where models' training data end, as sources state it." if ends else ""
        return f"{caveat}{ticks} A model of its own can be chosen above and read against this mean."
    if not ends:
        return f"{caveat} Nobody states when this model's training data end."
    stated = "A stated end may be wrong. "
    if test is None:
        return f"{caveat} {stated}Too few months on one side of it, or too few models trained earlier, to test."
    return (
        f"{caveat} {stated}The sentence above is a test against models trained earlier, on the same months and "
        f"difficulties ({method_link}). A higher score on older items is what knowing them would look like; items that "
        "changed in kind at that time would look the same."
    )
