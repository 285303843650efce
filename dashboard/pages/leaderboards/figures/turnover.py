"""Places of the top that changed hands, added up, against those that noise alone would change."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import laid_out, line_labels
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.numbers import day_of, month_of
from benchhealth.dashboard.words.text import count

HEIGHT, PLOT = 260, 210


def compared(steps: pl.DataFrame) -> pl.DataFrame:
    """The comparisons (`published.standings.steps`) with known noise and no break between, with running sums."""
    kept = steps.filter(~pl.col("spans_breakpoint")).drop_nulls(["left", "expected_turnover"]).sort("to_on")
    noise = pl.col("expected_turnover") * pl.col("k")
    return kept.with_columns(moved=pl.col("left").cum_sum(), by_noise=noise.cum_sum())


def title(rows: pl.DataFrame) -> str:
    """The finding: how many places changed hands, and how many noise alone would have."""
    last = rows.row(-1, named=True)
    until = month_of(last["to_on"])
    return (
        f"{count(last['moved'], 'place')} changed hands until {until}; noise alone would change {last['by_noise']:.0f}"
    )


def chart(one: Board, steps: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
    """The chart of one board at one depth."""
    rows = compared(steps)
    if rows.is_empty():
        return Nothing(
            f"Nothing of {one.name} can be held against noise.",
            "It takes two looks without a break between them, and errors of its scores.",
        )
    k = rows["k"][0]
    figure = go.Figure()
    top = float(max(rows["moved"][-1], rows["by_noise"][-1], 1)) * 1.08
    ends = []
    for column, name, colour, width in (
        ("moved", f"changed hands {rows['moved'][-1]}", palette.accent, 2.4),
        ("by_noise", f"noise alone {rows['by_noise'][-1]:.0f}", palette.ink3, 1.6),
    ):
        figure.add_scatter(
            x=[rows["from_on"][0], *rows["to_on"]],
            y=[0, *rows[column]],
            mode="lines",
            line={"shape": "hv", "width": width, "color": colour},
            hovertext=["", *(_hover(row) for row in rows.iter_rows(named=True))],
            hovertemplate="%{hovertext}<extra></extra>",
        )
        ends.append((rows["to_on"][-1], float(rows[column][-1]), name, colour))
    laid_out(figure, palette, HEIGHT)
    figure.update_layout(
        yaxis={"range": [0, top]},
        xaxis={"range": [str(rows["from_on"][0]), str(rows["to_on"][-1])], "tickformat": "%b %Y"},
        margin={"l": 4, "r": 130, "t": 8, "b": 4},
    )
    line_labels(figure, ends, (0, top), PLOT, palette)
    left_out = steps.height - rows.height
    without = f" {count(left_out, 'comparison')} across a break or without errors left out." if left_out else ""
    return Chart(
        title=title(rows),
        subtitle=(
            f"Places of the top {k} of {one.name} in {count(rows.height, 'comparison')} of one look with the next, "
            f"{day_of(rows['from_on'][0])} to {day_of(rows['to_on'][-1])}, added up.{without}"
        ),
        figure=figure,
        rows=rows.select(
            *("from_on", "to_on", "k", "entered", "left", "renamed", "turnover", "expected_turnover"),
            *("moved", "by_noise", "kendall_tau", "rbo"),
        ),
        alt=f"Two rising lines: {title(rows)}.",
        sources=sources,
        known_until=one.days[-1] if one.days else None,
        method="churn",
    )


def _hover(row: dict[str, object]) -> str:
    replaced = f"<b>{row['left']} of {row['k']} replaced</b>, {row['renamed']} renamed"
    by_noise = float(str(row["expected_turnover"])) * int(str(row["k"]))
    return f"{replaced}<br>{row['from_on']} to {row['to_on']}<br>noise alone: {by_noise:.1f}"
