"""When a target stopped following its proxy, if it did."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np

from benchhealth.analytics.goodhart.correlation import PAIR
from benchhealth.analytics.goodhart.measure import Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.goodhart.pairs import Points, pooled_families
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg
from benchhealth.analytics.statistics.random_streams import stream_of
from benchhealth.analytics.statistics.regression import least_squares
from benchhealth.analytics.statistics.series.break_test import FEWEST_POINTS, Break, find_break

FALSE_DISCOVERIES = 0.05
"""Expected share of false breaks among those reported, over all pairs."""

EPOCH = date(1970, 1, 1)
YEAR_DAYS = 365.25
FEWEST_OF_A_YEAR = 2

UNITS = {
    "decoupling_p": "p-value of no break at any date, 0 to 1",
    "decoupling_date": "year and its fraction",
    "decoupling_size": "points (hundredths of the scale), or the unit where it is open-ended",
    "target_shortfall": "points, or the unit: target less what the line through all years gives",
}


class _TestedPair(NamedTuple):
    pair_id: str
    points: Points
    gap: Break | None


def decoupling(inputs: MeasureInputs, rng: np.random.Generator) -> Iterable[Finding]:
    """For each proxy and its target: whether from some date on the target lies lower than the proxy predicts.

    The test is that of `find_break`, on the probit scale where scores are shares, over the days on which models came
    out; models of a family that came on one day count as one point. Its p-values are taken through Benjamini-Hochberg
    over all pairs, and a date is given only where q is at most 5%, with an interval of dates and the size of the step
    in points (95% from the line with the step at that date, which takes the date for known). `target_shortfall` is, for
    the models of each year, the mean of target less what the line through all years gives.

    A date is when the relation changed, not why: tuning to the proxy is one reading, another kind of model or another
    way to measure are others. Where only a level moved, order within each side may be as good as ever.
    """
    tested = []
    for pair in inputs.pairs.iter_rows(named=True):
        points = pooled_families(inputs.points[pair["pair_id"]])
        gap = find_break(points.x, points.y, points.when, stream_of(rng, pair["pair_id"]))
        tested.append(_TestedPair(pair["pair_id"], points, gap))
    q_values = benjamini_hochberg([np.nan if tested_pair.gap is None else tested_pair.gap.p for tested_pair in tested])
    number = int(np.isfinite(q_values).sum())
    for tested_pair, q_value in zip(tested, q_values, strict=True):
        yield from _shortfalls(tested_pair)
        yield from _tests(tested_pair, float(q_value), number)


def _tests(tested_pair: _TestedPair, q_value: float, number: int) -> Iterable[Finding]:
    gap, pair_id = tested_pair.gap, tested_pair.pair_id
    if gap is None:
        n = tested_pair.points.when.size
        case = "few_points" if n < FEWEST_POINTS else "few_days_to_part"
        for name in ("decoupling_p", "decoupling_date", "decoupling_size"):
            yield no_value(name, PAIR, pair_id, case, n)
        return
    shared = (q_value, number)
    yield Finding("decoupling_p", PAIR, pair_id, gap.p, n=gap.n, case="q_over_pairs", numbers=shared)
    size = _size(tested_pair.points, gap)
    if q_value > FALSE_DISCOVERIES or size is None or size[0] <= 0:
        why = "no_break_found" if q_value > FALSE_DISCOVERIES else "no_lower_level"
        for name in ("decoupling_date", "decoupling_size"):
            yield Finding(name, PAIR, pair_id, n=gap.n, status="not_applicable", case=why, numbers=shared)
        return
    on = EPOCH + timedelta(days=int(gap.at))
    first, last = (EPOCH + timedelta(days=int(day)) for day in (gap.at_low, gap.at_high))
    yield Finding(
        "decoupling_date",
        PAIR,
        pair_id,
        1970 + gap.at / YEAR_DAYS,
        1970 + gap.at_low / YEAR_DAYS,
        1970 + gap.at_high / YEAR_DAYS,
        gap.n,
        on_date=on,
        case="broke_between",
        on_day=first,
        until_day=last,
        numbers=shared,
    )
    yield Finding("decoupling_size", PAIR, pair_id, *size, n=gap.n, on_date=on, case="q_over_pairs", numbers=shared)


def _size(points: Points, gap: Break) -> tuple[float, float, float] | None:
    """How much lower the target lies from the break on, in points, with the interval from the line with that step."""
    design = np.column_stack([np.ones(gap.n), points.proxy, gap.after])
    degrees_of_freedom = gap.n - design.shape[1]
    inverse = np.linalg.pinv(design.T @ design)
    fit = inverse @ design.T @ points.target
    scatter = float(((points.target - design @ fit) ** 2).sum()) / degrees_of_freedom
    reach = float(student.quantile(0.975, degrees_of_freedom)) * float(np.sqrt(scatter * inverse[2, 2]))
    lower = -float(fit[2])
    return (lower, lower - reach, lower + reach) if np.isfinite(reach) else None


def _shortfalls(tested_pair: _TestedPair) -> Iterable[Finding]:
    """Mean residual of the points of each year from the line through all, in points."""
    line = least_squares(tested_pair.points.proxy, tested_pair.points.target)
    if line is None:
        yield no_value("target_shortfall", PAIR, tested_pair.pair_id, "no_line_of_points", tested_pair.points.when.size)
        return
    years = 1970 + tested_pair.points.when.astype("datetime64[D]").astype("datetime64[Y]").astype(int)
    for year in np.unique(years):
        residuals = line.residuals[years == year]
        if residuals.size < FEWEST_OF_A_YEAR:
            continue
        reach = float(student.quantile(0.975, residuals.size - 1) * residuals.std(ddof=1) / np.sqrt(residuals.size))
        mean = float(residuals.mean())
        yield Finding(
            "target_shortfall", PAIR, tested_pair.pair_id, mean, mean - reach, mean + reach, residuals.size, int(year)
        )


MEASURE = Measure(UNITS, decoupling)
