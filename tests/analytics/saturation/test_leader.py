"""The interval of the leader's true score where models answer the same items: it covers what Methods says."""

import numpy as np
import pytest

from benchhealth.analytics.saturation.leader import CONTENDERS, SHARED_COVERAGE, leader_interval
from benchhealth.dashboard.words.methods.shared_items import OF_THE_LEADER, leader_coverage
from tests.support.soaking import some

CASES = [(items, share, rho, said) for (items, share), by in SHARED_COVERAGE.items() for rho, said in by]
FOUR_ERRORS = 4.0
"""Contenders lie within four errors of a difference, as `winners` takes them."""


def coverage(items: int, share: float, rho: float, runs: int, seed: int = 11) -> float:
    """How often the interval holds the truth of the leader of equally good models, two of which do the same on an item
    because it is the same draw with probability `rho`: that is the correlation of their outcomes."""
    rng, held = np.random.default_rng(seed), 0
    for _ in range(runs):
        common, own_draws = rng.random(items), rng.random((CONTENDERS, items))
        alike = rng.random((CONTENDERS, items)) < np.sqrt(rho)
        scores = np.sort((np.where(alike, common, own_draws) < share).mean(axis=1))[::-1]
        errors = np.sqrt(scores * (1 - scores) / items)
        near = scores[0] - scores <= FOUR_ERRORS * np.sqrt(errors**2 + errors[0] ** 2)
        second = scores[1] if near.sum() > 1 else -np.inf
        arrays = (np.array([value]) for value in (scores[0], second, float(near.sum()), errors[0], float(items)))
        low, high = leader_interval(*arrays)[:, 0]
        held += low <= share <= high
    return held / runs


@pytest.mark.parametrize("case", some(CASES, plain=(CASES[0], CASES[-1])))
def test_the_interval_covers_what_is_said_of_it(case: tuple[int, float, float, float]) -> None:
    (items, share, rho, expected), runs = case, 500
    error = np.sqrt(expected * (1 - expected) / runs)
    assert coverage(items, share, rho, runs) == pytest.approx(expected, abs=0.005 + 3.5 * error)


@pytest.mark.soak
@pytest.mark.parametrize(("items", "share", "rho", "expected"), CASES)
def test_the_interval_covers_what_is_said_of_it_at_length(
    items: int, share: float, rho: float, expected: float
) -> None:
    runs = 20_000
    covered = coverage(items, share, rho, runs, seed=5)
    error = np.sqrt(covered * (1 - covered) / runs)
    print(f"leader, {items} items at {share}, correlation {rho}: covers {covered:.4f}, Monte Carlo error {error:.4f}")
    assert covered == pytest.approx(expected, abs=0.005 + 3 * error)


def test_methods_say_so_of_every_correlation() -> None:
    text = leader_coverage()
    for items, share, rho, held in CASES:
        assert f"{items:,} items of which they solve {share:.0%}" in text
        assert f"{held:.2f}" in text and f"{rho:g}" in text
    assert "headroom" in OF_THE_LEADER
