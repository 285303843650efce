"""Shares of rows that come in clusters, with an interval that does not take the rows for independent."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from benchhealth.analytics.statistics.errors import Z95


class ShareInterval(NamedTuple):
    """A share and the ends of its 95% interval."""

    share: float
    low: float
    high: float


def clustered_share(hits: ArrayLike, clusters: ArrayLike) -> ShareInterval:
    """The share of rows that are true, and the ends of its 95% interval.

    Rows of one cluster may be alike. The interval is Wilson's for as many independent rows as would have the share's
    variance between clusters (ratio estimator, Cochran 1977, section 9A), never more than there are rows. Where all
    rows are alike their variance says nothing: then each cluster counts as one row. Raises ValueError without rows.

    Of 20 independent rows none is true (Newcombe 1998 prints an upper end of .1611):

    >>> share, low, high = clustered_share([False] * 20, range(20))
    >>> share, low, round(high, 4)
    (0.0, 0.0, 0.1611)
    """
    hit = np.asarray(hits, dtype=np.float64)
    if hit.size == 0:
        raise ValueError("a share of no rows")
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    size = np.bincount(cluster).astype(np.float64)
    cluster_hits = np.bincount(cluster, weights=hit)
    share, groups = float(hit.mean()), size.size
    n = float(groups)
    if 0 < share < 1 and groups > 1:
        variance = groups / (groups - 1) * float(((cluster_hits - share * size) ** 2).sum()) / hit.size**2
        n = min(float(hit.size), share * (1 - share) / variance) if variance > 0 else float(hit.size)
    return ShareInterval(share, *wilson(share, n))


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's 95% interval of a share of n rows (Wilson 1927)."""
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n**2)) / (1 + Z95**2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)
