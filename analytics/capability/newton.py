"""The curve of a benchmark, the residuals of cells about it, and the Gauss-Newton equations of the fit of all copies.

A cell is one score of a model on a benchmark. The parameters are a capability for each model and a curve for each
benchmark, which has two: its place on the scale (the difficulty) and its log slope. Two capabilities have no product in
the equations, so that all of them are eliminated first (Schur complement). What is left is solved by conjugate
gradients with the 2 by 2 block of each curve as preconditioner (Nocedal & Wright 2006, algorithm 5.3): every product
costs a few operations a cell and nothing is factored, so that many fits are one array operation.

The logistic item response model with known asymptotes, one benchmark in the place of one item (Birnbaum 1968; for
benchmarks, without asymptotes, Ho et al. 2025, arXiv:2512.00193).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array
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
class WeightedCells:
    """The cells in the order of their benchmarks, with what of them does not depend on the parameters.

    `span` and `score` (above the floor) have one number a cell, times the root of the cell's weight. They are computed
    once, so that each view is one pass over the cells.
    """

    cells: Cells
    span: Numbers
    score: Numbers

    @classmethod
    def by(cls, cells: Cells, variance: Numbers) -> "WeightedCells":
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


class CurveBlocks(NamedTuple):
    """A symmetric 2 by 2 matrix for every curve, arrays of shape (copies, benchmarks).

    `place` and `slope` are on the diagonal, for the difficulty and the log slope; `mixed` stands beside it.
    """

    place: Numbers
    slope: Numbers
    mixed: Numbers

    def times(self, curves: Numbers) -> Numbers:
        """The matrix of each curve times its two numbers, shape (2, copies, benchmarks)."""
        location, slope = curves
        return np.stack([self.place * location + self.mixed * slope, self.mixed * location + self.slope * slope])

    def inverse(self) -> "CurveBlocks":
        """The inverse of each matrix."""
        determinant = self.place * self.slope - self.mixed**2
        return CurveBlocks(self.slope / determinant, self.place / determinant, -self.mixed / determinant)


class Step(NamedTuple):
    """A change of the parameters: one number for each capability, and for the curves shape (2, copies, benchmarks)."""

    capability: Numbers
    curves: Numbers


@dataclass(frozen=True)
class Curvature:
    """The Gauss-Newton matrix of an objective in blocks, each array with a part for every copy.

    `capability`: its diagonal for the capabilities. `blocks`: its parts for the curves. `coupling`: its part between
    curves and capabilities, with difficulties, then log slopes as rows and capabilities as columns; `transposed` is its
    transpose. `preconditioner`: the inverse of the block of each curve in the Schur complement.
    """

    capability: Numbers
    blocks: CurveBlocks
    coupling: csr_array
    transposed: csc_array
    preconditioner: CurveBlocks

    @classmethod
    def at(cls, cells: Cells, precisions: tuple[float, float], view: View) -> "Curvature":
        """The matrix at the parameters that `view` was computed with; `precisions` are those of the priors of
        capabilities and difficulties, and of log slopes."""
        locations, slopes, mixed = view.by_place**2, view.by_slope**2, view.by_place * view.by_slope
        capability = cells.per_model(locations) + precisions[0]
        eliminated = locations * (1 / capability).take(cells.model)

        def per_curve(values: Numbers) -> Numbers:
            return cells.per_benchmark(values).reshape(cells.copies, -1)

        blocks = CurveBlocks(per_curve(locations) + precisions[0], per_curve(slopes) + precisions[1], -per_curve(mixed))
        shape = (2 * len(cells.benchmark_ids), len(cells.model_ids))
        coupling = csr_array((np.concatenate([-locations, mixed]), *cells.links), shape=shape)
        schur = CurveBlocks(
            blocks.place - per_curve(eliminated * locations),
            blocks.slope - per_curve(eliminated * slopes),
            blocks.mixed + per_curve(eliminated * mixed),
        )
        return cls(capability, blocks, coupling, coupling.T, schur.inverse())

    def conjugate_gradients(
        self, capability_gradient: Numbers, curve_gradient: Numbers, tolerance: float
    ) -> "ConjugateGradients":
        """The search for the Newton step: minus the inverse of the matrix times the gradient.

        `capability_gradient` has one number for each capability, `curve_gradient` the shape (2, copies, benchmarks).
        """
        from_capabilities = self.coupling @ (capability_gradient / self.capability)
        residual = from_capabilities.reshape(curve_gradient.shape) - curve_gradient
        return ConjugateGradients(self, capability_gradient, residual, tolerance)

    def schur(self, curves: Numbers) -> Numbers:
        """The Schur complement of the capabilities, times one vector of the curves."""
        from_capabilities: Numbers = self.coupling @ ((self.transposed @ curves.ravel()) / self.capability)
        return self.blocks.times(curves) - from_capabilities.reshape(curves.shape)


class ConjugateGradients:
    """Conjugate gradients for one Newton step of all copies of a block of cells, one iteration after another.

    `count` iterations are made. `converged` is whether the norm of the residual is then at most `tolerance` times the
    first one in every copy.
    """

    def __init__(self, matrix: Curvature, capability_gradient: Numbers, residual: Numbers, tolerance: float) -> None:
        """No iteration is made yet; `residual` is that of the step 0."""
        self._matrix, self._capability_gradient = matrix, capability_gradient
        self._residual, self._change = residual, np.zeros(residual.shape)
        self._direction = self._preconditioned = matrix.preconditioner.times(residual)
        self._squared_norm = self._squared_norm_before = _product(residual, self._preconditioned)
        self._target = tolerance**2 * self._squared_norm
        self.count, self.converged = 0, False

    def iterate(self) -> None:
        """Make one iteration of conjugate gradients."""
        if self.count:
            ratio = _ratio(self._squared_norm, self._squared_norm_before)
            self._direction = self._preconditioned + ratio * self._direction
        product = self._matrix.schur(self._direction)
        step_length = _ratio(self._squared_norm, _product(self._direction, product))
        self._change += step_length * self._direction
        self._residual = self._residual - step_length * product
        self._preconditioned = self._matrix.preconditioner.times(self._residual)
        self._squared_norm_before = self._squared_norm
        self._squared_norm = _product(self._residual, self._preconditioned)
        self.count, self.converged = self.count + 1, bool((self._squared_norm <= self._target).all())

    def step(self) -> Step:
        """The step after the iterations that were made; the objective falls along it."""
        eliminated = self._matrix.transposed @ self._change.ravel()
        return Step(-(self._capability_gradient + eliminated) / self._matrix.capability, self._change)


def newton_steps(searches: Sequence[ConjugateGradients], most_iterations: int) -> list[Step]:
    """The Newton step of each block of cells, each after the same number of iterations.

    They end at the first iteration at which all blocks have converged, or after `most_iterations`. A block makes its
    iterations in one go, while its arrays are in the processor's cache; no block makes more than the others.
    """
    iterations = 1
    while any(search.count < iterations for search in searches):
        for search in searches:
            while search.count < iterations or (not search.converged and search.count < most_iterations):
                search.iterate()
            iterations = search.count
    return [search.step() for search in searches]


def _product(first: Numbers, second: Numbers) -> Numbers:
    """The inner product of two arrays within each copy, as a column."""
    return np.asarray(np.einsum("pcb,pcb->c", first, second)[:, None])


def _ratio(above: Numbers, below: Numbers) -> Numbers:
    """The quotient in each copy; 0 where a copy is solved, so that the divisor is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


