"""Does a model score higher on items from before a day than others, trained earlier, let expect? The test itself."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analytics.statistics import student

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEWEST_CELLS = 12
"""A line for each of three difficulties, their bend and the break have eight parameters."""
LEAST_SPREAD = 0.05
"""Of p (1 - p): what hardly anybody or nearly everybody solves weighs no more than if this were its variance."""
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
        """One-sided, Student's t."""
        return float(student.above(self.excess / self.error, self.degrees)) if self.error > 0 else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Two-sided, 95%."""
        reach = float(student.quantile(0.975, self.degrees)) * self.error
        return self.excess - reach, self.excess + reach


def break_at(
    score: Numbers, others: Numbers, items: Numbers, stratum: NDArray[np.int64], before: Flags
) -> Break | None:
    """The break of one model over cells: the items of one month and one difficulty each.

    In every stratum the model's `score` is a line in the mean score of `others` on the very same items, so that months
    that happened to be harder are expected to be harder; all lines bend alike, since scores crowd at 0 and 1, and
    `before` moves them by the excess. Weighted least squares with weights items / (p (1 - p)), p that of the others, so
    that months near 0 or 1, which scatter less, do not lend their scatter to the rest; the error is that of the scatter
    between cells, so it holds whatever months differ in. None with too few cells or where the two sides cannot be told
    from the strata.
    Source of the comparison before and after the end of training data: Roberts et al. (2023), arXiv:2310.10628, and,
    for LiveCodeBench, Jain et al. (2024), arXiv:2403.07974; the adjustment by other models is a difference in
    differences.
    """
    strata = np.unique(stratum)
    own_line = [np.where(stratum == one, value, 0.0) for one in strata for value in (1.0, others)]
    design = np.stack([*own_line, others**2, before.astype(np.float64)], axis=1)
    degrees = score.size - design.shape[1]
    if score.size < FEWEST_CELLS or degrees < 1 or before.all() or not before.any():
        return None
    root = np.sqrt(items / np.maximum(others * (1 - others), LEAST_SPREAD))
    weighted = design * root[:, None]
    inner = weighted.T @ weighted
    if np.linalg.matrix_rank(weighted) < design.shape[1]:
        return None
    inverse = np.linalg.inv(inner)
    found = inverse @ (weighted.T @ (score * root))
    scatter = float((((score - design @ found) * root) ** 2).sum()) / degrees
    room = float(np.average(1 - score[before] + found[-1], weights=items[before]))
    return Break(float(found[-1]), float(np.sqrt(scatter * inverse[-1, -1])), degrees, room)
