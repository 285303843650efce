"""Leaks simulated item by item: how often a twin flags who leaked, and who did not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analytics.twins.power import WANTED, detectable, power, power_sentence, shortfall_power
from analytics.twins.twin import FALSE_DISCOVERIES, FEWEST_FOR_RESIDUALS, Pairs
from tests.support.simulated_twins import residuals_of

MODELS = 40
LEAKERS = 4
LEAKS = [(500, 0.1), (500, 0.3), (1000, 0.1), (1000, 0.3)]


def simulate(test: str, n_items: int, leaked: float, runs: int, leakers: int = LEAKERS) -> tuple[float, float, float]:
    """Mean share of false flags among flags, share of clean models' p-values below 5%, share of leakers flagged."""
    rng = np.random.default_rng(20240501)
    false_share, small, found = [], [], []
    names = [f"m{at:03}" for at in range(MODELS)]
    size = np.full(MODELS, float(n_items))
    for _ in range(runs):
        truth = rng.uniform(0.35, 0.85, MODELS)
        known = np.zeros(MODELS)
        known[rng.choice(MODELS, leakers, replace=False)] = round(leaked * n_items)
        original = (known + rng.binomial((n_items - known).astype(int), truth)) / n_items
        other = rng.binomial(n_items, truth) / n_items
        errors = [100 * np.sqrt(side * (1 - side) / n_items) for side in (original, other)]
        pairs = Pairs(names, 100 * original, 100 * other, *errors, original, other, size, size, 1, True)
        table = residuals_of(pairs, test)
        flagged, clean = table["flagged"].to_numpy(), known == 0
        false_share.append((flagged & clean).sum() / max(flagged.sum(), 1))
        small.append((table["p_value"].to_numpy()[clean] < 0.05).mean())
        found.append(flagged[~clean].mean() if leakers else 0.0)
    return float(np.mean(false_share)), float(np.mean(small)), float(np.mean(found))


def tolerance(runs: int) -> float:
    return 3 * float(np.sqrt(FALSE_DISCOVERIES * (1 - FALSE_DISCOVERIES) / runs))


@pytest.mark.parametrize(("n_items", "leaked"), [(500, 0.3), (1000, 0.1)])
def test_flags_of_simulated_leaks_are_no_more_often_false_than_stated(n_items: int, leaked: float) -> None:
    false_share, small, found = simulate("difference", n_items, leaked, 200)
    assert false_share <= FALSE_DISCOVERIES + tolerance(200)
    assert small <= 0.05 + 0.01
    assert found >= power(n_items, leaked, 0.6, tests=MODELS) - 0.1


@pytest.mark.soak
@pytest.mark.parametrize("test", ["difference", "fit"])
@pytest.mark.parametrize(("n_items", "leaked"), LEAKS)
def test_flags_of_simulated_leaks_at_length(test: str, n_items: int, leaked: float) -> None:
    false_share, small, found = simulate(test, n_items, leaked, 2000)
    named = f"twin flags, {test}, {leaked:.0%} of {n_items} items"
    print(f"{named}: {false_share:.4f} of flags false, {small:.4f} of p at most 5%, power {found:.4f}")
    assert false_share <= FALSE_DISCOVERIES + tolerance(2000)
    assert small <= 0.05 + 0.005


@pytest.mark.soak
@pytest.mark.parametrize(("n_items", "leaked"), LEAKS)
def test_power_is_what_simulation_finds(n_items: int, leaked: float) -> None:
    rng = np.random.default_rng(3)
    runs, accuracy, tests = 20_000, 0.6, 20
    known = round(leaked * n_items)
    original = (known + rng.binomial(n_items - known, accuracy, runs)) / n_items
    other = rng.binomial(n_items, accuracy, runs) / n_items
    error = np.sqrt((original * (1 - original) + other * (1 - other)) / n_items)
    needed = stats.norm.isf(FALSE_DISCOVERIES / tests)
    expected = float(((original - other) / error > needed).mean())
    assert power(n_items, leaked, accuracy, tests=tests) == pytest.approx(expected, abs=0.02)


def test_without_a_leak_power_is_the_level() -> None:
    assert power(500, 0.0) == pytest.approx(FALSE_DISCOVERIES)
    assert power(500, 0.0, tests=10) == pytest.approx(FALSE_DISCOVERIES / 10)
    assert FEWEST_FOR_RESIDUALS <= MODELS


@given(st.integers(50, 5000), st.floats(0.01, 0.9), st.floats(0.05, 0.95))
def test_more_leaked_is_seen_more_and_more_tests_see_less(n_items: int, leaked: float, accuracy: float) -> None:
    assert power(n_items, leaked, accuracy) >= power(n_items, leaked / 2, accuracy) - 1e-9
    assert power(n_items, leaked, accuracy, tests=50) <= power(n_items, leaked, accuracy) + 1e-9
    assert 0 <= power(n_items, leaked, accuracy) <= 1


def test_impossible_inputs_are_refused() -> None:
    for wrong in ({"n_items": 0}, {"leaked_share": 1.5}, {"accuracy": 1.0}, {"tests": 0}):
        with pytest.raises(ValueError, match=r"share|item"):
            power(**{"n_items": 500, "leaked_share": 0.1, **wrong})  # type: ignore[arg-type]


@given(st.floats(0, 50), st.floats(0, 10), st.integers(1, 2000))
def test_what_is_detectable_is_flagged_as_often_as_wanted(shortfall: float, error: float, tests: int) -> None:
    found = shortfall_power(shortfall, error, tests)
    assert 0 <= found <= 1
    assert shortfall_power(shortfall + 1, error, tests) >= found
    if error > 0.01:
        assert shortfall_power(detectable(error, tests), error, tests) == pytest.approx(WANTED)


def test_power_from_residuals_agrees_with_power_from_items() -> None:
    error = 100 * np.sqrt((0.64 * 0.36 + 0.6 * 0.4) / 1000)
    assert shortfall_power(4.0, error, 20) == pytest.approx(power(1000, 0.1, 0.6, tests=20), abs=0.02)
    assert shortfall_power(1, 0, 5) == 1 and shortfall_power(0, 0, 5) == 0
    with pytest.raises(ValueError, match="negative"):
        shortfall_power(1, -1, 5)


def test_the_page_says_what_would_be_seen_and_that_silence_proves_nothing() -> None:
    said = power_sentence(6.7, 63, "points", (0.59, 0.23, 1.0))
    assert "6.7 points worse" in said and "59% accuracy" in said and "23%" in said and "no proof" in said
    assert "learnt" not in power_sentence(6.7, 63, "points", None)
