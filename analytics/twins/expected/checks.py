"""Whether a straight line fits: no bend beyond chance and of a size that matters, and no spread that grows along it."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics.robust_line import TRIMMED
from benchhealth.analytics.twins.off_line import LEFT_OUT, OffLine

Numbers = NDArray[np.float64]

BEYOND = 2.576
"""Standard errors (1% two-sided) from which a bend, or a trend of the spread, is no chance."""

BEND = 0.25
"""A bend matters from a root mean square of so many standard errors of one model on."""

SPREAD = 2.0
"""A spread matters that is so many times as wide in one half of the models as in the other."""

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
        """Whether the line may be held against models."""
        return self.is_straight and self.is_even and self.is_scattered and self.is_of_most

    @property
    def is_of_most(self) -> bool:
        """Whether it is the line of most models: with more off it than are trimmed, it is that of a few."""
        return self.off <= 1 - TRIMMED

    @property
    def is_scattered(self) -> bool:
        """Whether the models off the line are found anywhere along it, and not at one end."""
        return abs(self.gathered_z) <= BEYOND

    @property
    def is_straight(self) -> bool:
        """Whether no bend is found that matters."""
        return abs(self.bend_z) <= BEYOND or abs(self.bend) <= BEND

    @property
    def is_even(self) -> bool:
        """Whether no change of the spread is found that matters."""
        return abs(self.spread_z) <= BEYOND or 1 / SPREAD <= self.spread <= SPREAD


def fit_of(x: Numbers, residual: Numbers, found: OffLine) -> Fit:
    """The fit of a line: `x` and the residuals about it on its scale, above 0 where better.

    The bend is a score test of a parabola in the ranks of `x` against residuals in units of their error, cut off at
    BOUND (Huber 1981, section 7.10), with the variance that they show (White 1980). The spread is the trend, over those
    ranks, of the residuals above 0, where leaks put nobody. Off the line are models with a p-value of LEFT_OUT or less:
    where they gather at one end the relation is bent there, and where they are more than the share that a robust line
    may leave out, the line is not that of most models.
    """
    z = residual / found.shape
    rank = 2 * (np.argsort(np.argsort(x, kind="stable"), kind="stable") + 0.5) / x.size - 1
    weight = 1 / found.shape
    design = np.column_stack([weight, weight * (x - x.mean())])
    parabola = weight * rank**2
    across = parabola - design @ np.linalg.lstsq(design, parabola, rcond=None)[0]
    bounded = np.clip(z, -BOUND, BOUND)
    bounded = bounded - design @ np.linalg.lstsq(design, bounded, rcond=None)[0]
    pull, square = float(across @ bounded), float(across @ across)
    own = float(np.sqrt((across**2) @ (bounded**2)))
    bend = pull / float(np.sqrt(square * x.size)) if square > 0 else 0.0
    off = found.p_value <= LEFT_OUT
    return Fit(bend, pull / own if own > 0 else 0.0, *_spread(rank, z), _gathered(rank, off), float(off.mean()))


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
