"""Proxy against target at the frontier, year by year: does the order still mean the same among the best?"""

from collections.abc import Iterable
from datetime import date

import numpy as np

from benchhealth.analytics.goodhart.measure import Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.goodhart.pairs import Points
from benchhealth.analytics.statistics.range_restriction import CorrectedCorrelation, corrected_correlation

FRONTIER_SHARE = 0.25
"""The share of the models, best by the proxy, that are the frontier."""

FEWEST_AT_FRONTIER = 10
"""Models at the frontier; with fewer the interval of a correlation of .5 spans from below zero."""

UNITS = {
    "correlation": "Pearson's r over all models known by the end of the year",
    "frontier_correlation": "Pearson's r among the best quarter by the proxy",
    "frontier_correlation_corrected": "Pearson's r among the best quarter, corrected to the spread of all",
}
PAIR = "pair"
BELOW, NOT_BELOW = "below_all", "not_below_all"
"""Whether the corrected correlation at the frontier stays clearly below that over all models."""


def frontier_correlation(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """For each proxy and its target, over the models that had come out by the end of each year: the correlation over
    all, among the best quarter by the proxy, and that one corrected for range restriction.

    The first two always differ, as the best are alike. The third tells why: where its interval overlaps that of the
    correlation over all, range restriction is enough to explain the drop; where it lies below, the two sides part at
    the top for another reason. A lower correlation at the top is not yet decoupling: a bend in the relation and a
    ceiling do it too. Formula and sources: `corrected_correlation`. Scores
    are on the probit scale where they are shares. A year that adds no model is left out.
    """
    for pair in inputs.pairs.iter_rows(named=True):
        points = inputs.points[pair["pair_id"]]
        years = (points.when.astype("datetime64[D]").astype("datetime64[Y]").astype(int) + 1970).astype(int)
        at_last = max(years, default=0)
        findings = [row for year in np.unique(years) for row in _of_year(pair["pair_id"], points, years, int(year))]
        if not findings:
            n = len(points.model_id)
            case = "few_on_both_sides" if n < FEWEST_AT_FRONTIER / FRONTIER_SHARE else "models_on_a_line"
            findings = [no_value(name, PAIR, pair["pair_id"], case, n, (float(at_last),)) for name in UNITS]
        yield from findings


def _of_year(pair_id: str, points: Points, years: np.ndarray, year: int) -> list[Finding]:
    until_year = years <= year
    x, y = points.x[until_year], points.y[until_year]
    k = int(np.ceil(FRONTIER_SHARE * x.size))
    if k < FEWEST_AT_FRONTIER:
        return []
    frontier = x >= np.partition(x, x.size - k)[x.size - k]
    spread = float(x.std(ddof=1))
    everyone = corrected_correlation(x, y, spread)
    best = corrected_correlation(x[frontier], y[frontier], spread)
    if everyone is None or best is None:
        return []
    over_all = (everyone.chosen, everyone.n)
    rows = (
        ("correlation", everyone.n, everyone.chosen, everyone.chosen_low, everyone.chosen_high, None),
        ("frontier_correlation", best.n, best.chosen, best.chosen_low, best.chosen_high, None),
        ("frontier_correlation_corrected", best.n, best.corrected, best.low, best.high, _case_of(best, everyone)),
    )
    return [
        Finding(name, PAIR, pair_id, value, low, high, n, year, date(year, 12, 31), case=case, numbers=over_all)
        for name, n, value, low, high, case in rows
    ]


def _case_of(best: CorrectedCorrelation, everyone: CorrectedCorrelation) -> str:
    """Whether the correction restores the correlation over all; intervals that overlap are no difference."""
    return BELOW if best.high < everyone.chosen_low else NOT_BELOW


MEASURE = Measure(UNITS, frontier_correlation)
