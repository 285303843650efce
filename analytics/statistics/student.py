"""Student's t distribution: what `scipy.stats.t` says, from `scipy.special`, which is a hundred times as fast."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special


def quantile(p: float | NDArray[np.float64], degrees: ArrayLike) -> NDArray[np.float64]:
    """The value below which the share `p` lies, in (0, 1), for each number of degrees of freedom; NaN where not > 0.

    >>> quantile(0.975, [1, 10, float("inf")]).round(3).tolist()
    [12.706, 2.228, 1.96]
    """
    degrees_array = np.asarray(degrees, dtype=np.float64)
    return np.asarray(
        np.where(degrees_array > 0, special.stdtrit(np.where(degrees_array > 0, degrees_array, 1.0), p), np.nan)
    )


def as_far_out(z: float | NDArray[np.float64], degrees: ArrayLike) -> NDArray[np.float64]:
    """The value with as much beyond it as a standard normal has beyond `z` > 0; `z` itself for infinite degrees."""
    return -quantile(special.ndtr(-np.asarray(z, dtype=np.float64)), degrees)


def below(t: ArrayLike, degrees: ArrayLike) -> NDArray[np.float64]:
    """The share that lies below `t`; NaN for NaN and where the degrees of freedom are not positive."""
    degrees_array, value = np.asarray(degrees, dtype=np.float64), np.asarray(t, dtype=np.float64)
    return np.asarray(
        np.where(degrees_array > 0, special.stdtr(np.where(degrees_array > 0, degrees_array, 1.0), value), np.nan)
    )


def above(t: ArrayLike, degrees: ArrayLike) -> NDArray[np.float64]:
    """The share that lies above `t`, without loss of digits far out; NaN as in `below`."""
    return below(-np.asarray(t, dtype=np.float64), degrees)


def log_density(t: ArrayLike, degrees: float) -> NDArray[np.float64]:
    """The logarithm of the density at `t`."""
    log_constant = special.gammaln((degrees + 1) / 2) - special.gammaln(degrees / 2) - np.log(np.pi * degrees) / 2
    return np.asarray(log_constant - (degrees + 1) / 2 * np.log1p(np.square(t) / degrees))
