"""Residuals in time that follow one another: how strongly, and new series that follow one another as they do."""

from collections.abc import Callable

import numpy as np

from benchhealth.analytics.statistics.arrays import Numbers

STRENGTHS = np.linspace(0.0, 0.9, 10)
"""Correlations of neighbours among which that of a series is sought."""

SERIES = 200
"""How many series are simulated for each null distribution."""

CAUTION = 0.3
"""By simulation: at one half the test of a break finds one in .08 to .09 of series of AR(1) .5 without any, at 5%."""


def lag_one(series: Numbers) -> Numbers:
    """The correlation of each value with the one before it, of each column; 0 where a column is constant.

    >>> lag_one(np.array([[1.0], [-1.0], [1.0], [-1.0]])).tolist()
    [-0.75]
    """
    centred = series - series.mean(axis=0)
    total = (centred**2).sum(axis=0)
    together = (centred[1:] * centred[:-1]).sum(axis=0)
    return np.asarray(np.divide(together, total, out=np.zeros_like(total), where=total > 0))


def coloured(noise: Numbers, strength: float) -> Numbers:
    """Columns of noise as series of which neighbours correlate by `strength` (AR(1)); the end runs on to the start."""
    series = np.concatenate([noise, noise])
    for index in range(1, len(series)):
        series[index] += strength * series[index - 1]
    return series[len(noise) :]


def whitened(series: Numbers, strength: float) -> Numbers:
    """The innovation of each value of a series: itself less `strength` times the one before it, of equal spread."""
    new = series - strength * np.concatenate([[0.0], series[:-1]])
    new[0] *= np.sqrt(1 - strength**2)
    return np.asarray(new - new.mean())


def persistence(observed: float, residuals_of: Callable[[Numbers], Numbers], n: int, rng: np.random.Generator) -> float:
    """The AR(1) strength, 0 to 0.9, of errors whose residuals have the `observed` correlation of neighbours.

    A fit takes out part of what makes errors persist: residuals of few points correlate less than errors do. So series
    of several strengths are made, `residuals_of` leaves of them (n, series) what the fit leaves, and the strength is
    the one of which the share CAUTION of the series correlates less than what was observed. At one half the estimate
    would be median unbiased (Andrews 1993, Exactly median-unbiased estimation of first order autoregressive models,
    Econometrica 61); as it is itself uncertain, and a test errs more by what is taken for too weak than it gains by
    what is taken for too strong, it is taken from the stronger half. A negative correlation counts as none.
    """
    middle = [
        float(np.quantile(lag_one(residuals_of(coloured(rng.standard_normal((n, SERIES)), strength))), CAUTION))
        for strength in STRENGTHS
    ]
    return float(np.interp(observed, np.maximum.accumulate(middle), STRENGTHS))


def block_length(n: int) -> int:
    """How many neighbours stay together: the cube root of their number (Hall, Horowitz, Jing 1995, Biometrika 82).

    >>> block_length(27), block_length(28)
    (3, 4)
    """
    return int(np.ceil(n ** (1 / 3) - 1e-9))


def dealt_in_blocks(values: Numbers, length: int, draws: int, rng: np.random.Generator) -> Numbers:
    """Columns (n, draws) of the values in another order: cut into blocks from a random place on, the blocks dealt anew.

    The end runs on to the start; the last block may be shorter. Source: Kirch (2007), Block permutation principles for
    the change analysis of dependent data, Journal of Statistical Planning and Inference 137.
    """
    n = values.size
    number = -(-n // length)
    positions = np.full(number * length, -1, dtype=np.int64)
    positions[:n] = np.arange(n)
    order = np.argsort(rng.random((draws, number)), axis=1)
    laid = positions.reshape(number, length)[order].reshape(draws, -1)
    filled = laid[laid >= 0].reshape(draws, n)
    return np.asarray(values[(filled + rng.integers(0, n, (draws, 1))) % n].T)


def dealt_anew(series: Numbers, strength: float, draws: int, rng: np.random.Generator) -> Numbers:
    """Columns (n, draws) of series like this one without anything that holds from some date on.

    What is new in each value (`whitened`) is dealt in blocks of `block_length`, and made to follow one another again
    (`coloured`): blocks keep what a single `strength` does not describe. Source: Davison, Hinkley (1997), Bootstrap
    Methods and Their Application, section 8.2 (post-blackening).
    """
    new = whitened(series, strength)
    return coloured(dealt_in_blocks(new, block_length(new.size), draws, rng), strength)
