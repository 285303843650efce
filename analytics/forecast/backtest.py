"""Rolling-origin backtest of both parts: every origin is answered from what was known on its day, and then scored."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from benchhealth.analytics.forecast.candidates import RUNNING_MEAN, curves
from benchhealth.analytics.forecast.chance import Asked, base_rates, chances
from benchhealth.analytics.forecast.closed import closed_before
from benchhealth.analytics.forecast.origins import Origins, features
from benchhealth.analytics.forecast.scale import Standing
from benchhealth.analytics.forecast.series import Flags, Numbers, Places, Series

POPULATIONS = ("off the capability scale", "on the capability scale")
"""Kinds of benchmarks, each judged for itself: off the scale nobody can tell who is stronger, and what is asked is
whether the best score is beaten."""


@dataclass(frozen=True)
class Backtest:
    """Forecasts for one horizon of `days`, in the order of their origins.

    `population`: place in `POPULATIONS`. `chance` that it `happened` (a stronger model was tested; off the scale: the
    best was beaten) and `base`, how often it had before. `expected` by candidate and `closed`: the share of the room
    that is closed; `low` and `high` are the ends of the 80% interval of the published one. Not a number: nobody can
    tell yet, or could. All but `happened` and `closed` were computable on the origin's day.
    """

    days: int
    origins: Origins
    population: Places
    happened: Numbers
    closed: Numbers
    chance: Numbers
    base: Numbers
    expected: Mapping[str, Numbers]
    low: Numbers
    high: Numbers

    def where(self, keep: Flags) -> "Backtest":
        """The forecasts of the rows that `keep` marks, in their order."""
        one = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("days", "origins")}
        selected = {name: values[keep] for name, values in one.items() if name != "expected"}
        by_candidate = {name: values[keep] for name, values in self.expected.items()}
        return Backtest(days=self.days, origins=self.origins.where(keep), expected=by_candidate, **selected)


def at_least(longer: Backtest, shorter: Backtest) -> Backtest:
    """The forecasts of the longer horizon, of the same origins: what comes within half a year comes within a year."""

    def at_least_as_high(long: Numbers, short: Numbers) -> Numbers:
        return np.where(short > long, short, long)

    mean = at_least_as_high(longer.expected[RUNNING_MEAN], shorter.expected[RUNNING_MEAN])
    return replace(
        longer,
        chance=at_least_as_high(longer.chance, shorter.chance),
        base=at_least_as_high(longer.base, shorter.base),
        expected={**longer.expected, RUNNING_MEAN: mean},
        low=at_least_as_high(longer.low, shorter.low),
        high=at_least_as_high(longer.high, shorter.high),
    )


def outcomes(series: Series, origins: Origins, until: Places, days: int) -> Numbers:
    """The share of the room that was closed within the horizon; not a number before the benchmark is known so long."""
    target = origins.day + days
    closed = (series.best_at(origins.benchmark, target) - origins.best) / origins.room
    return np.where(target <= until[origins.benchmark], closed, np.nan)


def backtest(  # noqa: PLR0913, PLR0917 - the settings of one backtest
    series: Series, origins: Origins, until: Places, standing: Standing, days: int, computed_on: Places
) -> Backtest:
    """Forecasts for one horizon at every origin, from the outcomes known on the day that they are `computed_on`.

    `until` as `known_until` gives it, `standing` as of the same origins.
    """
    closed = outcomes(series, origins, until, days)
    stronger = np.where(np.isfinite(closed), standing.stronger[days], np.nan)
    beaten = np.where(np.isfinite(closed), closed > 0, np.nan)
    happened = np.where(standing.stitched, stronger, beaten)
    population = standing.stitched.astype(np.int64)
    told_on = standing.told_on[days]
    asked = Asked(features(origins, standing.stitched), computed_on, happened, origins.day + days, told_on)
    expected = {**curves(series, origins, standing.rate, days), RUNNING_MEAN: np.full(len(origins), np.nan)}
    low, high = np.full(len(origins), np.nan), np.full(len(origins), np.nan)
    for place in range(len(POPULATIONS)):
        of = population == place
        expected[RUNNING_MEAN][of], low[of], high[of] = closed_before(
            closed[of], happened[of], origins.day[of], told_on[of], computed_on[of], days
        )
    chance, base = chances(asked), base_rates(asked, population)
    return Backtest(days, origins, population, happened, closed, chance, base, expected, low, high)
