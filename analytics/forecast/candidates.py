"""Candidate forecasts. Each gives the share of the room that is left which it expects to be closed, in [0, 1].

On that scale persistence is 0, the ceiling is 1, and no forecast can leave the possible range.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree
from scipy.special import expit

from analytics.forecast.origins import EDGE, Origins, height_logit
from analytics.forecast.series import Numbers, Places, Series

STEPS_FOR_CURVE = 3
"""A curve of two parameters through two records is no fit."""
NEIGHBOURS = 50
"""Earlier forecasts that are looked up for a new one: their median is known to a tenth of their spread."""
RIDGE = 1.0
"""One observation's worth of shrinkage on standardised features."""


@dataclass(frozen=True)
class Earlier:
    """Forecasts whose target had come by the time a new one is made: origins, share closed, and weight (1 is fresh)."""

    origins: Origins
    closed: Numbers
    weight: Numbers


def persistence(at: Origins) -> Numbers:
    """Nothing changes."""
    return np.zeros(len(at))


def drift(series: Series, at: Origins, days: int) -> Numbers:
    """The mean rise in height from the first frontier to the last goes on (Hyndman & Athanasopoulos 2021, 5.2)."""
    since = np.maximum(series.first[at.benchmark], series.starts[at.benchmark])
    rise = at.best - series.best_at(at.benchmark, since)
    return _share(at, at.best + rise * days / np.maximum(at.day - since, 1))


def logistic(series: Series, at: Origins, days: int) -> Numbers:
    """Records lie on a logistic curve to the known ceiling: a line through their logits, carried on from the last."""
    rate = _line(series, at, lambda height: height_logit(height, np.ones(height.size)))
    return _share(at, at.top * expit(height_logit(at.best, at.top) + np.maximum(rate, 0) * days))


def gompertz(series: Series, at: Origins, days: int) -> Numbers:
    """Records lie on a Gompertz curve to the known ceiling: a line through -log(-log height)."""
    rate = _line(series, at, _gompit)
    return _share(at, at.top * np.exp(-np.exp(-(_gompit(at.best / at.top) + np.maximum(rate, 0) * days))))


def shifted(at: Origins, rate: Numbers, days: int) -> Numbers:
    """Every benchmark's logit grows by its slope times the growth of the best capability; `rate` is their product."""
    return _share(at, at.top * expit(height_logit(at.best, at.top) + np.maximum(rate, 0) * days))


def pooled(at: Origins, earlier: Earlier) -> Numbers:
    """The median share that earlier forecasts of all benchmarks saw closed."""
    order = earlier.closed.argsort()
    passed = np.cumsum(earlier.weight[order])
    return np.full(len(at), earlier.closed[order[np.searchsorted(passed, passed[-1] / 2)]])


def hierarchical(at: Origins, earlier: Earlier) -> Numbers:
    """A benchmark's own growth in logits shrunk to that of all: ridge regression of growth on what was known before."""
    origins = earlier.origins
    reached = origins.best + earlier.closed * origins.room
    growth = height_logit(reached, origins.top) - height_logit(origins.best, origins.top)
    features_then, features_now = origins.features(), at.features()
    centre, spread = features_then.mean(axis=0), features_then.std(axis=0) + EDGE
    x, mean = (features_then - centre) / spread, np.average(growth, weights=earlier.weight)
    weighted = x.T * earlier.weight
    weights = np.linalg.solve(weighted @ x + RIDGE * np.eye(x.shape[1]), weighted @ (growth - mean))
    expected = np.maximum(mean + (features_now - centre) / spread @ weights, 0)
    return _share(at, at.top * expit(height_logit(at.best, at.top) + expected))


def neighbours(at: Origins, earlier: Earlier) -> tuple[Numbers, Numbers]:
    """Median share closed after the earlier origins most like this one, and the 80th percentile of their distances."""
    features = earlier.origins.features()
    spread = features.std(axis=0) + EDGE
    k = min(NEIGHBOURS, len(earlier.origins))
    _, places = cKDTree(features / spread).query(at.features() / spread, k=k)
    closed = earlier.closed[np.asarray(places).reshape(len(at), k)]
    middle = np.median(closed, axis=1)
    return middle, np.quantile(np.abs(closed - middle[:, None]), 0.8, axis=1)


def single(series: Series, at: Origins, shift: Numbers, days: int) -> Mapping[str, Numbers]:
    """The candidates that look at nothing but the benchmark itself and the capability trend."""
    return {
        "persistence": persistence(at),
        "drift": drift(series, at, days),
        "logistic": logistic(series, at, days),
        "gompertz": gompertz(series, at, days),
        "capability_shift": shifted(at, shift, days),
    }


def _share(at: Origins, height: Numbers) -> Numbers:
    return np.asarray(np.clip((height - at.best) / at.room, 0, 1))


def _gompit(height: Numbers) -> Numbers:
    return np.asarray(-np.log(-np.log(np.clip(height, EDGE, 1 - EDGE))))


def _line(series: Series, at: Origins, straighten: Callable[[Numbers], Numbers]) -> Numbers:
    """Slope a day of the least squares line through the records up to each origin; 0 with too few of them.

    Running sums over all records of all benchmarks, so that a line costs two look-ups.
    """
    changes = np.diff(series.best, prepend=-np.inf) > 0
    opens = np.diff(series.benchmark, prepend=-1) != 0
    record = changes | opens
    y, x = straighten(series.best), (series.day - series.first[series.benchmark]) / 1000.0
    sums = np.zeros((5, series.day.size + 1))
    for row, values in enumerate((np.ones(x.size), x, y, x * x, x * y)):
        sums[row, 1:] = np.cumsum(np.where(record, values, 0.0))
    start: Places = np.searchsorted(series.benchmark, at.benchmark, side="left")
    n, sx, sy, sxx, sxy = sums[:, series.until(at.benchmark, at.day)] - sums[:, start]
    spread = n * sxx - sx**2
    usable = (n >= STEPS_FOR_CURVE) & (spread > 1e-9)
    return np.asarray(np.divide(n * sxy - sx * sy, spread, out=np.zeros(n.size), where=usable) / 1000.0)
