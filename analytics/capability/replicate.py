"""How sure a capability is: replicates of the fit under the noise that it was fitted with.

Randomised maximum a posteriori: in each replicate every score is drawn anew around what was seen (standard error
and misfit) and every prior mean around 0, and the whole is fitted again. For a linear model these are
draws from the posterior (Bardsley et al. 2014, doi:10.1137/140964023); unlike the bootstrap of cells they do not
shrink the interval of a model with three scores.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analytics.capability.cells import Cells, together
from analytics.capability.fit import Fit, Penalty, Priors, Search, identified, joined, solve

Numbers = NDArray[np.float64]

REPLICATES = 500
TOGETHER = 25
"""Replicates that are fitted at once: their arrays still fit near the processor."""
SEARCH = Search(steps=5, settled=0.0, close=0.05, turns=12)
"""After five steps from the fit a tenth of a capability's spread over the replicates is left, root mean square."""
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
    if not len(cells):
        return np.empty((count, len(cells.model_ids)))
    cells = cells.of_benchmarks()
    sizes = [min(TOGETHER, count - done) for done in range(0, count, TOGETHER)]
    return np.concatenate([_some(cells, penalty, fitted, rng, size) for size in sizes])


def _some(cells: Cells, penalty: Penalty, fitted: Fit, rng: np.random.Generator, count: int) -> Numbers:
    """As many replicates, fitted together."""
    copies = together([cells] * count)
    begin = joined([fitted] * count)
    place, slope = 1 / np.sqrt(penalty.place), 1 / np.sqrt(penalty.slope)
    noise = np.sqrt(begin.variance(copies)) * rng.standard_normal(len(copies))
    models, benchmarks = len(copies.model_ids), len(copies.benchmark_ids)
    priors = Priors(
        place * rng.standard_normal(models),
        place * rng.standard_normal(benchmarks),
        slope * rng.standard_normal(benchmarks),
    )
    found = solve(replace(copies, score=copies.score + noise), penalty, begin, priors, SEARCH)
    return identified(found, count).capability.reshape(count, -1)


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
