"""Ranks of models on every leaderboard at every instant, with the ranks that the errors leave open."""

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analytics.boards import STATE, placed, rankable, states, whole
from analytics.frames import Frames
from analytics.tables import PUBLISHED

LEVEL = 0.95
"""Confidence of each model's interval of ranks."""

BLOCK = 1_024
"""Models compared at once against all others: bounds the memory to some megabytes on the longest boards."""


def ranks(frames: Frames) -> pl.DataFrame:
    """Table `rank`: one row for each leaderboard, instant and model, in its best setting.

    `rank` is 1 for the best; equal scores share the best rank. `rank_low` to `rank_high` are the ranks compatible with
    the errors (see `rank_intervals`), null for a model whose error is unknown. Only models are ranked, only whole
    benchmarks (no parts), only where it is known which direction is better.
    """
    board = placed(states(whole(rankable(frames))))
    if board.is_empty():
        return pl.DataFrame(schema=PUBLISHED["rank"])
    lows, highs = _intervals(board)
    return (
        board.with_columns(
            rank_low=pl.Series(lows, dtype=pl.Float64).fill_nan(None).cast(pl.Int64),
            rank_high=pl.Series(highs, dtype=pl.Float64).fill_nan(None).cast(pl.Int64),
        )
        .select(*PUBLISHED["rank"])
        .match_to_schema(PUBLISHED["rank"])
    )


def rank_intervals(
    merits: NDArray[np.float64], errors: NDArray[np.float64], level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each model the lowest and highest rank compatible with the errors; higher merit is better, NaN is unknown.

    A model's rank is at least 1 + the number of models significantly better, and at most n - the number significantly
    worse. Two models differ significantly where |difference| > c sqrt(error^2 + error^2), c the two-sided normal
    quantile after Bonferroni over the n - 1 comparisons of one model, so each interval covers the true rank with
    probability `level` or more. Errors of two models count as independent, though tests on the same items correlate:
    that widens the intervals. A model of unknown error is nobody's significant better or worse and has NaN itself.
    This is the marginal confidence set of Mogstad, Romano, Shaikh, Wilhelm (2024), Inference for ranks, Review of
    Economic Studies 91(1), with Bonferroni in place of their bootstrap and step-down: a little wider, no simulation.
    """
    n = merits.size
    known = np.isfinite(errors)
    better = np.zeros(n)
    worse = np.zeros(n)
    if known.sum() > 1:
        critical = float(special.ndtri(1 - (1 - level) / (2 * (n - 1))))
        score, variance = merits[known], critical**2 * errors[known] ** 2
        beaten, beating = _significant(score, variance)
        better[known], worse[known] = beaten, beating
    return np.where(known, 1 + better, np.nan), np.where(known, n - worse, np.nan)


def _significant(
    score: NDArray[np.float64], variance: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many others are significantly above and below each; `variance` already holds the critical value squared."""
    above = np.zeros(score.size, dtype=np.int64)
    below = np.zeros(score.size, dtype=np.int64)
    for start in range(0, score.size, BLOCK):
        block = slice(start, start + BLOCK)
        difference = score[None, :] - score[block, None]
        higher = difference > 0
        apart = np.square(difference, out=difference) > variance[None, :] + variance[block, None]
        above[block] = np.count_nonzero(apart & higher, axis=1)
        below[block] = np.count_nonzero(apart, axis=1) - above[block]
    return above, below


def _intervals(board: pl.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The intervals of every state of every board; a state equal to the one before it keeps that one's."""
    merits = board["merit"].to_numpy()
    errors = board["error"].fill_null(np.nan).to_numpy()
    lows, highs = np.empty(board.height), np.empty(board.height)
    sizes = board.group_by(STATE, maintain_order=True).len()["len"].to_numpy()
    ends = np.cumsum(sizes)
    before = slice(0, 0)
    for end, size in zip(ends.tolist(), sizes.tolist(), strict=True):
        here = slice(end - size, end)
        if np.array_equal(merits[before], merits[here]) and np.array_equal(
            errors[before], errors[here], equal_nan=True
        ):
            lows[here], highs[here] = lows[before], highs[before]
        else:
            lows[here], highs[here] = rank_intervals(merits[here], errors[here])
        before = here
    return lows, highs
