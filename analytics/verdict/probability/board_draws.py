"""The best of each leaderboard as arrays, and draws of what measuring them again would show.

A draw is a true score of every model, given the scores there are, and a measurement of it that is as large as theirs.
True scores are those of `statistics.winners_curse`: pulled towards the mean of the best by as much as their errors
explain their spread (Morris 1983). Errors of models that answer the same items are alike: a part of each error is one
for all. In every draw one place of the best does not count, as if its result were withdrawn.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import binomial_error, has_binomial, is_reported
from benchhealth.analytics.statistics.random_streams import stream_of
from benchhealth.analytics.statistics.winners_curse import SHRINK_AT_LEAST, is_near, pull, pulled_variance

BEST = 12
"""The places of a leaderboard that are drawn: the ten that verdicts read, and two that may come among them."""

SHARED_VARIANCE = 0.5
"""The part of an error's variance that all models of a board share, as they answer the same items: between 0, if
every model had items of its own, and the .58 that was seen where items are known."""


class Boards(NamedTuple):
    """The `BEST` of each benchmark, best first; all arrays are (benchmarks, BEST), NaN where there is no model.

    `merit` is higher where better; `error` its standard error, NaN where that is not known; `items` are those that
    make it binomial, NaN where the source reports an error of its own. By benchmark: `sign`, -1 where a lower score is
    better; `bounded`, whether scores are shares; `beyond`, how many contenders of the first have no place here.
    """

    merit: Numbers
    error: Numbers
    items: Numbers
    sign: Numbers
    bounded: NDArray[np.bool_]
    beyond: Numbers

    def rows(self, first: int, end: int) -> "Boards":
        """The benchmarks from place `first` to before `end`."""
        return Boards(
            self.merit[first:end],
            self.error[first:end],
            self.items[first:end],
            self.sign[first:end],
            self.bounded[first:end],
            self.beyond[first:end],
        )


def boards_of(board: pl.DataFrame, facts: pl.DataFrame) -> Boards:
    """The best of `board` (rows of `record.current.leaderboard`), a row for each of `facts`, in their order."""
    numbered = facts.select("benchmark_id", "sign", "bounded").with_row_index("at")
    rows = board.drop("sign", "bounded", strict=False).join(numbered, on="benchmark_id", how="inner")
    listed = rows.with_columns(items=pl.when(~is_reported() & has_binomial()).then(pl.col("n_items").cast(pl.Float64)))
    shape = (facts.height, BEST)
    filled = {name: np.full(shape, np.nan) for name in ("merit", "error", "items")}
    best = listed.filter(pl.col("place") <= BEST)
    where = (best["at"].to_numpy(), best["place"].to_numpy() - 1)
    for name, array in filled.items():
        array[where] = best[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
    return Boards(
        **filled,
        sign=numbered["sign"].cast(pl.Float64).fill_null(np.nan).to_numpy(),
        bounded=numbered["bounded"].to_numpy(),
        beyond=_beyond(listed, facts.height),
    )


def _beyond(rows: pl.DataFrame, height: int) -> Numbers:
    """How many models after the `BEST` noise alone could have put first."""
    first = rows.filter(pl.col("place") == 1).select("at", best="merit", best_error="error")
    rivals = rows.filter(pl.col("place") > BEST).join(first, on="at")
    rivals = rivals.filter(is_near(pl.col("best") - pl.col("merit"), pl.col("error"), pl.col("best_error")))
    return np.bincount(rivals["at"].to_numpy(), minlength=height).astype(np.float64)


class Chance(NamedTuple):
    """What chance does in each draw of each benchmark; arrays are (benchmarks, draws, ...).

    Standard normal numbers, twice: `of_board` (..., 2) for all models of a board, `of_each` (..., 2, BEST) for each
    model, `of_line` (..., 2) for the ceiling and the human line. `left_out` (...) is the place that does not count.
    """

    of_board: Numbers
    of_each: Numbers
    of_line: Numbers
    left_out: NDArray[np.int64]


def chance(benchmark_ids: Sequence[str], draws: int, rng: np.random.Generator) -> Chance:
    """The chances of each benchmark, from a stream of its own: they do not depend on which others are drawn."""
    normal, left_out = [], []
    for benchmark_id in benchmark_ids:
        stream = stream_of(rng, benchmark_id)
        normal.append(stream.standard_normal((draws, 2 * BEST + 4)))
        left_out.append(stream.integers(0, BEST, draws))
    numbers = np.reshape(normal, (len(benchmark_ids), draws, 2 * BEST + 4))
    of_each = numbers[:, :, 4:].reshape(*numbers.shape[:2], 2, BEST)
    return Chance(numbers[:, :, :2], of_each, numbers[:, :, 2:4], np.reshape(left_out, numbers.shape[:2]))


def measured_again(boards: Boards, drawn: Chance) -> Boards:
    """Each board once a draw (the rows of the first, then of the second ...), best first, one place of it left out.

    Scores without a known error stay what they are.
    """
    true, error = _true_scores(boards)
    draws = drawn.left_out.shape[1]
    noise = [np.sqrt(SHARED_VARIANCE) * drawn.of_board[:, :, [k]] for k in range(2)]
    noise_of_each = [np.sqrt(1 - SHARED_VARIANCE) * drawn.of_each[:, :, k] for k in range(2)]
    of_error = np.nan_to_num(boards.error)[:, None, :]
    merit = (
        true[:, None, :] + (noise[0] + noise[1] + noise_of_each[1]) * of_error + noise_of_each[0] * error[:, None, :]
    )
    merit = np.where(boards.bounded[:, None, None], _clipped(merit, boards.sign), merit)
    merit[np.arange(BEST) == drawn.left_out[:, :, None]] = np.nan
    repeated = Boards(
        merit=merit.reshape(-1, BEST),
        error=np.repeat(boards.error, draws, axis=0),
        items=np.repeat(boards.items, draws, axis=0),
        sign=np.repeat(boards.sign, draws),
        bounded=np.repeat(boards.bounded, draws),
        beyond=np.repeat(boards.beyond, draws),
    )
    return in_order(with_binomial_errors(repeated))


def _true_scores(boards: Boards) -> tuple[Numbers, Numbers]:
    """The expected true scores given the measured ones (shrunken), and the deviation of each as a share of its error.

    What models share of their errors moves all of them together: it neither spreads them nor is it pulled in.
    """
    has_error = np.isfinite(boards.error)
    k = has_error.sum(axis=1, keepdims=True).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (1 - SHARED_VARIANCE) * np.where(has_error, boards.error, 0.0) ** 2
        mean = np.where(has_error, boards.merit, 0.0).sum(axis=1, keepdims=True) / k
        away = np.where(has_error, boards.merit - mean, 0.0)
        squares = (away**2).sum(axis=1, keepdims=True)
        pulled_by = pull(
            k, variance.sum(axis=1, keepdims=True) / k, np.where(squares > 0, squares, np.finfo(float).tiny)
        )
        enough = k >= SHRINK_AT_LEAST
        pulled_by = np.where(enough, pulled_by, 0.0)
        after = np.where(enough, pulled_variance(k, variance, pulled_by, away), variance)
    spread = np.sqrt(np.clip(np.where(has_error, after, 0.0), 0.0, None) / (1 - SHARED_VARIANCE))
    return boards.merit - pulled_by * away, spread


def _clipped(merit: Numbers, sign: Numbers) -> Numbers:
    """Merits of shares, between the worst and the best possible one."""
    low = np.where(sign > 0, 0.0, -1.0)[:, None, None]
    return np.clip(merit, low, low + 1.0)


def with_binomial_errors(boards: Boards) -> Boards:
    """The boards with the errors that follow from their scores, where those are binomial."""
    flat = pl.DataFrame(
        {"score": (boards.merit * boards.sign[:, None]).ravel(), "n": boards.items.ravel()}, nan_to_null=True
    )
    error = flat.select(binomial_error(pl.col("score"), pl.col("n"))).to_series().fill_null(np.nan).to_numpy()
    error = error.reshape(boards.merit.shape)
    return boards._replace(error=np.where(np.isfinite(boards.items), error, boards.error))


def in_order(boards: Boards) -> Boards:
    """Sort the models of each board, the best first and those that do not count last."""
    order = np.argsort(-boards.merit, axis=1, kind="stable")  # NaN is last
    ordered = {name: np.take_along_axis(getattr(boards, name), order, axis=1) for name in ("merit", "error", "items")}
    counted = np.isfinite(ordered["merit"])
    return boards._replace(**{name: np.where(counted, array, np.nan) for name, array in ordered.items()})
