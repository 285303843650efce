"""How many models solve each item, how many items tell the first two apart, what is missing."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.items.panel import Panel
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_mean import FEWEST_CLUSTERS, clustered_items
from benchhealth.analytics.statistics.units.paired import difference_variances

Numbers = NDArray[np.float64]

TOP = 10
"""Pairs are counted among so many first models."""


class FirstTwo(NamedTuple):
    """The items that both of the first two answered, and those that each alone of them solved."""

    shared: int
    first_alone: int
    second_alone: int


class Pairs(NamedTuple):
    """Pairs of the first TOP models: all, and those beyond error with items or with clusters of items as the sample."""

    pairs: int
    apart: int
    apart_by_cluster: int | None


def by_number(panel: Panel) -> NDArray[np.int64]:
    """How many items are solved by 0, 1, … and all models: (models + 1,)."""
    return np.bincount(panel.solved.sum(axis=0), minlength=len(panel.models) + 1).astype(np.int64)


def none_by_guessing(n_models: int, n_items: int, floor: float) -> float:
    """How many items no model would solve if all guessed, each right as often as `floor` says: (1 - floor)^models."""
    return (1 - floor) ** n_models * n_items


def first_two(panel: Panel) -> FirstTwo:
    """What tells the first two apart: an item that one of them was not asked tells nothing about the other."""
    shared = panel.answered[0] & panel.answered[1]
    first, second = panel.solved[0] & shared, panel.solved[1] & shared
    return FirstTwo(int(shared.sum()), int((first & ~second).sum()), int((second & ~first).sum()))


def pairs_apart(panel: Panel) -> Pairs:
    """How many pairs of the first TOP models can be told apart, one pair at a time, at 95%, on what both answered.

    The variance of a difference is that over items (`difference_variances`), and where the cluster of each item is
    known that over clusters (`clustered_items`): as if other clusters, such as subjects, had been drawn.
    """
    cluster = panel.known_cluster
    apart = by_cluster = pairs = 0
    for first, second in combinations(range(min(TOP, len(panel.models))), 2):
        shared = panel.answered[first] & panel.answered[second]
        outcomes = panel.outcomes[[first, second]][:, shared]
        if outcomes.shape[1] < 2:
            continue
        pairs += 1
        squared = float(outcomes[0].mean() - outcomes[1].mean()) ** 2
        apart += squared > Z95**2 * float(difference_variances(outcomes)[0, 1])
        if cluster is not None:
            _, of_shared = np.unique(cluster[shared], return_inverse=True)
            by_cluster += _beyond_clusters(squared, outcomes, of_shared)
    return Pairs(pairs, int(apart), None if cluster is None else int(by_cluster))


def _beyond_clusters(squared: float, outcomes: Numbers, clusters: NDArray[np.intp]) -> bool:
    """Whether a squared difference of two models is beyond its error over clusters, where there are enough of them."""
    if clusters.max() + 1 < FEWEST_CLUSTERS:
        return False
    over = clustered_items(outcomes, clusters)
    return bool(squared > student.as_far_out(Z95, over.degrees) ** 2 * over.variances[0, 1])
