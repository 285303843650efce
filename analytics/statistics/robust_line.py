"""A line through most of the points, for data of which up to two fifths may lie off it on one side."""

from typing import NamedTuple

import numpy as np

from benchhealth.analytics.statistics.arrays import Numbers

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
        near = np.argpartition(squares, covered - 1)[:covered]
        sum_of_squares = float(squares[near].sum())
        if sum_of_squares >= before:
            break
        before, best = sum_of_squares, line
        line = weighted_line(x[near], y[near], weight[near] ** 2)
    return before, best
