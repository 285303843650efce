"""A correlation within the best, carried to all: how much of its weakness is that the best are alike."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from benchhealth.analytics.statistics import student

FEWEST_CHOSEN = 5
"""Fewer chosen points leave no scatter worth the name about their line."""


class CorrectedCorrelation(NamedTuple):
    """A correlation among the chosen, `corrected` to the spread of all with its interval; `n` were chosen."""

    n: int
    chosen: float
    chosen_low: float
    chosen_high: float
    corrected: float
    low: float
    high: float


def corrected_correlation(proxy: ArrayLike, target: ArrayLike, spread: float) -> CorrectedCorrelation | None:
    """The correlation of two scores among points chosen by `proxy`, corrected to a population of standard deviation
    `spread` on the proxy: r u / sqrt(1 + r^2 (u^2 - 1)), u = spread / standard deviation of the chosen.

    Among the best of a leaderboard scores are alike, so even a proxy that is as good there as anywhere correlates less
    with its target: range restriction, which is no decoupling. Where the correction restores the correlation over all,
    that is all there was; what stays missing is something else. It takes the line and the scatter about it to be the
    same throughout. The interval (95%) is that of the slope in units of the scatter, t +- t_k-2 sqrt(1 + t^2 / (2 k -
    4)), carried through the same formula; it takes the spread of all as known, and with fifteen chosen covers 97% by
    simulation. None with fewer than five points, or where either side is constant or the points lie on a line without
    scatter.
    Source: Thorndike (1949), Personnel selection, case 2; Pearson (1903); Sackett, Yang (2000),
    doi:10.1037/0021-9010.85.1.112. Interval: Hedges, Olkin (1985), section 5.

    As r u / sqrt(1 + r^2 (u^2 - 1)) has it with r = .8 and u = 2, 1.6 / sqrt(2.92):

    >>> among_best = corrected_correlation([1, 2, 3, 4, 5], [1, 3, 2, 5, 4], spread=2 * 2.5**0.5)
    >>> round(among_best.chosen, 3), round(among_best.corrected, 3)
    (0.8, 0.936)
    """
    across, up = np.asarray(proxy, dtype=np.float64), np.asarray(target, dtype=np.float64)
    k = across.size
    if k < FEWEST_CHOSEN or np.ptp(across) == 0 or np.ptp(up) == 0 or not spread > 0:
        return None
    r = float(np.corrcoef(across, up)[0, 1])
    if not math.isfinite(r) or 1 - r * r < 1e-12:
        return None
    u = spread / float(across.std(ddof=1))
    t = r * math.sqrt((k - 2) / (1 - r * r))
    half = float(student.quantile(0.975, k - 2)) * math.sqrt(1 + t * t / (2 * (k - 2)))
    ends = [t - half, t, t + half]
    plain = [end / math.sqrt(k - 2 + end * end) for end in ends]
    wide = [u * end / math.sqrt(k - 2 + (u * end) ** 2) for end in ends]
    return CorrectedCorrelation(k, plain[1], plain[0], plain[2], wide[1], wide[0], wide[2])
