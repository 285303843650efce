"""Rolling-origin backtest: every candidate at every origin, weighted and calibrated on what had come by then."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from analytics.forecast.candidates import Earlier, hierarchical, neighbours, pooled, single
from analytics.forecast.origins import QUARTER_DAYS, Origins
from analytics.forecast.series import EPOCH_DAYS, Numbers, Places, Series

PUBLISHABLE = "combined"
"""The one method that may be published besides persistence: fixed before any error was seen."""
CANDIDATES = (
    "persistence",
    "drift",
    "logistic",
    "gompertz",
    "capability_shift",
    "pooled",
    "hierarchical",
    "neighbours",
    "best_so_far",
    PUBLISHABLE,
)
HALF_LIFE = 365.0
"""Days after which an outcome counts half: the pace of progress is not that of ten years ago."""
REWEIGHTINGS = 10
"""Rounds of reweighted least squares on the way to least absolute deviations; the weights settle within these."""
ADAPTION = 0.4
"""How far the level of the intervals moves for each unit by which the last coverage missed (Gibbs & Candes 2021).

Divided by the quarters of the horizon: a miss is seen only when the horizon has passed, and meanwhile every origin
makes it again (Joulani et al. 2013 on delayed feedback).
"""
ENOUGH_EARLIER = 60
"""Earlier forecasts with a known outcome, before one is made: fewer give no 80% interval worth the name."""
NARROWEST = 0.02
"""Share of the room: what looks certain among its neighbours is still not known better."""
COVERAGE = 0.8
ROUNDING = 1e-9
"""Of the room: what stands still must not miss an interval of no width by rounding."""


@dataclass(frozen=True)
class Backtest:
    """Forecasts for one horizon, in the order of their origins: share closed expected, and what came.

    `expected` by candidate; `closed` is what came, not a number where it has not come; `scale` the expected error and
    `width` by candidate the conformal multiple of it that makes an 80% interval (not a number where too few outcomes
    were known). All of them were computable on the origin's day.
    """

    days: int
    at: Origins
    closed: Numbers
    scale: Numbers
    expected: Mapping[str, Numbers]
    width: Mapping[str, Numbers]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Forecasts that every candidate made, with an interval, and whose outcome is known."""
        return np.isfinite(self.closed) & np.isfinite(self.width[PUBLISHABLE])


def outcomes(series: Series, at: Origins, days: int, as_of: int) -> Numbers:
    """The share of the room that was closed within the horizon; not a number where nobody can tell.

    Nobody can tell after a benchmark's last result: a frontier that is flat because nobody reports is no forecast hit.
    """
    target = at.day + days
    is_known = (target <= series.last[at.benchmark]) & (target <= as_of)
    closed = (series.best_at(at.benchmark, target) - at.best) / at.room
    return np.where(is_known, closed, np.nan)


def backtest(  # noqa: PLR0913 - the settings of one backtest
    series: Series, at: Origins, shift: Numbers, days: int, as_of: int, *, computed_on: Places | None = None
) -> Backtest:
    """Forecasts for one horizon at every origin, from the outcomes known on the day that they are `computed_on`.

    That is the origin's day if not given. `shift`: growth in logits a day by capability for each origin, 0 where the
    benchmark is not stitched.
    """
    computed_on = at.day if computed_on is None else computed_on
    closed = outcomes(series, at, days, as_of)
    expected = {name: np.full(len(at), np.nan) for name in CANDIDATES}
    expected |= {name: np.array(values) for name, values in single(series, at, shift, days).items()}
    width = {name: np.full(len(at), np.nan) for name in CANDIDATES}
    scale = np.full(len(at), np.nan)
    level = dict.fromkeys(CANDIDATES, COVERAGE)
    step = ADAPTION * QUARTER_DAYS / days
    last_day = -EPOCH_DAYS
    for day in np.unique(computed_on):
        now = computed_on == day
        has_come = np.isfinite(closed) & (at.day + days <= day)
        if has_come.sum() >= ENOUGH_EARLIER:
            weight = 0.5 ** ((day - days - at.day[has_come]) / HALF_LIFE)
            points = at.room * np.abs(series.span[at.benchmark])
            _forecast(at, closed, points, (has_come, now), weight, expected, scale)
            new: NDArray[np.bool_] = np.logical_and(has_come, at.day + days > last_day)
            for name in CANDIDATES:
                level[name] += step * _missed(closed, scale, expected[name], width[name], new)
                level[name] = float(np.clip(level[name], 0.5, 0.99))
                width[name][now] = _width(
                    at.day[has_come], closed[has_come], scale[has_come], expected[name][has_come], weight, level[name]
                )
        last_day = int(day)
    return Backtest(days, at, closed, scale, expected, width)


