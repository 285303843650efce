"""What the charts of Goodhart effects are drawn with: rows of points with intervals, lines by year, and a scatter."""

import math
import textwrap
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION
from dashboard.words.text import plotly, shorten

ROW_PIXELS = 24
NAME_LIMIT = 26
NAMED_POINTS = 5
"""More names cover one another on a narrow screen; each point has its own when pointed at."""


class Series(NamedTuple):
    """One kind of point: the columns `value`, `low`, `high` are under these names; without `low` no interval."""

    name: str
    value: str
    low: str | None
    high: str | None
    symbol: str
    colour: str


def rows_of(  # noqa: PLR0913
    named: pl.DataFrame,
    series: Sequence[Series],
    said: Sequence[str],
    *,
    axis: str,
    reference: float | None = None,
    logarithmic: bool = False,
    span: tuple[float, float] | None = None,
) -> go.Figure:
    """Rows from top to bottom by `name` with a point of each series; `said` is the hover text, escaped already.

    `reference` is drawn as a dashed line, `span` are the ends of the axis, beyond which intervals are cut.
    """
    placed = named.with_row_index("place")
    step = 0.26 if len(series) > 1 else 0.0
    traces = []
    for at, one in enumerate(series):
        rows = placed.filter(pl.col(one.value).is_not_null())
        lift = step * (at - (len(series) - 1) / 2)
        text = [said[place] for place in rows["place"]]
        traces.append(_points(rows, one, numbers(rows["place"] + lift), text, along="x"))
    labels = [_wrapped(name) for name in named["name"]]
    taller = 1.5 if any("<br>" in label for label in labels) else 1 + 0.25 * (len(series) - 1)
    columns = [column for one in series for column in (one.value, one.low, one.high) if column is not None]
    across = {"title": axis, "zeroline": False, **(_log_ticks(named.select(columns)) if logarithmic else {})}
    names = {"tickvals": numbers(placed["place"]), "ticktext": labels, "tickfont": {"size": 11}}
    return laid_out(
        go.Figure(traces),
        height=(130 if len(series) > 1 else 100) + int(ROW_PIXELS * taller * named.height),
        legend_y=1.0,
        legend_yanchor="bottom",
        margin_t=40 if len(series) > 1 else 12,
        margin_r=16,
        showlegend=len(series) > 1,
        shapes=_reference(x=reference),
        xaxis=across if span is None else {**across, "range": list(span)},
        yaxis={**names, "range": [named.height - 0.4, -0.6], "zeroline": False, "showgrid": False},
    )


def years_of(  # noqa: PLR0913
    lines: Sequence[tuple[Series, pl.DataFrame]],
    *,
    axis: str,
    span: tuple[float, float] | None = None,
    reference: float | None = None,
    logarithmic: bool = False,
    noun: str = "models",
) -> go.Figure:
    """Lines over `year` with intervals; every line has its shape as well as its colour."""
    traces = []
    shift = 0.08 if any(one.low is not None for one, _ in lines) else 0.0
    for at, (one, rows) in enumerate(lines):
        dated = rows.filter(pl.col(one.value).is_not_null()).sort("year")
        text = [
            f"{plotly(one.name)}, {year}: {value:,.3g}{_ends(low, high)}<br>{n:,} {noun}"
            for year, value, low, high, n in dated.select(
                "year", one.value, _or_null(one.low), _or_null(one.high, "high"), "n"
            ).iter_rows()
        ]
        moved = numbers(dated["year"] + shift * (at - (len(lines) - 1) / 2))
        traces.append(_points(dated, one, moved, text, along="y"))
    every = pl.concat([rows.filter(pl.col(one.value).is_not_null())["year"] for one, rows in lines])
    first, last = (int(every.min()), int(every.max())) if every.len() else (0, 0)  # type: ignore[arg-type]
    values = pl.concat([rows.select(value=one.value) for one, rows in lines])
    up = {"title": axis, "zeroline": False, **(_log_ticks(values) if logarithmic else {})}
    return laid_out(
        go.Figure(traces),
        height=340,
        showlegend=len(lines) > 1,
        legend_y=-0.18,
        shapes=_reference(y=reference),
        xaxis={
            "tick0": first,
            "dtick": 1 if last - first < 8 else 2,
            "tickformat": "d",
            "range": [first - 0.5, last + 0.5],
            "zeroline": False,
        },
        yaxis=up if span is None else {**up, "range": list(span)},
    )


