"""A line through most of the points, and which points lie below it, however many of them there are.

Up to two fifths may lie off it on one side. A line by least squares is drawn towards the points that are off it, and
the scatter about it is made by them: several hide one another. So the line is drawn through most of the points, and
what chance does is learnt from those that are not far below it, where few lie that something put there.

The line of the others has to fit: no bend beyond chance and of a size that matters, no spread that grows along it.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.chance import Noise, noise_of
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg

TRIMMED = 0.6
"""The share of the points that the line is drawn through; the others may lie anywhere."""

STARTS = 300
"""Lines through two points each that the search begins with; all of them where there are no more."""

GOLDEN = (np.sqrt(5) - 1) / 2
"""Steps of this share of a list fall evenly over it (Weyl)."""

REFINED = 5
"""How many of the best starts are improved to the end."""

MOST_STEPS = 30
"""More steps of improvement than any search takes."""


class RobustLine(NamedTuple):
    """A fitted line, y = intercept + slope * x."""

    intercept: float
    slope: float

    def at(self, x: Numbers) -> Numbers:
        """The value of the line at each `x`."""
        return self.intercept + self.slope * x


def least_trimmed_squares(x: Numbers, y: Numbers, error: Numbers) -> RobustLine | None:
    """The line with the least sum of the TRIMMED share of smallest squared residuals, each in units of its `error`.

    Found from lines through two points by concentration steps, the same for any order of the points. None where x is
    constant. Source: Rousseeuw (1984), Least median of squares regression, JASA 79, 871-880; Rousseeuw, Van Driessen
    (2006), Computing LTS regression for large data sets.
    """
    if x.size < 3 or np.ptp(x) == 0:
        return None
    order = np.lexsort((y, x))
    x, y, weight = x[order], y[order], 1 / error[order]
    covered = max((x.size + 3) // 2, int(TRIMMED * x.size))
    intercepts, slopes = _through_two(x, y)
    squares = ((y - intercepts[:, None] - slopes[:, None] * x) * weight) ** 2
    sums = np.partition(squares, covered - 1, axis=1)[:, :covered].sum(axis=1)
    refined = [
        _concentrated(x, y, weight, covered, RobustLine(float(intercepts[index]), float(slopes[index])))
        for index in np.argsort(sums, kind="stable")[:REFINED]
    ]
    return min(refined, key=lambda fit: fit[0])[1]


def weighted_line(x: Numbers, y: Numbers, weight: Numbers) -> RobustLine:
    """The least squares line where each point counts by its weight; flat where x is constant.

    >>> x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 9.0])
    >>> weighted_line(x, y, weight=np.array([1.0, 1.0, 0.0]))
    RobustLine(intercept=1.0, slope=2.0)
    """
    total = weight.sum()
    mean_x, mean_y = float(weight @ x / total), float(weight @ y / total)
    spread = float(weight @ (x - mean_x) ** 2)
    slope = float(weight @ ((x - mean_x) * (y - mean_y))) / spread if spread > 0 else 0.0
    return RobustLine(mean_y - slope * mean_x, slope)


def _through_two(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    first, second = np.triu_indices(x.size, 1)
    apart = x[first] != x[second]
    first, second = first[apart], second[apart]
    if first.size > STARTS:
        spread = (np.arange(STARTS) * GOLDEN % 1 * first.size).astype(np.int64)
        first, second = first[spread], second[spread]
    slopes = (y[first] - y[second]) / (x[first] - x[second])
    return y[first] - slopes * x[first], slopes


def _concentrated(x: Numbers, y: Numbers, weight: Numbers, covered: int, line: RobustLine) -> tuple[float, RobustLine]:
    """The line after steps of fitting the points nearest to it, and its sum of squares, which never grows."""
    before = np.inf
    for _ in range(MOST_STEPS):
        squares = ((y - line.at(x)) * weight) ** 2
        closest = np.argpartition(squares, covered - 1)[:covered]
        sum_of_squares = float(squares[closest].sum())
        if sum_of_squares >= before:
            break
        before, best = sum_of_squares, line
        line = weighted_line(x[closest], y[closest], weight[closest] ** 2)
    return before, best


LEFT_OUT = 0.025
"""Models with a smaller p-value than this are not among those that the line is drawn through."""

LEFT_OUT_AT_LAST = 0.2
"""The q-value up to which a model is left out of the line that is published."""

REDRAWS = 12
"""Times that the line is drawn anew without the models found off it; it seldom takes more than four."""

NEGLIGIBLE_SCATTER = 1e-9
"""Share of the spread of scores below which scatter about a line is rounding and no test is made of it."""

WIDENED_FOR_FEW = (1.4, 7.0)
"""By how much the noise is widened where few models draw the line, and with how many more models that falls to 1/e.

