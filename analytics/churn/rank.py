"""Ranks of models on every leaderboard at every instant, with the ranks that the errors leave open."""

from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analytics.record.boards import STATE, Boards
from analytics.record.tables import PUBLISHED

LEVEL = 0.95
"""Confidence of each model's interval of ranks."""

OTHERS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000)
RATIOS = tuple(2.0**power for power in (-5, -4, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 5))
"""Where critical values are tabulated: numbers of others, and ratios of a model's error to theirs."""

BLOCK = 1_024
"""Models compared at once against all others: bounds the memory to some megabytes on the longest boards."""


def ranks(boards: Boards) -> pl.DataFrame:
    """Table `rank`: one row for each leaderboard, instant and model, in its best setting.

    `rank` is 1 for the best; equal scores share the best rank. `rank_low` to `rank_high` are the ranks compatible with
    the errors (see `rank_intervals`), null for a model whose error is unknown. Only models are ranked, only whole
    benchmarks (no parts), only where it is known which direction is better.
    """
    board = boards.placed
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
    worse. Two models differ significantly where |difference| > c sqrt(error^2 + error^2), c the quantile of the largest
    of one model's n - 1 studentised differences (`critical_values`), so each interval covers the true rank with
    probability `level` where all are equal, and with more where they differ. Errors of two models count as independent,
    though tests on the same items correlate: that widens the intervals. A model of unknown error is nobody's
    significant better or worse and has NaN itself. This is the marginal confidence set of Mogstad, Romano, Shaikh,
    Wilhelm (2024), Inference for ranks, Review of Economic Studies 91(1), with a quantile by integration in place of
    their bootstrap, and without their step-down.
    """
    n = merits.size
    has_error = np.isfinite(errors)
    better = np.zeros(n)
    worse = np.zeros(n)
    if has_error.sum() > 1:
        beaten, beating = _significant(
            merits[has_error], errors[has_error] ** 2, critical_values(errors[has_error], n, level) ** 2
        )
        better[has_error], worse[has_error] = beaten, beating
    return np.where(has_error, 1 + better, np.nan), np.where(has_error, n - worse, np.nan)


def critical_values(errors: NDArray[np.float64], n: int, level: float = LEVEL) -> NDArray[np.float64]:
    """For each model the quantile of the largest of its n - 1 studentised differences from equally good others.

    They have its own error in common, so that this lies below Bonferroni's, the more so the larger its error beside
    those of the others. Read off a table by n and by that ratio, in which all others have one error, the root mean
    square of all (Dunnett 1955, doi:10.1080/01621459.1955.10501294, there for equal errors).
    """
    typical = float(np.sqrt(np.mean(errors**2)))
    ratio = np.log(np.clip(errors / typical, RATIOS[0], RATIOS[-1])) if typical > 0 else np.zeros(errors.size)
    table = _table(level)
    at = min(float(np.interp(np.log(max(n - 1, 1)), np.log(OTHERS), np.arange(len(OTHERS)))), len(OTHERS) - 1.0)
    below = min(int(at), len(OTHERS) - 2)
    row = table[below] + (at - below) * (table[below + 1] - table[below])
    return np.asarray(np.interp(ratio, np.log(RATIOS), row))


@lru_cache(maxsize=8)
def _table(level: float) -> NDArray[np.float64]:
    """Critical values by number of others and by ratio of errors: P(all |x_k - r x| <= c sqrt(1 + r^2)) = level."""
    own = np.linspace(-8, 8, 321)
    weight = np.exp(-(own**2) / 2)
    weight /= weight.sum()
    others, ratio = np.array(OTHERS)[:, None], np.array(RATIOS)[None, :]
    low, high = np.ones((len(OTHERS), len(RATIOS))), np.full((len(OTHERS), len(RATIOS)), 8.0)
    for _ in range(40):
        middle = (low + high) / 2
        reach, shift = (middle * np.sqrt(1 + ratio**2))[..., None], ratio[..., None] * own
        inside = special.ndtr(shift + reach) - special.ndtr(shift - reach)
        is_short = (inside ** others[..., None]) @ weight < level
        low, high = np.where(is_short, middle, low), np.where(is_short, high, middle)
    return np.asarray((low + high) / 2)


def _significant(
    score: NDArray[np.float64], variance: NDArray[np.float64], critical: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many others are significantly above and below each; `critical` holds the squared critical values."""
    above = np.zeros(score.size, dtype=np.int64)
    below = np.zeros(score.size, dtype=np.int64)
    for start in range(0, score.size, BLOCK):
        block = slice(start, start + BLOCK)
        difference = score[None, :] - score[block, None]
        higher = difference > 0
        needed = (variance[None, :] + variance[block, None]) * critical[block, None]
        is_apart = np.square(difference, out=difference) > needed
        above[block] = np.count_nonzero(is_apart & higher, axis=1)
        below[block] = np.count_nonzero(is_apart, axis=1) - above[block]
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
