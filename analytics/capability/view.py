"""The residuals of the cells at a fit, and the derivatives of their expected scores by the parameters."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.statistics.arrays import Numbers


@dataclass(frozen=True)
class View:
    """Residuals and derivatives at some parameters, one number a cell, each times the root of the cell's weight.

    `residual`: expected minus observed score. `by_place`: the derivative of the expected score by capability; that by
    difficulty is its negative. `by_slope`: the derivative by log slope.
    """

    residual: Numbers
    by_place: Numbers
    by_slope: Numbers


@dataclass(frozen=True)
class Weighted:
    """The cells in the order of their benchmarks, with what of them does not depend on the parameters.

    `span` and `score` (above the floor) have one number a cell, times the root of the cell's weight. They are computed
    once, so that each view is one pass over the cells.
    """

    cells: Cells
    span: Numbers
    score: Numbers

    @classmethod
    def by(cls, cells: Cells, variance: Numbers) -> "Weighted":
        """Weight each cell by the inverse of its variance. Raises ValueError where cells are not in order."""
        if not cells.in_order:
            raise ValueError("the cells are not in the order of their benchmarks")
        root = 1 / np.sqrt(variance)
        span, floor = (np.repeat(values, cells.counts) for values in (cells.span, cells.floor))
        return cls(cells, root * span, root * (cells.score - floor))

    def view(self, capability: Numbers, difficulty: Numbers, slope: Numbers) -> View:
        """Compute the view at these capabilities (by model), difficulties and slopes (by benchmark)."""
        slopes = np.repeat(slope, self.cells.counts)
        height = capability.take(self.cells.model)
        height -= np.repeat(difficulty, self.cells.counts)
        height *= slopes
        rise = expit(height)
        residual = self.span * rise
        steep = residual * (1 - rise)
        residual -= self.score
        return View(residual, by_place=steep * slopes, by_slope=steep * height)