def _forecast(  # noqa: PLR0913, PLR0917 - the arrays that one origin reads and writes
    at: Origins,
    closed: Numbers,
    points: Numbers,
    when: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    weight: Numbers,
    expected: dict[str, Numbers],
    scale: Numbers,
) -> None:
    """Fill in the forecasts of one day: `when` says which outcomes had come and which origins are that day's."""
    come, now = when
    earlier, new = Earlier(at.where(come), closed[come], weight), at.where(now)
    expected["pooled"][now] = pooled(new, earlier)
    expected["hierarchical"][now] = hierarchical(new, earlier)
    expected["neighbours"][now], spread = neighbours(new, earlier)
    scale[now] = np.maximum(spread, NARROWEST)
    error = {}
    for name in CANDIDATES[:-2]:
        is_made = np.isfinite(expected[name][come])
        if is_made.sum() >= ENOUGH_EARLIER:
            missed_by = np.abs(expected[name][come] - closed[come]) * points[come]
            error[name] = np.average(missed_by[is_made], weights=weight[is_made])
    ranked = sorted(error, key=lambda name: (error[name], CANDIDATES.index(name)))
    expected["best_so_far"][now] = expected[ranked[0]][now]
    predictions = np.column_stack([expected[name][come] for name in ranked])
    complete = np.isfinite(predictions).all(axis=1)
    shares = stacked(predictions[complete], closed[come][complete], points[come][complete], weight[complete])
    predictions_now = np.column_stack([expected[name][now] for name in ranked])
    expected[PUBLISHABLE][now] = np.clip(predictions_now @ shares, 0, 1)


def stacked(forecasts: Numbers, closed: Numbers, points: Numbers, weight: Numbers) -> Numbers:
    """Weights of the candidates, none below 0, that would have made the least absolute error in points.

    Shape (n, candidates) to (candidates). Non-negative least squares, reweighted (stacking, Breiman 1996).
    """
    x, y = forecasts * points[:, None], closed * points
    share = weight.copy()
    found = np.zeros(forecasts.shape[1])
    for _ in range(REWEIGHTINGS):
        root = np.sqrt(share)
        found = nnls(x * root[:, None], y * root)[0]
        share = weight / np.maximum(np.abs(y - x @ found), 0.1)
    return found


def _missed(closed: Numbers, scale: Numbers, expected: Numbers, width: Numbers, new: NDArray[np.bool_]) -> float:
    """By how much the intervals whose outcomes came since the last origin covered too little; 0 where none came."""
    judged = new & np.isfinite(width)
    if not judged.any():
        return 0.0
    hit = np.abs(closed[judged] - expected[judged]) <= width[judged] * scale[judged] + ROUNDING
    return float(COVERAGE - hit.mean())


def _width(  # noqa: PLR0913, PLR0917 - parallel arrays of one candidate
    day: Places, closed: Numbers, scale: Numbers, expected: Numbers, weight: Numbers, level: float
) -> float:
    """The multiple of the expected error within which that share of recent outcomes lay.

    Split conformal prediction (Vovk et al. 2005) with weights that fade (Barber et al. 2023, doi:10.1214/23-AOS2276).
    Benchmarks move together, so what can be exchanged is a day of origins and not a forecast: every day weighs the
    same however many forecasts it made, and the new day counts as one that lies beyond all (Dunn, Wasserman & Ramdas
    2023, doi:10.1080/01621459.2022.2060112). Not a number with too few outcomes.
    """
    made = np.isfinite(expected) & np.isfinite(scale)
    if made.sum() < ENOUGH_EARLIER:
        return float("nan")
    _, group, size = np.unique(day[made], return_inverse=True, return_counts=True)
    share = weight[made] / size[group]
    ratios = np.abs(closed[made] - expected[made]) / scale[made]
    order = ratios.argsort()
    reached = np.cumsum(share[order]) / (share.sum() + 1)
    return float(ratios[order[min(int(np.searchsorted(reached, level)), order.size - 1)]])


def interval(tested: Backtest, name: str) -> tuple[Numbers, Numbers]:
    """Lowest and highest share closed, within what is possible: the frontier does not fall, nor pass the top."""
    half = tested.width[name] * tested.scale
    return np.clip(tested.expected[name] - half, 0, 1), np.clip(tested.expected[name] + half, 0, 1)
