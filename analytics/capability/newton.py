"""The Gauss-Newton equations of the stitching, for all copies of the cells at once.

Capabilities meet each other only through the curves and are eliminated first (Schur complement). What is left is
solved by conjugate gradients with the 2 by 2 block of each curve as preconditioner (Nocedal & Wright 2006, algorithm
5.3): every product costs a few operations a cell and nothing is factored, so that many fits are one array operation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.capability.view import View

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Curvature:
    """The Gauss-Newton matrix of an objective; a block for each copy.

    `capability`: its diagonal for the capabilities. `place`, `slope` and `mixed`: its 2 by 2 blocks for the curves,
    shape (copies, benchmarks). `across`: difficulties, then log slopes (rows) by capabilities (columns); `back` is its
    transpose. `inverse`: of the blocks of the Schur complement, in the order place, slope, mixed.
    """

    capability: Numbers
    place: Numbers
    slope: Numbers
    mixed: Numbers
    across: csr_array
    back: csc_array
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

        place, slope, crossed = curves(places) + precisions[0], curves(slopes) + precisions[1], -curves(mixed)
        shape = (2 * len(cells.benchmark_ids), len(cells.model_ids))
        across = csr_array((np.concatenate([-places, mixed]), *cells.links), shape=shape)
        rest = (
            place - curves(eliminated * places),
            slope - curves(eliminated * slopes),
            crossed + curves(eliminated * mixed),
        )
        volume = rest[0] * rest[1] - rest[2] ** 2
        inverse = rest[1] / volume, rest[0] / volume, -rest[2] / volume
        return cls(capability, place, slope, crossed, across, across.T, inverse)

    def turns(self, capability_gradient: Numbers, curve_gradient: Numbers, tolerance: float) -> "Turns":
        """The search for the Newton step: minus the inverse of the matrix times the gradient.

        Gradients by capability and by curve, shape (2, copies, benchmarks).
        """
        through = self.across @ (capability_gradient / self.capability)
        residual = through.reshape(curve_gradient.shape) - curve_gradient
        return Turns(self, capability_gradient, residual, tolerance)

    def schur(self, curves: Numbers) -> Numbers:
        """The Schur complement of the capabilities, times one vector of the curves."""
        through: Numbers = self.across @ ((self.back @ curves.ravel()) / self.capability)
        return _blocks(self.place, self.slope, self.mixed, curves) - through.reshape(curves.shape)

    def preconditioned(self, curves: Numbers) -> Numbers:
        """The inverse of each curve's own block, times one vector of the curves."""
        return _blocks(*self.inverse, curves)


class Turns:
    """Conjugate gradients for one Newton step of all copies of a block of cells, one turn after another.

    `count` turns are made. `close` is whether the norm of the residual is then at most `tolerance` times the first one
    in every copy.
    """

    def __init__(self, matrix: Curvature, capability_gradient: Numbers, residual: Numbers, tolerance: float) -> None:
        """No turn is made yet; `residual` is that of the step 0."""
        self._matrix, self._capability_gradient = matrix, capability_gradient
        self._residual, self._change = residual, np.zeros(residual.shape)
        self._direction = self._preconditioned = matrix.preconditioned(residual)
        self._size = self._before = _product(residual, self._preconditioned)
        self._enough = tolerance**2 * self._size
        self.count, self.close = 0, False

    def turn(self) -> None:
        """Make one more."""
        if self.count:
            self._direction = self._preconditioned + _ratio(self._size, self._before) * self._direction
        product = self._matrix.schur(self._direction)
        along = _ratio(self._size, _product(self._direction, product))
        self._change += along * self._direction
        self._residual = self._residual - along * product
        self._preconditioned = self._matrix.preconditioned(self._residual)
        self._before, self._size = self._size, _product(self._residual, self._preconditioned)
        self.count, self.close = self.count + 1, bool((self._size <= self._enough).all())

    def step(self) -> tuple[Numbers, Numbers]:
        """The step so far, for capabilities and for curves (shape (2, copies, benchmarks)). It goes downhill."""
        back = self._matrix.back @ self._change.ravel()
        return -(self._capability_gradient + back) / self._matrix.capability, self._change


def steps(searches: Sequence[Turns], most_turns: int) -> list[tuple[Numbers, Numbers]]:
    """The Newton step of each block, after as many turns in all: the first at which all are close, or `most_turns`.

    A block makes its turns at a stretch while its arrays are near the processor, and none that the others do not make.
    """
    turns = 1
    while any(search.count < turns for search in searches):
        for search in searches:
            while search.count < turns or (not search.close and search.count < most_turns):
                search.turn()
            turns = search.count
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
