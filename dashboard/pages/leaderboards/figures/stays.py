"""How long models stay at the top, and by how many ranks they move within a month."""

from collections.abc import Sequence

import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import Drawing, hovering, laid_out, line_labels, quiet_line
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.leaderboards.board_tables import medians
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.numbers import over_days, percent
from benchhealth.dashboard.words.text import count

HEIGHT, PLOT = 280, 230


def _watched(board: Board) -> str:
    return f"{board.name} {over_days(board.days[0], board.days[-1])}"


def _depth(k: object) -> str:
    return "first place" if k == 1 else f"top {k}"


def stay(days: float | None) -> str:
    """A stay in days, or that more than half outlast what was watched."""
    return "longer than watched" if days is None else count(round(days), "day")


def chart(board: Board, rows: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
    """The share of stays in the top that last longer than some days, a line for each depth."""
    if rows.is_empty() or not board.days:
        return Nothing(
            "Too few stays at the top of this board were seen to begin.",
            "It takes five, on a board at least twice as long as the top.",
        )
    stays_by_depth = medians(rows)
    shallow = stays_by_depth.row(0, named=True)
    figure, ends = Drawing(), []
    for (k,), curve in rows.group_by("k", maintain_order=True):
        colour = palette.accent if k == shallow["k"] else palette.ink3
        ordered = curve.sort("days")
        said = (
            f"{row['days']:.0f} days: {percent(row['share'])} stay longer<br>{row['at_risk']} watched"
            for row in ordered.iter_rows(named=True)
        )
        figure.add_scatter(
            x=[0.0, *ordered["days"]],
            y=[1.0, *ordered["share"]],
            mode="lines",
            line={"shape": "hv", "width": 2, "color": colour},
            **hovering(["", *said]),
        )
        ends.append((ordered["days"][-1], float(ordered["share"][-1]), _depth(k), colour))
    laid_out(figure, palette, HEIGHT)
    figure.update_layout(
        yaxis={"range": [0, 1.03], "tickformat": ".0%"},
        xaxis={"range": [0, float(str(rows["days"].max()))], "title": {"text": "days"}},
        margin={"l": 4, "r": 80, "t": 8, "b": 4},
    )
    line_labels(figure, ends, (0, 1.03), PLOT, palette)
    depth = _depth(shallow["k"])
    each = "; ".join(
        f"{count(row['watched'], 'stay')} in the {_depth(row['k'])}" for row in stays_by_depth[1:].iter_rows(named=True)
    )
    return Chart(
        title=f"Half of the stays in {depth} last {stay(shallow['median'])} or less"
        if shallow["median"] is not None
        else f"More than half of the stays in {depth} outlast what was watched",
        subtitle=(
            f"{_watched(board)}: share that lasts longer, of {count(shallow['watched'], 'stay')} in {depth}"
            f"{f'; {each}' if each else ''}. Stays under way at the first look are left out."
        ),
        figure=figure,
        rows=rows,
        alt=f"Falling steps of the share of stays that last longer; {depth}: {stay(shallow['median'])} at the median.",
        sources=sources,
        known_until=board.days[-1] if board.days else None,
        method="dwell",
    )


def movement(board: Board, rows: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
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
