"""The median of waits of which some are not over, where several end at once and are no independent ones."""

import numpy as np
from numpy.typing import ArrayLike

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.survival.kaplan_meier import HalfLife


def median_wait(waits: ArrayLike, is_over: ArrayLike, clusters: ArrayLike) -> HalfLife:
    """The wait by which half are over, with its 95% interval, by the product limit; a wait may be below 0.

    A wait that is not `is_over` is longer than what was seen of it (censored), and no reason to leave it out: those are
    the long ones. `months` is None where more than half outlast what was seen, `high` where the band stays above half.
    Waits of one of the `clusters` end together, so that the variance of the cumulative hazard is that of the sums of
    their influences by cluster (Ying, Wei 1994, Journal of Multivariate Analysis 50), with Student's t of as many
    clusters less one, on the scale log(-log S); no interval with a single cluster. Source: Kaplan, Meier (1958),
    doi:10.1080/01621459.1958.10501452; interval: Brookmeyer, Crowley (1982), doi:10.2307/2530286. Raises ValueError
    where the lists differ in length.
    """
    wait, ended = np.asarray(waits, dtype=np.float64), np.asarray(is_over, dtype=np.bool_)
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    if not wait.shape == ended.shape == cluster.shape:
        raise ValueError(f"three lists of one length expected, got {wait.shape}, {ended.shape}, {cluster.shape}")
    times = np.unique(wait[ended])
    if times.size == 0:
        return HalfLife(None, None, None)
    is_at_risk = wait[:, None] >= times[None, :]
    ends = ended[:, None] & (wait[:, None] == times[None, :])
    at_risk, ending = is_at_risk.sum(axis=0), ends.sum(axis=0)
    share = np.cumprod(1 - ending / at_risk)
    middle = _median_time(times, share)
    units = int(cluster.max()) + 1
    if units < 2:
        return HalfLife(middle, None, None)
    influence = np.cumsum(ends / at_risk - is_at_risk * ending / at_risk**2, axis=1)
    together = np.zeros((units, times.size))
    np.add.at(together, cluster, influence)
    variance = np.square(together).sum(axis=0) * units / (units - 1)
    left = np.clip(share, 1e-12, 1 - 1e-12)
    reach = float(student.quantile(0.975, units - 1)) * np.sqrt(variance) / np.abs(np.log(left))
    with np.errstate(over="ignore"):
        low, high = left ** np.exp(reach), np.where(share > 0, left ** np.exp(-reach), 0.0)
    most = None if middle is None else _median_time(times, np.minimum.accumulate(high))
    return HalfLife(middle, _median_time(times, low), most)


def _median_time(times: Numbers, share: Numbers) -> float | None:
    """The first time at which no more than half is left; that of rounding counts as half."""
    below = np.flatnonzero(share <= 0.5 + 1e-12)
    return float(times[below[0]]) if below.size else None