LOGITS_AROUND = 10.0
"""Logits either side of the difficulty within which a curve is looked at: beyond it scores move by less than 1e-4."""

GRID = 401
"""Points at which information is evaluated: one for each twentieth of a logit."""


def expected(capability: Numbers, difficulty: Numbers, slope: Numbers, floor: Numbers, span: Numbers) -> Numbers:
    """The score to expect; `span` is the best score minus the floor. Arrays broadcast."""
    return np.asarray(floor + span * expit(slope * (capability - difficulty)))


def information(logit: Numbers, floor: Numbers, span: Numbers) -> Numbers:
    """Fisher information of one right-or-wrong item about the logit slope * (capability - difficulty).

    p'^2 / (p (1 - p)): with a floor above 0 it peaks above the difficulty, because guessing hides the weak.
    A lower-is-better curve (negative span) is read as its complement. Arrays broadcast.
    """
    rise = expit(logit)
    probability = floor + span * rise
    steep = span * rise * (1 - rise)
    spread = probability * (1 - probability)
    return np.divide(steep**2, spread, out=np.zeros(np.broadcast(steep, spread).shape), where=spread > 0)


def discriminating_range(
    difficulty: Numbers, slope: Numbers, floor: Numbers, span: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """For each benchmark the capabilities (low, peak, high) between which an item has at least half of its most
    information.

    To tell two models apart outside of it takes more than twice the items.
    """
    logits = np.linspace(-LOGITS_AROUND, LOGITS_AROUND, GRID)
    item_information = information(logits, floor[:, None], span[:, None])
    enough = item_information >= item_information.max(axis=1, keepdims=True) / 2
    first, last = enough.argmax(axis=1), GRID - 1 - enough[:, ::-1].argmax(axis=1)
    peak = item_information.argmax(axis=1)
    low, most, high = (difficulty + logits[indices] / slope for indices in (first, peak, last))
    return low, most, high
