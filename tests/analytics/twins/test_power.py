"""Leaks simulated item by item: how often a twin flags who leaked, and who did not."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.twins.expected import FALSE_DISCOVERIES, FEWEST_FOR_RESIDUALS
from benchhealth.analytics.twins.gap import WANTED, detectable, powers
from benchhealth.analytics.twins.pairs import Matched, Pairs
from benchhealth.dashboard.words.prose.twins import power as power_said
from tests.support.simulated_twins import flagged_shares, leaky, power, residuals_of

MODELS = 40
LEAKERS = 4
LEAKS = [(500, 0.1), (500, 0.3), (1000, 0.1), (1000, 0.3)]


def simulate(test: str, n_items: int, leaked: float, runs: int, leakers: int = LEAKERS) -> tuple[float, float, float]:
    """Mean share of false flags among flags, share of clean models' p-values below 5%, share of leakers flagged."""
    rng = np.random.default_rng(20240501)
    false_share, small, rates = [], [], []
    names = [f"m{index:03}" for index in range(MODELS)]
    size = np.full(MODELS, float(n_items))
    for _ in range(runs):
        truth = rng.uniform(0.35, 0.85, MODELS)
        leaked_items = np.zeros(MODELS)
        leaked_items[rng.choice(MODELS, leakers, replace=False)] = round(leaked * n_items)
        original = (leaked_items + rng.binomial((n_items - leaked_items).astype(int), truth)) / n_items
        other = rng.binomial(n_items, truth) / n_items
        errors = [100 * np.sqrt(side * (1 - side) / n_items) for side in (original, other)]
        pairs = Pairs(names, 100 * original, 100 * other, *errors, original, other, size, size, 1, True)
        table = residuals_of(pairs, test)
        flagged = table["flagged"].fill_null(value=False).to_numpy()  # one that no line reaches is not tested
        clean = leaked_items == 0
        false_share.append((flagged & clean).sum() / max(flagged.sum(), 1))
        small.append((table["p_value"].to_numpy()[clean] < 0.05).mean())
        rates.append(flagged[~clean].mean() if leakers else 0.0)
    return float(np.mean(false_share)), float(np.mean(small)), float(np.mean(rates))


def tolerance(runs: int) -> float:
    return 3 * float(np.sqrt(FALSE_DISCOVERIES * (1 - FALSE_DISCOVERIES) / runs))


@pytest.mark.parametrize(("n_items", "leaked"), [(500, 0.3), (1000, 0.1)])
def test_flags_of_simulated_leaks_are_no_more_often_false_than_stated(n_items: int, leaked: float) -> None:
    false_share, small, rate = simulate("difference", n_items, leaked, 200)
    assert false_share <= FALSE_DISCOVERIES + tolerance(200)
    assert small <= 0.05 + 0.01
    assert rate >= power(n_items, leaked, 0.6, tests=MODELS) - 0.1


@pytest.mark.soak
@pytest.mark.parametrize("test", ["difference", "fit"])
@pytest.mark.parametrize(("n_items", "leaked"), LEAKS)
def test_flags_of_simulated_leaks_at_length(test: str, n_items: int, leaked: float) -> None:
    false_share, small, rate = simulate(test, n_items, leaked, 2000)
    named = f"twin flags, {test}, {leaked:.0%} of {n_items} items"
    print(f"{named}: {false_share:.4f} of flags false, {small:.4f} of p at most 5%, power {rate:.4f}")
    assert false_share <= FALSE_DISCOVERIES + tolerance(2000)
    assert small <= 0.06


@pytest.mark.soak
@pytest.mark.parametrize(("n_items", "leaked"), LEAKS)
def test_power_is_what_simulation_finds(n_items: int, leaked: float) -> None:
    rng = np.random.default_rng(3)
    runs, accuracy, tests = 20_000, 0.6, 20
    leaked_items = round(leaked * n_items)
    original = (leaked_items + rng.binomial(n_items - leaked_items, accuracy, runs)) / n_items
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


@given(st.floats(0.01, 10), st.integers(1, 2000))
def test_what_is_detectable_is_flagged_as_often_as_wanted(error: float, tests: int) -> None:
    needed = stats.norm.isf(FALSE_DISCOVERIES / tests) * error
    assert stats.norm.sf(needed, loc=detectable(error, tests), scale=error) == pytest.approx(WANTED)


@pytest.mark.parametrize("test", ["fit", "difference"])
def test_published_power_is_what_leaks_of_the_same_models_find(test: str) -> None:
    rng = np.random.default_rng(11)
    twins = [leaky(rng, 40, 0, scatter=0.01) for _ in range(3)]
    declared = [{"twin_id": f"t{index}", "kind": "fresh sample", "test": test} for index in range(3)]
    table = powers([Matched(*each) for each in zip(declared, twins, strict=True)], rng)
    assert table.schema == PUBLISHED["twin_power"] and table.height == 3 * 4  # 15 of 40 are too many
    rates = table.group_by("share", "leaked").agg(pl.col("power", "false").mean()).sort("share", "leaked")
    least, alone, _, eight = rates["power"]
    assert least < alone and rates["false"].max() <= 0.05
    if test == "fit":
        rate, _ = flagged_shares(30, 5, 40, 8, scatter=0.01)
        assert eight == pytest.approx(rate, abs=0.12)
        assert eight > 0.6


def test_power_is_simulated_where_a_leak_has_a_size() -> None:
    pairs = leaky(np.random.default_rng(1), 40, 0)
    other = [
        ({"kind": "harder variant", "test": "fit"}, pairs),
        ({"kind": "fresh sample", "test": "fit"}, pairs._replace(sign=-1)),
        ({"kind": "fresh sample", "test": "fit"}, pairs._replace(bounded=False)),
        ({"kind": "fresh sample", "test": "fit"}, leaky(np.random.default_rng(1), FEWEST_FOR_RESIDUALS - 1, 0)),
        ({"kind": "fresh sample", "test": "difference"}, pairs._replace(other_error=np.full(40, np.nan))),
    ]
    given_pairs = [Matched({"twin_id": "t", **declared}, each) for declared, each in other]
    assert powers(given_pairs, np.random.default_rng(1)).is_empty()


def test_the_page_says_what_would_be_seen_and_that_silence_proves_nothing() -> None:
    row = {"detectable": 6.7, "scale": "probit", "power_numbers": [63.0, 0.1, 0.23, 8.0, 63.0, 0.3, 0.75]}
    text = power_said(row)
    assert "6.7 points worse" in text and "10% of the original's items 23%" in text and "no proof" in text
    assert "8 of 63 models that had learnt 30% of them 75%" in text
    assert "learnt" not in power_said({**row, "power_numbers": [63.0]})
