"""The line of the best so far, cut at breaks of its boards, and the marks of incidents along the foot."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.record.breakpoints import PROPOSED
from benchhealth.dashboard.figures.base import days, numbers
from benchhealth.dashboard.figures.language import on_hover, quiet_line
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.pages.benchmark.figures.frame import add_running_best, best_mark
from benchhealth.dashboard.words.prose.incidents import HEADS, month_of_incident, what_happened
from benchhealth.dashboard.words.text import count, plotly

Spans = Sequence[tuple[date, date]]

NAMES_ALONE = "names"
"""The kind of a breakpoint that changes no score: the line goes on across it."""

BREAK_GAP = 0.006
"""The share of the line's days that is left open at a break."""


STEP = ["model_id", "score", "dated_on"]
"""What a step of the running best and the result that it is of have in common."""


def with_measured_by_others(moves: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
    """The steps, each with `by_others`: whether others measured a result that it is of."""
    measured = results.filter(pl.col("side") == "others").select(STEP).unique().with_columns(by_others=True)
    return moves.join(measured, on=STEP, how="left", nulls_equal=True, maintain_order="left").with_columns(
        pl.col("by_others").fill_null(value=False)
    )


def breaks_of(breakpoints: pl.DataFrame, results: pl.DataFrame, moves: pl.DataFrame, benchmark_id: str) -> pl.DataFrame:
    """The breakpoints, by day, of the boards that gave the steps `moves`: `on_date`, `kind`, `note`.

    They are those of the Leaderboards page. A board is `<source>/<benchmark>`; a step belongs to the source of its
    result. A proposed break, which no curator has confirmed, does not count.
    """
    gave = results.join(moves.select(STEP).unique(), on=STEP, how="semi", nulls_equal=True)["source_id"].unique()
    boards = [f"{source}/{benchmark_id}" for source in gave]
    first = pl.lit(moves["dated_on"].min(), dtype=pl.Date)
    is_proposed = pl.col("kind").str.starts_with(PROPOSED)
    return (
        breakpoints.filter(pl.col("board_id").is_in(boards) & ~is_proposed)
        .filter(pl.col("on_date") > first)
        .sort("on_date", "board_id")
        .select("board_id", "on_date", "kind", "note")
    )


def cuts_of(breaks: pl.DataFrame | None) -> list[date]:
    """The days at which the line is cut: not those on which only names changed."""
    if breaks is None:
        return []
    return breaks.filter(pl.col("kind") != NAMES_ALONE)["on_date"].unique().sort().to_list()


def parted_sentence(breaks: pl.DataFrame | None) -> str:
    """At how many of the board's breaks the line is cut; empty where it is at none."""
    cuts = cuts_of(breaks)
    if breaks is None or not cuts:
        return ""
    n_breaks = breaks["on_date"].n_unique()
    if n_breaks == len(cuts):
        return f" Parted at {count(n_breaks, 'break')} of its board: scores on both sides differ."
    return (
        f" Parted at {len(cuts)} of {n_breaks} breaks of its board: scores on both sides differ. "
        "At the rest, names alone changed."
    )


def best_so_far(  # noqa: PLR0913, PLR0917
    figure: go.Figure, moves: pl.DataFrame, spans: Spans, breaks: pl.DataFrame | None, facts: Facts, palette: Palette
) -> None:
    """The line through the steps; of a board that moved, a line for each of its `spans`."""
    for begin, end in spans or [(date.min, date.max)]:
        span_moves = moves.filter(pl.col("dated_on").is_between(begin, end))
        if span_moves.is_empty():
            continue
        until = min(end, facts["known_until"] or end) if spans else facts["known_until"]
        cuts = [] if spans else cuts_of(breaks)
        _add_steps(figure, span_moves, [cut for cut in cuts if until is None or cut < until], facts, palette)
        if until is not None:
            _carry_on(figure, span_moves.row(-1, named=True), [cut for cut in cuts if cut < until], until, palette)
    _mark_breaks(figure, cuts_of(breaks), palette)


def _add_steps(figure: go.Figure, moves: pl.DataFrame, cuts: Sequence[date], facts: Facts, palette: Palette) -> None:
    """The steps as lines from cut to cut; each goes on, level, to the cut and from it."""
    first, last = moves["dated_on"][0], moves["dated_on"][-1]
    gap = max(timedelta(days=1), (last - first) * BREAK_GAP)
    inside = [cut for cut in cuts if first < cut < last]
    last_step: tuple[date, float] | None = None
    for begin, end in pairwise([first, *inside, last + timedelta(days=1)]):
        steps = moves.filter((pl.col("dated_on") >= begin) & (pl.col("dated_on") < end))
        if last_step is not None:
            stop = steps["dated_on"][0] if steps.height else end - gap
            _add_level(figure, (begin + gap, stop), last_step[1], palette, steps)
        if steps.height:
            add_running_best(figure, steps, facts["unit"], palette.accent, "best", line={"width": 2})
            _open_marks(figure, steps.filter(~pl.col("by_others")), palette)
            last_step = steps["dated_on"][-1], float(steps["score"][-1])
            if end <= last:
                _add_level(figure, (last_step[0], end - gap), last_step[1], palette, None)


def _open_marks(figure: go.Figure, steps: pl.DataFrame, palette: Palette) -> None:
    """Open marks over the steps that others did not measure."""
    if steps.height:
        x, y, marker = days(steps["dated_on"]), numbers(steps["score"]), best_mark(palette, is_open=True)
        figure.add_scatter(x=x, y=y, mode="markers", marker=marker, hoverinfo="skip")


def _add_level(
    figure: go.Figure, days_of_piece: tuple[date, date], level: float, palette: Palette, next_step: pl.DataFrame | None
) -> None:
    """A level piece of the line, and at its end the rise to the `next_step`."""
    if days_of_piece[0] > days_of_piece[1]:
        return
    x, y = [*days_of_piece], [level, level]
    if next_step is not None and next_step.height:
        x, y = [*x, days_of_piece[1]], [*y, float(next_step["score"][0])]
    rise = np.array(x, dtype="datetime64[D]"), np.array(y, dtype=np.float32)
    quiet_line(figure, *rise, color=palette.accent, width=2)


def _carry_on(figure: go.Figure, last: Facts, cuts: Sequence[date], until: date, palette: Palette) -> None:
    """The best carried on, dotted, to the day until which it is known to be the best, with gaps at the cuts."""
    if until <= last["dated_on"]:
        return
    gap = max(timedelta(days=1), (until - last["dated_on"]) * BREAK_GAP)
    ends = [last["dated_on"], *(day for day in cuts if day > last["dated_on"]), until]
    x: list[date | None] = []
    for index, (begin, end) in enumerate(pairwise(ends)):
        x += [begin + gap * (index > 0), end - gap * (index < len(ends) - 2), None]
    level = np.array([last["score"] if day else np.nan for day in x[:-1]], dtype=np.float32)
    quiet_line(figure, np.array(x[:-1], dtype="datetime64[D]"), level, color=palette.accent, width=1.6, dash="dot")


def _mark_breaks(figure: go.Figure, cuts: Sequence[date], palette: Palette) -> None:
    """A dashed vertical line at each break; its text is at the mark of the incident, at the foot of the curve."""
    if not cuts:
        return
    figure.layout.shapes = [
        *figure.layout.shapes,
        *(
            {"type": "line", "x0": on, "x1": on, "yref": "y domain", "y0": 0, "y1": 1, "layer": "below",
             "name": "break", "line": {"color": palette.faint(palette.doubt, 0.7), "width": 1, "dash": "dot"}}
            for on in cuts
        ),
    ]  # fmt: skip


WRAP = 61
"""A line of text in a hover box has this many characters."""


def marks(figure: go.Figure, rows: pl.DataFrame, scores: tuple[float, float], palette: Palette) -> None:
    """A small diamond on the day of each incident; nothing where there is none."""
    if rows.is_empty():
        return
    low, high = scores
    figure.add_scatter(
        x=days(rows["on_date"]),
        y=np.full(rows.height, low + 0.02 * (high - low), dtype=np.float32),
        mode="markers",
        marker={"symbol": "diamond-open", "size": 9, "color": palette.ink2, "line": {"width": 1.6}},
        **on_hover(
            f"<b>{plotly(HEADS[row['kind']])}</b>, {month_of_incident(row)}<br>"
            + "<br>".join(map(plotly, wrap(what_happened(row), WRAP, break_long_words=False, break_on_hyphens=False)))
            for row in rows.iter_rows(named=True)
        ),
    )
