"""The winner's curse: what the best of many noisy scores is worth."""

from typing import Any, TypeVar, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95

NEAR_IN_ERRORS = 4.0
"""Standard errors of a difference within which a model could by noise alone have looked best (beyond: 1 in 30,000)."""

SHRINK_AT_LEAST = 4
"""The positive-part estimator with an estimated mean needs k - 3 > 0."""


Values = TypeVar("Values", pl.Expr, Numbers)
"""Columns of a table, or arrays of draws: what is computed of them is the same."""


@overload
def is_near(behind: pl.Expr, error: pl.Expr, best_error: pl.Expr) -> pl.Expr: ...
@overload
def is_near(behind: Numbers, error: Numbers, best_error: Numbers) -> NDArray[np.bool_]: ...
def is_near(behind: Any, error: Any, best_error: Any) -> Any:
    """Whether noise alone could have put a model first that lies so far `behind` the best."""
    return behind <= NEAR_IN_ERRORS * (error**2 + best_error**2) ** 0.5


def pull(k: Values, noise: Values, squares: Values) -> Values:
    """B of `winners`: the share of the way to their mean by which `k` scores are pulled.

    `noise` is their mean squared error, `squares` the sum of their squared distances from the mean.
    """
    share: Values = (k - 3) / (k - 1) * ((k - 1) * noise / squares).clip(None, 1.0)
    return share


def pulled_variance(k: Values, variance: Values, pull: Values, distance: Values) -> Values:
    """The variance of a score of this `variance` after it was pulled towards the mean, `distance` away, by `pull`."""
    return variance * (1 - (k - 1) / k * pull) + 2 / (k - 3) * (pull * distance) ** 2


def winners(board: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark whose best model has a known error: the best score pulled towards those of the contenders.

    Columns: `k` contenders, `shrunk`, `shrunk_low`, `shrunk_high` (95%; null below `SHRINK_AT_LEAST`), and `rival`, the
    merit of the best other contender (null without one).
    `board` has `place` (1 is best), `score`, `merit` and `error`.

    Contenders are all models that noise alone could have put first. A fixed top ten would be chosen by its own noise,
    which hides it: of 40 equal models its interval covers in 47% of cases, not 95%. Parametric empirical Bayes for
    normal scores of unknown mean and spread (Morris 1983, doi:10.2307/2287098): with V the mean squared error and S the
    sum of squares of the k scores, B = (k-3)/(k-1) min(1, (k-1) V / S), the estimate is best - B (best - mean) and its
    variance V_best (1 - (k-1)/k B) + 2/(k-3) B^2 (best - mean)^2.
    """
    contenders = _contenders(board)
    k, distance = pl.col("k"), pl.col("best") - pl.col("mean")
    pull_of_best = pl.when(k >= SHRINK_AT_LEAST).then(pull(k, pl.col("noise"), pl.col("squares")))
    variance = pulled_variance(k, pl.col("best_error") ** 2, pl.col("pull"), distance)
    return (
        contenders.with_columns(pull=pull_of_best)
        .with_columns(shrunk=pl.col("best") - pl.col("pull") * distance, half=Z95 * variance.sqrt())
        .select(
            "benchmark_id",
            "k",
            "shrunk",
            shrunk_low=pl.col("shrunk") - pl.col("half"),
            shrunk_high=pl.col("shrunk") + pl.col("half"),
            rival=pl.col("rival"),
        )
    )


def _contenders(board: pl.DataFrame) -> pl.DataFrame:
    """Number, mean, spread and noise of the models that could have come first, with the best of them."""
    with_error = board.filter(pl.col("error").is_not_null())
    best = with_error.filter(pl.col("place") == 1).select(
        "benchmark_id", best="score", best_merit="merit", best_error="error"
    )
    contenders = with_error.join(best, on="benchmark_id").filter(
        is_near(pl.col("best_merit") - pl.col("merit"), pl.col("error"), pl.col("best_error"))
    )
    return contenders.group_by("benchmark_id").agg(
        k=pl.len().cast(pl.Int64),
        mean=pl.col("score").mean(),
        squares=((pl.col("score") - pl.col("score").mean()) ** 2).sum(),
        noise=(pl.col("error") ** 2).mean(),
        rival=pl.col("merit").sort(descending=True).get(1, null_on_oob=True),
        best=pl.col("best").first(),
        best_error=pl.col("best_error").first(),
    )
