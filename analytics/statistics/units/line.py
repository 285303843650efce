"""A line through models that answered the same items: what the draw of the items does to its slope.

The scatter of the models about a line shows the noise of each; it does not show what moves all of them together. Items
that tell strong models from weak ones better than others do make the scores of all models steeper on the test that
happens to have more of them, and adding models does not average that out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.regression import FEWEST_POINTS

FEWEST_FAMILIES = 3
"""With fewer independent units than a line has parameters and one more nothing says how sure its slope is."""


class SharedLine(NamedTuple):
    """y = intercept + slope * x through `n` models of so many independent `families`.

    `variance` of the slope is what families scatter by and what the items in common move (`by_items`); `low` to `high`
    is its 95% interval. `noise` is the share of the spread of x that is error and was taken off.
    """

    n: int
    families: int
    slope: float
    slope_error: float
    slope_low: float
    slope_high: float
    intercept: float
    noise: float
    by_items: float
    degrees: float

    @property
    def design_effect(self) -> float | None:
        """By how much the items in common multiply the variance that the models show; None where they show none."""
        by_models = self.slope_error**2 - self.by_items
        return self.slope_error**2 / by_models if by_models > 1e-12 * self.slope_error**2 else None


def slope_spread(outcomes: Numbers, steepness: Numbers, position: Numbers) -> float | None:
    """The variance, over items, of how steep each is, less what noise adds: (models, items) outcomes as shares.

    `position` is where each model lies on the scale of the line and `steepness` the derivative of that scale by the
    share. An item's slope says by how much it alone would move the scores with the models' position; their mean is what
    the scores of this test gain for a step on the scale. The variance of the slope of a mean over n items is this over
    n. The noise taken off is that of each item's own regression (White 1980, heteroskedastic). Never below zero; None
    with fewer than four models or where all have one position.
    """
    from_mean = position - position.mean()
    spread = float(from_mean @ from_mean)
    n_models, n = outcomes.shape
    if n_models <= FEWEST_POINTS or spread == 0 or n < 2:
        return None
    moved = steepness[:, None] * (outcomes - outcomes.mean(axis=1, keepdims=True))
    slopes = from_mean @ moved / spread
    left = moved - moved.mean(axis=0) - from_mean[:, None] * slopes
    noise = np.square(from_mean[:, None] * left).sum(axis=0) / spread**2 * n_models / (n_models - 2)
    return max(0.0, float(((slopes**2).sum() - noise.sum()) / (n - 1)))


def shared_noise(outcomes: Numbers, steepness: Numbers) -> Numbers:
    """The variance of each model's place that is its own, by the items: what all share moves none.

    Its error's variance less the mean covariance of two models' errors, on the scale whose derivative is `steepness`.
    """
    n_models, n = outcomes.shape
    moved = steepness[:, None] * (outcomes - outcomes.mean(axis=1, keepdims=True))
    squares = np.square(moved).sum(axis=1)
    pairs = n_models * (n_models - 1)
    together = (float(np.square(moved.sum(axis=0)).sum()) - float(squares.sum())) / pairs if pairs else 0.0
    return np.asarray((squares - together) / (n * (n - 1)))


def shared_line(
    x: ArrayLike, y: ArrayLike, families: ArrayLike, noise: ArrayLike = 0.0, by_items: float = 0.0
) -> SharedLine | None:
    """The line of y on x through models that come in families and answered the same items.

    slope = S_xy / (S_xx - mean noise), where `noise` is the variance of each x that is its own (Akritas, Bershady 1996,
    BCES(Y|X)). Models of one family are alike in what they do beside the line, so that families are left out whole: the
    variance between the slopes without each of them (jackknife by cluster, MacKinnon, Nielsen, Webb 2023,
    doi:10.1016/j.jeconom.2022.04.001). To that comes what the draw of the items adds, `by_items`: the variance of the
    slope, relative to a slope of 1. Interval from Student's t with families - 2 degrees of freedom for the first part
    and none for the second (Satterthwaite 1946). None with fewer than three models or families, a number that is not
    finite, where noise explains half or more of x's spread, or where one family alone makes the line.
    By simulation in tests/analytics/twins/test_shared.py.
    """
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    noise_of_each = np.broadcast_to(np.asarray(noise, dtype=np.float64), xs.shape)
    _, family = np.unique(np.asarray(families), return_inverse=True)
    if not xs.shape == ys.shape == family.shape or xs.ndim != 1:
        raise ValueError(f"three lists of one length expected, got {xs.shape}, {ys.shape}, {family.shape}")
    units = int(family.max(initial=-1)) + 1
    finite = bool(np.isfinite(xs).all() and np.isfinite(ys).all() and np.isfinite(noise_of_each).all())
    if xs.size < FEWEST_POINTS or units < FEWEST_FAMILIES or not finite:
        return None
    columns = np.stack([np.ones(xs.size), xs, ys, xs * xs, xs * ys, noise_of_each])
    sums = np.stack([np.bincount(family, weights=column, minlength=units) for column in columns])
    total = sums.sum(axis=1)
    spread, covariance, mean_noise = (float(moment) for moment in _moments(total))
    if not spread > 0 or mean_noise >= spread / 2:
        return None
    slope = covariance / (spread - mean_noise)
    family_variance = _jackknife(total[:, None] - sums)
    if family_variance is None:
        return None
    shared = by_items * slope**2
    variance = family_variance + shared
    degrees = _degrees(family_variance, variance, units - 2)
    reach = float(student.quantile(0.975, degrees)) * float(np.sqrt(variance))
    return SharedLine(
        n=xs.size,
        families=units,
        slope=slope,
        slope_error=float(np.sqrt(variance)),
        slope_low=slope - reach,
        slope_high=slope + reach,
        intercept=float((total[2] - slope * total[1]) / xs.size),
        noise=mean_noise / spread,
        by_items=shared,
        degrees=degrees,
    )


def _moments(sums: Numbers) -> Numbers:
    """Variance of x, covariance with y and mean noise out of sums of 1, x, y, xx, xy and the noise."""
    n, x, y, xx, xy, noise = sums
    return np.stack([(xx - x * x / n) / (n - 1), (xy - x * y / n) / (n - 1), noise / n])


def _jackknife(slopes_without: Numbers) -> float | None:
    """The variance between the slopes without each family; None where without one of them there is no line."""
    if (slopes_without[0] < 2).any():
        return None
    spread, covariance, mean_noise = _moments(slopes_without)
    if (spread <= mean_noise).any():
        return None
    slopes = covariance / (spread - mean_noise)
    return float(np.square(slopes - slopes.mean()).sum() * (slopes.size - 1) / slopes.size)


def _degrees(family_variance: float, variance: float, free: int) -> float:
    if family_variance == 0:
        return float(max(free, 1))
    return float(min(max(free, 1) * (variance / family_variance) ** 2, 1e6))
