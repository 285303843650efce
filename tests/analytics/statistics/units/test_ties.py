"""Tiers, chances of first place and pairs told apart: by hand, and whatever the scores are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.statistics.units.rank_sets import rank_intervals
from benchhealth.analytics.statistics.units.ties import entropy, first_chances, pairs_beyond_error, tiers

SCORES = st.lists(st.integers(0, 40), min_size=1, max_size=12)


def printed(merits: np.ndarray) -> np.ndarray:
    return stats.rankdata(-merits, method="min")


def test_a_tier_begins_at_the_first_that_could_not_hold_the_first_place_above() -> None:
    """The first 19 of ARC-AGI-2 on 24 April 2026 as Epoch AI lists them: tiers of 8, 4 and 7."""
    ranks = np.array([1, 2, 2, *range(4, 20)])
    low = np.array([1] * 8 + [5, 5, 5, 9] + [10, 10, 12, 12, 12, 13, 13])
    assert tiers(ranks.astype(float), low.astype(float)).tolist() == [1] * 8 + [2] * 4 + [3] * 7


def test_models_of_unknown_error_have_no_tier_and_open_none() -> None:
    tier_of = tiers(np.array([1.0, 2.0, 3.0]), np.array([np.nan, 1.0, 3.0]))
    assert np.array_equal(tier_of, [np.nan, 1.0, 2.0], equal_nan=True)
    assert np.isnan(tiers(np.array([1.0]), np.array([np.nan]))).all()


@given(SCORES, st.sampled_from([0.1, 1.0, 5.0, 50.0]))
def test_tiers_partition_the_board_and_the_first_is_who_is_tied(scores: list[int], error: float) -> None:
    merits = np.array(scores, dtype=float)
    ranks, sets = printed(merits), rank_intervals(merits, np.full(merits.size, error))
    tier_of = tiers(ranks, sets.low_joint)
    assert sorted(set(tier_of)) == list(range(1, int(tier_of.max()) + 1))
    assert np.array_equal(tier_of == 1, sets.low_joint == 1)
    for number in range(1, int(tier_of.max()) + 1):
        begin = ranks[tier_of == number].min()
        assert (sets.low_joint[tier_of == number] <= begin).all()
        assert (sets.low_joint[tier_of > number] > begin).all()


def test_chances_of_first_place_are_those_of_the_difference_of_two() -> None:
    chances = first_chances(np.array([0.6, 0.5]), np.array([0.03, 0.04]))
    assert chances == pytest.approx([stats.norm.cdf(2.0), stats.norm.sf(2.0)], abs=1e-6)
    assert first_chances(np.array([0.5]), np.array([0.1])).tolist() == [1.0]
    far = first_chances(np.array([0.9, 0.1, 0.899]), np.array([1e-5, 1e-5, 0.2]))
    assert far == pytest.approx([stats.norm.cdf(0.005), 0.0, stats.norm.sf(0.005)], abs=1e-4)


def test_chances_of_first_place_are_those_of_draws() -> None:
    merits, errors = np.array([3.0, 2.5, 2.0, -9.0]), np.array([1.0, 0.5, 2.0, 0.1])
    draws = merits + errors * np.random.default_rng(1).standard_normal((40_000, 4))
    share = np.bincount(draws.argmax(axis=1), minlength=4) / 40_000
    assert first_chances(merits, errors) == pytest.approx(share, abs=0.01)


@given(st.integers(1, 9))
def test_entropy_is_the_logarithm_of_how_many_are_as_likely(n: int) -> None:
    assert entropy(np.full(n, 1 / n)) == pytest.approx(np.log2(n))
    assert entropy(first_chances(np.full(n, 0.5), np.full(n, 0.1))) == pytest.approx(np.log2(n))
    assert entropy(np.eye(n)[0]) == 0


def test_pairs_are_told_apart_one_at_a_time_where_their_variance_is_known() -> None:
    variances = np.array([[0.0, 1.0, np.nan], [1.0, 0.0, 1.0], [np.nan, 1.0, 0.0]])
    apart, is_apart = pairs_beyond_error(np.array([3.0, 1.05, 0.0]), variances)
    assert [apart[0, 1], apart[1, 2], apart[0, 2]] == [False, False, False]
    assert [is_apart[0, 1], is_apart[1, 2], is_apart[0, 2]] == [True, True, False]
    assert pairs_beyond_error(np.array([3.0, 1.0]), variances[:2, :2])[0][0, 1]
