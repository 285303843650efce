"""The stages of several benchmarks beneath each other, since their release or by calendar."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures import language
from benchhealth.dashboard.figures.bands import FRAME, rectangle, words
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.happened.lives import life_spans_finding
from benchhealth.dashboard.words.numbers import day_of, months
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import listed, plotly, words_within

ROW, HALF, NAME = 42, 0.3, 24
MARGIN, NARROW = 118, 80
"""Pixels at the right for how each ended, and of a phone's plot without these and the names."""

_SATURATED = "saturated"


def chart(
    stretches: pl.DataFrame, benchmarks: pl.DataFrame, passed: Mapping[str, Any], clock: str, palette: Palette
) -> Chart | Nothing:
    """The bands of `published.happened.lives.stretches`, the shortest life first.

    `benchmarks` has `benchmark_id`, `name`, `released_on` and `since` (the day of saturation, null of others);
    `passed` the days on which human lines were passed. `clock` is release or calendar.
    """
    rows = stretches.join(benchmarks, on="benchmark_id").drop_nulls("released_on")
    if rows.is_empty():
        return Nothing("No stage has a first day.", "It takes a release and dated results: choose other benchmarks.")
    lives = _lives(rows)
    undated = benchmarks.filter(~pl.col("benchmark_id").is_in(lives["benchmark_id"].implode()))["name"].to_list()
    left_out = f" Left out, as none of its stages has a day: {listed(undated)}." if undated else ""
    figure = language.Drawing()
    language.laid_out(figure, palette, ROW * max(lives.height, 2) + FRAME + 16)
    is_calendar = clock == "calendar"
    span: Any = rows["until_on"].max() if is_calendar else float(lives["length"].max())  # type: ignore[arg-type]
    first: Any = rows["from_on"].min() if is_calendar else 0.0
    shapes: list[dict[str, object]] = []
    notes: list[dict[str, object]] = []
    spots: list[tuple[Any, float, Mapping[str, Any]]] = []
    for index, life in enumerate(lives.iter_rows(named=True)):
        height = float(lives.height - index)

        def on_axis(day: date, released: date = life["released_on"]) -> Any:  # noqa: ANN401 - a day or months
            return day if is_calendar else max(0.0, language.months_between(released, day))

        for row in rows.filter(benchmark_id=life["benchmark_id"]).iter_rows(named=True):
            begin, end = on_axis(row["from_on"]), on_axis(row["until_on"])
            if begin == end:
                continue
            shapes.append(rectangle(row["stage"], (begin, end), (height - HALF, height + HALF), palette, axis="y"))
            middle = begin + (end - begin) / 2
            notes += words(
                row["stage"], middle, height, (end - begin) / (span - first), palette, axis="y", narrow=NARROW
            )
            spots.append((middle, height, row))
        if day := passed.get(life["benchmark_id"]):
            notes.append(_pin(on_axis(day), height + HALF, palette))
        notes.append(_end(life, height, palette))
    figure.layout.shapes = shapes
    figure.add_scatter(
        x=[x for x, _, _ in spots] if is_calendar else np.array([x for x, _, _ in spots], dtype=np.float32),
        y=np.array([y for _, y, _ in spots], dtype=np.float32),
        mode="markers",
        marker={"opacity": 0, "size": 14},
        **language.on_hover(
            (
                f"<b>{plotly(row['name'])}</b><br>{STAGE_WORDS[row['stage']]}<br>"
                f"{day_of(row['from_on'])} to {day_of(row['until_on'])}"
                for _, _, row in spots
            ),
            language.OPENS_BENCHMARK,
            (row["benchmark_id"] for _, _, row in spots),
        ),
    )
    for arguments in notes:
        figure.add_annotation(**arguments)
    _axes(figure, lives, is_calendar=is_calendar, palette=palette)
    ended = [(words_within(row["name"], NAME), row["age"]) for row in lives.filter("ended").iter_rows(named=True)]
    since = "by calendar" if is_calendar else "by months since release"
    pins = " Black pin: human line passed." if passed else ""
    return Chart(
        title=life_spans_finding(ended, lives.height, of_dated=bool(undated)),
        subtitle=f"Stages {since}, by the same rules for all, until each was last known.{pins}{left_out}",
        figure=figure,
        rows=rows.select("benchmark_id", "name", "stage", "from_on", "until_on", "released_on"),
        alt="Stages through time of "
        + ", ".join(f"{row['name']} ({STAGE_WORDS[row['stage']].lower()} now)" for row in lives.iter_rows(named=True)),
        known_until=latest(rows["until_on"]),
    )


def _lives(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a benchmark: its stage now, whether it ended, and its age then; the ended first, and the shortest."""
    latest = rows.sort("from_on").group_by("benchmark_id", maintain_order=True).last()
    ended = (pl.col("stage") == _SATURATED) & pl.col("since").is_not_null()
    until = pl.when(ended).then("since").otherwise("until_on")
    age = (until - pl.col("released_on")).dt.total_days() / 30.4375
    length = (pl.col("until_on") - pl.col("released_on")).dt.total_days() / 30.4375
    return latest.with_columns(ended=ended, age=age, length=length).sort(
        "ended", "age", "name", descending=[True, False, False]
    )


def _pin(x: object, height: float, palette: Palette) -> dict[str, object]:
    return {
        "x": x, "xref": "x", "y": height, "yref": "y", "yanchor": "bottom", "text": "▼", "showarrow": False,
        "font": {"size": 11, "color": palette.ink}, "yshift": -4,
    }  # fmt: skip


def _end(life: Mapping[str, Any], height: float, palette: Palette) -> dict[str, object]:
    """How the benchmark ended, in words at the right."""
    ended = life["ended"]
    text = f"<b>after {months(life['age'])}</b>" if ended else f"{STAGE_WORDS[life['stage']].lower()}"
    colour = palette.stages[_SATURATED].text if ended else palette.ink3
    return {
        "xref": "paper", "x": 1, "xanchor": "left", "xshift": 6, "y": height, "yref": "y", "text": text,
        "showarrow": False, "font": {"size": language.LABEL, "color": colour},
    }  # fmt: skip


def _axes(figure: go.Figure, lives: pl.DataFrame, *, is_calendar: bool, palette: Palette) -> None:
    names = [plotly(words_within(name, NAME)) for name in lives["name"]]
    heights = range(lives.height, 0, -1)
    language.named_rows(figure, names, heights, (0.4, lives.height + 0.75), palette, showgrid=False)
    figure.update_layout(
        xaxis={"showgrid": True}
        | ({} if is_calendar else {"title": {"text": "months", "standoff": 4}, "tickangle": 0, "rangemode": "tozero"}),
        margin={"l": 4, "r": MARGIN, "t": 8, "b": 4},
    )
