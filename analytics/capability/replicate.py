"""How sure a capability is: replicates of the fit under the noise that it was fitted with.

Randomised maximum a posteriori: in each replicate every score is drawn anew around what was seen (standard error
and misfit) and every prior mean around the fit, and the whole is fitted again. For a linear model these are
draws with the posterior's variance (Bardsley et al. 2014, doi:10.1137/140964023); unlike the bootstrap of cells they do
not shrink the interval of a model with three scores. The misfits are drawn too, by their scaled inverse chi-squared
posterior (Gelman et al. 2013, Bayesian Data Analysis, section 2.6): of five scores none is known well.

Around the fit and not around 0, because the penalty pulls the whole scale together: the replicates lie around what the
fit is when it gets back what was taken (`debiased`), so that it need not be in the middle of its intervals.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.capability import fit
from benchhealth.analytics.capability.cells import Cells, stacked
from benchhealth.analytics.statistics.arrays import Numbers

REPLICATES = 500
REPLICATES_AT_ONCE = 25
"""Replicates that are fitted at once: all take as many steps."""
SIDE_BY_SIDE = 2
"""Batches that are fitted at the same time; all draws are made before, one batch after the other."""
SEARCH = fit.Search(steps=5, settled=0.0, close=0.05, iterations=12)
"""After five steps from the fit a tenth of a capability's spread over the replicates is left, root mean square."""
LOW, HIGH = 2.5, 97.5


@dataclass(frozen=True)
class Intervals:
    """By model: 95% intervals of capability and of rank (1 is best), from the same replicates.

    Each holds its estimate.
    """

    low: Numbers
    high: Numbers
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]


class Batch(NamedTuple):
    """Replicates that are fitted together: what was drawn, where their fit begins, and their priors."""

    cells: Cells
    begin: fit.Fit
    priors: fit.Priors


def replicates(
    cells: Cells, penalty: fit.Penalty, fitted: fit.Fit, rng: np.random.Generator, count: int = REPLICATES
) -> Numbers:
    """Capabilities in `count` replicates, shape (count, models), each on its own identified scale.

    Location and unit are conventions (`identified`), so that a replicate in which the whole scale slides is no
    uncertainty of any model.
    """
    if not len(cells):
        return np.empty((count, len(cells.model_ids)))
    cells = cells.of_benchmarks()
    begin = fit.debiased(cells, penalty, fitted), fit.priors_around(fitted)
    sizes = [min(REPLICATES_AT_ONCE, count - done) for done in range(0, count, REPLICATES_AT_ONCE)]
    fitted_batches: list[Numbers] = []
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for first in range(0, len(sizes), SIDE_BY_SIDE):
            batches = [_drawn(cells, penalty, begin, rng, size) for size in sizes[first : first + SIDE_BY_SIDE]]
            fitted_batches += pool.map(lambda batch: _refitted(penalty, batch), batches)
    return np.concatenate(fitted_batches)


def _drawn(
    cells: Cells, penalty: fit.Penalty, start: tuple[fit.Fit, fit.Priors], rng: np.random.Generator, count: int
) -> Batch:
    """A batch of `count` replicates that start at the fit, with prior means drawn around those of the priors."""
    copies, begin, around = stacked([cells] * count), fit.joined([start[0]] * count), start[1]
    free = np.maximum(cells.counts - fit.CURVE, 0) + penalty.sharing
    begin = replace(begin, misfit=begin.misfit * (free / rng.chisquare(free, (count, free.size))).ravel())
    noise = np.sqrt(begin.variance(copies)) * rng.standard_normal(len(copies))

    def prior_means(mean: Numbers, precision: float) -> Numbers:
        return np.ravel(mean + rng.standard_normal((count, mean.size)) / np.sqrt(precision))

    priors = fit.Priors(
        prior_means(around.capability, penalty.place),
        prior_means(around.difficulty, penalty.place),
        prior_means(around.log_slope, penalty.slope),
    )
    return Batch(replace(copies, score=copies.score + noise), begin, priors)


def _refitted(penalty: fit.Penalty, batch: Batch) -> Numbers:
    count = batch.cells.copies
    fitted = fit.solve(batch.cells, penalty, batch.begin, batch.priors, SEARCH)
    return fit.identified(fitted, count).capability.reshape(count, -1)


def intervals(drawn: Numbers, estimate: Numbers) -> Intervals:
    """95% percentile intervals of the replicates' capabilities (shape (count, models)) and of their ranks.

    The truth counts as one more draw, so that of n replicates the k-th lies at k / (n + 1) (Weibull's positions): with
    k / n an interval from 200 of them covers a point less than it says. `estimate`: the capabilities that the intervals
    are of.
    """
    if not drawn.size:
        none = np.zeros(0)
        return Intervals(none, none, none.astype(np.int64), none.astype(np.int64))
    low, high = np.percentile(drawn, [LOW, HIGH], axis=0, method="weibull")
    rank = (-_shrunk(drawn)).argsort(axis=1).argsort(axis=1) + 1
    first, last = np.percentile(rank, [LOW, HIGH], axis=0, method="weibull")
    estimated_rank = np.searchsorted(np.sort(-estimate), -estimate) + 1
    return Intervals(
        np.minimum(low, estimate),
        np.maximum(high, estimate),
        np.minimum(np.floor(first).astype(np.int64), estimated_rank),
        np.maximum(np.ceil(last).astype(np.int64), estimated_rank),
    )


def _shrunk(drawn: Numbers) -> Numbers:
    """The replicates shrunk to the spread that the capabilities of all models have.

    Estimates lie further apart than the truth, replicates of them further still, and so a model at an end is outranked
    too often. Empirical Bayes ranks (Laird & Louis 1989, doi:10.3102/10769986014001029) are those of the posterior of a
    normal population; its share of the spread as in Morris 1983 (doi:10.1080/01621459.1983.10477920), never none.
    """
    middle, noise = drawn.mean(axis=0), drawn.var(axis=0)
    models, population = noise.size, max(float(middle.var() - noise.mean()), 0.0)
    lost = np.divide(noise, noise + population, out=np.zeros(models), where=noise > 0)
    retained = 1 - max(models - 3, 0) / max(models - 1, 1) * lost
    centre = middle.mean()
    return np.asarray(centre + retained * (middle - centre) + np.sqrt(retained) * (drawn - middle))
