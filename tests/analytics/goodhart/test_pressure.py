"""Entries a month and their rank correlation with gaps."""

from datetime import date, timedelta

import numpy as np
import pytest

from benchhealth.analytics.goodhart.pressure import FEWEST_BENCHMARKS, pressure_and_gap, rank_interval
from tests.analytics.goodhart.measure_inputs import by_subject, inputs, measure_rows
from tests.support.frames import Row, result, twin_pair
from tests.support.reason_sentences import reason


def world(benchmarks: int, gap_of_rate: float) -> tuple[list[Row], list[Row]]:
    """Benchmarks with 10, 11, ... models over a year whose twin lies lower by `gap_of_rate` points a model."""
    rows, pairs = [], []
    for b in range(benchmarks):
        n = 10 + b
        for m in range(n):
            day = date(2024, 1, 1) + timedelta(days=round(365.25 * m / (n - 1)))
            for side, lower in (("", 0.0), ("-fresh", gap_of_rate * n / 100)):
                score = 0.9 - 0.01 * m - lower
                rows.append(result(f"b{b}{side}", f"b{b}m{m}", score, dated_on=day))
        pairs.append(twin_pair(f"t{b}", f"b{b}", f"b{b}-fresh", kind="fresh sample"))
    return rows, pairs


def test_rate_is_models_over_the_months_between_the_first_and_the_last() -> None:
    rows, pairs = world(3, 0.5)
    by_board = by_subject(measure_rows(pressure_and_gap, inputs(rows, twin_pairs=pairs), "entries_a_month"))
    assert by_board["b2"].value == pytest.approx(12 / 12, rel=0.01)
    gaps = by_subject(measure_rows(pressure_and_gap, inputs(rows, twin_pairs=pairs), "gap_of_twins"))
    assert gaps["b2"].value == pytest.approx(6.0)


def test_models_that_came_all_at_once_have_no_rate() -> None:
    rows = [result("paper", f"m{index}", 0.5, dated_on=date(2025, 1, 1 + index)) for index in range(20)]
    assert measure_rows(pressure_and_gap, inputs(rows), "entries_a_month") == []


@pytest.mark.soak
def test_gaps_that_grow_with_pressure_correlate_and_few_do_not() -> None:
    rows, pairs = world(FEWEST_BENCHMARKS, 0.5)
    by_board = by_subject(measure_rows(pressure_and_gap, inputs(rows, twin_pairs=pairs), "pressure_gap"))
    assert by_board["twins"].value == pytest.approx(1.0)
    assert by_board["twins"].n == FEWEST_BENCHMARKS
    assert {by_board[name].status for name in ("equal preparation", "self-reports")} == {"insufficient"}
    rows, pairs = world(FEWEST_BENCHMARKS - 1, 0.5)
    by_board = by_subject(measure_rows(pressure_and_gap, inputs(rows, twin_pairs=pairs), "pressure_gap"))
    assert reason(by_board["twins"]) == f"{FEWEST_BENCHMARKS - 1} benchmarks, {FEWEST_BENCHMARKS} are needed"
    assert {row.status for row in measure_rows(pressure_and_gap, inputs([]))} == {"insufficient"}


def test_a_source_s_own_edition_counts_by_the_entries_of_its_benchmark_or_not_at_all() -> None:
    rows, _ = world(1, 0.0)
    rows += [{**row, "benchmark_id": f"lab-{name}"} for row in rows for name in ("b0", "own")]
    rows += [{**row, "benchmark_id": f"{row['benchmark_id']}-tuned", "score": row["score"] + 0.1} for row in rows]
    pairs = [
        twin_pair(name, f"lab-{name}", f"lab-{name}-tuned", kind="equal preparation", source_id="lab")
        for name in ("b0", "own")
    ]
    by_board = by_subject(measure_rows(pressure_and_gap, inputs(rows, twin_pairs=pairs), "gap_of_preparation"))
    assert set(by_board) == {"b0"}
    assert by_board["b0"].value == pytest.approx(-10)


def test_interval_of_the_rank_correlation_covers() -> None:
    rng = np.random.default_rng(10)
    runs, n, r = 1_500, 20, 0.6
    truth = 6 / np.pi * np.arcsin(r / 2)
    x = rng.normal(size=(runs, n))
    y = r * x + np.sqrt(1 - r * r) * rng.normal(size=(runs, n))
    ranked = [side.argsort(axis=1).argsort(axis=1) - (n - 1) / 2 for side in (x, y)]
    rho = (ranked[0] * ranked[1]).sum(axis=1) / (ranked[0] ** 2).sum(axis=1)
    ends = [rank_interval(float(value), n) for value in rho]
    assert np.mean([low <= truth <= high for low, high in ends]) == pytest.approx(0.95, abs=0.02)
    for value in (-1.0, 0.0, 1.0):
        low, high = rank_interval(value, 8)
        assert -1 <= low <= value <= high <= 1
