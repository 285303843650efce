"""No p-value says more than so many independent units, or draws, can."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.statistics.units.least_p import limited_p, of_draws


@given(st.floats(0, 1), st.integers(1, 60))
def test_it_is_that_of_a_sign_test_with_all_on_one_side(p: float, units: int) -> None:
    assert limited_p(0.0, units) == pytest.approx(stats.binomtest(units, units, alternative="greater").pvalue)
    assert limited_p(0.0, units, sides=2) == pytest.approx(stats.binomtest(units, units).pvalue)
    assert p <= limited_p(p, units) <= 1


def test_unknown_stays_unknown_and_nothing_at_all_shows_nothing() -> None:
    assert np.isnan(limited_p(np.nan, 3))
    assert limited_p([1e-9, 0.2], [3, 100]).tolist() == [0.125, 0.2]
    assert limited_p(1e-9, 0) == 1


def test_draws_carry_no_more_than_one_in_all_of_them() -> None:
    assert of_draws([0, 5, 99], 99).tolist() == [0.01, 0.06, 1.0]
    with pytest.raises(ValueError, match="0 draws"):
        of_draws(0, 0)
