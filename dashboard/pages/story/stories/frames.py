"""Frames that several stories have: a rise, two tests side by side, pairs in order, the best of a board."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures.base import days, numbers
from benchhealth.dashboard.figures.forest import PLAIN, forest
from benchhealth.dashboard.figures.labels import Box, Point, placed_labels, step_boxes
from benchhealth.dashboard.figures.language import (
    ONLY_WIDE,
    Drawing,
    field,
    in_margin,
    laid_out,
    led,
    months_between,
    on_hover,
    spread_margin_labels,
    write,
)
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures import slopes
from benchhealth.dashboard.pages.story.figures.pictures import TEXT, Bar, Block, Part, Picture, bars, squares
from benchhealth.dashboard.pages.story.story import Frame, Pair
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.reigns import board_on
from benchhealth.dashboard.widgets import links, provenance
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.stories.parts import Caption, Rise, Twin, kept_pairs, of_100
from benchhealth.dashboard.words.text import model_within, plotly

HEIGHT, PLOT_HEIGHT, PLOT_WIDTH = 270, 230, 520
NARROWED = 0.5
"""The share of PLOT_WIDTH that is left in the narrowest window in which steps are named."""
LONG_MONTHS = 40
"""From this many months on the axis has years alone."""

RIGHT = 118
"""Pixels for the text beside the lines of reference."""

STEPS_NAMED = 5
"""Steps that are named, the first and the last among them."""

QUIET = 12
"""From this many months without a better model on, the picture has a grey field over them."""


def steps(moves: pl.DataFrame, rise: Rise, palette: Palette) -> Picture:
    """The picture; `moves` has the steps of the best by day: model, score as a fraction, dated_on."""
    figure = laid_out(Drawing(), palette, HEIGHT)
    low, high = _range(moves, rise)
    first, end = moves["dated_on"][0], max(rise.until, moves["dated_on"][-1])
    _quiet(figure, rise, end, palette)
    figure.add_scatter(
        x=days(moves["dated_on"]),
        y=numbers(moves["score"] * 100),
        mode="lines+markers",
        line={"shape": "hv", "color": palette.accent, "width": 2},
        marker={"size": 8, "color": palette.accent},
        **on_hover(
            f"<b>{plotly(name)}</b><br>{of_100(score)} of 100, {month_of(on)}"
            for name, score, on in moves.select("model", "score", "dated_on").iter_rows()
        ),
    )
    if end > rise.last_on:
        figure.add_scatter(
            x=np.array([rise.last_on, end], dtype="datetime64[D]"), y=np.array([rise.best * 100] * 2, np.float32),
            mode="lines", line={"color": palette.accent, "width": 1.6, "dash": "dot"}, hoverinfo="skip",
        )  # fmt: skip
    figure.update_layout(
        margin={"l": 4, "r": RIGHT, "t": 8, "b": 4},
        xaxis={
            "range": [(first - (end - first) / 60).isoformat(), end.isoformat()],
            "nticks": 5,
            "tickangle": 0,
            "tickformat": "%Y" if months_between(first, end) > LONG_MONTHS else "%b<br>%Y",
        },
        yaxis={"range": [low, high], "nticks": 6},
    )
    _names(figure, moves, rise, (first, end), (low, high), palette)
    _lines(figure, rise, (low, high), palette)
    return Picture(figure, moves.select("model", "dated_on", "score"))


def _range(moves: pl.DataFrame, rise: Rise) -> tuple[float, float]:
    """From a round number below the lowest line to a little above 100."""
    lowest = min([*moves["score"].to_list(), *(level for level in (rise.guess, rise.people) if level is not None)])
    return max(0.0, (lowest * 100 - 8) // 10 * 10), 104.0


def _quiet(figure: go.Figure, rise: Rise, end: date, palette: Palette) -> None:
    """A grey field over the time since the best, where that is long."""
    if months_between(rise.last_on, end) < QUIET:
        return
    field(figure, palette.fill, (rise.last_on.isoformat(), end.isoformat()))
    middle = rise.last_on + (end - rise.last_on) / 2
    caption = f"no better one<br>in our sources<br>since {month_of(rise.last_on)}"
    write(figure, caption, (middle.isoformat(), 0.3), palette.ink2, TEXT - 1, yref="paper")


def _names(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    moves: pl.DataFrame,
    rise: Rise,
    ends: tuple[date, date],
    scores: tuple[float, float],
    palette: Palette,
) -> None:
    """Names with scores at some steps; a phone has the last score alone."""
    (first, last), (low, high) = ends, scores
    span = max(1, (last - first).days)
    rows = list(moves.select("model", "score", "dated_on").iter_rows())

    def point_at(score: float, on: date, name: str = "") -> Point:
        return Point((on - first).days / span * PLOT_WIDTH, (score * 100 - low) / (high - low) * PLOT_HEIGHT, 4, name)

    chosen = evenly(len(rows), STEPS_NAMED)
    wanted = [point_at(rows[k][1], rows[k][2], f"{model_within(rows[k][0], 24)} {of_100(rows[k][1])}") for k in chosen]
    other_points = [point_at(score, on) for k, (_, score, on) in enumerate(rows) if k not in chosen]
    corners = [*((score, on) for _, score, on in rows), (rows[-1][1], last)]
    line = step_boxes([(point.x, point.y) for point in (point_at(*corner) for corner in corners)])
    level = [
        Box(0, height - 3, PLOT_WIDTH, height + 3)
        for height in (
            point_at(value, first).y for value in (rise.ceiling, rise.people, rise.guess) if value is not None
        )
    ]
    for label in placed_labels(
        [*wanted, *other_points], Box(-4, 0, PLOT_WIDTH, PLOT_HEIGHT), TEXT, [*line, *level], NARROWED
    ):
        point = wanted[label.index]
        _, score, on = rows[chosen[label.index]]
        name, line_colour = f"<b>{plotly(point.text)}</b>", palette.line if label.leader else None
        shift, place = (label.x - point.x, -(label.y - point.y)), (on.isoformat(), score * 100)
        led(figure, name, place, shift, palette.accent, line_colour, standoff=6, opacity=ONLY_WIDE)


def evenly(n: int, wanted: int) -> list[int]:
    """At most `wanted` of the indices 0 to `n` - 1 at even distances, including both ends, the last first."""
    if n <= wanted:
        return list(range(n - 1, -1, -1))
    return sorted({round(k * (n - 1) / (wanted - 1)) for k in range(wanted)}, reverse=True)


def _lines(figure: go.Figure, rise: Rise, scores: tuple[float, float], palette: Palette) -> None:
    """The lines of reference, named in the right margin beside the best."""
    lines: Sequence[tuple[float | None, str, str]] = (
        (rise.ceiling, "labels in doubt<br>above {}", "solid"),
        (rise.people, "experts {}", "dash"),
        (rise.guess, "guessing {}", "solid"),
    )
    for value, form, dash in lines:
        if value is None:
            continue
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=value * 100, y1=value * 100, layer="below",
            line={"color": palette.ink3, "width": 1, "dash": dash},
        )  # fmt: skip
        in_margin(figure, value * 100, form.format(of_100(value)), palette.ink2)
    in_margin(figure, rise.best * 100, f"best {of_100(rise.best)}", palette.accent, bold=True)
    spread_margin_labels(figure, scores, PLOT_HEIGHT, gap=24 if rise.ceiling is not None else 15)


OF_BOARD = 10
"""How many models of a leaderboard are drawn."""

KEPT_BY_CHANCE = 50
"""How many of a hundred pairs keep their order by chance."""


def rise_frame(view: View, benchmark_id: str, rise_and_moves: tuple[Rise, pl.DataFrame], caption: Caption) -> Frame:
    """The frame with the best score so far of a benchmark over time."""
    rise, moves = rise_and_moves
    return of_benchmark(view, benchmark_id, caption, partial(steps, moves, rise), "frontier", rise.until)


def of_benchmark(  # noqa: PLR0913, PLR0917
    view: View, benchmark_id: str, caption: Caption, draw: Callable[[Palette], Picture], method: str, until: date | None
) -> Frame:
    """A frame whose numbers are below the curve of a benchmark."""
    url = f"{links.address('benchmark', benchmark=benchmark_id)}#curve"
    return Frame(caption, draw, url, method, provenance.of_benchmarks(view, [benchmark_id]), until)


def of_pair(pair: Pair, caption: Caption | None, draw: "partial[Picture]", method: str = "twins") -> Frame | None:
    """A frame about a second test; nothing where there are no words for it."""
    if caption is None:
        return None
    url = links.address("trust", twin=str(pair.row["twin_id"]), more="closer")
    return Frame(caption, draw, f"{url}#more", method, pair.sources, pair.twin.until)


def two_tests(old: tuple[str, str, int], new: tuple[str, str, int], per_square: int) -> "partial[Picture]":
    """Squares of an old test and of a new one: head, the text below it, how many things."""
    blocks = [
        Block(heading, below, [Part(heading, number, role)])
        for (heading, below, number), role in ((old, "ink3"), (new, "accent"))
    ]
    return partial(squares, blocks, per_square)


def side_by_side(pair: Pair, old: str, new: str, measure: str, palette: Palette) -> Picture:
    """A line for each model from one test to the other, by `score` or by `place`."""
    lines = slopes.with_places(pair.models)
    column = "original" if measure == "score" else "place_original"
    chosen = slopes.nearest_to_steps(lines[column].to_numpy())
    marked = lines.with_columns(named=pl.int_range(pl.len()).is_in(chosen))
    figure = slopes.figure({**pair.row, "original": old, "other": new}, marked, measure, palette)
    return Picture(figure, marked.rename({"place_original": "original_place", "place_other": "other_place"}))


def pairs_frame(twin: Twin, models: str) -> "partial[Picture]":
    """How many of a hundred pairs keep their order: of all, of the best, by chance."""
    rows = [_pairs_bar(f"Of 100 pairs of all {models}", twin.agreement, "accent")]
    if twin.agreement_top is not None:
        rows.append(_pairs_bar("Of 100 pairs of the best of them", twin.agreement_top, "compressing"))
    rows.append(Bar("Of 100 pairs by chance alone", KEPT_BY_CHANCE, f"{KEPT_BY_CHANCE}", "ink3"))
    return partial(bars, rows, 100)


def _pairs_bar(name: str, agreement: float | None, role: str) -> Bar:
    return Bar(name, 50 * (1 + (agreement or 0.0)), kept_pairs(agreement or 0.0), role)


def ranked_points(rows: pl.DataFrame, axis: str, hover: Sequence[str], palette: Palette) -> Picture:
    """Points with bars for chance, one row a model: model, value, low, high, strong."""
    names = pl.Series("name", [model_within(name, 26) for name in rows["model"]], dtype=pl.String)
    hovers = [plotly(text) for text in hover]
    return Picture(forest(rows.with_columns(names), [PLAIN], hovers, palette, axis=axis, form=","), rows)


def best(view: View, board_id: str, *, bounded: bool, n_models: int = OF_BOARD) -> pl.DataFrame:
    """The first of a board with the reach of chance: model, value, low, high, strong (could be first).

    Shares are of a hundred; nothing reaches beyond the ends of a scale that has ends.
    """
    factor = 100.0 if bounded else 1.0
    half = Z95 * pl.col("error").fill_null(0.0)
    low, high = (pl.col("score") - half) * factor, (pl.col("score") + half) * factor
    ends = (low.clip(lower_bound=0.0), high.clip(upper_bound=100.0)) if bounded else (low, high)
    rows = board_on(view, {"board": board_id}).sort("rank", "model").head(n_models)
    return rows.select(
        "model",
        value=pl.col("score") * factor,
        low=ends[0],
        high=ends[1],
        strong=(pl.col("tier") == 1).fill_null(value=False),
    )


def forest_of(rows: pl.DataFrame, axis: str) -> "partial[Picture]":
    """The picture of the rows of `best`: points with bars for chance, on an axis of that name."""
    hovers = [f"{name}: {value:,.0f}" for name, value in rows.select("model", "value").iter_rows()]
    return partial(ranked_points, rows, axis, hovers)
