"""The share of the gap to the ceiling that earlier steps closed: its weighted mean and 80% interval."""

from typing import NamedTuple

import numpy as np

from benchhealth.analytics.forecast.chance import HALF_LIFE
from benchhealth.analytics.forecast.origins import QUARTER_DAYS
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places

ENOUGH_STEPS = 10
"""Outcomes that were told before a mean of them is given: the tenth at either end is then one of them."""
COVERAGE = 0.8
ADAPTION = 0.4
"""How far the level of the intervals moves for each unit by which the last coverage missed (Gibbs & Candes 2021).

Divided by the quarters of the horizon: a miss is seen only when the horizon has passed, and meanwhile every origin
makes it again (Joulani et al. 2013 on delayed feedback).
"""
ROUNDING = 1e-9
"""The tolerance of a share: one at the end of an interval must not fall outside by rounding."""


class ClosedShare(NamedTuple):
    """By origin the share of the room that is expected to be closed, and the ends of its 80% interval, in [0, 1]."""

    mean: Numbers
    low: Numbers
    high: Numbers


def predict_closed(  # noqa: PLR0913, PLR0917 - parallel arrays of one kind of benchmarks
    closed: Numbers, happened: Numbers, made_on: Places, known_from: Places, computed_on: Places, days: int
) -> ClosedShare:
    """The running mean of the shares of the gap to the ceiling that were closed where a stronger model was tested.

    Each forecast is the mean of the outcomes that were known on the day that it is `computed_on`, weighted by their age
    with a half-life of a year. Which model was stronger is known from the first scale that is computed after a horizon
    has passed, on the day in `known_from`. A stronger model that did not beat the best closed nothing, and counts. The
    ends of the interval are the weighted tenths of the same outcomes, the new one counted as one beyond them all
    (split conformal prediction, Vovk et al. 2005; weights that fade, Barber et al. 2023, doi:10.1214/23-AOS2276). Their
    level follows what the last intervals held (Gibbs & Candes 2021, arXiv:2106.00170). Not a number before ten outcomes
    are known.
    """
    predicted = ClosedShare(*(np.full(closed.size, np.nan) for _ in ClosedShare._fields))
    had_stronger = (happened == 1) & np.isfinite(closed)
    level, step, last_day = COVERAGE, ADAPTION * QUARTER_DAYS / days, -np.inf
    for day in np.unique(computed_on).tolist():
        is_known = had_stronger & (known_from <= day)
        newly_judged = is_known & (known_from > last_day) & np.isfinite(predicted.low)
        last_day = day
        if newly_judged.any():
            is_covered = inside(closed[newly_judged], predicted.low[newly_judged], predicted.high[newly_judged])
            level = float(np.clip(level + step * (COVERAGE - is_covered.mean()), 0.5, 0.99))
        if is_known.sum() < ENOUGH_STEPS:
            continue
        new: Flags = computed_on == day
        weight = 0.5 ** ((day - days - made_on[is_known]) / HALF_LIFE)
        predicted.mean[new] = np.average(closed[is_known], weights=weight)
        predicted.high[new] = max(_quantile(closed[is_known], weight, level), predicted.mean[new].max())
        predicted.low[new] = min(-_quantile(-closed[is_known], weight, level), predicted.mean[new].min())
    return predicted


def inside(closed: Numbers, low: Numbers, high: Numbers) -> Flags:
    """Whether each outcome lies in its interval, ends included.

    >>> inside(np.array([0.2, 0.5]), low=np.array([0.2, 0.6]), high=np.array([0.4, 0.7])).tolist()
    [True, False]
    """
    return (closed >= low - ROUNDING) & (closed <= high + ROUNDING)


def _quantile(values: Numbers, weight: Numbers, level: float) -> float:
    """The weighted quantile of the values at this level, with the new value counted as one beyond all of them."""
    order = values.argsort()
    cumulated = np.cumsum(weight[order]) / (weight.sum() + 1)
    position = int(np.searchsorted(cumulated, (1 + level) / 2))
    return float(values[order[min(position, order.size - 1)]])
