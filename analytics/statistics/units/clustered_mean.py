"""The variance of a mean over units that come in clusters."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class Component(NamedTuple):
    """A part of a variance, and the degrees of freedom with which it is known."""

    variance: float
    degrees: float


def clustered_variance(values: ArrayLike, clusters: Sequence[str]) -> Component | None:
    """The variance of the mean of `values` whose units come in `clusters`, by leaving out one cluster after another.

    Units of one cluster may go together, so that clusters are left out whole (jackknife, CV3 of MacKinnon, Nielsen,
    Webb 2023, doi:10.1016/j.jeconom.2022.04.001). The degrees of freedom count the clusters as unequal as they are: 1
    less than sum(n)^2 / sum(n^2), at least 1. None with fewer than two clusters.
    """
    number = np.asarray(values, dtype=np.float64)
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    size = np.bincount(cluster).astype(np.float64)
    if size.size < 2:
        return None
    without = (number.sum() - np.bincount(cluster, weights=number)) / (number.size - size)
    variance = float(np.square(without - without.mean()).sum()) * (size.size - 1) / size.size
    alike = float(size.sum() ** 2 / (size**2).sum())
    return Component(variance, max(alike - 1.0, 1.0))
