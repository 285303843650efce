"""What the cells say at a fit: how far their scores are from the curves, and how these change."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from benchhealth.analytics.capability.cells import Cells

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """By cell, each times the root of the cell's weight.

    `pull`: expected minus seen score. `by_place`: the derivative of the expected score by capability (by difficulty it
    is the negative). `by_slope`: by log slope.
    """

    pull: Numbers
    by_place: Numbers
    by_slope: Numbers


@dataclass(frozen=True)
class Weighted:
    """Cells in the order of their benchmarks; by cell the span and the score above the floor, times the root of the
    weight. They stay the same while a fit is sought, so that a view is one pass over the cells."""

    cells: Cells
    span: Numbers
    score: Numbers

    @classmethod
    def by(cls, cells: Cells, variance: Numbers) -> "Weighted":
        """Each cell weighted by the inverse of its variance. ValueError: they are not in order."""
        if not cells.in_order:
            raise ValueError("the cells are not in the order of their benchmarks")
        root = 1 / np.sqrt(variance)
        span, floor = (np.repeat(each, cells.counts) for each in (cells.span, cells.floor))
        return cls(cells, root * span, root * (cells.score - floor))

    def view(self, capability: Numbers, difficulty: Numbers, slope: Numbers) -> View:
        """From capabilities by model, and difficulties and slopes by benchmark."""
        slopes = np.repeat(slope, self.cells.counts)
        height = capability.take(self.cells.model)
        height -= np.repeat(difficulty, self.cells.counts)
        height *= slopes
        rise = expit(height)
        pull = self.span * rise
        steep = pull * (1 - rise)
        pull -= self.score
        return View(pull, by_place=steep * slopes, by_slope=steep * height)
