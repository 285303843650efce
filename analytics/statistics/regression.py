"""A straight line through models, with the interval of its slope, and the probit scale for shares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from benchhealth.analytics.statistics import student

FEWEST_POINTS = 3
"""A line has two parameters; with fewer points than this nothing is left to judge it by."""

ROUNDING = 1e-12
"""Share of the scatter about a line below which what a difference leaves is rounding."""


@dataclass(frozen=True)
class Line:
    """y = intercept + slope * x, fitted by least squares.

    `slope_low` and `slope_high` are the two-sided interval from Student's t with n - 2 degrees of freedom, which
    takes equal scatter about the line for granted. `r2` is None where y is constant. `residuals` and `leverage`
    have one value for each point; `scatter` is the residual variance with n - 2 degrees of freedom.
    """

    n: int
    slope: float
    slope_low: float
    slope_high: float
    intercept: float
    r2: float | None
    scatter: float
    residuals: NDArray[np.float64]
    leverage: NDArray[np.float64]

    def at(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """The value of the line at each x."""
        return self.intercept + self.slope * x

    def scatter_without(self) -> NDArray[np.float64]:
        """For each point the residual variance about the line through all others, n - 3 degrees of freedom (n > 3)."""
        free = np.clip(1 - self.leverage, 1e-12, None)
        variance = ((self.n - 2) * self.scatter - self.residuals**2 / free) / (self.n - 3)
        return np.where(variance > ROUNDING * self.scatter, variance, 0.0)


def least_squares(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Line | None:
    """The ordinary least squares line of y on x; None with fewer than three points or where x is constant.

    Errors in x are not corrected for, so noise in x flattens the slope a little. Raises ValueError where the two
    lists differ in length or hold a number that is not finite.

    The first of four data sets of Anscombe (1973), who prints y = 3.00 + .500 x and an r2 of .667:

    >>> y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    >>> line = least_squares([10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5], y)
    >>> round(line.intercept, 2), round(line.slope, 3), round(line.r2, 3)
    (3.0, 0.5, 0.667)
    """
    across = np.asarray(x, dtype=np.float64)
    up = np.asarray(y, dtype=np.float64)
    if across.shape != up.shape or across.ndim != 1:
        raise ValueError(f"two lists of one length expected, got shapes {across.shape} and {up.shape}")
    if not (np.isfinite(across).all() and np.isfinite(up).all()):
        raise ValueError("a point is not finite")
    n = across.size
    if n < FEWEST_POINTS or np.ptp(across) == 0:
        return None
    from_mean = across - across.mean()
    spread = float(from_mean @ from_mean)
    slope = float(from_mean @ (up - up.mean())) / spread
    intercept = float(up.mean() - slope * across.mean())
    residuals = up - up.mean() - slope * from_mean
    unexplained = float(residuals @ residuals)
    total = float(((up - up.mean()) ** 2).sum())
    scatter = unexplained / (n - 2)
    reach = float(student.quantile((1 + level) / 2, n - 2)) * float(np.sqrt(scatter / spread))
    return Line(
        n=n,
        slope=slope,
        slope_low=slope - reach,
        slope_high=slope + reach,
        intercept=intercept,
        r2=None if np.ptp(up) == 0 else max(0.0, 1 - unexplained / total),
        scatter=scatter,
        residuals=residuals,
        leverage=1 / n + from_mean**2 / spread,
    )


def probit(shares: ArrayLike, n_items: ArrayLike) -> NDArray[np.float64]:
    """The standard normal quantile of each share, on which accuracies of two test sets tend to fall on a line.

    A share of exactly 0 or 1 has none: it counts as half an item, 1/(2n) or 1 - 1/(2n), and as NaN where n is unknown
    (NaN) or below 1. A share outside [0, 1] is NaN.
    Source of the scale: Recht et al. (2019), Taori et al. (2020); of the half item: Macmillan, Kaplan (1985).

    >>> probit([0.5, 0.975, 0.0], [100, 100, 20]).round(2).tolist()
    [0.0, 1.96, -1.96]
    """
    moved = _off_the_ends(shares, n_items)
    return np.asarray(np.where(np.isnan(moved), np.nan, special.ndtri(np.where(np.isnan(moved), 0.5, moved))))


def logit(shares: ArrayLike, n_items: ArrayLike) -> NDArray[np.float64]:
    """The log odds of each share, with the ends placed as `probit` does; a line on either scale is much the same."""
    return np.asarray(special.logit(_off_the_ends(shares, n_items)))


def _off_the_ends(shares: ArrayLike, n_items: ArrayLike) -> NDArray[np.float64]:
    """The shares, 0 and 1 half an item inside; NaN where that is unknown or the share is outside [0, 1]."""
    share = np.asarray(shares, dtype=np.float64)
    n = np.asarray(n_items, dtype=np.float64)
    share, n = np.broadcast_arrays(share, n)
    half_item = np.divide(0.5, n, out=np.full(share.shape, np.nan), where=n >= 1)
    moved = np.where(share == 0, half_item, np.where(share == 1, 1 - half_item, share))
    return np.asarray(np.where((moved > 0) & (moved < 1), moved, np.nan))
