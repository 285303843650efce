import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.statistics.regression import least_squares, probit

COORDINATE = st.integers(-1000, 1000).map(lambda number: number / 10)
POINTS = st.lists(st.tuples(COORDINATE, COORDINATE), min_size=3, max_size=40)


@given(POINTS)
@settings(deadline=None)
def test_line_is_scipys(points: list[tuple[float, float]]) -> None:
    x, y = zip(*points, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    line, expected = least_squares(x, y), stats.linregress(x, y)
    assert line is not None
    assert line.slope == pytest.approx(expected.slope, abs=1e-9)
    assert line.intercept == pytest.approx(expected.intercept, abs=1e-7)
    assert line.r2 == pytest.approx(expected.rvalue**2, abs=1e-9)
    reach = stats.t.ppf(0.975, len(x) - 2) * expected.stderr
    # scipy takes 1 - r^2, which keeps half the digits where the line is nearly perfect
    assert (line.slope_high - line.slope_low) / 2 == pytest.approx(reach, rel=1e-5, abs=1e-5 * (1 + abs(line.slope)))
    assert line.at(np.array(x)) + line.residuals == pytest.approx(np.array(y), abs=1e-7)
    assert line.leverage.sum() == pytest.approx(2)


@given(POINTS, COORDINATE, COORDINATE)
@settings(deadline=None)
def test_line_moves_with_its_points(points: list[tuple[float, float]], right: float, up: float) -> None:
    x, y = (np.array(side) for side in zip(*points, strict=True))
    line, moved = least_squares(x, y), least_squares(x + right, y + up)
    if line is None or moved is None:
        assert len(set(x)) == 1
    else:
        assert moved.slope == pytest.approx(line.slope, abs=1e-7)
        assert moved.scatter == pytest.approx(line.scatter, rel=1e-6, abs=1e-6)


def test_no_line_without_three_points_and_two_places() -> None:
    assert least_squares([], []) is None
    assert least_squares([1, 2], [1, 2]) is None
    assert least_squares([3, 3, 3], [1, 2, 3]) is None
    flat = least_squares([1, 2, 3], [5, 5, 5])
    assert flat is not None and flat.slope == 0 and flat.r2 is None
    with pytest.raises(ValueError, match="finite"):
        least_squares([1, 2, math.nan], [1, 2, 3])
    with pytest.raises(ValueError, match="one length"):
        least_squares([1, 2, 3], [1, 2])


def test_probit_inverts_the_normal_and_moves_only_the_ends() -> None:
    assert probit([0.5, 0.975], [10, math.nan]) == pytest.approx([0, 1.959964])
    ends = probit([0, 1, 1, -0.1, 1.2, math.nan], [100, 100, math.nan, 10, 10, 10])
    assert ends[:2] == pytest.approx([stats.norm.ppf(0.005), stats.norm.ppf(0.995)])
    assert np.isnan(ends[2:]).all()


@given(st.lists(st.integers(0, 50), min_size=2, max_size=20))
@settings(deadline=None)
def test_probit_keeps_the_order_of_shares_of_one_test(solved: list[int]) -> None:
    scale = probit(np.array(solved) / 50, np.full(len(solved), 50))
    assert np.isfinite(scale).all()
    assert (np.diff(scale[np.argsort(solved)]) >= 0).all()
