"""Places at the top that listed models exchanged, against noise alone, and newcomers; running sums."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import polars as pl

from benchhealth.analytics.churn.noise import FEWEST_INCUMBENTS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import Drawing, laid_out, line_labels, on_hover, quiet_line
from benchhealth.dashboard.figures.lettering.axes import calendar_axis
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.numbers import day_of, month_of, over_days
from benchhealth.dashboard.words.text import count

MOVEMENT_HEIGHT = 280


def movement(board: Board, rows: pl.DataFrame, palette: Palette) -> Chart | Nothing:
    """The mean number of ranks that models move within a month, by the rank that they start from."""
    if rows.is_empty() or not board.days:
        return Nothing(
            "No two months of this board in a row can be compared.",
            "It takes the ends of two consecutive months without a break between them.",
        )
    bands = [_band(row) for row in rows.iter_rows(named=True)]
    figure = Drawing()
    for index, row in enumerate(rows.iter_rows(named=True)):
        if row["low"] is not None:
            ends = [index, index], [row["low"], row["high"]]
            quiet_line(figure, *ends, width=5, color=palette.faint(palette.accent, 0.45))
    for column, colour, fill, name in (
        ("move", palette.accent, palette.accent, "all movement"),
        ("reordered", palette.ink3, palette.paper, "among those that stay"),
    ):
        figure.add_scatter(
            x=list(range(rows.height)),
            y=rows[column].to_list(),
            mode="markers",
            marker={"size": 9, "color": fill, "line": {"color": colour, "width": 1.5}},
            **on_hover(
                f"<b>from rank {band}</b>, {name}<br>{row[column]:.1f} ranks a month<br>"
                f"{count(row['pairs'], 'pair')} of months"
                for band, row in zip(bands, rows.iter_rows(named=True), strict=True)
            ),
        )
    laid_out(figure, palette, MOVEMENT_HEIGHT)
    figure.update_layout(
        xaxis={"tickvals": list(range(rows.height)), "ticktext": bands, "title": {"text": "rank at the month's start"}},
        yaxis={"rangemode": "tozero"},
    )
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    return Chart(
        title=f"From rank {_band(first)} models move {first['move']:.1f} ranks a month"
        + ("" if rows.height == 1 else f", from {_band(last)} {last['move']:.1f}"),
        subtitle=(
            f"{board.name} {over_days(board.days[0], board.days[-1])}, means over {count(first['pairs'], 'pair')} of "
            "months with 95% intervals. Filled: all movement; open: among those that stay, without the places that "
            "entrants take."
        ),
        figure=figure,
        rows=rows,
        alt=f"Mean ranks moved within a month by starting rank: {first['move']:.1f} from {_band(first)}.",
        known_until=board.days[-1] if board.days else None,
    )


def _band(row: Row) -> str:
    low, high = row["rank_from"], row["rank_to"]
    return f"{low}" if low == high else f"{low}+" if high is None else f"{low} to {high}"


HEIGHT, PLOT = 260, 210


def comparable_steps(steps: pl.DataFrame) -> pl.DataFrame:
    """The comparisons (`published.standings.steps`) with known noise and no break between, with running sums."""
    comparable = steps.filter(~pl.col("spans_breakpoint")).drop_nulls(["exchanged", "expected_turnover"]).sort("to_on")
    noise, spread = (pl.col(name) * pl.col("k") for name in ("expected_turnover", "expected_spread"))
    return comparable.with_columns(
        moved=pl.col("exchanged").cum_sum(),
        came=pl.col("newcomers").cum_sum(),
        by_noise=noise.cum_sum(),
        reach=Z95 * (spread**2).cum_sum().sqrt(),
    )


def title(rows: pl.DataFrame) -> str:
    """The finding: how many places listed models exchanged, whether noise explains it, and how many newcomers came."""
    last = rows.row(-1, named=True)
    until = month_of(last["to_on"])
    return (
        f"{count(last['moved'], 'place')} changed hands among listed models until {until}, {against_noise(last)}; "
        f"{count(last['came'], 'newcomer')} came in"
    )


def against_noise(row: Mapping[str, Any]) -> str:
    """Exchanged places against those of noise alone: whether they are beyond its 95% interval."""
    noise = f"{row['by_noise']:.0f}"
    if row["moved"] > row["by_noise"] + row["reach"]:
        return f"more than the {noise} of noise"
    if row["moved"] < row["by_noise"] - row["reach"]:
        return f"fewer than the {noise} of noise"
    return f"as many as noise explains ({noise})"


def chart(board: Board, steps: pl.DataFrame, palette: Palette) -> Chart | Nothing:
    """The chart of turnover in the top k of one board, or why nothing of it can be compared with noise."""
    rows = comparable_steps(steps)
    if rows.is_empty():
        return Nothing(
            f"Nothing of {board.name} can be held against noise.",
            f"It takes two looks without a break between them that both list {FEWEST_INCUMBENTS} models.",
        )
    k = rows["k"][0]
    figure = Drawing()
    top = float(max(*(rows[name][-1] for name in ("moved", "came", "by_noise")), 1)) * 1.08
    ends = []
    for column, name, colour, width in (
        ("moved", f"exchanged {rows['moved'][-1]}", palette.accent, 2.4),
        ("came", f"newcomers {rows['came'][-1]}", palette.ink2, 1.6),
        ("by_noise", f"noise {rows['by_noise'][-1]:.0f}", palette.ink3, 1.6),
    ):
        figure.add_scatter(
            x=[rows["from_on"][0], *rows["to_on"]],
            y=[0, *rows[column]],
            mode="lines",
            line={"shape": "hv", "width": width, "color": colour},
            **on_hover(["", *(_hover(row) for row in rows.iter_rows(named=True))]),
        )
        ends.append((rows["to_on"][-1], float(rows[column][-1]), name, colour))
    laid_out(figure, palette, HEIGHT)
    first, last = rows["from_on"][0], rows["to_on"][-1]
    figure.update_layout(
        yaxis={"range": [0, top]},
        xaxis={"range": [str(first), str(last)], **calendar_axis(first, last)},
        margin={"l": 4, "r": 130, "t": 8, "b": 4},
    )
    line_labels(figure, ends, (0, top), PLOT, palette)
    left_out = steps.height - rows.height
    omitted = f" {count(left_out, 'comparison')} across a break or of too few models left out." if left_out else ""
    return Chart(
        title=title(rows),
        subtitle=(
            f"Places of the top {k} of {board.name} that models on both looks exchanged, and models new on the "
            "board, in "
            f"{count(rows.height, 'comparison')} of one look with the next, {day_of(rows['from_on'][0])} to "
            f"{day_of(rows['to_on'][-1])}, added up.{omitted}{_unchanged(board, steps)}"
        ),
        figure=figure,
        rows=rows.select(
            *("from_on", "to_on", "k", "entered", "left", "newcomers", "departures", "renamed", "exchanged"),
            *("turnover", "expected_turnover", "expected_spread", "moved", "came", "by_noise", "kendall_tau", "rbo"),
        ),
        alt=f"Three rising lines: {title(rows)}.",
        known_until=board.days[-1] if board.days else None,
    )


def _unchanged(board: Board, steps: pl.DataFrame) -> str:
    """How many looks found the board as the look before left it, which makes no comparison; empty where none did."""
    compared, looks = set(steps.select("from_on", "to_on").rows()), list(pairwise(board.days))
    same = len(looks) - len(compared)
    if not same or not compared <= set(looks):
        return ""
    return f" {count(same, 'look')} of {len(board.days)} found the board unchanged."


def _hover(row: Row) -> str:
    by_noise = row["expected_turnover"] * row["k"]
    exchanged = f"<b>{row['exchanged']} of {row['k']} exchanged</b>, noise alone: {by_noise:.1f}"
    gone = f"{row['newcomers']} new, {row['departures']} listed no more, {row['renamed']} renamed"
    return f"{exchanged}<br>{gone}<br>{row['from_on']} to {row['to_on']}"
