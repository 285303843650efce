"""The penalty that predicts held-out scores best, instead of one set by habit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.capability.cells import Cells, stacked
from benchhealth.analytics.capability.fit import MISFIT_ROUNDS, Fit, Penalty, Search, fit
from benchhealth.analytics.statistics.arrays import Numbers

FOLDS = 5
GRIDS: Mapping[str, Sequence[float]] = {
    "place": (0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
    "slope": (1.0, 3.0, 10.0, 30.0, 100.0),
    "sharing": (1.0, 5.0, 25.0, 1000.0),
}
"""By field of `Penalty`; of `sharing` from every benchmark with a misfit of its own to nearly one for all."""
BEGIN = Penalty(place=1.0, slope=10.0, sharing=5.0)
TOLERANCE = Search(settled=1e-4, close=0.1)
"""How near a held-out fit comes: what is left moves its likelihood by 3e-4 nats a cell, less than neighbouring
penalties differ by."""
ROUNDS_AGAIN = 3
"""Rounds of a fit that starts from one under a neighbouring penalty."""


def folds(cells: Cells, rng: np.random.Generator) -> NDArray[np.int64]:
    """A fold in 0..FOLDS-1 for each cell, the cells of a benchmark spread evenly over the folds."""
    shuffled = rng.permutation(len(cells))
    in_turn = shuffled[np.argsort(cells.benchmark[shuffled], kind="stable")]
    fold = np.empty(len(cells), dtype=np.int64)
    fold[in_turn] = np.arange(len(cells)) % FOLDS
    return fold


def log_likelihood(cells: Cells, predicted: Numbers, variance: Numbers) -> float:
    """Mean log density of the scores, normal around the prediction; in nats for each cell."""
    squares = (cells.score - predicted) ** 2 / variance
    return float(np.mean(-0.5 * (squares + np.log(2 * np.pi * variance)))) if len(cells) else 0.0


def held_out(cells: Cells, fold: NDArray[np.int64], penalty: Penalty, begin: Fit | None = None) -> Fit:
    """The fits without each fold, as copies in one, starting from `begin`."""
    training = stacked([cells.where(fold != k) for k in range(FOLDS)])
    return fit(training, penalty, begin, MISFIT_ROUNDS if begin is None else ROUNDS_AGAIN, TOLERANCE)


def score(cells: Cells, fold: NDArray[np.int64], fits: Fit) -> float:
    """Mean log likelihood of every cell under the fit that has not seen it."""
    unseen = stacked([cells.where(fold == k) for k in range(FOLDS)])
    return log_likelihood(unseen, fits.predict(unseen), fits.variance(unseen))


def choose(cells: Cells, rng: np.random.Generator) -> tuple[Penalty, float]:
    """The penalty with the highest held-out likelihood, and that likelihood.

    One coordinate after another is moved along its grid for as long as the likelihood rises.
    """
    if not len(cells):
        return BEGIN, 0.0
    fold = folds(cells, rng)
    best, fits = BEGIN, held_out(cells, fold, BEGIN)
    reached = score(cells, fold, fits)
    for name, grid in GRIDS.items():
        for direction in (1, -1):
            index = grid.index(getattr(best, name)) + direction
            while 0 <= index < len(grid):
                tried = replace(best, **{name: grid[index]})
                fitted = held_out(cells, fold, tried, fits)
                value = score(cells, fold, fitted)
                if value <= reached:
                    break
                best, reached, fits, index = tried, value, fitted, index + direction
    return best, reached
