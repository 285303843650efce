import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analytics.statistics.false_discovery import benjamini_hochberg

P_VALUES = st.lists(st.floats(0, 1), max_size=30)


@given(P_VALUES)
@settings(deadline=None)
def test_equals_scipy(p_values: list[float]) -> None:
    expected = stats.false_discovery_control(p_values) if p_values else []
    assert benjamini_hochberg(p_values) == pytest.approx(expected)


@given(P_VALUES, st.integers(0, 5))
@settings(deadline=None)
def test_a_test_that_was_not_made_does_not_count(p_values: list[float], missing: int) -> None:
    q = benjamini_hochberg([math.nan] * missing + p_values)
    assert np.isnan(q[:missing]).all()
    assert q[missing:] == pytest.approx(benjamini_hochberg(p_values))


@given(P_VALUES)
@settings(deadline=None)
def test_never_below_p_and_in_the_order_of_p(p_values: list[float]) -> None:
    p, q = np.array(p_values), benjamini_hochberg(p_values)
    assert (q >= p - 1e-12).all()
    assert (np.diff(q[np.argsort(p)]) >= 0).all()


def test_refuses_what_is_no_p_value() -> None:
    with pytest.raises(ValueError, match="outside"):
        benjamini_hochberg([0.5, 1.5])
    with pytest.raises(ValueError, match="one list"):
        benjamini_hochberg([[0.5]])
