"""Forecasts to be made: a benchmark, a day on which it is made, and everything that was known on it."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from analytics.forecast.series import Numbers, Places, Series

YEAR = 365
HALF = 182
QUARTER_DAYS = 91
HORIZONS = {6: 183, 12: 365}
"""Months to days."""

ENOUGH_RESULTS = 5
"""Fewer results than a top five and the best of them says little about the frontier."""
EDGE = 0.005
"""Heights this near to chance or the ceiling are moved away from it before a logit is taken."""


@dataclass(frozen=True)
class Origins:
    """Parallel arrays, one entry for each forecast to be made.

    `benchmark` (place), `day`; `best` (height then), `top` (the highest height possible: 1, or the metric's maximum
    where the ceiling was passed); rates in logits a day over the last half and whole year (`rate_half`, `rate_year`);
    `since_record` and `age` in days; `recent`, results in the last half year.
    """

    benchmark: Places
    day: Places
    best: Numbers
    top: Numbers
    rate_half: Numbers
    rate_year: Numbers
    since_record: Numbers
    age: Numbers
    recent: Numbers

    def __len__(self) -> int:
        return self.benchmark.size

    def where(self, keep: NDArray[np.bool_]) -> "Origins":
        """A part of them."""
        return Origins(**{field.name: getattr(self, field.name)[keep] for field in fields(self)})

    def followed_by(self, other: "Origins") -> "Origins":
        """These, then those."""
        both = {field.name: (getattr(self, field.name), getattr(other, field.name)) for field in fields(self)}
        return Origins(**{name: np.concatenate(pair) for name, pair in both.items()})

    @property
    def room(self) -> Numbers:
        """Height that is left."""
        return self.top - self.best

    def features(self) -> Numbers:
        """What is known at the origin on scales on which origins can be likened, shape (n, 5)."""
        return np.column_stack(
            [
                height_logit(self.best, self.top),
                np.arcsinh(YEAR * self.rate_half),
                np.arcsinh(YEAR * self.rate_year),
                np.log1p(self.since_record) / 2,
                np.log1p(self.recent) / 2,
            ]
        )


def height_logit(best: Numbers, top: Numbers) -> Numbers:
    """Logit of a height as a share of the highest possible, kept off the ends."""
    return np.asarray(logit(np.clip(best / top, EDGE, 1 - EDGE)))


def origins(series: Series, benchmark: Places, day: Places) -> Origins:
    """What was known of each benchmark on each day; those with too few results or after a dormant year are dropped."""
    reach = series.count(benchmark, np.full(day.size, -1), day)
    alive = series.count(benchmark, day - YEAR, day) > 0
    keep = (reach >= ENOUGH_RESULTS) & alive & (day >= series.starts[benchmark])
    benchmark, day = benchmark[keep], day[keep]
    best = series.best_at(benchmark, day)
    top = np.where(best < 1, 1.0, series.maximum[benchmark])
    keep = best < top
    benchmark, day, best, top = benchmark[keep], day[keep], best[keep], top[keep]
    return Origins(
        benchmark=benchmark,
        day=day,
        best=best,
        top=top,
        rate_half=_rate(series, benchmark, day, best, top, HALF),
        rate_year=_rate(series, benchmark, day, best, top, YEAR),
        since_record=(day - _record_day(series, benchmark, day)).astype(np.float64),
        age=(day - series.first[benchmark]).astype(np.float64),
        recent=series.count(benchmark, day - HALF, day).astype(np.float64),
    )


def quarterly(series: Series, as_of: int) -> Origins:
    """An origin each quarter of each benchmark's history, on days that are the same for all, oldest first."""
    if not series.benchmark_ids:
        return origins(series, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    days = np.arange(as_of, int(series.starts.min()) - 1, -QUARTER_DAYS)[::-1]
    day, benchmark = (grid.ravel() for grid in np.meshgrid(days, np.arange(len(series.benchmark_ids)), indexing="ij"))
    within = (day >= series.starts[benchmark]) & (day <= series.last[benchmark])
    return origins(series, benchmark[within].astype(np.int64), day[within].astype(np.int64))


def _rate(  # noqa: PLR0913, PLR0917 - parallel arrays of one origin
    series: Series, benchmark: Places, day: Places, best: Numbers, top: Numbers, window: int
) -> Numbers:
    """Logits a day that the best rose over a window, or since the first seen frontier where that is later."""
    since = np.maximum(day - window, np.maximum(series.first[benchmark], series.starts[benchmark]))
    before = series.best_at(benchmark, since)
    rise = height_logit(best, top) - height_logit(before, top)
    return np.asarray(rise / np.maximum(day - since, QUARTER_DAYS))


def _record_day(series: Series, benchmark: Places, day: Places) -> Places:
    """The day on which the running best of that day was set."""
    higher = np.diff(series.best, prepend=-np.inf) > 0
    opens = np.diff(series.benchmark, prepend=-1) != 0
    row_of_record = np.maximum.accumulate(np.where(higher | opens, np.arange(series.day.size), 0))
    return np.asarray(series.day[row_of_record[series.until(benchmark, day) - 1]])
