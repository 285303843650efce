"""Proxy against target by year: which models count when, what the correction says, and what is too few."""

from datetime import date

import numpy as np

from benchhealth.analytics.goodhart.correlation import BELOW, FEWEST_AT_FRONTIER, frontier_correlation
from benchhealth.analytics.goodhart.measure import Finding, MeasureInputs
from tests.analytics.goodhart.measure_inputs import inputs, measure_rows
from tests.support.frames import benchmark, result, twin_pair
from tests.support.reason_sentences import reason


def two_sides(proxy: list[float], target: list[float], years: list[int]) -> MeasureInputs:
    """A pair of ratings of the same models, each out on a day of its year."""
    days = [date(year, 1 + index % 12, 5) for index, year in enumerate(years)]
    rows = [
        result(name, f"m{index}", score, dated_on=day)
        for name, scores in (("proxy", proxy), ("target", target))
        for index, (score, day) in enumerate(zip(scores, days, strict=True))
    ]
    ratings = [benchmark(name, unit="rating", floor=None, ceiling=None) for name in ("proxy", "target")]
    return inputs(rows, ratings, twin_pairs=[twin_pair("pair", "proxy", "target", source_id="lab")])


def of(rows: list[Finding], measure: str, year: int) -> Finding:
    return next(row for row in rows if (row.measure, row.year) == (measure, year))


def test_a_relation_that_holds_throughout_is_restored_by_the_correction() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(1000, 100, 200)
    y = x + rng.normal(0, 60, 200)
    rows = measure_rows(frontier_correlation, two_sides(x.tolist(), y.tolist(), [2023] * 100 + [2024] * 100))
    every, best, corrected = (
        of(rows, name, 2024) for name in ("correlation", "frontier_correlation", "frontier_correlation_corrected")
    )
    assert (every.n, best.n, corrected.n) == (200, 50, 50)
    assert of(rows, "correlation", 2023).n == 100
    assert every.value is not None
    assert abs(every.value - np.corrcoef(x, y)[0, 1]) < 1e-12
    assert best.value is not None
    assert best.value < every.value - 0.1
    assert corrected.low is not None
    assert corrected.high is not None
    assert corrected.low < every.value < corrected.high
    assert corrected.case != BELOW


def test_a_top_without_any_relation_stays_below() -> None:
    rng = np.random.default_rng(4)
    x = np.sort(rng.normal(1000, 100, 400))
    y = x + rng.normal(0, 10, 400)
    y[-100:] = rng.normal(1100, 40, 100)
    rows = measure_rows(frontier_correlation, two_sides(x.tolist(), y.tolist(), [2024] * 400))
    corrected = of(rows, "frontier_correlation_corrected", 2024)
    assert corrected.case == BELOW


def test_says_how_many_models_are_missing() -> None:
    few = measure_rows(frontier_correlation, two_sides([1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [2024] * 3))
    assert {row.status for row in few} == {"insufficient"}
    assert reason(few[0]) == f"3 models on both sides, 40 are needed for {FEWEST_AT_FRONTIER} at the frontier"
    same = measure_rows(frontier_correlation, two_sides([5.0] * 50, [5.0] * 50, [2024] * 50))
    assert {reason(row) for row in same} == {"the models up to 2024 do not differ, or lie on a line"}
    assert measure_rows(frontier_correlation, inputs([])) == []
