"""The mean of the best of several normal draws against Harter's table, simulation and its bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics.best_of_n import expected_best, expected_best_of
from tests.support.soaking import examples


@pytest.mark.parametrize(
    ("n", "mean"),
    [(1, 0.0), (2, 0.56419), (3, 0.84628), (4, 1.02938), (5, 1.16296), (10, 1.53875), (20, 1.86748), (100, 2.50759)],
)
def test_harters_table(n: int, mean: float) -> None:
    # Harter (1961), Biometrika 48, table 1.
    assert expected_best(n) == pytest.approx(mean, abs=1e-5)


def test_different_errors_by_simulation() -> None:
    errors = np.array([1.0, 2.0, 0.5, 4.0])
    drawn = np.random.default_rng(1).normal(size=(400_000, 4)) * errors
    assert expected_best_of(errors) == pytest.approx(drawn.max(axis=1).mean(), abs=0.02)


@pytest.mark.parametrize("errors", [[], [0.0], [-1.0], [np.nan], [np.inf, 1.0]])
def test_errors_must_be_errors(errors: list[float]) -> None:
    with pytest.raises(ValueError, match="errors"):
        expected_best_of(errors)
    with pytest.raises(ValueError, match="no draws"):
        expected_best(0)


@examples(20, soak=40)
@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=12), st.floats(0.1, 10))
def test_more_tries_show_more_and_units_do_not_matter(errors: list[float], factor: float) -> None:
    best = expected_best_of(errors)
    assert -1e-9 <= best <= max(errors) * expected_best(len(errors)) + 1e-6 * max(errors)
    assert expected_best_of([*errors, errors[0]]) >= best - 1e-9
    assert expected_best_of([factor * error for error in errors[::-1]]) == pytest.approx(factor * best, abs=1e-6)
