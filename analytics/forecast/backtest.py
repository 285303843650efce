"""Rolling-origin backtest of both parts: every origin is answered from what was known on its day, and then scored."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from benchhealth.analytics.forecast.candidates import HALF_SHIFT, expected
from benchhealth.analytics.forecast.chance import HALF_LIFE, Asked, base_rates, chances
from benchhealth.analytics.forecast.origins import QUARTER_DAYS, Origins, features, height_logit
from benchhealth.analytics.forecast.scale import Standing
from benchhealth.analytics.forecast.series import Flags, Numbers, Places, Series

POPULATIONS = (
    "off the capability scale, dated by evaluation",
    "off the capability scale, dated by release",
    "on the capability scale, dated by evaluation",
    "on the capability scale, dated by release",
)
"""Kinds of benchmarks, each judged for itself: twice whether it is on the scale, plus whether half of its results or
more are dated by their model's release."""
ADAPTION = 0.4
"""How far the level of the intervals moves for each unit by which the last coverage missed (Gibbs & Candes 2021).

Divided by the quarters of the horizon: a miss is seen only when the horizon has passed, and meanwhile every origin
makes it again (Joulani et al. 2013 on delayed feedback).
"""
ENOUGH_MOVED = 20
"""Earlier forecasts of frontiers that moved, before an interval is given: the tenth at either end is two of them."""
COVERAGE = 0.8
ROUNDING = 1e-9
"""Of a logit: what lies on the end of an interval must not miss it by rounding."""


@dataclass(frozen=True)
class Backtest:
    """Forecasts for one horizon of `days`, in the order of their origins.

    `population`: place in `POPULATIONS`. `chance` that it `happened` (a stronger model was tested; off the scale: the
    best was beaten) and `base`, how often it had before. `expected` by candidate and `closed`: the share of the room
    that is closed; `low` and `high` are the ends of the 80% interval of the published one. Not a number: nobody can
    tell yet, or could. All but `happened` and `closed` were computable on the origin's day.
    """

    days: int
    at: Origins
    population: Places
    happened: Numbers
    closed: Numbers
    chance: Numbers
    base: Numbers
    expected: Mapping[str, Numbers]
    low: Numbers
    high: Numbers

    def where(self, keep: Flags) -> "Backtest":
        """A part of them."""
        one = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("days", "at")}
        kept = {name: values[keep] for name, values in one.items() if name != "expected"}
        by_candidate = {name: values[keep] for name, values in self.expected.items()}
        return Backtest(days=self.days, at=self.at.where(keep), expected=by_candidate, **kept)


def outcomes(series: Series, at: Origins, until: Places, days: int) -> Numbers:
    """The share of the room that was closed within the horizon; not a number before the benchmark is known so long."""
    target = at.day + days
    closed = (series.best_at(at.benchmark, target) - at.best) / at.room
    return np.where(target <= until[at.benchmark], closed, np.nan)


def backtest(  # noqa: PLR0913, PLR0917 - the settings of one backtest
    series: Series, at: Origins, until: Places, standing: Standing, days: int, computed_on: Places
) -> Backtest:
    """Forecasts for one horizon at every origin, from the outcomes known on the day that they are `computed_on`.

    `until` as `known_until` gives it, `standing` as of the same origins.
    """
    closed = outcomes(series, at, until, days)
    stronger = np.where(np.isfinite(closed), standing.stronger[days], np.nan)
    beaten = np.where(np.isfinite(closed), closed > 0, np.nan)
    happened = np.where(standing.stitched, stronger, beaten)
    population = 2 * standing.stitched + (at.released >= 0.5)
    told_on = standing.told_on[days]
    known = np.column_stack([features(at, standing.lag), at.released >= 0.5])
    chance, base = np.full(len(at), np.nan), np.full(len(at), np.nan)
    for kind in (standing.stitched, ~standing.stitched):
        asked = Asked(known[kind], computed_on[kind], happened[kind], at.day[kind] + days, told_on[kind])
        chance[kind], base[kind] = chances(asked), base_rates(asked, population[kind])
    shares = expected(series, at, standing.rate, days)
    low, high = np.full(len(at), np.nan), np.full(len(at), np.nan)
    for place in range(len(POPULATIONS)):
        of = population == place
        low[of], high[of] = intervals(
            at.where(of), shares[HALF_SHIFT][of], closed[of], happened[of], told_on[of], computed_on[of], days
        )
    return Backtest(days, at, population, happened, closed, chance, base, shares, low, high)


def intervals(  # noqa: PLR0913, PLR0917 - parallel arrays of one population
    at: Origins,
    middle: Numbers,
    closed: Numbers,
    happened: Numbers,
    told_on: Places,
    computed_on: Places,
    days: int,
) -> tuple[Numbers, Numbers]:
    """The ends of the 80% interval of what is closed if a stronger model is tested, both in [0, 1].

    Split conformal prediction (Vovk et al. 2005) on the scale of logits with weights that fade (Barber et al. 2023,
    doi:10.1214/23-AOS2276). The frontiers that it is calibrated on are those that moved: most stand still however
    strong the model, and an interval that counts them as held is too narrow where something happens. The level follows
    what the last intervals held of those that moved (Gibbs & Candes 2021, arXiv:2106.00170).
    """
    begin = height_logit(at.best, at.top)
    gain = height_logit(at.best + middle * at.room, at.top) - begin
    missed_by = np.abs(height_logit(at.best + closed * at.room, at.top) - begin - gain)
    moved = (happened == 1) & (closed > 0)
    half = np.full(len(at), np.nan)
    level, step, before = COVERAGE, ADAPTION * QUARTER_DAYS / days, -np.inf
    for day in np.unique(computed_on).tolist():
        come = moved & (told_on <= day)
        judged = come & (told_on > before) & np.isfinite(half)
        if judged.any():
            level += step * (COVERAGE - float((missed_by[judged] <= half[judged] + ROUNDING).mean()))
            level = float(np.clip(level, 0.5, 0.99))
        weight = 0.5 ** ((day - days - at.day[come]) / HALF_LIFE)
        half[computed_on == day] = _width(at.day[come], missed_by[come], weight, level)
        before = day
    low, high = ((_height(begin + gain + side * half, at) - at.best) / at.room for side in (-1, 1))
    return np.clip(low, 0, middle), np.clip(high, middle, 1)


def _height(logits: Numbers, at: Origins) -> Numbers:
    return np.asarray(at.top / (1 + np.exp(-logits)))


def _width(day: Places, missed_by: Numbers, weight: Numbers, level: float) -> float:
    """The distance within which that share of the outcomes lay; not a number with too few of them.

    Benchmarks move together, so what can be exchanged is a day of origins and not a forecast: every day weighs the
    same however many forecasts it made, and the new day counts as one that lies beyond all (Dunn, Wasserman & Ramdas
    2023, doi:10.1080/01621459.2022.2060112).
    """
    if missed_by.size < ENOUGH_MOVED:
        return float("nan")
    _, group, size = np.unique(day, return_inverse=True, return_counts=True)
    share = weight / size[group]
    order = missed_by.argsort()
    reached = np.cumsum(share[order]) / (share.sum() + 1)
    return float(missed_by[order[min(int(np.searchsorted(reached, level)), order.size - 1)]])
