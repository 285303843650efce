"""Rolling-origin backtest: forecasts from what was known on past days (their origins), beside what happened after them.

A forecast has two parts: the chance that a stronger model is tested (`happened`), and the share of the remaining room
that is closed if one is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from benchhealth.analytics.forecast.candidates import RUNNING_MEAN, curves
from benchhealth.analytics.forecast.chance import Questions, base_rates, chances
from benchhealth.analytics.forecast.closed import predict_closed
from benchhealth.analytics.forecast.origins import Origins, features
from benchhealth.analytics.forecast.scale import ScaleAtOrigins
from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places

POPULATIONS = ("off the capability scale", "on the capability scale")
"""Kinds of benchmarks, whose forecasts are scored apart. Off the scale it is not known which model is stronger, so that
`happened` means that the best score was beaten."""


@dataclass(frozen=True)
class Backtest:
    """Forecasts for one horizon of `days`, in the order of their origins.

    `population` is the index in `POPULATIONS`. Of the first part: `happened` (0 or 1), its forecast `chance`, and
    `base`, the share of earlier outcomes in which it happened, the older weighing less. Of the second part: `closed`,
    the share of the room between best score and ceiling that was closed, its forecast `expected` by candidate, and
    `low` and `high`, the 80% interval of the published candidate. NaN stands where an outcome is not known yet or a
    forecast could not be computed. All but `happened` and `closed` use only what was known on the origin's day.
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
        arrays = {
            field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("days", "origins")
        }
        selected = {name: values[keep] for name, values in arrays.items() if name != "expected"}
        by_candidate = {name: values[keep] for name, values in self.expected.items()}
        return Backtest(days=self.days, origins=self.origins.where(keep), expected=by_candidate, **selected)


def at_least(longer: Backtest, shorter: Backtest) -> Backtest:
    """The forecasts of the longer horizon, of the same origins, raised to those of the shorter one where lower.

    What happens within half a year also happens within a year.
    """

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
    """The share of the room that was closed within `days`; NaN where the benchmark is not known until then."""
    target = origins.day + days
    closed = (series.best_at(origins.benchmark, target) - origins.best) / origins.room
    return np.where(target <= until[origins.benchmark], closed, np.nan)


def backtest(  # noqa: PLR0913, PLR0917 - the settings of one backtest
    series: Series, origins: Origins, until: Places, scale: ScaleAtOrigins, days: int, computed_on: Places
) -> Backtest:
    """Forecasts for the horizon of `days` at every origin, from the outcomes known on the day in `computed_on`.

    `until` is the day until which each benchmark is known; `scale` is about the same origins. A benchmark on the
    capability scale had a stronger model tested or not; of one off the scale the question is whether its best score was
    beaten.
    """
    closed = outcomes(series, origins, until, days)
    stronger = np.where(np.isfinite(closed), scale.stronger[days], np.nan)
    beaten = np.where(np.isfinite(closed), closed > 0, np.nan)
    happened = np.where(scale.is_on_scale, stronger, beaten)
    population = scale.is_on_scale.astype(np.int64)
    known_from = scale.known_from[days]
    questions = Questions(features(origins, scale.is_on_scale), computed_on, happened, origins.day + days, known_from)
    expected = {**curves(series, origins, scale.rate, days), RUNNING_MEAN: np.full(len(origins), np.nan)}
    low, high = np.full(len(origins), np.nan), np.full(len(origins), np.nan)
    for number in range(len(POPULATIONS)):
        is_of_population = population == number
        expected[RUNNING_MEAN][is_of_population], low[is_of_population], high[is_of_population] = predict_closed(
            closed[is_of_population],
            happened[is_of_population],
            origins.day[is_of_population],
            known_from[is_of_population],
            computed_on[is_of_population],
            days,
        )
    chance, base = chances(questions), base_rates(questions, population)
    return Backtest(days, origins, population, happened, closed, chance, base, expected, low, high)
