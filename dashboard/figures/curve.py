"""The curve of a benchmark: every result by date, the running best, and the lines it is read against."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import (
    days,
    is_bounded,
    laid_out,
    level,
    numbers,
    points,
    score_text,
    shown,
    thinned,
)
from dashboard.figures.colours import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILLION
from dashboard.words.text import count, listed, plotly

Facts = Mapping[str, Any]
"""One row of the benchmark table."""

OTHERS = (GREY, GREEN, PURPLE, ORANGE)
"""The colours of curves under other conditions."""
Spans = Sequence[tuple[date, date]]
"""First and last days within which scores of a board that moved share a scale; the running best starts anew in each."""

NEAR = 0.08
"""Levels nearer to one another than this are labelled on different sides of their lines."""

FIRST_LOOK = "first look"
"""Stands for the basis of what has no date."""

BASIS_LOOK: Mapping[str, tuple[str, str, str]] = {
    "evaluation": ("circle", SKY, "dated by evaluation"),
    "submission": ("circle", SKY, "dated by submission"),
    "paper": ("diamond", PURPLE, "dated by paper"),
    "model_release": ("triangle-up", GREEN, "dated by the model's release"),
    "snapshot": ("square", ORANGE, "dated by the look that first shows it"),
    FIRST_LOOK: ("triangle-left", ORANGE, "there at the first look, no date"),
}
"""How the points of each date basis look, and what they are called."""


def finding(facts: Facts, steps: pl.DataFrame, spans: Spans = ()) -> str:
    """The sentence: from where to where the best score went, when it last moved, and since when above the human's.

    `steps` is the frontier of the benchmark with `model`, oldest first; the last row (`carried`) extends it to the
    day until which the benchmark is known. Of several `spans` the last is spoken of.
    """
    unit, name = facts["unit"], facts["name"]
    steps = since_last_move(steps, spans)
    moves = steps.filter(~pl.col("carried"))
    if len(spans) > 1:
        name = f"{name}, since its board last changed its scale or its source"
    if steps.is_empty():
        return f"{name}: no model has a result"
    end = steps.row(-1, named=True)
    best = score_text(end["score"], unit)
    if moves.is_empty():
        return f"{name}: the best score, {best}, was there at the first look; known until {end['dated_on']}"
    first, last = moves.row(0, named=True), moves.row(-1, named=True)
    if moves.height == 1:
        said = f"the first result, {score_text(last['score'], unit)} on {last['dated_on']}, is still the best"
    else:
        said = (
            f"the best score went from {score_text(first['score'], unit)} ({first['dated_on']}) to "
            f"{score_text(last['score'], unit)} ({last['dated_on']})"
        )
    if end["score"] != last["score"]:
        said += f"; the best, {best}, was there at the first look and has no date"
    return f"{name}{_under(moves)}: {said}; known until {end['dated_on']}{_passed(facts, moves)}"


def _under(steps: pl.DataFrame) -> str:
    """The condition of the curve, in brackets; nothing where none is known."""
    condition = steps["condition"].drop_nulls() if "condition" in steps.columns else pl.Series(dtype=pl.String)
    return f" ({condition[-1]})" if len(condition) else ""


def placed(results: pl.DataFrame) -> pl.DataFrame:
    """The results with `on`, where to draw them, and `basis`; what has no date stands on the day of the first look."""
    undated = pl.col("dated_on").is_null()
    return results.with_columns(
        on=pl.coalesce("dated_on", pl.col("first_observed_at").cast(pl.Date)),
        basis=pl.when(undated).then(pl.lit(FIRST_LOOK)).otherwise("date_basis"),
    )


def best_line(steps: pl.DataFrame) -> pl.DataFrame:
    """The frontier without a jump at its end: a best that has no date is on no day of the line."""
    moves = steps.filter(~pl.col("carried"))
    end = steps.filter("carried").with_columns(score=pl.lit(moves["score"].last(), dtype=pl.Float64))
    return pl.concat([moves, end]) if moves.height else moves


def since_last_move(steps: pl.DataFrame, spans: Spans) -> pl.DataFrame:
    """The steps within the last span, which alone share a scale with what is listed now; all where there are none."""
    return steps.filter(pl.col("dated_on") >= spans[-1][0]) if spans else steps


def _passed(facts: Facts, moves: pl.DataFrame) -> str:
    human = facts["human"]
    if human is None or facts["higher_is_better"] is None:
        return ""
    beyond = pl.col("score") > human if facts["higher_is_better"] else pl.col("score") < human
    passed = moves.filter(beyond)
    said = score_text(human, facts["unit"])
    if passed.is_empty():
        return f"; the human baseline of {said} stands"
    return f"; past the human baseline of {said} since {passed.row(0, named=True)['dated_on']}"


def alt_text(facts: Facts, results: pl.DataFrame, steps: pl.DataFrame, beside: pl.DataFrame | None = None) -> str:
    """What the chart shows, in words."""
    unit = facts["unit"]
    lines = [
        f"{name} at {score_text(facts[key], unit)}"
        for key, name in (("ceiling", "ceiling"), ("human", "human baseline"), ("floor", "chance"))
        if facts[key] is not None
    ]
    against = f" Horizontal lines: {listed(lines)}." if lines else ""
    bases = [BASIS_LOOK[basis][2] for basis in placed(results)["basis"].unique().sort()]
    dated = f", {listed(bases)}" if bases else ""
    others = [] if beside is None else beside.filter("carried")["condition"].to_list()
    dotted = f" Dotted: the running best under {listed(others)}." if others else ""
    return (
        f"Scores on {facts['name']} by date: {count(results.height, 'published result')} as points{dated}; the running "
        f"best as a stepped line of {count(steps.filter(~pl.col('carried')).height, 'step')}, extended to the day "
        f"until which it is known.{against}{dotted}"
    )


def figure(
    facts: Facts,
    results: pl.DataFrame,
    steps: pl.DataFrame,
    beside: pl.DataFrame | None = None,
    spans: Spans = (),
) -> go.Figure:
    """The chart. `results` as `dashboard.published.results.drawn` gives them, `steps` the frontier.

    `beside` are curves under other conditions, drawn dotted. Between two `spans` there is no line.
    """
    unit = facts["unit"]
    drawn = go.Figure()
    for (basis,), rows in placed(results).group_by("basis", maintain_order=True):
        drawn.add_trace(_points_of(str(basis), rows, unit))
    _levels(drawn, facts)
    for (condition,), rows in () if beside is None else beside.group_by("condition", maintain_order=True):
        _other(drawn, str(condition), rows, unit)
    if steps.height:
        _running_best(drawn, _interrupted(steps, spans), facts)
    laid_out(drawn, height=440, showlegend=True)
    drawn.update_yaxes(title=plotly(_axis_title(facts)), ticksuffix="%" if is_bounded(unit) else "", rangemode="normal")
    return drawn


def _axis_title(facts: Facts) -> str:
    metric = facts["metric"] or "score"
    return metric if is_bounded(facts["unit"]) else f"{metric} ({facts['unit'] or 'unit unknown'})"


def _points_of(basis: str, rows: pl.DataFrame, unit: str | None) -> go.Scatter | go.Scattergl | go.Heatmap:
    symbol, colour, name = BASIS_LOOK[basis]
    labels = [
        f"{plotly(f'{model} ({setting})' if setting else model)}<br>{plotly(source_id)}"
        for model, setting, source_id in rows.select("model", "setting", "source_id").rows()
    ]
    return points(
        days(rows["on"]),
        numbers(shown(rows["score"], unit)),
        name=name,
        text=labels,
        marker={"symbol": symbol, "color": colour, "size": 6, "opacity": 0.55},
        hovertemplate=f"%{{text}}<br>%{{y:.1f}}{'%' if is_bounded(unit) else ''}, %{{x|%Y-%m-%d}}<extra></extra>",
    )


def _interrupted(steps: pl.DataFrame, spans: Spans) -> pl.DataFrame:
    """The steps, each span carried to its last day and followed by a row without a score, where the line ends."""
    if len(spans) < 2:
        return steps
    last = steps.tail(1)
    pieces: list[pl.DataFrame] = []
    for begin, end in spans:
        within = steps.filter(~pl.col("carried") & pl.col("dated_on").is_between(begin, end))
        ends = within.tail(1).with_columns(dated_on=pl.lit(end))
        pieces += [within, ends, ends.with_columns(score=pl.lit(None, dtype=ends.schema["score"]))]
    return pl.concat([*pieces[:-1], last])


def _running_best(drawn: go.Figure, steps: pl.DataFrame, facts: Facts) -> None:
    unit, ceiling = facts["unit"], facts["ceiling"]
    line = best_line(steps)
    x, y = thinned(days(line["dated_on"]), numbers(shown(line["score"], unit)))
    drawn.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            connectgaps=False,
            line={"shape": "hv", "color": BLUE, "width": 2.5},
            name="running best",
            hovertemplate=f"best so far %{{y:.1f}}{'%' if is_bounded(unit) else ''}, %{{x|%Y-%m-%d}}<extra></extra>",
        )
    )
    last = steps.row(-1, named=True)
    # Just below a ceiling there is no room above the line, as the ceiling is drawn there.
    near = ceiling is not None and last["score"] is not None and 0 <= ceiling - last["score"] < NEAR
    drawn.add_annotation(
        x=last["dated_on"],
        y=float(numbers(shown(steps["score"], unit))[-1]),
        text=f"best {score_text(last['score'], unit)}",
        showarrow=False,
        xanchor="right",
        yanchor="top" if near else "bottom",
        font={"size": 13, "weight": 700},
    )


def _other(drawn: go.Figure, condition: str, steps: pl.DataFrame, unit: str | None) -> None:
    x, y = thinned(days(steps["dated_on"]), numbers(shown(steps["score"], unit)))
    drawn.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            line={"shape": "hv", "color": OTHERS[len(drawn.data) % len(OTHERS)], "width": 1.5, "dash": "dot"},
            name=plotly(f"best: {condition}"),
            hovertemplate=f"{plotly(condition)}: %{{y:.1f}}{'%' if is_bounded(unit) else ''}, %{{x|%Y-%m-%d}}"
            "<extra></extra>",
        )
    )


def _levels(drawn: go.Figure, facts: Facts) -> None:
    """The ceiling, the human baseline and chance, each labelled on its line; of two close ones one below."""
    unit = facts["unit"]
    scale = 100 if is_bounded(unit) else 1
    ceiling, human, floor = facts["ceiling"], facts["human"], facts["floor"]
    if ceiling is not None:
        level(drawn, ceiling * scale, plotly(f"ceiling {score_text(ceiling, unit)}"), VERMILLION, "dash")
    if human is not None:
        near = ceiling is not None and np.isclose(human, ceiling, atol=NEAR)
        level(drawn, human * scale, plotly(f"human {score_text(human, unit)}"), PURPLE, "dot", above=not near)
    if floor is not None:
        level(drawn, floor * scale, plotly(f"chance {score_text(floor, unit)}"), "#8C8C8C", "dashdot")
