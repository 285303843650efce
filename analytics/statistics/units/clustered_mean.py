"""Means over units that come in clusters, such as the items of a test by passage, subject or repository."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.units.paired import difference_variances

FEWEST_CLUSTERS = 5
"""With fewer clusters no interval over them is given."""


class Component(NamedTuple):
    """A part of a variance, and the degrees of freedom with which it is known."""

    variance: float
    degrees: float


class OverClusters(NamedTuple):
    """What other clusters of the kind might have given.

    `variances` of the difference between the means of every two models, (models, models), on the diagonal that of each
    model's own mean; `degrees` of freedom with which Student's t knows them.
    """

    variances: Numbers
    degrees: float


def clustered_variance(values: ArrayLike, clusters: Sequence[str]) -> Component | None:
    """The variance of the mean of `values` whose units come in `clusters`, by leaving out one cluster after another.

    As `clustered_variances`, of one mean. None with fewer than two clusters.
    """
    number = np.asarray(values, dtype=np.float64)
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    size = np.bincount(cluster).astype(np.float64)
    if size.size < 2:
        return None
    from_mean = _without_each(np.asarray([np.bincount(cluster, weights=number)], dtype=np.float64), size)
    return Component(float(np.square(from_mean).sum()), _degrees(size))


def clustered_variances(outcomes: Numbers, clusters: NDArray[np.intp]) -> OverClusters:
    """The variance of the difference between the means of every two models, items being drawn in clusters.

    `outcomes` are (models, items), `clusters` the number (from 0) of each item's cluster. Items of one cluster may go
    together, so that clusters are left out whole, one after another (jackknife, CV3 of MacKinnon, Nielsen, Webb 2023,
    doi:10.1016/j.jeconom.2022.04.001). The degrees of freedom count the clusters as unequal as they are: 1 less than
    sum(n)^2 / sum(n^2), at least 1. The sum over clusters of squared sums of deviations (Liang & Zeger 1986) with one
    degree of freedom a cluster covers .83 where one of twelve clusters holds 46% of the items, as in SWE-bench; this
    covers .97 there, and .95 with 14 clusters as in MMLU-Pro. Raises ValueError with fewer than two clusters.
    """
    solved = np.asarray(outcomes, dtype=np.float64)
    size = np.bincount(clusters).astype(np.float64)
    if np.count_nonzero(size) < 2:
        raise ValueError("two clusters or more expected")
    sums = np.asarray([np.bincount(clusters, weights=row, minlength=size.size) for row in solved], dtype=np.float64)
    return over_sums(sums[:, size > 0], size[size > 0])


def over_sums(sums: Numbers, size: Numbers) -> OverClusters:
    """`clustered_items` from the sums by cluster, (models, clusters), of `size` items each."""
    from_mean = _without_each(sums, size)
    covariance = from_mean @ from_mean.T
    variance_of_each = np.diag(covariance)
    variance = np.clip(variance_of_each[:, None] + variance_of_each[None, :] - 2 * covariance, 0.0, None)
    np.fill_diagonal(variance, variance_of_each)
    return OverClusters(np.asarray(variance), _degrees(size))


def clustered_items(outcomes: Numbers, clusters: NDArray[np.intp]) -> OverClusters:
    """As `clustered_variances` where units are items of a test: no variance is less than that item by item.

    Between few clusters two models that differ on some items may not scatter at all by chance, which is no knowledge
    (`paired.difference_variances` for differences; p(1 - p) / n or less for a model's own mean).
    """
    by_cluster = clustered_variances(outcomes, clusters)
    item_variances = difference_variances(outcomes)
    np.fill_diagonal(item_variances, outcomes.var(axis=1) / outcomes.shape[1])
    return by_cluster._replace(variances=np.maximum(by_cluster.variances, item_variances))


def _without_each(sums: Numbers, size: Numbers) -> Numbers:
    """How far each mean without one cluster lies from the mean of these, so scaled that squares add up to a variance.

    `sums` are (means, clusters), of `size` units each.
    """
    without = (sums.sum(axis=1, keepdims=True) - sums) / (size.sum() - size)
    from_mean = without - without.mean(axis=1, keepdims=True)
    return np.asarray(from_mean * np.sqrt((size.size - 1) / size.size))


def _degrees(size: Numbers) -> float:
    return max(float(size.sum() ** 2 / (size**2).sum()) - 1.0, 1.0)
