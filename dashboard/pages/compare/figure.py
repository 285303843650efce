"""Frontiers of several benchmarks between chance and ceiling, by months since release or by calendar."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.chart import Chart, Nothing, SourceLine
from dashboard.figures.language import laid_out, line_labels
from dashboard.figures.palette import Palette
from dashboard.words.numbers import day_of, months, percent
from dashboard.words.stages import STAGE_WORDS
from dashboard.words.text import plotly, short

HEIGHT, PLOT_HEIGHT, MARGIN = 470, 420, 190
HALF, NEARLY_ALL = 0.5, 0.9
_MONTH_DAYS = 30.4375


def curves(frontier: pl.DataFrame, benchmarks: pl.DataFrame) -> pl.DataFrame:
    """The running best of these benchmarks as shares of the way from chance to the ceiling.

    `frontier` is the published table, `benchmarks` rows of `published.benchmarks`. Columns: benchmark_id, name,
    stage, dated_on, months (since release), score, share, model_id, carried. Where chance is unknown it is taken to be
    the worst possible score.
    """
    facts = benchmarks.select("benchmark_id", "name", "stage", "released_on", "floor", "ceiling", "known_until")
    span = pl.col("ceiling") - pl.col("floor").fill_null(0.0)
    return (
        frontier.join(facts, on="benchmark_id")
        .filter(pl.col("ceiling").is_not_null() & (span != 0))
        .with_columns(
            share=((pl.col("score") - pl.col("floor").fill_null(0.0)) / span).clip(0.0, 1.0),
            months=(pl.col("dated_on") - pl.col("released_on")).dt.total_days() / _MONTH_DAYS,
        )
        .sort("benchmark_id", "dated_on", "carried")
        .select("benchmark_id", "name", "stage", "dated_on", "months", "score", "share", "model_id", "carried")
    )


def times(rows: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark of `curves` the months from release until half and nine tenths of the scale were reached.

    Columns: benchmark_id, name, stage, share (the last), months_to_half, months_to_nine_tenths; null where not reached
    or where the release is unknown. A benchmark whose first result is past a mark reached it by then.
    """
    reached = [
        pl.col("months").filter((pl.col("share") >= mark) & ~pl.col("carried")).min().clip(0.0).alias(name)
        for mark, name in ((HALF, "months_to_half"), (NEARLY_ALL, "months_to_nine_tenths"))
    ]
    return rows.group_by("benchmark_id", maintain_order=True).agg(
        pl.col("name", "stage").first(), pl.col("share").last(), *reached
    )


def title(found: pl.DataFrame) -> str:
    """The finding: fastest against slowest to half of the scale."""
    halves = found.drop_nulls("months_to_half").sort("months_to_half", "name")
    if halves.height < 2:
        return f"{found.height} benchmarks between chance and ceiling"
    fast, slow = halves.row(0, named=True), halves.row(-1, named=True)
    return (
        f"Half of the scale took {short(fast['name'])} {months(fast['months_to_half'])}, "
        f"{short(slow['name'])} {months(slow['months_to_half'])}"
    )


def chart(
    rows: pl.DataFrame, clock: str, known_until: date | None, sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """The chart of these `curves`; `clock` is release or calendar."""
    if clock == "release":
        rows = rows.drop_nulls("months")
    if rows.is_empty():
        return Nothing("Nothing to compare.", "Choose benchmarks that have a ceiling and a date of release.")
    figure, ends = go.Figure(), []
    x_name = "months" if clock == "release" else "dated_on"
    for (_,), line in rows.group_by("benchmark_id", maintain_order=True):
        first = line.row(0, named=True)
        colour = palette.stages[first["stage"]].mark
        x = line[x_name].to_list()
        figure.add_scatter(
            x=x if clock == "release" else np.array(x, dtype="datetime64[D]"),
            y=line["share"].to_numpy().astype(np.float32),
            mode="lines",
            line={"shape": "hv", "width": 2, "color": colour},
            hovertext=[
                f"<b>{plotly(first['name'])}</b><br>{percent(share)} of the way<br>"
                f"{plotly(model or '')} · {day_of(day)}"
                for share, model, day in line.select("share", "model_id", "dated_on").iter_rows()
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            customdata=[[first["benchmark_id"]]] * line.height,
            meta={"page": "benchmark", "parameter": "benchmark"},
        )
        ends.append(
            (x[-1], line["share"][-1], f"{plotly(short(first['name']), 22)} {percent(line['share'][-1])}", colour)
        )
    laid_out(figure, palette, HEIGHT)
    figure.update_layout(
        yaxis={"range": [-0.02, 1.03], "tickformat": ".0%"},
        xaxis={
            "range": [rows[x_name].min(), rows[x_name].max()],
            "title": {"text": "months since release" if clock == "release" else ""},
        },
        margin={"l": 4, "r": MARGIN, "t": 8, "b": 4},
    )
    line_labels(figure, ends, (-0.02, 1.03), PLOT_HEIGHT, palette)
    found = times(rows)
    named = ", ".join(f"{short(row['name'])} {percent(row['share'])}" for row in found.head(3).iter_rows(named=True))
    stages = ", ".join(sorted({STAGE_WORDS[stage].lower() for stage in found["stage"]}))
    return Chart(
        title=title(found),
        subtitle=(
            f"The best score of {found.height} benchmarks, from chance (0%) to the ceiling (100%), until "
            f"{day_of(known_until)} at the latest; each ends when it was last known. Colour: {stages}."
        ),
        figure=figure,
        rows=rows,
        alt=f"Running best of {found.height} benchmarks as shares of their scales: {named}.",
        sources=sources,
        known_until=known_until,
        method="frontier",
    )
