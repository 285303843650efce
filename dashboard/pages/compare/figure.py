"""Frontiers of several benchmarks between chance and ceiling, by months since release or by calendar."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.chart import Chart, Nothing, SourceLine
from dashboard.figures.language import (
    ONLY_NARROW,
    ONLY_WIDE,
    OPENS_BENCHMARK,
    SHAPES,
    laid_out,
    line_labels,
)
from dashboard.figures.palette import Palette
from dashboard.pages.compare import curves
from dashboard.words.numbers import day_of, percent
from dashboard.words.stages import STAGE_WORDS
from dashboard.words.text import plotly, words_within

HEIGHT, PLOT_HEIGHT = 460, 404
PLOT_END = 0.78
"""The part of the width that lines take; what is right of it is their names."""

Y_RANGE = (-0.02, 1.03)
NAME, NARROW_NAME, NARROW_LABEL = 30, 12, 11
"""Letters of a line's name, and on a phone; there the name's height in pixels."""

YEAR = 12
X_NAMES = {"release": "months", "calendar": "dated_on"}


def title(found: pl.DataFrame) -> str:
    """The finding: how many are nearly used up."""
    past = found.filter(pl.col("share") >= curves.NEARLY_ALL).height
    what = "benchmark" if set(found["weights"]) == {"all"} else "frontier"
    many = f"{found.height} {what}{'s' * (found.height != 1)}"
    return f"{past or 'None'} of {many} had reached nine tenths of the scale"


def chart(rows: pl.DataFrame, clock: str, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
    """The chart of these `curves`; `clock` is release or calendar."""
    if clock == "release":
        rows = rows.drop_nulls("months")
    if rows.is_empty():
        return Nothing(
            "Nothing to compare.",
            "Choose benchmarks that have a ceiling and a date of release; "
            "open and closed weights are apart where both have dated results.",
        )
    figure, ends, narrow = go.Figure(), [], []
    x_name = X_NAMES[clock]
    last_x: Any = rows[x_name].max()
    for _, line in rows.group_by("benchmark_id", "weights", maintain_order=True):
        last = line.row(-1, named=True)
        colour = palette.stages[last["stage"]].mark
        _line(figure, line, clock, colour)
        if last[x_name] < last_x:
            _leader(figure, last[x_name], last_x, last["share"], palette)
        of_kind = "" if last["weights"] == "all" else f", {last['weights']}"
        name, text = last["name"], palette.stages[last["stage"]].text
        ends.append(
            (last_x, last["share"], f"{plotly(words_within(name, NAME))}{of_kind} {percent(last['share'])}", text)
        )
        narrow.append(f"{plotly(words_within(name, NARROW_NAME))}{of_kind}")
    laid_out(figure, palette, HEIGHT)
    _axes(figure, rows, clock)
    line_labels(figure, ends, Y_RANGE, PLOT_HEIGHT, palette)
    _for_narrow(figure, narrow)
    return _told(figure, rows, sources)


def _line(figure: go.Figure, line: pl.DataFrame, clock: str, colour: str) -> None:
    first = line.row(0, named=True)
    x = line[X_NAMES[clock]].to_numpy()
    moves = (~line["carried"]).to_list()
    figure.add_scatter(
        x=x if clock == "release" else x.astype("datetime64[D]"),
        y=line["share"].to_numpy().astype(np.float32),
        mode="lines+markers",
        line={"shape": "hv", "width": 2, "color": colour, "dash": "dot" if first["weights"] == "open" else "solid"},
        marker={"size": [6 * move for move in moves], "symbol": SHAPES[first["stage"]], "color": colour},
        hovertext=[_hover(row) for row in line.iter_rows(named=True)],
        hovertemplate="%{hovertext}<extra></extra>",
        customdata=[[first["benchmark_id"]]] * line.height,
        meta={**OPENS_BENCHMARK, "lifts": True},
    )


def _hover(row: dict[str, Any]) -> str:
    by = f"{plotly(row['model_id'] or 'model not known')} · " if not row["carried"] else "best still on "
    kind = "" if row["weights"] == "all" else f", {row['weights']} weights"
    return (
        f"<b>{plotly(row['name'])}</b>{kind}<br>{percent(row['share'])} of the way from chance to ceiling<br>"
        f"{by}{day_of(row['dated_on'])}"
    )


def _leader(figure: go.Figure, begin: object, end: object, at: float, palette: Palette) -> None:
    """A hairline from where a line ends to its name."""
    figure.add_shape(
        type="line", x0=begin, x1=end, y0=at, y1=at, layer="below", line={"color": palette.line, "width": 1}
    )


def _axes(figure: go.Figure, rows: pl.DataFrame, clock: str) -> None:
    x_name = X_NAMES[clock]
    x_axis: dict[str, Any] = {"domain": [0, PLOT_END], "range": [rows[x_name].min(), rows[x_name].max()]}
    if clock == "release":
        longest = float(rows["months"].max() or 0.0)  # type: ignore[arg-type]
        x_axis |= {
            "range": [-0.01 * longest, longest],
            "dtick": YEAR * max(1, round(longest / YEAR / 8)),
            "tick0": 0,
            "title": {"text": "months since release", "standoff": 6},
        }
    figure.update_layout(
        xaxis=x_axis,
        yaxis={
            "range": list(Y_RANGE),
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "ticktext": ["chance", "25%", "50%", "75%", "ceiling"],
        },
    )


def _for_narrow(figure: go.Figure, names: Sequence[str]) -> None:
    """Beside each name one for a phone, without its value."""
    wide = [{**note.to_plotly_json(), "opacity": ONLY_WIDE} for note in figure.layout.annotations]
    at_the_edge = {"xref": "paper", "x": 1, "xanchor": "right", "showarrow": False, "opacity": ONLY_NARROW}
    narrow = [
        {
            **at_the_edge,
            "y": note["y"],
            "yshift": -note["ay"],
            "text": name,
            "font": {**note["font"], "size": NARROW_LABEL},
        }
        for note, name in zip(wide, names, strict=True)
    ]
    figure.layout.annotations = [*wide, *narrow]


def _told(figure: go.Figure, rows: pl.DataFrame, sources: Sequence[SourceLine]) -> Chart:
    found = curves.times(rows)
    until = curves.newest(rows)
    named = ", ".join(f"{row['name']} {percent(row['share'])}" for row in found.head(3).iter_rows(named=True))
    stages = ", ".join(STAGE_WORDS[stage].lower() for stage in STAGE_WORDS if stage in set(found["stage"]))
    dotted = "" if set(found["weights"]) == {"all"} else " Dotted: open weights."
    return Chart(
        title=title(found),
        subtitle=(
            f"Best score so far, from chance to ceiling; a line ends when it was last known, the latest on "
            f"{day_of(until)}. Colour and mark: {stages}.{dotted}"
        ),
        figure=figure,
        rows=rows.drop("released_on"),
        alt=f"Running best of {found.height} lines as shares of their scales: {named}.",
        sources=sources,
        known_until=until,
        method="frontier",
    )
