"""Which of the top five can be told apart."""

import pytest

from tests.analytics.builders import benchmark, frames, result
from tests.analytics.test_headroom import indicator


def test_pairs_apart_by_hand() -> None:
    # errors of 1 point: a difference must exceed 1.96 * sqrt(2) = 2.77 points; of 90 89 88 87 86 the pairs
    # 90-87, 90-86 and 89-86 do
    rows = [result("a", f"m{s}", s / 100, std_error=0.01) for s in (90, 89, 88, 87, 86, 50)]
    found = indicator(frames(rows), "resolution_top5")
    assert (found["value"], found["n"]) == (pytest.approx(0.3), 10)


def test_binomial_errors_where_none_is_reported() -> None:
    rows = [result("a", "m1", 0.9), result("a", "m2", 0.8)]
    assert indicator(frames(rows, [benchmark("a", n_items=1000)]), "resolution_top5")["value"] == 1
    assert indicator(frames(rows, [benchmark("a", n_items=50)]), "resolution_top5")["value"] == 0


def test_settings_of_one_model_are_not_pairs() -> None:
    rows = [result("a", "m", 0.9, setting=str(i), n_items=100) for i in range(5)]
    assert indicator(frames(rows), "resolution_top5")["reason"] == "fewer than two models"


def test_without_errors_nothing_is_claimed() -> None:
    rows = [result("a", "m1", 0.9), result("a", "m2", 0.1, n_items=100)]
    assert indicator(frames(rows), "resolution_top5")["status"] == "insufficient"


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_ties_are_never_apart(score: float) -> None:
    rows = [result("a", f"m{i}", score, n_items=100) for i in range(5)]
    assert indicator(frames(rows), "resolution_top5")["value"] == 0


def test_a_reported_error_of_zero_is_not_believed() -> None:
    rows = [result("a", "m1", 0.900, std_error=0.0, n_items=100), result("a", "m2", 0.899, std_error=0.0, n_items=100)]
    assert indicator(frames(rows), "resolution_top5")["value"] == 0
