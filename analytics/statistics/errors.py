"""Standard errors and intervals of a score: as the source reports them, binomial otherwise, never invented.

For item scores in [0, 1] with mean p the variance of the mean is at most p(1-p)/n (Bhatia & Davis 2000,
doi:10.1080/00029890.2000.12005203), with equality for right/wrong items: for graded items the binomial error is an
upper bound.
"""

from collections.abc import Sequence

import polars as pl

Z95 = 1.959963984540054
"""The 97.5th percentile of the standard normal: two-sided 95%."""

AGRESTI_COULL = 2.0
"""Successes and failures added where all or none of the items were solved (Agresti & Coull 1998)."""

BOUNDED_UNITS = ("percent", "fraction")
"""Units of which `score` is a fraction of the attainable range; every other unit is open-ended."""


def binomial_error(score: pl.Expr, n: pl.Expr) -> pl.Expr:
    """Standard error of a fraction of n items; at exactly 0 or 1 that of the Agresti-Coull estimate.

    >>> pl.select(binomial_error(pl.lit(0.9), pl.lit(100))).item()
    0.03
    """
    extreme = (score <= 0) | (score >= 1)
    shifted = (score * n + AGRESTI_COULL) / (n + 2 * AGRESTI_COULL)
    p = pl.when(extreme).then(shifted).otherwise(score)
    total = pl.when(extreme).then(n + 2 * AGRESTI_COULL).otherwise(n)
    return (p * (1 - p) / total).sqrt()


def has_binomial() -> pl.Expr:
    """Whether a row's `bounded`, `score` and `n_items` allow a binomial error."""
    return pl.col("bounded") & (pl.col("n_items") > 0) & pl.col("score").is_between(0, 1)


def true_error() -> pl.Expr:
    """The standard error of `score` in its own unit, null where nothing is known.

    Reads `std_error`, `score`, `n_items` and `bounded`. A reported error of 0 is no error that a finite test can
    have, so it counts as not reported.
    """
    binomial = pl.when(has_binomial()).then(binomial_error(pl.col("score"), pl.col("n_items")))
    return pl.when(is_reported()).then(pl.col("std_error")).otherwise(binomial)


def binomial() -> pl.Expr:
    """Whether the `true_error` of a row is the binomial one, because the source gives none."""
    return has_binomial() & ~is_reported()


def is_reported() -> pl.Expr:
    """Whether the source gives a usable standard error."""
    return (pl.col("std_error") > 0).fill_null(False)


def score_interval() -> tuple[pl.Expr, pl.Expr]:
    """Both ends of the 95% interval of one score by itself: Wilson's where its error is binomial, else normal.

    Reads `score`, `error` (`true_error`), `std_error`, `n_items` and `bounded`; null where no error is known.
    """
    score, n, half = pl.col("score"), pl.col("n_items"), Z95 * pl.col("error")
    low = pl.when(binomial()).then(wilson_low(score, n)).otherwise(score - half)
    return low, pl.when(binomial()).then(wilson_high(score, n)).otherwise(score + half)


def wilson_low(score: pl.Expr, n: pl.Expr, z: pl.Expr | float = Z95) -> pl.Expr:
    """Lower end of the Wilson score interval of a fraction of n items, 95% unless `z` says otherwise (Wilson 1927).

    81 of 263 is the first example of Newcombe (1998), who prints .2553 to .3662:

    >>> round(pl.select(wilson_low(pl.lit(81 / 263), pl.lit(263))).item(), 4)
    0.2553
    """
    return _wilson(score, n, z, -1.0)


def wilson_high(score: pl.Expr, n: pl.Expr, z: pl.Expr | float = Z95) -> pl.Expr:
    """Upper end of the Wilson score interval of a fraction of n items, 95% unless `z` says otherwise (Wilson 1927).

    >>> round(pl.select(wilson_high(pl.lit(81 / 263), pl.lit(263))).item(), 4)
    0.3662
    """
    return _wilson(score, n, z, 1.0)


def _wilson(score: pl.Expr, n: pl.Expr, z: pl.Expr | float, side: float) -> pl.Expr:
    squared = pl.lit(z) ** 2 if isinstance(z, float) else z**2
    half = (squared * (score * (1 - score) / n + squared / (4 * n**2))).sqrt()
    return (score + squared / (2 * n) + side * half) / (1 + squared / n)


def clustered_error(score: pl.Expr, n: pl.Expr, clusters: pl.Expr, correlation: float) -> pl.Expr:
    """Standard error of a fraction of n answers that come from `clusters` people, of whom each answers as many.

    p(1-p) (r / clusters + (1 - r) / n), where r is the `correlation` of the answers of one person. Source: the design
    effect 1 + (m - 1) r of m answers a person (Kish 1965, Survey Sampling, 5.4). At exactly 0 or 1 as `binomial_error`.

    Where all answers of a person are alike, 100 answers of 25 people are worth 25:

    >>> pl.select(clustered_error(pl.lit(0.5), pl.lit(100), pl.lit(25), correlation=1.0)).item()
    0.1
    """
    return binomial_error(score, 1 / (correlation / clusters + (1 - correlation) / n))


def recovered(value: pl.Expr, intervals: Sequence[tuple[pl.Expr, pl.Expr]]) -> tuple[pl.Expr, pl.Expr]:
    """Both ends of the interval of a number that is made of several independent ones, each with an interval of its own.

    `intervals` are, for each of these, the number at the low and at the high end of its interval, the others as they
    are; the distances from `value` on one side are added as squares. With normal errors that is the delta method; ends
    that are not the same on both sides stay so. Source: MOVER, Zou & Donner 2008, doi:10.1002/sim.3095.

    >>> parts = [(pl.lit(7), pl.lit(13)), (pl.lit(6), pl.lit(14))]
    >>> pl.select(low=recovered(pl.lit(10), parts)[0], high=recovered(pl.lit(10), parts)[1]).row(0)
    (5.0, 15.0)
    """
    lows = [(value - pl.min_horizontal(pair)) ** 2 for pair in intervals]
    highs = [(pl.max_horizontal(pair) - value) ** 2 for pair in intervals]
    return value - pl.sum_horizontal(lows, ignore_nulls=False).sqrt(), value + pl.sum_horizontal(
        highs, ignore_nulls=False
    ).sqrt()
