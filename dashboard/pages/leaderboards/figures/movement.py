"""By how many ranks models move within a month."""

from collections.abc import Sequence

import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import Drawing, hovering, laid_out, quiet_line
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.numbers import over_days
from benchhealth.dashboard.words.text import count

HEIGHT = 280


def _watched(board: Board) -> str:
    return f"{board.name} {over_days(board.days[0], board.days[-1])}"


def chart(board: Board, rows: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
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
            **hovering(
                f"<b>from rank {band}</b>, {name}<br>{row[column]:.1f} ranks a month<br>"
                f"{count(row['pairs'], 'pair')} of months"
                for band, row in zip(bands, rows.iter_rows(named=True), strict=True)
            ),
        )
    laid_out(figure, palette, HEIGHT)
    figure.update_layout(
        xaxis={"tickvals": list(range(rows.height)), "ticktext": bands, "title": {"text": "rank at the month's start"}},
        yaxis={"rangemode": "tozero"},
    )
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    return Chart(
        title=f"From rank {_band(first)} models move {first['move']:.1f} ranks a month"
        + ("" if rows.height == 1 else f", from {_band(last)} {last['move']:.1f}"),
        subtitle=(
            f"{_watched(board)}, means over {count(first['pairs'], 'pair')} of months with 95% intervals. Filled: all "
            "movement; open: among those that stay, without the places that entrants take."
        ),
        figure=figure,
        rows=rows,
        alt=f"Mean ranks moved within a month by starting rank: {first['move']:.1f} from {_band(first)}.",
        sources=sources,
        known_until=board.days[-1] if board.days else None,
        method="volatility",
    )


def _band(row: dict[str, object]) -> str:
    low, high = row["rank_from"], row["rank_to"]
    return f"{low}" if low == high else f"{low}+" if high is None else f"{low} to {high}"
