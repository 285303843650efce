"""How sure a capability is: replicates of the fit under the noise that it was fitted with.

Randomised maximum a posteriori: in each replicate every score is drawn anew around what was seen (standard error
and misfit) and every prior mean around 0, and the whole is fitted again. For a linear model these are
draws from the posterior (Bardsley et al. 2014, doi:10.1137/140964023); unlike the bootstrap of cells they do not
shrink the interval of a model with three scores.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analytics.capability.cells import Cells
from analytics.capability.fit import FIRST_DAMPING, Fit, Penalty, Priors, Search, curvature, identified, solve

Numbers = NDArray[np.float64]

REPLICATES = 500
STEPS = 3
"""From the fit a replicate is a small way: after three steps 0.02 of its spread are left, root mean square."""
LOW, HIGH = 2.5, 97.5


@dataclass(frozen=True)
class Intervals:
    """By model: 95% intervals of capability and of rank (1 is best), from the same replicates."""

    low: Numbers
    high: Numbers
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]


def replicates(
    cells: Cells, penalty: Penalty, fitted: Fit, rng: np.random.Generator, count: int = REPLICATES
) -> Numbers:
    """Capabilities in `count` replicates, shape (count, models), each on its own identified scale.

    Location and unit are conventions (`identified`), so that a replicate in which the whole scale slides is no
    uncertainty of any model.
    """
    spread = np.sqrt(fitted.variance(cells))
    place, slope = 1 / np.sqrt(penalty.place), 1 / np.sqrt(penalty.slope)
    seen = np.empty((count, len(cells.model_ids)))
    n = len(cells.benchmark_ids)
    search = Search(STEPS, first=curvature(cells, penalty, fitted, 1 / spread**2, FIRST_DAMPING))
    for row in range(count):
        noisy = replace(cells, score=cells.score + spread * rng.standard_normal(len(cells)))
        priors = Priors(
            place * rng.standard_normal(len(cells.model_ids)),
            place * rng.standard_normal(n),
            slope * rng.standard_normal(n),
        )
        seen[row] = identified(solve(noisy, penalty, fitted, priors, search)).capability
    return seen


def intervals(seen: Numbers) -> Intervals:
    """95% percentile intervals of the replicates' capabilities and of their ranks.

    The truth counts as one more draw, so that of n replicates the k-th lies at k / (n + 1) (Weibull's positions): with
    k / n an interval from 200 of them covers a point less than it says.
    """
    if not seen.size:
        none = np.zeros(0)
        return Intervals(none, none, none.astype(np.int64), none.astype(np.int64))
    low, high = np.percentile(seen, [LOW, HIGH], axis=0, method="weibull")
    rank = (-seen).argsort(axis=1).argsort(axis=1) + 1
    rank_low, rank_high = np.percentile(rank, [LOW, HIGH], axis=0, method="nearest").astype(np.int64)
    return Intervals(low, high, rank_low, rank_high)
