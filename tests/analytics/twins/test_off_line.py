"""Several leaks in one twin: they must not hide one another, and nobody else may be flagged for them."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.statistics.chance import noise_of
from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg, q_values_within
from benchhealth.analytics.statistics.robust_line import least_trimmed_squares, off_line
from tests.support.simulated_twins import flagged_shares
from tests.support.soaking import some

NOISE = {"normal": {}, "t4": {"scatter": 0.02, "degrees": 4.0}}
RUNS, MODELS = 40, 47
LEAST_FOUND = {0: 0.0, 1: 0.5, 3: 0.6, 8: 0.6, 15: 0.5}
"""The share of so many leaked models that is flagged at the least."""


@pytest.mark.parametrize("case", some(product(NOISE, LEAST_FOUND), plain=[("normal", 0), ("t4", 0), ("t4", 8)]))
def test_leaks_do_not_hide_one_another(case: tuple[str, int]) -> None:
    noise, leaked = case
    least = LEAST_FOUND[leaked]
    rate, false = flagged_shares(RUNS, 20260101, MODELS, leaked, **NOISE[noise])
    assert false <= 0.05
    assert leaked == 0 or rate >= least * (1 if noise == "normal" else 0.8)


@pytest.mark.soak
@pytest.mark.parametrize("noise", NOISE)
def test_leaks_do_not_hide_one_another_at_length(noise: str) -> None:
    for leaked in range(16):
        rate, false = flagged_shares(400, 7, MODELS, leaked, **NOISE[noise])
        print(f"twin flags, {noise}, {leaked} of {MODELS} leaked 30% of 500 items: {rate:.3f}, clean {false:.3f}")
        assert false <= 0.05
        assert leaked not in {8, 15} or rate >= (0.5 if leaked == 8 else 0.4)


@given(st.integers(0, 2**32 - 1), st.floats(0.3, 2), st.floats(-20, 20))
@settings(max_examples=30, deadline=None)
def test_two_fifths_of_points_anywhere_below_do_not_move_the_line(seed: int, slope: float, intercept: float) -> None:
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 100, 40)
    y = intercept + slope * x
    y[:16] -= rng.uniform(10, 60, 16)
    line = least_trimmed_squares(x, y, np.ones(40))
    assert line is not None
    assert line.slope == pytest.approx(slope, abs=1e-6) and line.intercept == pytest.approx(intercept, abs=1e-4)


def test_a_line_needs_points_that_differ() -> None:
    assert least_trimmed_squares(np.array([1.0, 2]), np.array([1.0, 2]), np.ones(2)) is None
    assert least_trimmed_squares(np.ones(9), np.arange(9.0), np.ones(9)) is None
    level = np.linspace(0, 1, 20)
    nothing = np.zeros(20)
    assert off_line(level, level, nothing, nothing, 1) is None


@pytest.mark.parametrize("degrees", [4, 10_000])
@pytest.mark.parametrize("shifted", [0, 1500])
def test_the_noise_learnt_from_what_is_not_far_below_is_that_of_all(degrees: int, shifted: int) -> None:
    z = 3 * stats.t.rvs(degrees, size=4000, random_state=4)
    noise = noise_of(np.append(z, z[:shifted] - 30))
    assert noise is not None
    for p in (0.01, 0.05, 0.3):
        residual = 3 * stats.t.ppf(p, degrees)
        assert float(noise.below(np.array([residual]))[0]) == pytest.approx(p, rel=0.2)
    assert noise.reach(0.9) == pytest.approx(-3 * stats.t.ppf(0.05, degrees), rel=0.1)
    assert noise_of(-np.abs(z)) is None


@given(st.lists(st.tuples(st.sampled_from("ab"), st.none() | st.floats(0, 1)), min_size=1, max_size=30))
def test_q_values_within_groups_are_those_of_each_group(rows: list[tuple[str, float | None]]) -> None:
    table = pl.DataFrame(rows, schema={"group": pl.String, "p_value": pl.Float64}, orient="row")
    q_values = q_values_within(table, ["group"])
    for name in "ab":
        mine = q_values.filter(group=name)
        p = mine["p_value"].fill_null(np.nan).to_numpy()
        expected = benjamini_hochberg(p)
        assert mine["q_value"].fill_null(np.nan).to_numpy() == pytest.approx(expected, nan_ok=True)
    assert q_values["p_value"].to_list() == table["p_value"].to_list()
