"""Forecasts to be made: a benchmark, a day on which it is made, and everything that was known on it."""

from dataclasses import dataclass, fields

import numpy as np
from scipy.special import logit

from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places

YEAR = 365
HALF_YEAR_DAYS = 182
QUARTER_DAYS = 91
HORIZONS = {6: 183, 12: 365}
"""The days in each horizon of a forecast, by its months."""

ENOUGH_RESULTS = 5
"""Fewer results than a top five and the best of them says little about the frontier."""
NEAREST_TO_ENDS = 0.005
"""Heights this near to chance or the ceiling are moved away from it before a logit is taken."""


@dataclass(frozen=True)
class Origins:
    """Parallel arrays, one entry for each forecast to be made.

    `benchmark` (place), `day`; `best` (height then), `top` (the highest height possible: 1, or the metric's maximum
    where the ceiling was passed); `since_result`, days since the last result; `days_half` and `days_year`, the days of
    the last half year and year that have one.
    """

    benchmark: Places
    day: Places
    best: Numbers
    top: Numbers
    since_result: Numbers
    days_half: Numbers
    days_year: Numbers

    def __len__(self) -> int:
        return self.benchmark.size

    def where(self, keep: Flags) -> "Origins":
        """The origins (days on which a forecast is made) of the rows that `keep` marks."""
        return Origins(**{field.name: getattr(self, field.name)[keep] for field in fields(self)})

    def followed_by(self, later: "Origins") -> "Origins":
        """One table of origins: the rows of these, and below them those of the later ones."""
        columns = {field.name: (getattr(self, field.name), getattr(later, field.name)) for field in fields(self)}
        return Origins(**{name: np.concatenate(pair) for name, pair in columns.items()})

    @property
    def room(self) -> Numbers:
        """How far the best score of each origin lies below the top of its scale."""
        return self.top - self.best


def features(asked_at: Origins, is_on_scale: Flags) -> Numbers:
    """What is known at the origin about whether a stronger model will be tested, shape (n, 4): how lately and how often
    somebody tested, and whether the benchmark is on the capability scale."""
    counts = (asked_at.since_result, asked_at.days_half, asked_at.days_year)
    return np.column_stack([*(np.log1p(count) for count in counts), is_on_scale])


def height_logit(best: Numbers, top: Numbers) -> Numbers:
    """Logit of a height as a share of the highest possible, kept off the ends.

    >>> height_logit(np.array([0.5, 0.75]), np.array([1.0, 1.0])).round(3).tolist()
    [0.0, 1.099]
    """
    return np.asarray(logit(np.clip(best / top, NEAREST_TO_ENDS, 1 - NEAREST_TO_ENDS)))


def origins(series: Series, benchmark: Places, day: Places) -> Origins:
    """What was known of each benchmark on each day; those with too few results or after a dormant year are dropped."""
    reach = series.count_results(benchmark, np.full(day.size, -1), day)
    alive = series.count_results(benchmark, day - YEAR, day) > 0
    keep = (reach >= ENOUGH_RESULTS) & alive & (day >= series.starts[benchmark])
    benchmark, day = benchmark[keep], day[keep]
    best = series.best_at(benchmark, day)
    top = np.where(best < 1, 1.0, series.maximum[benchmark])
    keep = best < top
    benchmark, day, best, top = benchmark[keep], day[keep], best[keep], top[keep]
    row = series.row_at(benchmark, day)
    return Origins(
        benchmark=benchmark,
        day=day,
        best=best,
        top=top,
        since_result=(day - series.day[row]).astype(np.float64),
        days_half=series.count_days(benchmark, day - HALF_YEAR_DAYS, day).astype(np.float64),
        days_year=series.count_days(benchmark, day - YEAR, day).astype(np.float64),
    )


def quarterly(series: Series, until: Places, as_of: int) -> Origins:
    """An origin each quarter of each benchmark's history, on days that are the same for all, oldest first.

    Up to the day `until` which each is known: that nobody reports any more is an outcome too.
    """
    if not series.benchmark_ids:
        return origins(series, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    days = np.arange(as_of, int(series.starts.min()) - 1, -QUARTER_DAYS)[::-1]
    day, benchmark = (grid.ravel() for grid in np.meshgrid(days, np.arange(len(series.benchmark_ids)), indexing="ij"))
    is_followed = (day >= series.starts[benchmark]) & (day <= until[benchmark])
    return origins(series, benchmark[is_followed].astype(np.int64), day[is_followed].astype(np.int64))
