"""The interval of a median: published places, and how often it holds the truth."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from benchhealth.analytics.statistics.summaries.median import interval_order_statistic, median_interval


@pytest.mark.parametrize(
    ("n", "r", "confidence"),
    [(6, 1, 0.969), (9, 2, 0.961), (10, 2, 0.979), (12, 3, 0.961), (15, 4, 0.965), (20, 6, 0.959)],
)
def test_the_places_are_those_of_the_sign_test(n: int, r: int, confidence: float) -> None:
    """Conover (1999), Practical Nonparametric Statistics, 3rd edition, section 3.2 and table A3."""
    assert interval_order_statistic(n) == r
    assert 1 - 2 * binom.cdf(r - 1, n, 0.5) == pytest.approx(confidence, abs=5e-4)


def test_fewer_than_six_bound_nothing() -> None:
    assert [interval_order_statistic(n) for n in range(1, 6)] == [None] * 5
    table = median_interval(pl.Series([[], [1.0], [1.0, 2.0, 3.0, 4.0, 5.0]], dtype=pl.List(pl.Float64)))
    assert table.null_count().row(0) == (3, 3)


@given(st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=60))
def test_the_median_lies_within_and_both_ends_are_values(values: list[float]) -> None:
    low, high = median_interval(pl.Series([sorted(values)], dtype=pl.List(pl.Float64))).row(0)
    assert low <= float(np.median(values)) <= high
    assert {low, high} <= set(values)


@pytest.mark.parametrize("n", [6, 17])
def test_it_holds_the_median_of_a_skewed_population_as_often_as_it_says(n: int) -> None:
    drawn = np.sort(np.random.default_rng(1).lognormal(size=(4000, n)), axis=1)
    table = median_interval(pl.Series(drawn.tolist(), dtype=pl.List(pl.Float64)))
    held = ((table["low"] <= 1.0) & (table["high"] >= 1.0)).mean()
    r = interval_order_statistic(n)
    assert r is not None
    assert held == pytest.approx(1 - 2 * binom.cdf(r - 1, n, 0.5), abs=0.012)
