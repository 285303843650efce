"""How well a pattern fits: its distribution where the model is true, by hand, and what lies far below others."""

import math

import numpy as np
import pytest

from benchhealth.analytics.statistics.item_response.person_fit import odd_ones, standardised_likelihood


def test_by_hand_on_two_items() -> None:
    """l = ln .8 + ln .4 for right and wrong; its mean and variance as sums over the items."""
    chances = np.array([[0.8, 0.6]])
    likelihood = math.log(0.8) + math.log(0.4)
    expected = sum(p * math.log(p) + (1 - p) * math.log(1 - p) for p in (0.8, 0.6))
    variance = sum(p * (1 - p) * math.log(p / (1 - p)) ** 2 for p in (0.8, 0.6))
    fits = standardised_likelihood(np.array([[1.0, 0.0]]), chances, np.ones((1, 2), dtype=np.bool_))
    assert fits == pytest.approx([(likelihood - expected) / math.sqrt(variance)])


def test_where_the_chances_are_true_it_is_standard_normal() -> None:
    rng = np.random.default_rng(3)
    chances = np.tile(rng.uniform(0.1, 0.9, 400), (4_000, 1))
    fits = standardised_likelihood((rng.random(chances.shape) < chances).astype(np.float64), chances, chances > 0)
    assert fits.mean() == pytest.approx(0, abs=0.06)
    assert fits.std() == pytest.approx(1, abs=0.05)


def test_what_was_not_answered_does_not_count() -> None:
    chances = np.array([[0.8, 0.6, 0.9]])
    answered = np.array([[True, True, False]])
    one, other = (standardised_likelihood(np.array([[1.0, 0.0, last]]), chances, answered) for last in (0.0, 1.0))
    assert one == pytest.approx(other)
    assert standardised_likelihood(np.zeros((1, 3)), chances, np.zeros((1, 3), dtype=np.bool_)) == pytest.approx([0.0])


def test_odd_is_far_below_the_median_of_the_others() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0, -30.0])
    assert odd_ones(values, values, 3.0).tolist() == [False] * 5 + [True]
    assert not odd_ones(np.array([100.0]), values, 3.0).any()
