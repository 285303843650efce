"""Lives that may end together: what each adds to a curve of survival, and the variance when clusters are drawn anew."""

import numpy as np

from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places


def at_risk_matrix(entry: Numbers, end: Numbers, times: Numbers) -> Flags:
    """Which lives are at risk at each time, shape (times, lives): entry < t <= end."""
    return np.asarray((entry[None, :] < times[:, None]) & (times[:, None] <= end[None, :]))


def ending_matrix(end: Numbers, ended: Flags, times: Numbers) -> Flags:
    """Which lives end at each time, shape (times, lives)."""
    return np.asarray(ended[None, :] & (times[:, None] == end[None, :]))


def on_log_alive(at_risk: Flags, ends: Flags) -> Numbers:
    """What each life adds to log S at each time, shape (times, lives): the derivative by its weight."""
    n, d = at_risk.sum(axis=1)[:, None], ends.sum(axis=1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(n > d, (at_risk * (d / n) - ends) / (n - d), 0.0)  # nothing is left to change after the last
    return np.asarray(np.cumsum(step, axis=0))


def on_share_ended(at_risk: Flags, ends: Flags, of_cause: Flags) -> Numbers:
    """What each life adds to the share that ended by one cause at each time, shape (times, lives)."""
    if not len(at_risk):
        return np.zeros(at_risk.shape)
    n, d = at_risk.sum(axis=1)[:, None], of_cause.sum(axis=1)[:, None]
    alive = np.cumprod(1 - ends.sum(axis=1) / at_risk.sum(axis=1))
    before = np.concatenate([[1.0], alive[:-1]])[:, None]
    log_before = np.concatenate([np.zeros((1, at_risk.shape[1])), on_log_alive(at_risk, ends)[:-1]])
    return np.asarray(np.cumsum(before * (log_before * d / n + (of_cause - at_risk * d / n) / n), axis=0))


def between(added: Numbers, cluster: Places) -> Numbers:
    """The variance of the sum of `added` over lives, its last axis, when clusters are independent.

    The squares of the clusters' sums, times clusters / (clusters - 1); not known (NaN) of a single cluster.

    >>> between(np.array([1.0, 1.0, -1.0, -1.0]), np.array([0, 0, 1, 1])).item()
    16.0
    """
    named, cluster_index = np.unique(cluster, return_inverse=True)
    of_cluster = np.zeros((*added.shape[:-1], named.size))
    np.add.at(np.moveaxis(of_cluster, -1, 0), cluster_index, np.moveaxis(added, -1, 0))
    if named.size < 2:
        return np.full(added.shape[:-1], np.nan)
    return np.asarray((of_cluster**2).sum(axis=-1) * named.size / (named.size - 1))
