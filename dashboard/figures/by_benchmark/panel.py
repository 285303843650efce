"""Models on a few benchmarks side by side: one column a benchmark, each on its own scale, and no sum of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from textwrap import wrap

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import is_bounded, numbers
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.forest import MARK, Mark, error_bars
from benchhealth.dashboard.figures.language import (
    LABEL,
    ONLY_NARROW,
    ONLY_WIDE,
    OPENS_MODEL,
    Drawing,
    laid_out,
    named_rows,
    on_hover,
    write,
)
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.desk import panel as words
from benchhealth.dashboard.words.numbers import score
from benchhealth.dashboard.words.text import names_within, plotly, without_maker, words_within

ROW, HEAD, LEAST = 22, 64, 150
"""Pixels a row, of heads and axis, and of the lowest chart: in a lower one Plotly takes the margins away."""

PHONE_LETTERS, LINE = 36, 15
"""Letters of a line of all heads together on a phone; pixels of a line."""

COLUMN_GAP = 0.09
"""The share of the width between two columns: what a score takes that stands beside it."""


@dataclass(frozen=True)
class Column:
    """A benchmark of the panel: its id, short name, unit of its scores, and whether more is better."""

    benchmark_id: str
    label: str
    unit: str | None


def chart(  # noqa: PLR0913, PLR0917
    rows: pl.DataFrame,
    columns: Sequence[Column],
    with_enough: int,
    least: int,
    until: date | None,
    palette: Palette,
    *,
    chosen: int = 0,
) -> Chart:
    """The chart of the rows of `published.deciding.panel.complete`, first model on top.

    `known` is how many models are on `least` of the benchmarks or more in all; `until` is until when others' results
    are known; `chosen` is how many models a reader chose, 0 where none.
    """
    models = rows.select("model_id", "model").unique(maintain_order=True)
    heights = {model: -index for index, model in enumerate(models["model_id"])}
    figure = Drawing()
    more_lines = LINE * max(len(phone_head(column.label, len(columns))) - 1 for column in columns)
    laid_out(figure, palette, max(LEAST, HEAD + ROW * models.height) + more_lines)
    wide = (1 - COLUMN_GAP * len(columns)) / len(columns)
    for index, column in enumerate(columns):
        of_column = rows.filter(pl.col("benchmark_id") == column.benchmark_id)
        start = index * (wide + COLUMN_GAP)
        _column(figure, of_column, column, heights, index + 1, len(columns), (start, start + wide), palette)
    names = map(plotly, names_within([*map(without_maker, models["model"])], 26))
    named_rows(figure, names, heights.values(), (-models.height + 0.4, 0.6), palette, showgrid=False)
    figure.update_layout(margin={"l": 4, "r": 4, "t": 28 + more_lines, "b": 4})
    labels = [column.label for column in columns]
    first = {column.benchmark_id: column for column in columns}
    top = rows.head(len(columns))
    title = words.title(with_enough, labels, least)
    if chosen:
        of_each = rows.group_by("model_id").len()["len"]
        title = words.title_of_chosen(of_each.filter(of_each == len(columns)).len(), chosen, labels)
    return Chart(
        title=title,
        subtitle=words.subtitle(models.height, with_enough, labels, least, until, chosen=chosen),
        figure=figure,
        rows=rows,
        alt=words.alt(
            title,
            [
                (row["model"], first[row["benchmark_id"]].label, score(row["score"], first[row["benchmark_id"]].unit))
                for row in top.iter_rows(named=True)
            ],
        ),
        known_until=until,
    )


def phone_head(label: str, columns: int) -> list[str]:
    """The lines in which a benchmark's name stands above its column on a phone."""
    return wrap(words_within(label, 30), PHONE_LETTERS // columns)


def _column(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    rows: pl.DataFrame,
    column: Column,
    heights: Mapping[str, int],
    number: int,
    columns: int,
    domain: tuple[float, float],
    palette: Palette,
) -> None:
    """One benchmark: its marks with intervals, the score at right, its name above."""
    axis = "x" if number == 1 else f"x{number}"
    figure.add_scatter(
        x=numbers(rows["score"]),
        y=[heights[model] for model in rows["model_id"]],
        xaxis=axis,
        mode="markers",
        marker={"size": MARK, "color": palette.accent},
        error_x=error_bars(rows, Mark("score", "score"), palette.accent, palette),
        **on_hover(
            (words.hover(row, column.label, column.unit) for row in rows.iter_rows(named=True)),
            OPENS_MODEL,
            rows["model_id"],
        ),
    )
    bounded = is_bounded(column.unit)
    full = "100%" if number == columns else ""  # on a phone it would stand in the 0 of the next column
    figure.update_layout(
        {
            f"xaxis{'' if number == 1 else number}": {
                "domain": list(domain),
                "anchor": "y",
                "showgrid": True,
                "showline": True,
                "zeroline": False,
                "fixedrange": True,
                "linecolor": palette.line,
                "gridcolor": palette.grid,
                "tickfont": {"color": palette.ink3, "size": LABEL},
                "nticks": 4,
                "title": {"text": ""},
                **({"range": [0, 1], "tickvals": [0, 0.5, 1], "ticktext": ["0", "50%", full]} if bounded else {}),
            }
        }
    )
    heading = {"xref": "paper", "x": domain[0], "yref": "paper", "y": 1, "xanchor": "left", "yanchor": "bottom"}
    wide = {**heading, "font": {"size": LABEL, "color": palette.ink}, "showarrow": False, "yshift": 4}
    figure.add_annotation(text=f"<b>{plotly(words_within(column.label, 30))}</b>", opacity=ONLY_WIDE, **wide)
    lines = "<br>".join(map(plotly, phone_head(column.label, columns)))
    figure.add_annotation(text=f"<b>{lines}</b>", opacity=ONLY_NARROW, align="left", **wide)
    texts = {row["model_id"]: score(row["score"], column.unit) for row in rows.iter_rows(named=True)}
    for model, height in heights.items():
        text, beside = texts.get(model, words.WITHOUT_SCORE), {"xref": "paper", "xanchor": "left", "yanchor": "middle"}
        write(figure, text, (domain[1], height), palette.ink2, xshift=6, opacity=ONLY_WIDE, **beside)
