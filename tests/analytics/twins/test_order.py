"""Whether an order holds on a second measurement, against pairs counted by hand."""

from itertools import combinations

import pytest
from scipy.stats import kendalltau

from benchhealth.analytics.twins.pairs import (
    CHANGED,
    LARGE_FALL,
    LESS_AT_THE_TOP,
    NO_FALL,
    NOT_KNOWN,
    SEEMS_TO_STAY,
    SMALL_FALL,
    STAYED,
    STAYS,
    fall_of,
    is_less_at_top,
    order_of,
)


@pytest.mark.parametrize(
    ("agreement", "low", "code"),
    [(0.9, 0.85, STAYED), (0.9, 0.8, SEEMS_TO_STAY), (0.9, None, SEEMS_TO_STAY), (0.8, 0.7, CHANGED),
     (None, None, NOT_KNOWN)],
)  # fmt: skip
def test_an_order_stayed_where_even_the_low_end_is_above_the_limit(
    agreement: float | None, low: float | None, code: str
) -> None:
    assert order_of(agreement, low) == code


def test_at_the_limit_ninety_of_a_hundred_pairs_keep_their_order() -> None:
    second = [2, 1, 3, 4, 5]
    pairs = [(second[one] < second[other]) for one, other in combinations(range(5), 2)]
    assert sum(pairs) == 9 and len(pairs) == 10
    assert kendalltau(range(5), second).statistic == pytest.approx(STAYS)


def test_the_best_agree_less_only_where_both_are_known_and_far_apart() -> None:
    assert is_less_at_top(1.0, 1.0 - 2 * LESS_AT_THE_TOP)
    assert not is_less_at_top(1.0, 1.0 - LESS_AT_THE_TOP / 2)
    assert not is_less_at_top(None, 0.1) and not is_less_at_top(0.9, None)


@pytest.mark.parametrize(("places", "code"), [(0, NO_FALL), (1, SMALL_FALL), (6, SMALL_FALL), (7, LARGE_FALL)])
def test_a_small_fall_is_of_a_tenth_of_all_places(places: int, code: str) -> None:
    assert fall_of(places, models=65) == code