The line follows the few, so that what scatters about it looks small. Found by simulation without a leak: unwidened, 17%
of twins with 10 models, 10% with 20 and 6% with 30 had a false flag, where 5% are stated.
"""

_MAD = float(special.ndtri(0.75))


class OffLine(NamedTuple):
    """The line, and for each model what it expects, the scale of the residual, and its one-sided p-value.

    `shape` is how the scatter of each model compares with the others', and `noise` the distribution of residuals in
    units of it.
    """

    line: RobustLine
    expected: Numbers
    scale: Numbers
    p_value: Numbers
    shape: Numbers
    noise: Noise

    @property
    def error(self) -> Numbers:
        """The standard error of each residual: 1.96 of it hold 95% of what chance does, whatever its tails."""
        return self.scale * self.noise.reach(0.95) / Z95


def off_line(
    original: Numbers, other: Numbers, original_error: Numbers, other_error: Numbers, sign: int
) -> OffLine | None:
    """Test each model for being worse on the other side than the line expects; `sign` is +1 where higher is better.

    The line is by least trimmed squares, then by least squares through all models that are not off it. The scatter
    holds the sampling noise of both sides and what models truly differ in. The known errors
    e_i^2 = (slope * original error)^2 + other error^2 only say how it is spread: where the scatter s^2 exceeds their
    mean, the excess is added to each alike; where it falls short, as when both sides use the same items and share
    their noise, they are all scaled down. None where x is constant or nothing scatters about the line.
    By simulation in tests/analytics/twins/test_power.py.
    """
    order = np.lexsort((other_error, original_error, other, original))
    fitted = _in_order(original[order], other[order], original_error[order], other_error[order], sign)
    if fitted is None:
        return None
    undo = np.argsort(order)
    return fitted._replace(
        expected=fitted.expected[undo], scale=fitted.scale[undo], p_value=fitted.p_value[undo], shape=fitted.shape[undo]
    )


def _in_order(
    original: Numbers, other: Numbers, original_error: Numbers, other_error: Numbers, sign: int
) -> OffLine | None:
    """The result of `off_line` for models sorted by score, so that sums do not depend on their names."""
    has_errors = np.isfinite(original_error) & np.isfinite(other_error)
    equal_errors = np.ones(original.size)
    start = np.hypot(original_error, other_error) if has_errors.all() else equal_errors
    line = least_trimmed_squares(original, other, np.where(start > 0, start, max(float(start.max()), 1.0)))
    if line is None:
        return None
    least = NEGLIGIBLE_SCATTER * max(float(np.ptp(other)), 1.0)
    sampling = None if not has_errors.all() else (original_error, other_error)
    left_out = np.zeros(original.size, dtype=np.bool_)
    tried: set[bytes] = set()
    is_last = False
    while True:
        scattered = _scattered(
            original, sign * (other - line.at(original)), _squares(sampling, line, equal_errors), left_out, least
        )
        if scattered is None:
            return None
        z, scale, shape, noise = scattered
        if is_last:
            return OffLine(line, line.at(original), scale, noise.below(z), shape, noise)
        is_last = left_out.tobytes() in tried or len(tried) == REDRAWS
        tried.add(left_out.tobytes())
        # At the end only those that are off it for certain: who is low by chance belongs to the line.
        left_out = benjamini_hochberg(noise.below(z)) <= LEFT_OUT_AT_LAST if is_last else noise.rare(z, LEFT_OUT)
        line = weighted_line(original[~left_out], other[~left_out], 1 / shape[~left_out] ** 2)


def _squares(errors: tuple[Numbers, Numbers] | None, line: RobustLine, equal_errors: Numbers) -> Numbers:
    """The square of the error that sampling alone gives each residual; all alike where it is not known."""
    return equal_errors if errors is None else (line.slope * errors[0]) ** 2 + errors[1] ** 2


def _scattered(
    original: Numbers, residual: Numbers, sampling: Numbers, left_out: NDArray[np.bool_], least: float
) -> tuple[Numbers, Numbers, Numbers, Noise] | None:
    """Each residual in units of its scale, that scale, its shape and the noise.

    None where no residual above 0 exceeds `least`.
    """
    above = residual[residual > 0]
    if above.size == 0 or (typical := float(np.median(above))) <= least:
        return None
    shape = _shape(typical / _MAD, sampling, left_out)
    leverage = _leverage(original, shape, left_out)
    scale = shape * leverage
    z = residual / scale
    noise = noise_of(z)
    if noise is None:
        return None
    widest, fall = WIDENED_FOR_FEW
    widened = 1 + widest * math.exp(-np.count_nonzero(~left_out) / fall)
    return z, scale, shape, noise._replace(scale=widened * noise.scale)


def _shape(scatter: float, sampling: Numbers, left_out: NDArray[np.bool_]) -> Numbers:
    """The standard deviation of each residual as far as the errors tell; `sampling` are their squares."""
    mean = float(sampling[~left_out].mean())
    if mean == 0:
        return np.full(sampling.size, scatter)
    return np.asarray(np.sqrt(max(scatter**2 - mean, 0.0) + min(scatter**2 / mean, 1.0) * sampling))


def _leverage(x: Numbers, shape: Numbers, left_out: NDArray[np.bool_]) -> Numbers:
    """By how much the line's own error widens a residual (models left out), or its nearness to the model narrows it."""
    weight = 1 / shape[~left_out] ** 2
    mean = float(weight @ x[~left_out] / weight.sum())
    spread = float(weight @ (x[~left_out] - mean) ** 2)
    leverage = (1 / weight.sum() + (x - mean) ** 2 / spread) / shape**2 if spread > 0 else np.zeros(x.size)
    return np.asarray(np.sqrt(np.where(left_out, 1 + leverage, np.clip(1 - leverage, 0.1, 1))))


