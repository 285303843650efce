"""The Gauss-Newton equations of the stitching, for all copies of the cells at once.

Capabilities meet each other only through the curves and are eliminated first (Schur complement). What is left is
solved by conjugate gradients with the 2 by 2 block of each curve as preconditioner (Nocedal & Wright 2006, algorithm
5.3): every product costs a few operations a cell and nothing is factored, so that many fits are one array operation.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.capability.view import View

Numbers = NDArray[np.float64]


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

    def step(
        self, capability_gradient: Numbers, curve_gradient: Numbers, tolerance: float, most_iterations: int
    ) -> tuple[Numbers, Numbers]:
        """The Newton step, for capabilities and for curves (shape (2, copies, benchmarks)).

        It is minus the inverse of the matrix times the gradient. Conjugate gradients end when the norm of the residual
        is at most `tolerance` times the first one in every copy, or after `most_iterations`; a step that ends early
        goes downhill as well.
        """
        from_capabilities = self.coupling @ (capability_gradient / self.capability)
        residual = from_capabilities.reshape(curve_gradient.shape) - curve_gradient
        change = np.zeros(residual.shape)
        preconditioned = self._preconditioned(residual)
        squared_norm = _product(residual, preconditioned)
        target, direction = tolerance**2 * squared_norm, preconditioned
        for _ in range(most_iterations):
            product = self._schur(direction)
            step_length = _ratio(squared_norm, _product(direction, product))
            change += step_length * direction
            residual = residual - step_length * product
            preconditioned = self._preconditioned(residual)
            squared_norm_before, squared_norm = squared_norm, _product(residual, preconditioned)
            if (squared_norm <= target).all():
                break
            direction = preconditioned + _ratio(squared_norm, squared_norm_before) * direction
        return -(capability_gradient + self.transposed @ change.ravel()) / self.capability, change

    def _schur(self, curves: Numbers) -> Numbers:
        """The Schur complement of the capabilities, times one vector of the curves."""
        from_capabilities: Numbers = self.coupling @ ((self.transposed @ curves.ravel()) / self.capability)
        return _blocks(self.place, self.slope, self.mixed, curves) - from_capabilities.reshape(curves.shape)

    def _preconditioned(self, curves: Numbers) -> Numbers:
        """The inverse of each curve's own block, times one vector of the curves."""
        return _blocks(*self.inverse, curves)


def _blocks(place: Numbers, slope: Numbers, mixed: Numbers, curves: Numbers) -> Numbers:
    """The 2 by 2 block of each curve times its two numbers."""
    return np.stack([place * curves[0] + mixed * curves[1], mixed * curves[0] + slope * curves[1]])


def _product(one: Numbers, other: Numbers) -> Numbers:
    """The inner product of two arrays within each copy, as a column."""
    return np.asarray(np.einsum("pcb,pcb->c", one, other)[:, None])


def _ratio(above: Numbers, below: Numbers) -> Numbers:
    """The quotient in each copy; 0 where a copy is solved, so that the divisor is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
