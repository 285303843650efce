"""Forecasts to be made: a benchmark, a day on which it is made, and everything that was known on it."""

from dataclasses import dataclass, fields

import numpy as np
from scipy.special import logit

from benchhealth.analytics.forecast.series import Flags, Numbers, Places, Series

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
    where the ceiling was passed); `rate_year`, logits a day that the best rose over the last year; `since_result`,
    `since_record` and `age` in days; `results` in all and `recent` ones in the last half year and quarter; the shares
    of them that are dated by their model's release (`released`) and by a submission (`submitted`).
    """

    benchmark: Places
    day: Places
    best: Numbers
    top: Numbers
    rate_year: Numbers
    since_result: Numbers
    since_record: Numbers
    age: Numbers
    results: Numbers
    recent_half: Numbers
    recent_quarter: Numbers
    released: Numbers
    submitted: Numbers

    def __len__(self) -> int:
        return self.benchmark.size

    def where(self, keep: Flags) -> "Origins":
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


def features(at: Origins, lag: Numbers) -> Numbers:
    """What is known at the origin about whether a stronger model will be tested, shape (n, 10).

    `lag`: by how much the best model of all is stronger than the strongest tested here.
    """
    return np.column_stack(
        [
            np.log1p(at.since_result),
            np.log1p(at.since_record),
            np.log1p(at.recent_quarter),
            np.log1p(at.recent_half),
            np.log1p(at.results),
            height_logit(at.best, at.top),
            np.log1p(at.age),
            np.arcsinh(YEAR * at.rate_year),
            at.submitted,
            lag,
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
    row = series.row_at(benchmark, day)
    return Origins(
        benchmark=benchmark,
        day=day,
        best=best,
        top=top,
        rate_year=_rate(series, benchmark, day, best, top, YEAR),
        since_result=(day - series.day[row]).astype(np.float64),
        since_record=(day - series.day[series.record_row[row]]).astype(np.float64),
        age=(day - series.first[benchmark]).astype(np.float64),
        results=series.count(benchmark, np.full(day.size, -1), day).astype(np.float64),
        recent_half=series.count(benchmark, day - HALF, day).astype(np.float64),
        recent_quarter=series.count(benchmark, day - QUARTER_DAYS, day).astype(np.float64),
        released=series.share_until(series.released, benchmark, day),
        submitted=series.share_until(series.submitted, benchmark, day),
    )


def quarterly(series: Series, until: Places, as_of: int) -> Origins:
    """An origin each quarter of each benchmark's history, on days that are the same for all, oldest first.

    Up to the day `until` which each is known: that nobody reports any more is an outcome too.
    """
    if not series.benchmark_ids:
        return origins(series, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    days = np.arange(as_of, int(series.starts.min()) - 1, -QUARTER_DAYS)[::-1]
    day, benchmark = (grid.ravel() for grid in np.meshgrid(days, np.arange(len(series.benchmark_ids)), indexing="ij"))
    within = (day >= series.starts[benchmark]) & (day <= until[benchmark])
    return origins(series, benchmark[within].astype(np.int64), day[within].astype(np.int64))


def _rate(  # noqa: PLR0913, PLR0917 - parallel arrays of one origin
    series: Series, benchmark: Places, day: Places, best: Numbers, top: Numbers, window: int
) -> Numbers:
    """Logits a day that the best rose over a window, or since the first seen frontier where that is later."""
    since = np.maximum(day - window, np.maximum(series.first[benchmark], series.starts[benchmark]))
    before = series.best_at(benchmark, since)
    rise = height_logit(best, top) - height_logit(before, top)
    return np.asarray(rise / np.maximum(day - since, QUARTER_DAYS))
