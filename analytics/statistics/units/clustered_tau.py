"""Kendall's tau over models that come in families, with an interval that leaves families out whole."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.rank_agreement import kendall_tau

FEWEST_UNITS = 5
"""With fewer independent families than this no interval is given."""

FIELLER = 0.437
"""Variance of the z of tau over n independent units, times n - 4."""


class Tau(NamedTuple):
    """Tau-b with its 95% interval; None where it is undefined."""

    tau: float | None
    low: float | None
    high: float | None


def clustered_tau(left: ArrayLike, right: ArrayLike, clusters: ArrayLike) -> Tau:
    """Kendall's tau-b of two lists of scores whose units come in `clusters`, with its 95% interval.

    Models of one family lie close together on both lists, so that a family of four adds hardly more than one model. The
    interval is computed on Fisher's z of tau. Its variance is that of the jackknife, which leaves out one cluster at a
    time; its quantile is Student's t with the effective number of clusters, (sum n)^2 / sum n^2, less one. Where no
    cluster changes tau, as where both orders are the same, the variance is .437 / (clusters - 4) (Fieller, Hartley,
    Pearson 1957, doi:10.1093/biomet/44.3-4.470). A tau of 1 is taken as one with half a discordant pair, as its z would
    be infinite. With fewer than five clusters there is no interval.
    With models taken as independent, as published before, the variance of 1957 covers .75 for families of four.
    Raises ValueError where `clusters` has another length than the lists.
    """
    first, second = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    tau = kendall_tau(first, second)
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    size = np.bincount(cluster).astype(np.float64)
    if first.size != cluster.size:
        raise ValueError(f"a cluster for each unit expected, got {cluster.size} for {first.size}")
    if tau is None or size.size < FEWEST_UNITS:
        return Tau(tau, None, None)
    largest_tau = 1 - 2 / (first.size * (first.size - 1))
    z_without_cluster = np.arctanh(np.clip(_without_each(first, second, cluster), -largest_tau, largest_tau))
    variance = float(np.square(z_without_cluster - z_without_cluster.mean()).sum()) * (size.size - 1) / size.size
    half_width = float(student.quantile(0.975, float(size.sum() ** 2 / (size**2).sum()) - 1)) * float(np.sqrt(variance))
    if variance < 1e-12:
        half_width = Z95 * float(np.sqrt(FIELLER / (size.size - FEWEST_UNITS + 1)))
    z = float(np.arctanh(np.clip(tau, -largest_tau, largest_tau)))
    low, high = float(np.tanh(z - half_width)), float(np.tanh(z + half_width))
    return Tau(tau, round(min(low, tau), 9), round(max(high, tau), 9))


def _without_each(first: Numbers, second: Numbers, cluster: NDArray[np.intp]) -> Numbers:
    """Tau-b without each cluster in turn; 0 where it is undefined, as no pair is ordered."""
    order = np.argsort(cluster, kind="stable")
    first, second = first[order], second[order]
    starts = np.flatnonzero(np.diff(cluster[order], prepend=-1))
    ends = [*starts[1:], first.size]
    total, of_cluster = np.zeros(4), np.zeros((4, starts.size))
    for index, (begin, end) in enumerate(zip(starts, ends, strict=True)):
        block, other_block = first[begin:end, None], second[begin:end, None]
        apart, other_apart = block != first, other_block != second
        both = apart & other_apart
        opposed = both & ((block > first) != (other_block > second))
        for row, pairs in enumerate((both, opposed, apart, other_apart)):
            n_pairs = np.count_nonzero(pairs)
            total[row] += n_pairs
            of_cluster[row, index] = 2 * n_pairs - np.count_nonzero(pairs[:, begin:end])
    both, opposed, apart, other_apart = total[:, None] - of_cluster
    ordered_pairs = np.sqrt(apart * other_apart)
    return np.asarray((both - 2 * opposed) / np.where(ordered_pairs > 0, ordered_pairs, np.inf))
