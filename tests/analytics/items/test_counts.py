"""Who solves what: counted by hand, and whatever was answered."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.items.measures import FirstTwo, by_number, first_two, none_by_guessing
from tests.support.item_worlds import panel_of

OUTCOMES = np.array(
    [
        [1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]
)


def test_items_are_counted_by_how_many_models_solve_them() -> None:
    assert by_number(panel_of(OUTCOMES)).tolist() == [1, 3, 1, 1]


def test_more_than_half_an_item_counts_as_solved() -> None:
    assert by_number(panel_of(np.array([[0.5, 0.51], [0.0, 1.0]]))).tolist() == [1, 0, 1]


def test_of_the_first_two_what_one_was_not_asked_says_nothing() -> None:
    assert first_two(panel_of(OUTCOMES)) == FirstTwo(6, 2, 1)
    answered = np.ones(OUTCOMES.shape, dtype=np.bool_)
    answered[1, 2] = False
    assert first_two(panel_of(OUTCOMES, answered=answered)) == FirstTwo(5, 1, 1)


def test_guessing_alone_would_leave_so_many_unsolved() -> None:
    assert none_by_guessing(24, 12_032, 0.1) == pytest.approx(959.75, abs=0.01)  # 12,032 times .9^24
    assert none_by_guessing(3, 100, 0.0) == 100


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 14), st.integers(20, 60), st.integers(0, 2**32 - 1))
def test_every_item_has_one_number(models: int, items: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    panel = panel_of((rng.random((models, items)) < 0.4).astype(float), cluster=np.arange(items) % 3)
    numbers = by_number(panel)
    assert numbers.size == models + 1 and numbers.sum() == items
    shared, first, second = first_two(panel)
    assert first + second <= shared == items
