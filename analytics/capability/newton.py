"""The Gauss-Newton equations of the stitching, for all copies of the cells at once.

Capabilities meet each other only through the curves and are eliminated first (Schur complement). What is left is
solved by conjugate gradients with the 2 by 2 block of each curve as preconditioner (Nocedal & Wright 2006, algorithm
5.3): every product costs a few operations a cell and nothing is factored, so that many fits are one array operation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.capability.view import View
from benchhealth.analytics.statistics.arrays import Numbers


@dataclass(frozen=True)
class Curvature:
    """The Gauss-Newton matrix of an objective in blocks, each array with a part for every copy.

    `capability`: its diagonal for the capabilities. `place`, `slope` and `mixed`: its 2 by 2 blocks for the curves,
    shape (copies, benchmarks). `coupling`: difficulties, then log slopes (rows) by capabilities (columns);
    `transposed` is its transpose. `inverse`: the inverse of each 2 by 2 block of the Schur complement, in the order
    place, slope, mixed.
    """

    capability: Numbers
    place: Numbers
    slope: Numbers
    mixed: Numbers
    coupling: csr_array
    transposed: csc_array
    inverse: tuple[Numbers, Numbers, Numbers]

    @classmethod
    def at(cls, cells: Cells, precisions: tuple[float, float], view: View) -> "Curvature":
        """The matrix at the parameters that `view` was computed with; `precisions` are those of the priors of
        capabilities and difficulties, and of log slopes."""
        places, slopes, mixed = view.by_place**2, view.by_slope**2, view.by_place * view.by_slope
        capability = cells.per_model(places) + precisions[0]
        eliminated = places * (1 / capability).take(cells.model)

        def curves(values: Numbers) -> Numbers:
            return cells.per_benchmark(values).reshape(cells.copies, -1)

        place, slope, mixed_block = curves(places) + precisions[0], curves(slopes) + precisions[1], -curves(mixed)
        shape = (2 * len(cells.benchmark_ids), len(cells.model_ids))
        coupling = csr_array((np.concatenate([-places, mixed]), *cells.links), shape=shape)
        schur = (
            place - curves(eliminated * places),
            slope - curves(eliminated * slopes),
            mixed_block + curves(eliminated * mixed),
        )
        determinant = schur[0] * schur[1] - schur[2] ** 2
        inverse = schur[1] / determinant, schur[0] / determinant, -schur[2] / determinant
        return cls(capability, place, slope, mixed_block, coupling, coupling.T, inverse)

    def conjugate_gradients(
        self, capability_gradient: Numbers, curve_gradient: Numbers, tolerance: float
    ) -> "ConjugateGradients":
        """The search for the Newton step: minus the inverse of the matrix times the gradient.

        Gradients by capability and by curve, shape (2, copies, benchmarks).
        """
        from_capabilities = self.coupling @ (capability_gradient / self.capability)
        residual = from_capabilities.reshape(curve_gradient.shape) - curve_gradient
        return ConjugateGradients(self, capability_gradient, residual, tolerance)

    def schur(self, curves: Numbers) -> Numbers:
        """The Schur complement of the capabilities, times one vector of the curves."""
        from_capabilities: Numbers = self.coupling @ ((self.transposed @ curves.ravel()) / self.capability)
        return _blocks(self.place, self.slope, self.mixed, curves) - from_capabilities.reshape(curves.shape)

    def preconditioned(self, curves: Numbers) -> Numbers:
        """The inverse of each curve's own block, times one vector of the curves."""
        return _blocks(*self.inverse, curves)


class ConjugateGradients:
    """Conjugate gradients for one Newton step of all copies of a block of cells, one iteration after another.

    `count` iterations are made. `converged` is whether the norm of the residual is then at most `tolerance` times the
    first one in every copy.
    """

    def __init__(self, matrix: Curvature, capability_gradient: Numbers, residual: Numbers, tolerance: float) -> None:
        """No iteration is made yet; `residual` is that of the step 0."""
        self._matrix, self._capability_gradient = matrix, capability_gradient
        self._residual, self._change = residual, np.zeros(residual.shape)
        self._direction = self._preconditioned = matrix.preconditioned(residual)
        self._squared_norm = self._squared_norm_before = _product(residual, self._preconditioned)
        self._target = tolerance**2 * self._squared_norm
        self.count, self.converged = 0, False

    def iterate(self) -> None:
        """Make one more iteration."""
        if self.count:
            ratio = _ratio(self._squared_norm, self._squared_norm_before)
            self._direction = self._preconditioned + ratio * self._direction
        product = self._matrix.schur(self._direction)
        step_length = _ratio(self._squared_norm, _product(self._direction, product))
        self._change += step_length * self._direction
        self._residual = self._residual - step_length * product
        self._preconditioned = self._matrix.preconditioned(self._residual)
        self._squared_norm_before = self._squared_norm
        self._squared_norm = _product(self._residual, self._preconditioned)
        self.count, self.converged = self.count + 1, bool((self._squared_norm <= self._target).all())

    def step(self) -> tuple[Numbers, Numbers]:
        """The step so far, for capabilities and for curves (shape (2, copies, benchmarks)). It goes downhill."""
        eliminated = self._matrix.transposed @ self._change.ravel()
        return -(self._capability_gradient + eliminated) / self._matrix.capability, self._change


def steps(searches: Sequence[ConjugateGradients], most_iterations: int) -> list[tuple[Numbers, Numbers]]:
    """The Newton step of each block, each after the same number of iterations.

    They end at the first iteration at which all blocks have converged, or after `most_iterations`. A block makes its
    iterations at a stretch while its arrays are near the processor, and none that the others do not make.
    """
    iterations = 1
    while any(search.count < iterations for search in searches):
        for search in searches:
            while search.count < iterations or (not search.converged and search.count < most_iterations):
                search.iterate()
            iterations = search.count
    return [search.step() for search in searches]


def _blocks(place: Numbers, slope: Numbers, mixed: Numbers, curves: Numbers) -> Numbers:
    """The 2 by 2 block of each curve times its two numbers."""
    return np.stack([place * curves[0] + mixed * curves[1], mixed * curves[0] + slope * curves[1]])


def _product(one: Numbers, other: Numbers) -> Numbers:
    """The inner product of two arrays within each copy, as a column."""
    return np.asarray(np.einsum("pcb,pcb->c", one, other)[:, None])


def _ratio(above: Numbers, below: Numbers) -> Numbers:
    """The quotient in each copy; 0 where a copy is solved, so that the divisor is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
