"""A test whether a model scores higher on items from before a day than models that were trained earlier predict."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Flags, Numbers

FEWEST_CELLS = 12
"""A line for each of three difficulties, their bend and the break have eight parameters."""
STRENGTHS = np.linspace(0.0, 0.9, 19)
"""Correlations of neighbouring months among which that of the errors is sought."""

LEAST_SPREAD = 0.05
"""The least p (1 - p) of an item: one that hardly any or nearly all solve weighs no more than with this variance."""
FEWEST_MONTHS = 3
"""Months on either side: fewer are one contest's peculiarity."""


@dataclass(frozen=True)
class Break:
    """`excess`: how much higher the score is before the day than expected, as a fraction; `error` its standard error
    with `degrees` of freedom; `room`: what knowing every item from before the day would add."""

    excess: float
    error: float
    degrees: float
    room: float

    @property
    def p_value(self) -> float:
        """The one-sided p-value of the break, by Student's t."""
        return float(student.above(self.excess / self.error, self.degrees)) if self.error > 0 else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The two-sided 95% interval of the break, in the unit of the scores."""
        reach = float(student.quantile(0.975, self.degrees)) * self.error
        return self.excess - reach, self.excess + reach


@dataclass(frozen=True)
class Cells:
    """Cells of dated items: one model's `score`, the mean of `others`, how many `items`, their `stratum`, and the
    number of the `month` they are of, counted through."""

    score: Numbers
    others: Numbers
    items: Numbers
    stratum: NDArray[np.int64]
    month: NDArray[np.int64]


def break_at(cells: Cells, before: Flags) -> Break | None:
    """The break of one model over cells: the items of one month and one difficulty each.

    In every stratum the model's `score` is a line in the `others_score` on the same items. So months that
    happened to be harder are expected to be harder. All lines share one quadratic term, since scores crowd at 0 and 1,
    and `before` moves them by the excess. The fit is least squares with weights items / (p (1 - p)), where p is the
    score of the others. The strata of a month err together, and so do months that follow one another: the error is the
    larger one of two, from the scatter between cells and from that between months. None with too few
    cells, or where the two sides cannot be told from the strata.
    Source of the comparison before and after the end of training data: Roberts et al. (2023), arXiv:2310.10628, and,
    for LiveCodeBench, Jain et al. (2024), arXiv:2403.07974; the adjustment by other models is a difference in
    differences.
    """
    score, others_score, stratum = cells.score, cells.others, cells.stratum
    strata = np.unique(stratum)
    own_line = [np.where(stratum == level, value, 0.0) for level in strata for value in (1.0, others_score)]
    design = np.stack([*own_line, others_score**2, before.astype(np.float64)], axis=1)
    degrees = score.size - design.shape[1]
    if score.size < FEWEST_CELLS or degrees < 1 or before.all() or not before.any():
        return None
    root = np.sqrt(cells.items / np.maximum(others_score * (1 - others_score), LEAST_SPREAD))
    weighted = design * root[:, None]
    gram = weighted.T @ weighted
    if np.linalg.matrix_rank(weighted) < design.shape[1]:
        return None
    inverse = np.linalg.inv(gram)
    solver = inverse @ weighted.T * root  # (columns, cells): what makes the coefficients of scores
    coefficients = solver @ score
    residuals = score - design @ coefficients
    scatter = float(((residuals * root) ** 2).sum()) / degrees
    room = float(np.average(1 - score[before] + coefficients[-1], weights=cells.items[before]))
    by_cell = float(np.sqrt(scatter * inverse[-1, -1]))
    by_month, of_months = _of_months(cells.month, root**2, residuals, np.eye(score.size) - design @ solver, solver[-1])
    return Break(float(coefficients[-1]), max(by_cell, by_month), min(degrees, of_months), room)


def _of_months(
    month: NDArray[np.int64], weight: Numbers, residual: Numbers, leaves: Numbers, influence: Numbers
) -> tuple[float, float]:
    """(error of the break, degrees of freedom) where all cells of a month err alike, and months follow one another.

    `leaves` (cells, cells) maps errors to the `residual`, `influence` maps scores to the break. Errors of months are
    AR(1) over time, with variances that go with one over their weight. Strength and variance are those with which the
    residuals' means by month would have the observed correlation of neighbours and sum of squares on average, so that
    what a fit takes out of few months is put back. The degrees of freedom are those of a sum of squares of such
    residuals (Satterthwaite 1946). Months are not dealt in blocks, as the residuals of `find_break` are: a dozen of
    them has too few orders for a p-value that stands among many tests.
    """
    months, month_place = np.unique(month, return_inverse=True)
    member = np.zeros((month.size, months.size))
    member[np.arange(month.size), month_place] = 1.0
    total = member.T @ weight
    month_mean = (member * weight[:, None]).T / total[:, None]
    root_weight = np.sqrt(total)
    month_map = root_weight[:, None] * (month_mean @ leaves @ member) / root_weight
    month_sums = root_weight * (month_mean @ residual)
    months_apart = np.abs(months[:, None] - months)
    adjacent = (months_apart == 1) / 2
    squares = float(month_sums @ month_sums)
    if squares <= 0:
        return 0.0, float("inf")
    residual_correlations = [month_map @ strength**months_apart @ month_map.T for strength in STRENGTHS]
    expected = [float((adjacent * correlation).sum() / np.trace(correlation)) for correlation in residual_correlations]
    observed = float(month_sums @ adjacent @ month_sums) / squares
    strength = float(np.interp(observed, np.maximum.accumulate(expected), STRENGTHS))
    month_correlation = strength**months_apart
    residual_covariance = month_map @ month_correlation @ month_map.T
    spread = squares / float(np.trace(residual_covariance))
    month_weights = (member.T @ influence) / root_weight
    degrees = float(np.trace(residual_covariance)) ** 2 / float((residual_covariance**2).sum())
    return float(np.sqrt(spread * month_weights @ month_correlation @ month_weights)), degrees
