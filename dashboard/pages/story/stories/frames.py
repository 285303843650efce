"""Frames that several stories have: a rise, two tests side by side, pairs in order, the best of a board."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures import slopes
from benchhealth.dashboard.figures.forest import PLAIN, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.bars import Bar, bars
from benchhealth.dashboard.pages.story.figures.drawn import Drawn
from benchhealth.dashboard.pages.story.figures.squares import Block, Part, squares
from benchhealth.dashboard.pages.story.figures.steps import steps
from benchhealth.dashboard.pages.story.read import Pair
from benchhealth.dashboard.pages.story.story import Frame
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.reigns import standing
from benchhealth.dashboard.widgets import links, provenance
from benchhealth.dashboard.words.stories.parts import Caption, Rise, Twin, kept_pairs
from benchhealth.dashboard.words.text import model_within, plotly

OF_BOARD = 10
"""How many models of a leaderboard are drawn."""

KEPT_BY_CHANCE = 50
"""How many of a hundred pairs keep their order by chance."""


def rising(view: View, benchmark_id: str, read: tuple[Rise, pl.DataFrame], caption: Caption) -> Frame:
    """The frame with the best score so far of a benchmark over time."""
    rise, moves = read
    return of_benchmark(view, benchmark_id, caption, partial(steps, moves, rise), "frontier", rise.until)


def of_benchmark(  # noqa: PLR0913, PLR0917
    view: View, benchmark_id: str, caption: Caption, draw: Callable[[Palette], Drawn], method: str, until: date | None
) -> Frame:
    """A frame whose numbers stand below the curve of a benchmark."""
    to = f"{links.address('benchmark', benchmark=benchmark_id)}#curve"
    return Frame(caption, draw, to, method, provenance.of_benchmarks(view, [benchmark_id]), until)


def of_pair(pair: Pair, caption: Caption | None, draw: "partial[Drawn]", method: str = "twins") -> Frame | None:
    """A frame about a second test; nothing where there are no words for it."""
    if caption is None:
        return None
    to = links.address("trust", twin=str(pair.row["twin_id"]), more="closer")
    return Frame(caption, draw, f"{to}#more", method, pair.sources, pair.twin.until)


def two_tests(old: tuple[str, str, int], new: tuple[str, str, int], each: int) -> "partial[Drawn]":
    """Squares of an old test and of a new one: head, what stands below it, how many things."""
    blocks = [
        Block(head, below, [Part(head, things, role)])
        for (head, below, things), role in ((old, "ink3"), (new, "accent"))
    ]
    return partial(squares, blocks, each)


def side_by_side(pair: Pair, old: str, new: str, measure: str, palette: Palette) -> Drawn:
    """A line for each model from one test to the other, by `score` or by `place`."""
    lines = slopes.placed(pair.models)
    column = "original" if measure == "score" else "place_original"
    chosen = slopes.nearest_to_steps(lines[column].to_numpy())
    marked = lines.with_columns(named=pl.int_range(pl.len()).is_in(chosen))
    figure = slopes.figure({**pair.row, "original": old, "other": new}, marked, measure, palette)
    return Drawn(figure, marked.rename({"place_original": "original_place", "place_other": "other_place"}))


def keeping(twin: Twin, models: str) -> "partial[Drawn]":
    """How many of a hundred pairs keep their order: of all, of the best, by chance."""
    rows = [_kept(f"Of 100 pairs of all {models}", twin.agreement, "accent")]
    if twin.agreement_top is not None:
        rows.append(_kept("Of 100 pairs of the best of them", twin.agreement_top, "compressing"))
    rows.append(Bar("Of 100 pairs by chance alone", KEPT_BY_CHANCE, f"{KEPT_BY_CHANCE}", "ink3"))
    return partial(bars, rows, 100)


def _kept(name: str, agreement: float | None, role: str) -> Bar:
    return Bar(name, 50 * (1 + (agreement or 0.0)), kept_pairs(agreement or 0.0), role)


def ranked(rows: pl.DataFrame, axis: str, hover: Sequence[str], palette: Palette) -> Drawn:
    """Points with bars for chance, one row a model: model, value, low, high, strong."""
    names = pl.Series("name", [model_within(name, 26) for name in rows["model"]], dtype=pl.String)
    hovers = [plotly(text) for text in hover]
    return Drawn(forest(rows.with_columns(names), [PLAIN], hovers, palette, axis=axis), rows)


def best(view: View, board_id: str, *, bounded: bool, n_models: int = OF_BOARD) -> pl.DataFrame:
    """The first of a board with the reach of chance: model, value, low, high, strong (could be first).

    Shares are of a hundred; nothing reaches beyond the ends of a scale that has ends.
    """
    factor = 100.0 if bounded else 1.0
    half = Z95 * pl.col("error").fill_null(0.0)
    low, high = (pl.col("score") - half) * factor, (pl.col("score") + half) * factor
    ends = (low.clip(lower_bound=0.0), high.clip(upper_bound=100.0)) if bounded else (low, high)
    rows = standing(view, {"board": board_id}).sort("rank", "model").head(n_models)
    return rows.select(
        "model",
        value=pl.col("score") * factor,
        low=ends[0],
        high=ends[1],
        strong=(pl.col("tier") == 1).fill_null(value=False),
    )


def forest_of(rows: pl.DataFrame, axis: str) -> "partial[Drawn]":
    """The picture of the rows of `best`: points with bars for chance, on an axis of that name."""
    hovers = [f"{name}: {value:,.0f}" for name, value in rows.select("model", "value").iter_rows()]
    return partial(ranked, rows, axis, hovers)
