"""Ranks that errors leave open: they hold the truth as often as they say, one by one and all at once."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.statistics.units.paired import difference_variances
from benchhealth.analytics.statistics.units.rank_sets import (
    PAIRS_AT_ONCE,
    critical_values,
    joint_critical_value,
    own_errors,
    rank_intervals,
)
from tests.support.shared_items import Bank

MERITS = st.lists(st.integers(0, 8), min_size=1, max_size=12)


def test_two_models_differ_as_in_a_two_proportion_test() -> None:
    # one comparison, so no correction: significant exactly where z exceeds 1.96
    for ahead in (0.53, 0.54, 0.55, 0.56):
        z = (ahead - 0.5) / np.sqrt(ahead * (1 - ahead) / 1000 + 0.25 / 1000)
        ranks_of = rank_intervals(np.array([ahead, 0.5]), np.sqrt(np.array([ahead * (1 - ahead), 0.25]) / 1000))
        apart = 2 * stats.norm.sf(z) < 0.05
        for low, high in ((ranks_of.low, ranks_of.high), (ranks_of.low_joint, ranks_of.high_joint)):
            assert low.tolist() == [1, 2 if apart else 1]
            assert high.tolist() == [1 if apart else 2, 2]


@given(MERITS, st.data())
@settings(deadline=None)
def test_intervals_hold_the_rank_and_errors_only_widen_them(values: list[int], data: st.DataObject) -> None:
    merits = np.array(values, dtype=float)
    errors = np.array(data.draw(st.lists(st.floats(0.01, 3), min_size=len(values), max_size=len(values))))
    low, high, low_joint, high_joint = rank_intervals(merits, errors)
    rank = stats.rankdata(-merits, method="min")
    assert ((low >= 1) & (low <= rank) & (rank <= high) & (high <= len(values))).all()
    assert ((low_joint <= low) & (high_joint >= high)).all()
    wider = rank_intervals(merits, 2 * errors)
    assert ((wider.low <= low) & (wider.high >= high)).all()
    assert ((wider.low_joint <= low_joint) & (wider.high_joint >= high_joint)).all()
    order = np.array(data.draw(st.permutations(range(len(values)))))
    moved = rank_intervals(merits[order], errors[order])
    assert all(
        (one[order] == other).all() for one, other in zip((low, high, low_joint, high_joint), moved, strict=True)
    )


def test_long_boards_are_compared_in_blocks_without_a_seam() -> None:
    n = 5 * math.isqrt(PAIRS_AT_ONCE) + 7
    merits = np.arange(n, dtype=float)[::-1]
    ranks_of = rank_intervals(merits, np.full(n, 1e-6))
    assert all((end == np.arange(1, n + 1)).all() for end in ranks_of)


def covered(truth: np.ndarray, runs: int, equal: bool, seed: int = 20240315) -> np.ndarray:
    """For each model how often its interval holds its true rank; where others are as good, all that they share."""
    rng = np.random.default_rng(seed)
    ordered = np.sort(truth)
    best = 1 + truth.size - np.searchsorted(ordered, truth, side="right")
    worst = truth.size - np.searchsorted(ordered, truth, side="left")
    held = []
    for _ in range(runs):
        errors = np.ones(truth.size) if equal else rng.uniform(0.2, 1.0, truth.size)
        ranks_of = rank_intervals(truth + errors * rng.standard_normal(truth.size), errors)
        held.append((ranks_of.low <= best) & (worst <= ranks_of.high))
    return np.mean(held, axis=0)


def test_intervals_cover_the_true_rank_as_often_as_they_say() -> None:
    assert covered(np.repeat(np.linspace(0, 3, 7), 2), 2000, equal=False).min() >= 0.95
    assert covered(np.zeros(8), 1500, equal=True).mean() == pytest.approx(0.95, abs=0.02)


@pytest.mark.soak
@pytest.mark.parametrize("n", [2, 3, 5, 10, 20, 50, 100, 300])
@pytest.mark.parametrize("equal", [True, False])
def test_rank_sets_cover_within_two_points_where_it_is_hardest(n: int, equal: bool) -> None:
    """Where all models are equally good nothing but noise sets them apart; where they differ, more is covered."""
    runs = 8_000 if n <= 50 else 3_000
    tied = covered(np.zeros(n), runs, equal)
    spread = covered(np.repeat(np.arange((n + 1) // 2), 2)[:n] * 1.0, runs // 4, equal)
    print(
        f"rank sets, n {n}, equal errors {equal}: tied {tied.mean():.4f} ({tied.min():.4f}), spread {spread.mean():.4f}"
    )
    assert tied.mean() == pytest.approx(0.95, abs=0.02)
    assert tied.min() >= 0.93
    assert spread.min() >= 0.93


def test_a_model_of_small_error_has_nearly_independent_differences_and_of_large_error_nearly_one() -> None:
    sidak = stats.norm.isf((1 - 0.95 ** (1 / 99)) / 2)
    values = critical_values(np.array([1e-3, *np.ones(99)]), 100)
    assert values[0] == pytest.approx(sidak, abs=0.01)
    # Dunnett's table, two-sided 5%, infinite degrees of freedom, for 2, 4 and 9 comparisons
    for n, value in ((3, 2.21), (5, 2.44), (10, 2.69)):
        assert critical_values(np.ones(n), n)[0] == pytest.approx(value, abs=0.01)
    assert critical_values(np.array([1e3, *np.ones(99)]), 100)[0] < 2.3
    assert critical_values(np.zeros(3), 3).shape == (3,)


def test_the_joint_critical_value_is_that_of_the_studentised_range() -> None:
    # Harter 1960, Tables of range and studentized range: 5%, infinite degrees of freedom
    for n, value in ((2, 2.772), (3, 3.314), (10, 4.474), (20, 5.012), (100, 6.085)):
        assert np.sqrt(2) * joint_critical_value(n) == pytest.approx(value, abs=0.002)
    assert np.sqrt(2) * joint_critical_value(7) == pytest.approx(stats.studentized_range.ppf(0.95, 7, 1e5), abs=0.002)
    assert joint_critical_value(2) == pytest.approx(1.96, abs=0.001)


def shared(models: int, items: int, runs: int, seed: int = 5) -> tuple[float, float, float]:
    """Equally good models on the same items: how often a marginal set holds, how often all joint ones do, and how often
    these would if errors counted as independent."""
    rng, bank = np.random.default_rng(seed), Bank()
    held = np.zeros(3)
    for _ in range(runs):
        outcomes = bank.answered(rng, np.zeros(models), items)
        score = outcomes.mean(axis=1)
        error = np.sqrt(score * (1 - score) / items)
        ranks_of = rank_intervals(score, error, paired=difference_variances(outcomes))
        alone = rank_intervals(score, error)
        held += [
            ((ranks_of.low == 1) & (ranks_of.high == models)).mean(),
            ((ranks_of.low_joint == 1) & (ranks_of.high_joint == models)).all(),
            ((alone.low_joint == 1) & (alone.high_joint == models)).all(),
        ]
    marginal, joint, unpaired = held / runs
    return float(marginal), float(joint), float(unpaired)


def test_rank_sets_on_the_same_items_cover_as_often_as_they_say() -> None:
    marginal, joint, unpaired = shared(12, 300, 500)
    assert marginal == pytest.approx(0.95, abs=0.03)
    assert joint == pytest.approx(0.95, abs=0.03)
    assert unpaired > 0.98


@pytest.mark.soak
@pytest.mark.parametrize(("models", "items"), [(5, 200), (10, 300), (25, 500), (40, 300)])
def test_rank_sets_on_the_same_items_cover_at_length(models: int, items: int) -> None:
    marginal, joint, unpaired = shared(models, items, 4_000)
    print(f"same items, {models} models, {items} items: marginal {marginal:.3f}, joint {joint:.3f}, {unpaired:.3f}")
    assert marginal == pytest.approx(0.95, abs=0.02)
    assert joint == pytest.approx(0.95, abs=0.02)


def test_own_errors_add_up_to_the_variances_of_differences() -> None:
    own_error = np.array([0.3, 1.0, 2.0, 0.7])
    variance = own_error[:, None] ** 2 + own_error[None, :] ** 2
    np.fill_diagonal(variance, 0)
    assert own_errors(np.full(4, 3.0), variance) == pytest.approx(own_error)
    assert own_errors(own_error, np.full((4, 4), np.nan)) == pytest.approx(own_error)


def test_models_whose_items_are_not_the_same_are_compared_as_if_independent() -> None:
    merits, errors = np.array([0.6, 0.55, 0.5]), np.full(3, 0.03)
    assert all(
        map(
            np.array_equal,
            rank_intervals(merits, errors),
            rank_intervals(merits, errors, paired=np.full((3, 3), np.nan)),
        )
    )
