"""Where a frontier would be: the forecast that is published, and those that it is held against.

Each gives the share of the room that is left which it expects to be closed, in [0, 1]. On that scale persistence is 0,
the ceiling is 1, and no forecast can leave the possible range.
"""

from collections.abc import Callable, Mapping

import numpy as np
from scipy.special import expit

from benchhealth.analytics.forecast.origins import NEAREST_TO_ENDS, Origins, height_logit
from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.statistics.arrays import Numbers, Places

RUNNING_MEAN = "running_mean"
"""The one method that is published: the mean of what earlier steps closed (`analytics.forecast.closed`)."""
HALF_SHIFT = "half_shift"
"""The one that was published before: half persistence, half capability."""
CANDIDATES = ("persistence", "drift", "logistic", "gompertz", "capability_shift", HALF_SHIFT, RUNNING_MEAN)
IF_TESTED = ("capability_shift", HALF_SHIFT, RUNNING_MEAN)
"""Those that say where the best would be if a stronger model is tested, and not where it will be."""
STEPS_FOR_CURVE = 3
"""A curve of two parameters through two records is no fit."""
ROUNDING = 1e-6
"""Logits: a rise below it is a flat line read off running sums, and closes nothing."""


def curves(series: Series, origins: Origins, rate: Numbers, days: int) -> Mapping[str, Numbers]:
    """The share that each candidate but the running mean expects to be closed; `rate` is growth in logits a day by
    capability."""
    shift = shifted(origins, rate, days)
    return {
        "persistence": np.zeros(len(origins)),
        "drift": drift(series, origins, days),
        "logistic": logistic(series, origins, days),
        "gompertz": gompertz(series, origins, days),
        "capability_shift": shift,
        HALF_SHIFT: shift / 2,
    }


def shifted(origins: Origins, rate: Numbers, days: int) -> Numbers:
    """Every benchmark's logit grows by its slope times the growth of the best capability; `rate` is their product."""
    rise = rate * days
    return np.where(
        rise > ROUNDING, _share(origins, origins.top * expit(height_logit(origins.best, origins.top) + rise)), 0.0
    )


def drift(series: Series, origins: Origins, days: int) -> Numbers:
    """The mean rise in height from the first frontier to the last goes on (Hyndman & Athanasopoulos 2021, 5.2)."""
    since = np.maximum(series.first[origins.benchmark], series.starts[origins.benchmark])
    rise = origins.best - series.best_at(origins.benchmark, since)
    return _share(origins, origins.best + rise * days / np.maximum(origins.day - since, 1))


def logistic(series: Series, origins: Origins, days: int) -> Numbers:
    """Records lie on a logistic curve to the known ceiling: a line through their logits, carried on from the last."""
    rate = _line(series, origins, lambda height: height_logit(height, np.ones(height.size)))
    return shifted(origins, rate, days)


def gompertz(series: Series, origins: Origins, days: int) -> Numbers:
    """Records lie on a Gompertz curve to the known ceiling: a line through -log(-log height)."""
    rate = _line(series, origins, _gompit)
    rise = rate * days
    return np.where(
        rise > ROUNDING,
        _share(origins, origins.top * np.exp(-np.exp(-(_gompit(origins.best / origins.top) + rise)))),
        0.0,
    )


def _share(origins: Origins, height: Numbers) -> Numbers:
    return np.asarray(np.clip((height - origins.best) / origins.room, 0, 1))


def _gompit(height: Numbers) -> Numbers:
    return np.asarray(-np.log(-np.log(np.clip(height, NEAREST_TO_ENDS, 1 - NEAREST_TO_ENDS))))


def _line(series: Series, origins: Origins, straighten: Callable[[Numbers], Numbers]) -> Numbers:
    """Slope a day of the least squares line through the records up to each origin; 0 with too few of them.

    Running sums over all records of all benchmarks, so that a line costs two look-ups.
    """
    record = series.record_row == np.arange(series.day.size)
    y, x = straighten(series.best), (series.day - series.first[series.benchmark]) / 1000.0
    sums = np.zeros((5, series.day.size + 1))
    for row, values in enumerate((np.ones(x.size), x, y, x * x, x * y)):
        sums[row, 1:] = np.cumsum(np.where(record, values, 0.0))
    start: Places = np.searchsorted(series.benchmark, origins.benchmark, side="left")
    n, sx, sy, sxx, sxy = sums[:, series.rows_until(origins.benchmark, origins.day)] - sums[:, start]
    spread = n * sxx - sx**2
    usable = (n >= STEPS_FOR_CURVE) & (spread > 1e-9)
    return np.asarray(np.divide(n * sxy - sx * sy, spread, out=np.zeros(n.size), where=usable) / 1000.0)
