import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg

P_VALUES = st.lists(st.floats(0, 1), max_size=30)


def test_the_published_example() -> None:
    """Benjamini and Hochberg (1995), section 3.1: of 15 endpoints the first four are significant at 0.05."""
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1,
    ]
    q = benjamini_hochberg(p)
    assert (q <= 0.05).tolist() == [True] * 4 + [False] * 11
    assert q[3] == pytest.approx(0.0095 * 15 / 4)


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
