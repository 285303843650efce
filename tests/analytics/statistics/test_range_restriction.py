"""The correction for range restriction: a textbook's numbers, known truth, its interval and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchhealth.analytics.statistics.range_restriction import corrected_correlation
from tests.support.soaking import examples

NUMBERS = st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=0, max_size=30)


def exactly(r: float, k: int = 40) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two sides whose sample correlation is r, the first with standard deviation 1."""
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, k))
    x = (x - x.mean()) / x.std(ddof=1)
    z -= z.mean()
    z -= x * (x @ z) / (x @ x)
    return x, r * x + np.sqrt(1 - r * r) * z / z.std(ddof=1)


@pytest.mark.parametrize(
    ("r", "all_spread", "chosen_spread", "corrected"),
    [
        # Revelle, An introduction to psychometric theory, chapter 4, as the R package psych documents it.
        pytest.param(0.33, 100.32, 48.19, 0.5884, id="revelle"),
        # Cohen, Cohen, West, Aiken (2003), section 2.10.3, as the R package psychometric documents it.
        pytest.param(0.25, 5.0, 12.0, 0.1070, id="cohen"),
        # Nothing was chosen: nothing is corrected.
        pytest.param(0.64, 1.0, 1.0, 0.64, id="unrestricted"),
        # A side that says nothing about the other among the chosen says nothing among all.
        pytest.param(0.0, 3.0, 1.0, 0.0, id="none"),
    ],
)
def test_textbook_numbers_of_thorndikes_second_case(
    r: float, all_spread: float, chosen_spread: float, corrected: float
) -> None:
    x, y = exactly(r)
    given_back = corrected_correlation(x * chosen_spread, y, all_spread)
    assert given_back is not None
    assert given_back.chosen == pytest.approx(r, abs=1e-9)
    assert given_back.corrected == pytest.approx(corrected, abs=5e-5)


def test_choosing_by_the_proxy_alone_is_undone() -> None:
    # Thorndike's pilots: .64 among all who entered training fell to .18 in the 13% who would have been admitted.
    rng = np.random.default_rng(7)
    x = rng.normal(size=400_000)
    y = 0.64 * x + np.sqrt(1 - 0.64**2) * rng.normal(size=x.size)
    best = x >= np.quantile(x, 0.87)
    correlation = corrected_correlation(x[best], y[best], float(x.std()))
    assert correlation is not None
    assert correlation.chosen < 0.4
    assert correlation.corrected == pytest.approx(0.64, abs=0.01)


def test_interval_covers_the_truth_among_all() -> None:
    rng = np.random.default_rng(11)
    runs, n, rho = 500, 60, 0.8
    x = rng.normal(size=(runs, n))
    y = rho * x + np.sqrt(1 - rho**2) * rng.normal(size=(runs, n))
    chosen = np.argsort(x, axis=1)[:, -15:]
    covered = 0
    for across, up, top in zip(x, y, chosen, strict=True):
        correlation = corrected_correlation(across[top], up[top], 1.0)
        assert correlation is not None
        covered += correlation.low <= rho <= correlation.high
    assert 0.93 <= covered / runs <= 0.99  # a little too wide with so few: 97% of 4,000 runs


def test_nothing_is_said_of_few_constant_or_perfect_points() -> None:
    line = np.arange(6.0)
    assert corrected_correlation(line[:4], line[:4] ** 2, 2.0) is None
    assert corrected_correlation(np.ones(6), line, 2.0) is None
    assert corrected_correlation(line, np.ones(6), 2.0) is None
    assert corrected_correlation(line, 3 * line + 1, 2.0) is None
    assert corrected_correlation(line, line**2, 0.0) is None
    assert corrected_correlation([], [], 1.0) is None


@examples(20, soak=40)
@given(NUMBERS, st.floats(0.1, 100))
def test_is_a_correlation_within_its_interval_and_does_not_change_sign(
    pairs: list[tuple[float, float]], spread: float
) -> None:
    sides = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    correlation = corrected_correlation(sides[:, 0], sides[:, 1], spread)
    if correlation is not None:
        assert -1 <= correlation.low <= correlation.corrected <= correlation.high <= 1
        assert -1 <= correlation.chosen_low <= correlation.chosen <= correlation.chosen_high <= 1
        assert correlation.chosen * correlation.corrected >= 0
        turned = corrected_correlation(sides[::-1, 0], sides[::-1, 1], spread)
        assert turned is not None
        assert turned.corrected == pytest.approx(correlation.corrected, abs=1e-6)
