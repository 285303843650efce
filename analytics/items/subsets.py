"""Whether fewer items would order the models as all of them do."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics.rank_agreement import kendall_tau

DRAWS = 200
"""How many random subsets of items are drawn."""

SUBSET = 400
"""Items of a subset; of a test with fewer than twice as many, half of its items."""


class Subsets(NamedTuple):
    """How many of DRAWS subsets of `items` keep the exact order, and the agreement with it (tau-b), median and 95%."""

    items: int
    same_order: int
    tau: float
    low: float
    high: float


def of_subsets(outcomes: NDArray[np.float64], rng: np.random.Generator) -> Subsets | None:
    """Order the models on random subsets of (models, items) outcomes and compare with the order on all items.

    Models that tie on all items may stand in either order; a tie on the subset of models that do not is no order kept.
    None where the models have no order: all score the same.
    """
    n = outcomes.shape[1]
    size = min(SUBSET, n // 2)
    on_all = outcomes.mean(axis=1)
    taus, same_order = [], 0
    order = np.argsort(-on_all, kind="stable")
    for _ in range(DRAWS):
        on_subset = outcomes[:, rng.choice(n, size, replace=False)].mean(axis=1)
        tau = kendall_tau(on_all, on_subset)
        if tau is not None:
            taus.append(tau)
        same_order += _keeps(on_subset[order], on_all[order])
    if not taus:
        return None
    low, middle, high = np.quantile(taus, [0.025, 0.5, 0.975])
    return Subsets(size, same_order, float(middle), float(low), float(high))


def _keeps(on_subset: NDArray[np.float64], on_all: NDArray[np.float64]) -> bool:
    """Whether every model that is above another on the `on_all`, which is sorted, is above it on the part too."""
    best_below = np.maximum.accumulate(on_subset[::-1])[::-1]
    worst_above = np.minimum.accumulate(on_subset)
    ends = np.flatnonzero(np.diff(on_all) < 0)
    return bool((worst_above[ends] > best_below[ends + 1]).all())
