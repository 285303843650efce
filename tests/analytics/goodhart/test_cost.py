"""Dollars beside scores: the edge, its slope, and the cheapest run at a level."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.goodhart.cost import EXPECTED, cost_of_a_point, edge, edge_slope
from benchhealth.analytics.goodhart.measure import MeasureInputs
from tests.analytics.goodhart.measure_inputs import inputs, measure_rows
from tests.support.frames import benchmark, result
from tests.support.reason_sentences import reason
from tests.support.soaking import examples

RUNS = st.lists(st.tuples(st.floats(0, 100), st.floats(0.01, 1_000)), min_size=1, max_size=30)


def runs(points: list[float], cost: list[float]) -> MeasureInputs:
    rows = []
    for index, (score, dollars) in enumerate(zip(points, cost, strict=True)):
        day = date(2024 + index % 2, 3, 1)
        rows.append(result("aider-polyglot", f"m{index}", score / 100, dated_on=day))
        rows.append(result("aider-polyglot/cost", f"m{index}", dollars, dated_on=day))
    dollars_unit = benchmark("aider-polyglot/cost", unit="dollars", higher_is_better=False, floor=None, ceiling=None)
    return inputs(rows, [benchmark("aider-polyglot"), dollars_unit])


def test_cost_that_doubles_every_ten_points_is_found_on_the_edge() -> None:
    points = [10.0 * index for index in range(1, 9)] * 2
    cost = [2.0**index for index in range(1, 9)] + [2.0**index * 5 for index in range(1, 9)]
    every = measure_rows(cost_of_a_point, runs(points, cost))
    rows = {(row.measure, row.year): row for row in every if row.subject == "aider-polyglot"}
    factor = rows["cost_factor_of_ten_points", None]
    assert factor.value == pytest.approx(2)
    assert reason(factor) == "8 of 16 runs are at the edge"
    assert (factor.low, factor.high) == (None, None)
    # Runs at 60 and 80 points are dated 2025, those at 50 and 70 a year earlier.
    assert rows["cheapest_at_50", 2024].value == pytest.approx(32)
    assert rows["cheapest_at_75", 2025].value == pytest.approx(256)
    assert ("cheapest_at_75", 2024) not in rows


def test_a_flat_board_has_no_edge_and_a_missing_one_is_said_to_be_missing() -> None:
    rows = measure_rows(cost_of_a_point, runs([50.0] * 12, [float(index) for index in range(1, 13)]))
    cost_row = next(
        row for row in rows if row.measure == "cost_factor_of_ten_points" and row.subject == "aider-polyglot"
    )
    assert reason(cost_row) == "fewer than 4 of 12 runs are at the edge"
    missing = {row.subject: reason(row) for row in rows if row.n == 0}
    assert set(missing) == set(EXPECTED) - {"aider-polyglot"}
    assert set(missing.values()) == {"no run with a cost is on record"}


def test_a_cost_of_another_snapshot_is_not_that_of_the_run() -> None:
    rows = [
        result("aider-polyglot/cost", "m", 5.0, board_id="lab/old", snapshot_id="old"),
        result("aider-polyglot", "m", 0.5),
    ]
    unit = benchmark("aider-polyglot/cost", unit="dollars", higher_is_better=False)
    measured = measure_rows(cost_of_a_point, inputs(rows, [benchmark("aider-polyglot"), unit]))
    assert {row.status for row in measured} == {"insufficient"}


def bootstrap_covers(boards: int, runs_of: int, draws: int) -> float:
    """How often the percentiles of edges of resampled runs hold the factor's log of the true edge: cost doubles every
    ten points, and runs cost that or more, by an amount drawn with an exponential distribution."""
    rng, held = np.random.default_rng(3), 0
    for _ in range(boards):
        points = rng.uniform(10, 90, runs_of)
        cost = 2 ** (points / 10) * np.exp(rng.exponential(1.0, runs_of))
        slopes = [edge_slope(points[chosen], cost[chosen]) for chosen in rng.integers(0, runs_of, (draws, runs_of))]
        low, high = np.quantile([slope for slope in slopes if slope is not None], [0.025, 0.975])
        held += low <= np.log(2) / 10 <= high
    return held / boards


def test_resampling_all_runs_gives_an_edge_no_interval() -> None:
    """So none is published: what was published covered too seldom."""
    assert bootstrap_covers(80, 40, 60) < 0.9


@examples(20, soak=40)
@given(RUNS)
def test_no_run_matches_one_of_the_edge_at_a_lower_cost(pairs: list[tuple[float, float]]) -> None:
    points, cost = (np.array(side) for side in zip(*pairs, strict=True))
    chosen = edge(points, cost)
    assert (np.diff(points[chosen]) > 0).all()
    assert (np.diff(cost[chosen]) > 0).all()
    for point in chosen:
        assert not ((points >= points[point]) & (cost < cost[point])).any()
    turned = edge(points[::-1], cost[::-1])
    assert points[::-1][turned].tolist() == points[chosen].tolist()
    slope = edge_slope(points, cost)
    assert (slope is None) == (chosen.size < 4)
    assert slope is None or slope > 0
