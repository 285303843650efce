"""A line through models whose scores are uncertain on both sides, and whether gains on the original fade on the twin.

Least squares takes the original's scores as exact. Noise in them flattens the slope by about the share of their spread
that is noise, which looks like gains that fade. Here the known errors are taken off.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from analytics.regression import FEWEST, Line

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class CorrectedLine:
    """y = intercept + slope * x with errors in both; `slope_error` is the slope's standard error.

    `slope_low` and `slope_high` are from Student's t with n - 2 degrees of freedom. `noise` is the share of the spread
    of x that is error: the least squares slope is about 1 - `noise` of this one.
    """

    n: int
    slope: float
    slope_error: float
    slope_low: float
    slope_high: float
    intercept: float
    noise: float


def corrected_line(x: ArrayLike, y: ArrayLike, x_error: ArrayLike, level: float = 0.95) -> CorrectedLine | None:
    """The line of y on x with the variance of x's known standard errors taken off; points may scatter besides.

    slope = S_xy / (S_xx - mean x_error^2); errors on the two sides are taken as independent, as on two sets of items.
    Errors in y and what models truly differ in add scatter but no bias, so they need not be known. None with fewer
    than three points, an unknown error, or where the errors explain half or more of x's spread: nothing to divide by.
    Source: Akritas, Bershady (1996), Linear regression for astronomical data with measurement errors and intrinsic
    scatter, ApJ 470, BCES(Y|X), with n - 1 for n and t for the normal; Fuller (1987), section 1.2 and 3.1.
    """
    across, up, error = (np.asarray(side, dtype=np.float64) for side in (x, y, x_error))
    if not across.shape == up.shape == error.shape or across.ndim != 1:
        raise ValueError(f"three lists of one length expected, got {across.shape}, {up.shape}, {error.shape}")
    n = across.size
    if n < FEWEST or not (np.isfinite(across).all() and np.isfinite(up).all() and np.isfinite(error).all()):
        return None
    from_mean = across - across.mean()
    spread = float(from_mean @ from_mean) / (n - 1)
    true_spread = spread - float((error**2).mean())
    if true_spread <= spread / 2:
        return None
    slope = float(from_mean @ up) / (n - 1) / true_spread
    intercept = float(up.mean() - slope * across.mean())
    influence = (from_mean * (up - intercept - slope * across) + slope * error**2) / true_spread
    slope_error = float(influence.std(ddof=2)) / float(np.sqrt(n - 1))
    reach = float(stats.t.ppf((1 + level) / 2, n - 2)) * slope_error
    return CorrectedLine(
        n=n,
        slope=slope,
        slope_error=slope_error,
        slope_low=slope - reach,
        slope_high=slope + reach,
        intercept=intercept,
        noise=1 - true_spread / spread,
    )


def orthogonal_line(x: ArrayLike, y: ArrayLike, ratio: float = 1.0) -> tuple[float, float] | None:
    """Slope and intercept of Deming's line, where all scatter is error and `ratio` is variance in y over that in x.

    With a ratio of 1 it is the line of least orthogonal distance. It is symmetric: exchanging the sides (and inverting
    the ratio) gives the same line. None with fewer than three points or where the sides do not vary together.
    Source: Deming (1943), Statistical adjustment of data.
    """
    across, up = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if across.size < FEWEST:
        return None
    wide, tall, both = across.var(), up.var(), float(((across - across.mean()) * (up - up.mean())).mean())
    if both == 0:
        return None
    excess = float(tall - ratio * wide)
    slope = (excess + float(np.sqrt(excess**2 + 4 * ratio * both**2))) / (2 * both)
    return slope, float(up.mean() - slope * across.mean())


def fading_p(line: Line | CorrectedLine) -> float:
    """One-sided p-value that a point gained on the original brings less than a point on the twin: H0 slope >= 1.

    Small is evidence of diminishing returns, which is what tuning to the original's items leaves behind (an adaptivity
    gap). On a probit scale it is not confused with crowding towards the ceiling; on the linear scale it may be. A line
    without any scatter is certain: 0 below 1, else 1.
    """
    if isinstance(line, CorrectedLine):
        error = line.slope_error
    else:
        reach = float(stats.t.ppf(0.975, line.n - 2))
        error = (line.slope_high - line.slope_low) / (2 * reach)
    if error == 0:
        return float(line.slope >= 1)
    return float(stats.t.cdf((line.slope - 1) / error, line.n - 2))


def probit_errors(shares: ArrayLike, errors: ArrayLike) -> Numbers:
    """Standard errors of shares carried to the probit scale (delta method); NaN for shares of 0, 1 or outside."""
    share, error = np.asarray(shares, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    inside = (share > 0) & (share < 1)
    density = stats.norm.pdf(special.ndtri(np.where(inside, share, 0.5)))
    return np.asarray(np.where(inside, error / density, np.nan))


def gap_sentence(kind: str, gap: float, gap_error: float, p_fading: float | None) -> str:
    """What the gap of a twin can be called, after the three of Recht et al. (2019), section 2.

    `gap` and its sampling error are in points. Only a fresh sample by the same procedure leaves just three: chance in
    drawing the items (generalisation), items that differ in kind (distribution), and tuning to the original's items
    (adaptivity), which alone makes gains fade. The first is told from the others by its size, the third by the slope.
    """
    if kind != "fresh sample":
        return f"The two sides of a {kind} differ by design, so the gap of {gap:.1f} points is not split into causes."
    if abs(gap) <= 1.96 * gap_error:
        return f"A gap of {gap:.1f} points is within what drawing other items gives (a generalisation gap)."
    if p_fading is None:
        return f"A gap of {gap:.1f} points is more than chance; distribution and adaptivity cannot be told apart here."
    if p_fading < 0.05:
        return f"A gap of {gap:.1f} points with gains that fade on the twin (p = {p_fading:.2g}): an adaptivity gap."
    return (
        f"A gap of {gap:.1f} points is more than chance and gains carry over in full (p = {p_fading:.2g} for fading): "
        "a distribution gap, without sign of adaptivity."
    )
