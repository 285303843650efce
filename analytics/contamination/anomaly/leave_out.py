"""A model against the line through all others: studentised residuals, in which no outlier hides itself."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.regression import ROUNDING, least_squares
from benchhealth.analytics.statistics.units.least_p import limited_p

NEGLIGIBLE_SCATTER = 1e-9
"""Share of the spread below which scatter about a line is rounding."""


@dataclass(frozen=True)
class LeftOut:
    """By point: the value that the line through all others expects, the distance from it and its standard error.

    `degrees` of freedom are those of Student's t; `inside` is false where the others do not reach as far: there the
    expectation is an extrapolation. `points` is how many there are.
    """

    expected: Numbers
    excess: Numbers
    error: Numbers
    degrees: float
    inside: NDArray[np.bool_]
    points: int

    @property
    def studentised(self) -> Numbers:
        """The residuals, each divided by its standard error."""
        return self.excess / self.error

    @property
    def p_value(self) -> Numbers:
        """The one-sided p-value of lying so far above the line; never below the least that so many models allow."""
        return limited_p(student.above(self.studentised, self.degrees), self.points)


@dataclass(frozen=True)
class Points:
    """Places on the two sides, and the known part of each place's variance about a line."""

    x: Numbers
    y: Numbers
    sampling: Numbers


def against(line: Points, tested: Points) -> LeftOut | None:
    """Each point of `tested` alone against the line through all of `line`, as `leave_out` would find it there."""
    residuals = []
    for index in range(tested.x.size):
        joined = [np.append(getattr(line, side), getattr(tested, side)[index]) for side in ("x", "y", "sampling")]
        of_model = leave_out(*joined)
        if of_model is None:
            return None
        residuals.append(of_model)
    return _concatenated([(of_model, slice(-1, None)) for of_model in residuals]) if residuals else None


def joined_residuals(first: LeftOut, second: LeftOut | None) -> LeftOut:
    """The residuals of both, one after the other, with the smaller degrees of freedom."""
    return first if second is None else _concatenated([(first, slice(None)), (second, slice(None))])


def _concatenated(groups: Sequence[tuple[LeftOut, slice]]) -> LeftOut:
    expected, excess, error, inside = (
        np.concatenate([getattr(residuals, name)[rows] for residuals, rows in groups])
        for name in ("expected", "excess", "error", "inside")
    )
    return LeftOut(
        expected,
        excess,
        error,
        min(residuals.degrees for residuals, _ in groups),
        inside,
        min(residuals.points for residuals, _ in groups),
    )


def leave_out(x: Numbers, y: Numbers, sampling: Numbers) -> LeftOut | None:
    """Externally studentised residuals about the least squares line of y on x, unequal errors allowed for.

    `sampling` is the known part of each point's variance about the line. It only says how the scatter that the others
    show is spread: what exceeds its mean is added to each alike, and where the scatter falls short, the known parts are
    scaled down. Degrees of freedom are n - 3, fewer as the variances differ (Satterthwaite 1946). None where there is
    no line or no scatter.
    """
    line = least_squares(x, y)
    if line is None or line.n < 4 or line.scatter <= (NEGLIGIBLE_SCATTER * max(float(np.ptp(y)), 1.0)) ** 2:
        return None
    n = line.n
    free = np.clip(1 - line.leverage, 1e-9, None)
    deleted_scatter = np.maximum(line.scatter_without(), ROUNDING * line.scatter)
    mean = (sampling.sum() - sampling) / (n - 1)
    share = np.minimum(deleted_scatter / np.where(mean > 0, mean, np.inf), 1)
    variance = np.where(mean > 0, np.maximum(deleted_scatter - mean, 0) + share * sampling, deleted_scatter)
    degrees = (n - 3) * variance.sum() ** 2 / (n * (variance**2).sum())
    excess = line.residuals / free
    low, high = np.partition(x, 1)[:2], -np.partition(-x, 1)[:2]
    inside = (x >= np.where(x == low[0], low[1], low[0])) & (x <= np.where(x == high[0], high[1], high[0]))
    return LeftOut(y - excess, excess, np.sqrt(variance / free), float(degrees), inside, y.size)
