"""A line through models whose scores are uncertain on both sides, and whether gains on the original fade on the twin.

Least squares takes the original's scores as exact. Noise in them flattens the slope by about the share of their spread
that is noise, which looks like gains that fade. Here the known errors are taken off.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analytics.statistics import student
from analytics.statistics.errors import Z95
from analytics.statistics.regression import FEWEST, Line, probit
from analytics.twins.twin import RERUN

FADING = 0.05
"""Gains on the original count as fading on the twin where their p-value is below this."""

ROUNDING = 1e-12
"""A correlation below this is the rounding of none."""

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
    xs, ys, error = (np.asarray(side, dtype=np.float64) for side in (x, y, x_error))
    if not xs.shape == ys.shape == error.shape or xs.ndim != 1:
        raise ValueError(f"three lists of one length expected, got {xs.shape}, {ys.shape}, {error.shape}")
    n = xs.size
    if n < FEWEST or not (np.isfinite(xs).all() and np.isfinite(ys).all() and np.isfinite(error).all()):
        return None
    from_mean = xs - xs.mean()
    spread = float(from_mean @ from_mean) / (n - 1)
    true_spread = spread - float((error**2).mean())
    if true_spread <= spread / 2:
        return None
    slope = float(from_mean @ ys) / (n - 1) / true_spread
    intercept = float(ys.mean() - slope * xs.mean())
    influence = (from_mean * (ys - intercept - slope * xs) + slope * error**2) / true_spread
    slope_error = float(influence.std(ddof=2)) / float(np.sqrt(n - 1))
    reach = float(student.quantile((1 + level) / 2, n - 2)) * slope_error
    return CorrectedLine(
        n=n,
        slope=slope,
        slope_error=slope_error,
        slope_low=slope - reach,
        slope_high=slope + reach,
        intercept=intercept,
        noise=1 - true_spread / spread,
    )


def fading_p(line: Line | CorrectedLine) -> float:
    """One-sided p-value that a point gained on the original brings less than a point on the twin: H0 slope >= 1.

    Small is evidence of diminishing returns, which is what tuning to the original's items leaves behind (an adaptivity
    gap). On a probit scale it is not confused with crowding towards the ceiling; on the linear scale it may be. A line
    without any scatter is certain: 0 below 1, else 1.
    """
    if isinstance(line, CorrectedLine):
        error = line.slope_error
    else:
        reach = float(student.quantile(0.975, line.n - 2))
        error = (line.slope_high - line.slope_low) / (2 * reach)
    if error == 0:
        return float(line.slope >= 1)
    return float(student.below((line.slope - 1) / error, line.n - 2))


def probit_errors(shares: ArrayLike, errors: ArrayLike, n_items: ArrayLike | None = None) -> Numbers:
    """Standard errors of shares carried to the probit scale (delta method); NaN for shares outside [0, 1].

    Shares of exactly 0 or 1 are placed half an item inside, as `probit` does; NaN where `n_items` does not tell.
    """
    share, error = np.asarray(shares, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    placed = probit(share, np.nan if n_items is None else n_items)
    return np.asarray(error * np.sqrt(2 * np.pi) * np.exp(placed**2 / 2))


SAMPLED = ("fresh sample", "live split")
"""Kinds of twin whose items are drawn anew, so that the sampling errors of the two sides are independent."""


def gap_cause(kind: str, gap: float | None, gap_error: float | None, p_fading: float | None) -> str:
    """Which of the three gaps of Recht et al. (2019), section 2, a gap can be: one word for what is left of them.

    `chance` (a generalisation gap: which items were drawn), `distribution` (items that differ in kind), `adaptivity`
    (tuning to the original's items), `design` where the sides differ on purpose, `preparation` for one test run twice,
    `unknown` where an error is missing. `gap_error` is the sampling error of the gap, in the gap's unit. Tuning makes
    gains fade on the twin, and so may another mix of items: fading gains are `distribution or adaptivity`, and so is a
    gap whose slope is unknown; full gains leave `distribution`.
    """
    if kind == RERUN:
        return "preparation"
    if kind not in SAMPLED:
        return "design"
    if gap is None or gap_error is None or not np.isfinite(gap_error):
        return "unknown"
    if abs(gap) <= Z95 * gap_error:
        return "chance"
    if p_fading is not None and p_fading >= FADING:
        return "distribution"
    return "distribution or adaptivity"


@dataclass(frozen=True)
class Gains:
    """What gains on the original bring on the twin: `line` on its `scale`, and `points`, the line through the scores
    as they are, where both sides are shares."""

    scale: str
    line: Line | CorrectedLine
    points: Line | None = None

    @property
    def p(self) -> float:
        """One-sided p-value that they fade, see `fading_p`."""
        return fading_p(self.line)

    @property
    def hang_on_the_scale(self) -> bool:
        """Whether they fade on the scale while a point brings no less than a point."""
        return self.p < FADING and self.points is not None and self.points.slope_low >= 1


def gap_sentence(  # noqa: PLR0911 - one sentence for each cause
    kind: str, gap: float | None, gap_error: float | None, gains: Gains | None, unit: str = "points"
) -> str:
    """What the gap of a twin can be called, and why no more, as `gap_cause` says. The slope is read once: where the
    two scales disagree, that is what is said."""
    cause = gap_cause(kind, gap, gap_error, None if gains is None else gains.p)
    if gap is None:
        return "No model connects the two sides, so there is no gap to name."
    size = f"{gap:.1f} {unit}"
    if cause == "preparation":
        return (
            f"Both sides are the same test, so a gap of {size} is none of the three gaps between test sets: it is how "
            "the test was run, and what was chosen to be reported."
        )
    if cause == "design":
        return f"The two sides differ by design ({kind}), so the gap of {size} is not split into causes."
    if cause == "unknown":
        return f"The number of items is not known, so a gap of {size} cannot be held against chance."
    if cause == "chance":
        return (
            f"A gap of {size} is within what drawing other items gives (sampling error up to {gap_error:.1f}): a "
            "generalisation gap would explain it, and no other needs to be assumed."
        )
    if gains is None:
        return f"A gap of {size} is more than chance; distribution and adaptivity cannot be told apart here."
    if cause == "distribution":
        return (
            f"A gap of {size} is more than chance, and gains on the original are not found to fade on the twin "
            f"({_slope(gains)}): a distribution gap would explain it, and no adaptivity gap needs to be assumed."
        )
    if gains.hang_on_the_scale and gains.points is not None:
        return (
            f"A gap of {size} is more than chance. Whether gains on the original fade on the twin hangs on the scale: "
            f"a {_slope(gains)}, while a point more on the original comes with {gains.points.slope:.2f} points on the "
            "second. So the scores do not tell an adaptivity gap from a distribution gap."
        )
    return (
        f"A gap of {size} is more than chance, and gains on the original fade on the twin ({_slope(gains)}). An "
        "adaptivity gap looks like that, and so does a distribution gap on which better models gain less: scores alone "
        "do not tell them apart."
    )


def _slope(gains: Gains) -> str:
    p = f"p = {gains.p:.2g}" if gains.p >= 0.001 else "p below 0.001"
    return f"slope {gains.line.slope:.2f} on the {gains.scale} scale over {gains.line.n:,} results, {p} for fading"
