"""Whether, and when, a target stopped following its proxy: a step at an unknown date, tested for all dates at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.series.serial import dealt_anew, lag_one, persistence
from benchhealth.analytics.statistics.units.least_p import of_draws

PERMUTATIONS = 999
"""The smallest p-value is 1 in 1,000: enough for some forty pairs under Benjamini-Hochberg."""

TRIM = 0.15
"""Share of the points that must lie on either side of a break (Andrews 1993)."""

FEWEST_POINTS = 20
"""With fewer points the trimmed dates leave three on a side."""

MOST_DATES = 60
"""More candidate dates than this are thinned evenly: neighbours give the same split but for a few points."""

HANSEN95 = 7.35
"""Critical value of the likelihood ratio for a break's date, 95% (Hansen 2000, table I)."""


class Break(NamedTuple):
    """The most likely date after which the target lies lower than its proxy predicts, and the test of it.

    `at`, `at_low`, `at_high` are in the unit of `when`: `at` is the first point after the break, which lies later than
    `at_low`, the last point before the earliest date that fits. `after` marks the points from the break on. `p` is of
    the hypothesis that there is no break at any date.
    """

    n: int
    at: float
    at_low: float
    at_high: float
    p: float
    after: NDArray[np.bool_]


def find_break(proxy: ArrayLike, target: ArrayLike, when: ArrayLike, rng: np.random.Generator) -> Break | None:
    """The break of a target away from its proxy: target = a + b proxy - c [when >= date], c > 0, date unknown.

    For each candidate date (15% of the points on either side) the t-value of the step, beside a line in the proxy that
    all points share; the lowest is the break. Its p-value allows for the search, and for errors that follow one another
    in time, as those of the models of one maker or one year do: new residuals are made like those of the line without
    a step (what is new in each is dealt in blocks of the cube root of their number), the line
    fitted again, and the lowest t-value of all dates taken (Freedman, Lane 1983). How strongly errors follow one
    another is read off the residuals of the line with its best step, so that a step is not taken for it, and corrected
    for what that fit takes out. A line throughout is the null, so a proxy that improves over
    time is none, and noise in a proxy that improves works against finding a break (a later model of the same score is
    the better one). What does look like a break: a bend in the relation, a change of who is measured. The date's
    interval holds all dates whose likelihood ratio is below 7.35 (Hansen 2000, doi:10.1111/1468-0262.00124), which
    takes errors as independent. Source of the test over dates: Andrews (1993), doi:10.2307/2951764. None with fewer
    than 20 points, a constant proxy, no scatter, or no date with 15% of the points on either side.
    """
    x, y, time = (np.asarray(side, dtype=np.float64) for side in (proxy, target, when))
    order = np.lexsort((y, x, time))
    likeliest = _in_order(x[order], y[order], time[order], rng)
    return None if likeliest is None else likeliest._replace(after=time >= likeliest.at)


def _in_order(x: Numbers, y: Numbers, time: Numbers, rng: np.random.Generator) -> Break | None:
    """`find_break` of points in the order of time."""
    n = x.size
    if n < FEWEST_POINTS or np.ptp(x) == 0:
        return None
    dates = _candidates(time)
    residual = y - _fitted(x, y)
    scale = float(residual @ residual)
    if dates.size == 0 or scale <= 1e-18 * max(float(y @ y), 1e-18):
        return None
    after = time[:, None] >= dates[None, :]
    steps = after - _fitted(x, after.astype(np.float64))
    length = np.sqrt((steps**2).sum(axis=0))
    usable = length > 1e-9 * np.sqrt(n)
    if not usable.any():
        return None
    dates, after, steps = dates[usable], after[:, usable], steps[:, usable] / length[usable]
    values = _t_values(steps, residual[:, None], x)[:, 0]
    best = int(values.argmin())
    dealt = dealt_anew(residual, _strength(steps, residual, x, rng), PERMUTATIONS, rng)
    lowest = _t_values(steps, dealt, x).min(axis=0)
    p = float(of_draws((lowest <= values[best] + 1e-12).sum(), PERMUTATIONS))
    left = scale - (steps.T @ residual) ** 2 * (values < 0)
    within_interval = dates[n * (left - left[best]) / max(float(left[best]), 1e-300) <= HANSEN95]
    last_before = float(time[time < within_interval.min()].max())
    return Break(n, float(dates[best]), last_before, float(within_interval.max()), p, after[:, best])


def _strength(steps: Numbers, residual: Numbers, x: Numbers, rng: np.random.Generator) -> float:
    """How strongly the errors follow one another whose residuals, line and best step taken out, are these."""

    def left(series: Numbers) -> Numbers:
        residuals = series - _fitted(x, series)
        gain = steps.T @ residuals
        best = gain.argmin(axis=0)
        columns = np.arange(residuals.shape[1])
        return np.asarray(residuals - steps[:, best] * gain[best, columns])

    observed = float(lag_one(left(residual[:, None]))[0])
    return persistence(observed, left, residual.size, rng)


def _candidates(when: Numbers) -> Numbers:
    """Dates with `TRIM` of the points before them and from them on, at most `MOST_DATES`."""
    days = np.unique(when)
    before = np.searchsorted(np.sort(when), days, side="left")
    inside = days[(before >= TRIM * when.size) & (when.size - before >= TRIM * when.size)]
    if inside.size <= MOST_DATES:
        return inside
    return np.asarray(inside[np.unique(np.linspace(0, inside.size - 1, MOST_DATES).round().astype(int))])


def _fitted(x: Numbers, y: Numbers) -> Numbers:
    """What a least squares line in x gives for one or several columns of y."""
    from_mean = x - x.mean()
    slope = from_mean @ y / (from_mean @ from_mean)
    return np.asarray(y.mean(axis=0) + (np.outer(from_mean, slope) if y.ndim == 2 else from_mean * slope))


def _t_values(steps: Numbers, dealt: Numbers, x: Numbers) -> Numbers:
    """t-value of each step (unit length, free of the line) in each column of residuals: (dates, columns)."""
    residuals = dealt - _fitted(x, dealt)
    total = (residuals**2).sum(axis=0)
    gain = steps.T @ residuals
    left = np.clip(total - gain**2, 1e-300, None) / (x.size - 3)
    return np.asarray(gain / np.sqrt(left))
