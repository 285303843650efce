import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.statistics import student

DEGREES = st.floats(0.5, 1e6)


@given(st.floats(-50, 50), DEGREES)
def test_shares_and_densities_are_those_of_scipy(t: float, degrees: float) -> None:
    assert student.below(t, degrees) == pytest.approx(stats.t.cdf(t, degrees), rel=1e-8, abs=1e-300)
    assert student.above(t, degrees) == pytest.approx(stats.t.sf(t, degrees), rel=1e-8, abs=1e-300)
    assert student.log_density(t, degrees) == pytest.approx(stats.t.logpdf(t, degrees), rel=1e-8, abs=1e-8)


@given(st.floats(1e-6, 1 - 1e-6), DEGREES)
def test_a_quantile_has_its_share_below_it(p: float, degrees: float) -> None:
    assert student.quantile(p, degrees) == pytest.approx(stats.t.ppf(p, degrees), rel=1e-7, abs=1e-7)
    assert student.below(student.quantile(p, degrees), degrees) == pytest.approx(p, rel=1e-7)


def test_tables_say_the_same() -> None:
    # Student's table as every textbook prints it, two-sided 95%
    assert student.quantile(0.975, [1, 2, 5, 10, 30, 120]) == pytest.approx(
        [12.706, 4.303, 2.571, 2.228, 2.042, 1.980], abs=5e-4
    )


def test_without_degrees_of_freedom_nothing_is_known() -> None:
    assert np.isnan(student.quantile(0.975, [0, -1])).all()
    assert np.isnan(student.below(1.0, 0)) and np.isnan(student.above(np.nan, 3))
    assert student.above(1.0, np.inf) == pytest.approx(stats.norm.sf(1.0))
    assert student.quantile(0.975, np.inf) == pytest.approx(stats.norm.ppf(0.975))