TREND_IN_ERRORS = 2.576
"""Standard errors (1% two-sided) from which a bend, or a trend of the spread, is no chance."""

BEND = 0.25
"""A bend matters from a root mean square of this many standard errors of one model on."""

SPREAD_RATIO = 2.0
"""A spread matters that is this many times as wide in one half of the models as in the other."""

FEWEST_OFF = 4
"""With fewer models off the line nothing is said about where they lie."""

BOUND = 1.5
"""Residuals count as no further off than this: leaks, which lie far off on one side, are no bend."""


class Fit(NamedTuple):
    """How far models are from a straight line of equal spread.

    `bend` is the size of the bend in standard errors of a model and `bend_z` in its own, both above 0 where the middle
    lies low; `spread` is how many times as wide models scatter in the upper half by the original, and `spread_z` how
    far a trend of it is from none, in its standard errors. `gathered_z` is how far the mean rank of the models off the
    line is from the middle of all, in its standard errors, below 0 towards low scores, and `off` is their share.
    """

    bend: float
    bend_z: float
    spread: float
    spread_z: float
    gathered_z: float
    off: float

    @property
    def fits(self) -> bool:
        """Whether models may be judged by the line."""
        return self.is_straight and self.is_even and self.is_scattered and self.is_of_most

    @property
    def is_of_most(self) -> bool:
        """Whether it is the line of most models: with more off it than are trimmed, it is that of a few."""
        return self.off <= 1 - TRIMMED

    @property
    def is_scattered(self) -> bool:
        """Whether the models off the line are found anywhere along it, and not at one end."""
        return abs(self.gathered_z) <= TREND_IN_ERRORS

    @property
    def is_straight(self) -> bool:
        """Whether no bend of a size that matters was detected."""
        return abs(self.bend_z) <= TREND_IN_ERRORS or abs(self.bend) <= BEND

    @property
    def is_even(self) -> bool:
        """Whether no change of the spread is found that matters."""
        return abs(self.spread_z) <= TREND_IN_ERRORS or 1 / SPREAD_RATIO <= self.spread <= SPREAD_RATIO


def fit_of(x: Numbers, residual: Numbers, fitted: OffLine) -> Fit:
    """The fit of a line: `x` and the residuals about it on its scale, above 0 where better.

    The bend is a score test of a parabola in the ranks of `x` against residuals in units of their error, cut off at
    BOUND (Huber 1981, section 7.10), with the variance that they show (White 1980). The spread is the trend, over those
    ranks, of the residuals above 0, where leaks put nobody. Off the line are models with a p-value of LEFT_OUT or less:
    where they gather at one end the relation is bent there, and where they are more than the share that a robust line
    may leave out, the line is not that of most models.
    """
    z = residual / fitted.shape
    rank = 2 * (np.argsort(np.argsort(x, kind="stable"), kind="stable") + 0.5) / x.size - 1
    weight = 1 / fitted.shape
    design = np.column_stack([weight, weight * (x - x.mean())])
    parabola = weight * rank**2
    across = parabola - design @ np.linalg.lstsq(design, parabola, rcond=None)[0]
    bounded = np.clip(z, -BOUND, BOUND)
    bounded = bounded - design @ np.linalg.lstsq(design, bounded, rcond=None)[0]
    pull, square = float(across @ bounded), float(across @ across)
    spread = float(np.sqrt((across**2) @ (bounded**2)))
    bend = pull / float(np.sqrt(square * x.size)) if square > 0 else 0.0
    off = fitted.p_value <= LEFT_OUT
    return Fit(bend, pull / spread if spread > 0 else 0.0, *_spread(rank, z), _gathered(rank, off), float(off.mean()))


def _gathered(rank: Numbers, off: NDArray[np.bool_]) -> float:
    """How far from the middle those off the line lie on average, in standard errors of a draw without replacement.

    A line through the straighter part of a bent relation leaves the models of the other part off it.
    """
    count = np.count_nonzero(off)
    if count < FEWEST_OFF or count == off.size:
        return 0.0
    error = np.sqrt(rank.var() / count * (off.size - count) / (off.size - 1))
    return float((rank[off].mean() - rank.mean()) / error)


def _spread(rank: Numbers, z: Numbers) -> tuple[float, float]:
    """How many times as wide the upper half scatters, and the trend of the scatter in its standard errors."""
    above = z > 0
    upper, lower = z[above & (rank > 0)], z[above & (rank <= 0)]
    if upper.size < 3 or lower.size < 3:
        return 1.0, 0.0
    size = np.argsort(np.argsort(z[above], kind="stable"), kind="stable").astype(np.float64)
    trend = float(np.corrcoef(rank[above], size)[0, 1])
    return float(np.median(upper) / np.median(lower)), trend * math.sqrt(np.count_nonzero(above) - 1)