def scattered(named: pl.DataFrame, said: Sequence[str], *, across: str, up: str, logarithmic: bool) -> go.Figure:
    """Points of `pressure` and `gap`, those of the widest gaps with names, and a line at no gap."""
    outer = set(named.sort(pl.col("gap").abs(), descending=True).head(NAMED_POINTS)["name"])
    drawn = go.Figure(
        go.Scatter(
            x=numbers(named["pressure"]),
            y=numbers(named["gap"]),
            mode="markers+text",
            text=[plotly(name, 18) if name in outer else "" for name in named["name"]],
            textposition="top center",
            textfont={"size": 11},
            cliponaxis=False,
            marker={"color": BLUE, "size": 9, "symbol": "circle"},
            customdata=list(said),
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    ticks = _log_ticks(named.select("pressure")) if logarithmic else {"nticks": 6}
    return laid_out(
        drawn,
        height=400,
        margin_r=40,
        shapes=_reference(y=0.0),
        xaxis={"title": across, "zeroline": False, **ticks},
        yaxis={"title": up, "zeroline": False},
    )


def mark_date(figure: go.Figure, on: date, earliest: float, latest: float) -> None:
    """A line at the date of a break over the band of dates that fit; the ends are years with their fraction."""
    at = on.year + (on.timetuple().tm_yday - 1) / 365.25 - 0.5
    figure.add_vrect(x0=earliest - 0.5, x1=latest - 0.5, fillcolor=VERMILLION, opacity=0.15, line_width=0)
    figure.add_vline(x=at, line={"color": VERMILLION, "dash": "dot", "width": 2})
    figure.add_annotation(x=at, y=1, yref="paper", yanchor="bottom", text=f"{on}", showarrow=False, font={"size": 12})


OVER_ALL = Series("over all models", "over_all", "over_all_low", "over_all_high", "circle-open", GREY)
AT_TOP = Series("among the best quarter", "at_top", "at_top_low", "at_top_high", "diamond", ORANGE)
CORRECTED = Series("among the best quarter, corrected", "corrected", "corrected_low", "corrected_high", "square", BLUE)
PLAIN = Series("with 95% interval", "value", "low", "high", "circle", BLUE)
BENCHMARKS = Series("entries over benchmarks", "value", "low", "high", "circle", BLUE)
ORGANISATIONS = Series("new models over organisations", "value", "low", "high", "diamond", ORANGE)
STEPS = Series("steps of the running best", "value", "low", "high", "circle", BLUE)
ENTRIES = Series("all new entries", "value", "low", "high", "diamond", ORANGE)
EXCESS = Series("estimated, with 95% interval", "excess", "low", "high", "circle", BLUE)
NOISE = Series("if all entries were equally good", "by_noise", None, None, "diamond-open", ORANGE)
BY_JUDGES = Series("against other judges", "judges", "judges_low", "judges_high", "circle", BLUE)
BY_PEOPLE = Series("against votes of people", "people", "people_low", "people_high", "diamond", ORANGE)
LEVEL_LOOKS = (("circle", BLUE), ("diamond", ORANGE), ("square", GREEN), ("triangle-up", PURPLE))


def _points(rows: pl.DataFrame, one: Series, where: np.ndarray, text: Sequence[str], *, along: str) -> go.Scatter:
    """The points of a series along the x axis (rows) or up the y axis (years), with intervals where there are any."""
    values = rows[one.value]
    errors: dict[str, object] = {"visible": False}
    if one.low is not None and one.high is not None:
        errors = {
            "type": "data",
            "symmetric": False,
            "array": numbers((rows[one.high] - values).fill_null(0.0)),
            "arrayminus": numbers((values - rows[one.low]).fill_null(0.0)),
            "thickness": 1.3,
            "width": 0,
            "color": one.colour,
        }
    is_rows = along == "x"
    return go.Scatter(
        x=numbers(values) if is_rows else where,
        y=where if is_rows else numbers(values),
        name=plotly(one.name),
        mode="markers" if is_rows else "lines+markers",
        marker={"symbol": one.symbol, "size": 8, "color": one.colour},
        line={"color": one.colour, "width": 1.5},
        customdata=list(text),
        hovertemplate="%{customdata}<extra></extra>",
        **{f"error_{along}": errors},
    )


def _reference(x: float | None = None, y: float | None = None) -> list[dict[str, object]]:
    """A dashed line over the whole width or height, as a part of the layout; adding it later takes far longer."""
    line = {"type": "line", "line": {"color": GREY, "dash": "dash", "width": 1.5}}
    if x is not None:
        return [{**line, "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"}]
    return [] if y is None else [{**line, "x0": 0, "x1": 1, "xref": "paper", "y0": y, "y1": y}]


def _wrapped(name: str) -> str:
    """The name in one line, or two where it is long; what is longer still is cut in its middle."""
    if len(name) <= NAME_LIMIT:
        return plotly(name)
    first, *rest = textwrap.wrap(shorten(name, 2 * NAME_LIMIT), NAME_LIMIT)
    return "<br>".join([plotly(first), plotly(" ".join(rest), NAME_LIMIT)]) if rest else plotly(first)


def _log_ticks(values: pl.DataFrame) -> dict[str, object]:
    """A logarithmic axis from a little below the lowest to a little above the highest, with 1, 2 and 5 as ticks."""
    every = [value for column in values.iter_columns() for value in column.drop_nulls() if value > 0]
    if not every:
        return {"type": "log"}
    low, high = min(every) / 1.25, max(every) * 1.25
    places = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if math.log10(high / low) < 2.2 else (1,)
    ticks = [step * 10.0**place for place in places for step in steps if low <= step * 10.0**place <= high]
    return {
        "type": "log",
        "range": [math.log10(low), math.log10(high)],
        "tickvals": ticks,
        "ticktext": [f"{tick:,.10g}" for tick in ticks],
    }


def _or_null(column: str | None, name: str = "low") -> pl.Expr:
    return pl.lit(None, dtype=pl.Float64).alias(f"_{name}") if column is None else pl.col(column).alias(f"_{name}")


def _ends(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{low:,.3g} to {high:,.3g}]"
