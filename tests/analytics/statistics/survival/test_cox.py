"""Proportional hazards: printed results, an independent implementation, brute force, and coverage of known truth."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from benchhealth.analytics.statistics.survival.cox import Effect, Lives, NoFitError, cox, log_likelihood
from tests.analytics.aging.test_survival import PLACEBO, TREATED, TREATED_DIED

ARMS = Lives(
    np.zeros(42),
    np.array(TREATED + PLACEBO, dtype=float),
    np.array(TREATED_DIED + [True] * 21),
    np.array([[0.0]] * 21 + [[1.0]] * 21),
)


def test_placebo_against_treatment_as_printed() -> None:
    (effect,) = cox(ARMS)
    # Freireich et al. (1963) with Efron's ties, as R's coxph prints it: 1.5721 (0.4124), likelihood ratio 16.35
    assert np.log(effect.ratio) == pytest.approx(1.5721, abs=1e-4)
    assert effect.error == pytest.approx(0.4124, abs=1e-4)
    assert stats.chi2.isf(effect.p_value, 1) == pytest.approx(16.35, abs=0.005)


def test_heart_transplants_with_late_entry_as_printed() -> None:
    from lifelines.datasets import load_stanford_heart_transplants

    rows = load_stanford_heart_transplants()
    names = ["year", "age", "surgery", "transplant"]
    entry, end, died = (rows[name].to_numpy(float) for name in ("start", "stop", "event"))
    lives = Lives(entry, end, died > 0, rows[names].to_numpy(float))
    effect = cox(lives)
    # Kalbfleisch, Prentice (2002), table 6.1, as R's survival prints it under ?heart: start and stop of each interval
    assert [np.log(one.ratio) for one in effect] == pytest.approx([-0.1463, 0.0272, -0.6372, -0.0103], abs=5e-5)
    assert [one.error for one in effect] == pytest.approx([0.0705, 0.0137, 0.3672, 0.3138], abs=5e-5)


def simulated(rng: np.random.Generator, n: int, coefficient: float, shape: float = 1.0) -> Lives:
    """Weibull lives, half of them of a trait, seen from a random month on and censored at another."""
    trait = rng.integers(0, 2, n).astype(float)
    life = 60 * (rng.exponential(size=n) * np.exp(-coefficient * trait)) ** (1 / np.where(trait > 0, shape, 1.0))
    entry = rng.choice([0.0, 1.0], size=n) * rng.uniform(0, 30, n)
    censored = entry + rng.uniform(5, 80, n)
    seen = life > entry
    return Lives(entry[seen], np.minimum(life, censored)[seen], (life <= censored)[seen], trait[seen, None])


@pytest.mark.parametrize("seed", range(4))
def test_equals_lifelines_with_late_entry_and_ties(seed: int) -> None:
    from lifelines import CoxPHFitter

    rng = np.random.default_rng(seed)
    drawn = simulated(rng, 80, 0.8)
    end = np.ceil(drawn.end)  # whole months, so that deaths tie
    lives = Lives(np.floor(drawn.entry), end, drawn.died, np.c_[drawn.x, rng.normal(size=end.size)])
    rows = pd.DataFrame({"entry": lives.entry, "end": end, "died": lives.died, "a": lives.x[:, 0], "b": lives.x[:, 1]})
    theirs = CoxPHFitter().fit(rows, "end", "died", entry_col="entry")
    ours = cox(lives)
    assert [np.log(one.ratio) for one in ours] == pytest.approx(theirs.params_.to_numpy(), abs=1e-4)
    assert [one.error for one in ours] == pytest.approx(theirs.standard_errors_.to_numpy(), abs=1e-4)


def test_a_group_without_deaths_has_no_ratio() -> None:
    end, died = np.array([3.0, 5, 7, 9, 12, 15, 18]), np.array([1, 1, 0, 1, 1, 0, 0]) > 0
    trait = np.array([[0.0], [0], [1], [0], [0], [1], [1]])
    with pytest.raises(NoFitError, match="no_finite_ratio"):
        cox(Lives(np.zeros(7), end, died, trait))


@pytest.mark.parametrize("seed", range(3))
def test_the_fit_and_its_interval_are_what_a_search_finds(seed: int) -> None:
    lives = simulated(np.random.default_rng(seed), 60, 0.6)

    def loss(beta: float) -> float:
        return -log_likelihood(lives, np.array([beta]))

    brute = optimize.minimize_scalar(loss, bounds=(-8, 8), method="bounded", options={"xatol": 1e-7})
    (effect,) = cox(lives)
    assert np.log(effect.ratio) == pytest.approx(brute.x, abs=1e-4)
    for end in (effect.low, effect.high):
        assert end is not None
        assert loss(np.log(end)) == pytest.approx(brute.fun + stats.chi2.ppf(0.95, 1) / 2, abs=2e-3)


def test_nothing_to_compare_is_no_fit() -> None:
    alike = Lives(np.zeros(6), np.arange(1.0, 7.0), np.ones(6, dtype=bool), np.ones((6, 1)))
    twice = Lives(np.zeros(6), np.arange(1.0, 7.0), np.ones(6, dtype=bool), np.c_[np.arange(6.0), np.arange(6.0)])
    nobody = Lives(np.zeros(6), np.arange(1.0, 7.0), np.zeros(6, dtype=bool), np.arange(6.0)[:, None])
    for lives in (alike, twice, nobody):
        with pytest.raises(NoFitError):
            cox(lives)
    with pytest.raises(ValueError, match="entry < end"):
        Lives(np.ones(1), np.ones(1), np.ones(1, dtype=bool), np.ones((1, 1)))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 100), st.floats(-50, 50))
def test_units_order_and_clock_change_nothing_but_the_unit(seed: int, unit: float, shift: float) -> None:
    rng = np.random.default_rng(seed)
    lives = simulated(rng, 40, 0.7)
    if len(np.unique(lives.x[lives.died])) < 2:
        return
    order = rng.permutation(lives.end.size)
    moved = Lives(lives.entry[order], lives.end[order], lives.died[order], lives.x[order] * unit + shift)
    slower = Lives(3 * lives.entry, 3 * lives.end, lives.died, -lives.x)
    try:
        (plain,) = cox(lives)
    except NoFitError:
        return
    (scaled,), (turned,) = cox(moved), cox(slower)
    assert np.log(scaled.ratio) * unit == pytest.approx(np.log(plain.ratio), abs=1e-4)
    assert turned.ratio == pytest.approx(1 / plain.ratio, rel=1e-4)
    assert turned.p_value == pytest.approx(plain.p_value, abs=1e-6)
    assert turned.proportional_p == pytest.approx(plain.proportional_p, abs=1e-6)
    assert (plain.low or 0) <= plain.ratio <= (plain.high or np.inf)


def fitted(runs: int, n: int, coefficient: float, shape: float = 1.0) -> list[Effect]:
    rng = np.random.default_rng(20260701)
    return [cox(simulated(rng, n, coefficient, shape))[0] for _ in range(runs)]


def covered(effects: list[Effect], ratio: float) -> float:
    return float(np.mean([(one.low or 0.0) <= ratio <= (one.high or np.inf) for one in effects]))


def test_intervals_cover_known_ratios_and_proportional_hazards_pass_thin() -> None:
    effects = fitted(150, 60, np.log(2.0))
    assert 0.90 <= covered(effects, 2.0) <= 0.99
    rejected = np.mean([(one.proportional_p or 1.0) < 0.05 for one in effects])
    assert rejected <= 0.10


def test_hazards_that_cross_are_seen() -> None:
    effects = fitted(40, 150, 0.0, shape=2.5)
    assert np.mean([(one.proportional_p or 1.0) < 0.05 for one in effects]) >= 0.8


@pytest.mark.soak
@pytest.mark.parametrize(("n", "ratio"), [(40, 1.0), (60, 2.0), (60, 4.0)], ids=["none", "two", "four"])
def test_intervals_cover_known_ratios_within_two_points(n: int, ratio: float) -> None:
    effects = fitted(3_000, n, float(np.log(ratio)))
    assert covered(effects, ratio) == pytest.approx(0.95, abs=0.02)
    assert np.mean([one.p_value < 0.05 for one in effects] if ratio == 1 else 0.05) == pytest.approx(0.05, abs=0.02)
    assert np.mean([(one.proportional_p or 1.0) < 0.05 for one in effects]) <= 0.07
