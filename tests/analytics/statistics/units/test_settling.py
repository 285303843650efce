"""What would settle two scores: by hand against printed numbers, and its properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.settling import items_for_one, items_to_settle, recount_margin


def test_the_interval_of_the_difference_ends_at_zero() -> None:
    """71.2 against 72.4: 10,801 items, at which the error of the difference is .012 over 1.96."""
    variance = 0.712 * 0.288 + 0.724 * 0.276
    n_items = items_to_settle(0.012, variance)
    assert n_items == pytest.approx(10_801, abs=1)
    assert Z95 * math.sqrt(variance / n_items) == pytest.approx(0.012)
    assert items_to_settle(0.0, variance) == math.inf
    assert items_to_settle(-0.012, variance) == n_items


def test_one_may_be_asked_more_while_the_other_stays() -> None:
    n_items = items_for_one(5.0, 90_000.0, 1.5)
    assert math.hypot(math.sqrt(90_000.0 / n_items), math.sqrt(1.5)) * Z95 == pytest.approx(5.0)
    assert items_for_one(5.0, 90_000.0, 6.6) == math.inf


@pytest.mark.parametrize(
    ("difference", "items", "margin"),
    [(0.0, 100, 0), (0.004, 120, 1), (0.03, 100, 3), (0.7 - 0.67, 100, 3), (0.0212, 2500, 53), (1.0, 7, 7)],
)
def test_a_grade_turned_takes_one_item_from_the_first(difference: float, items: int, margin: int) -> None:
    assert recount_margin(difference, items) == margin


@given(st.integers(1, 20_000), st.data())
def test_the_margin_is_the_number_of_items_between_and_grows_with_it(items: int, data: st.DataObject) -> None:
    ahead = data.draw(st.integers(0, items))
    assert recount_margin(ahead / items, items) == ahead
    further = data.draw(st.floats(ahead / items, 1))
    assert recount_margin(further, items) >= ahead
    assert recount_margin(further, 2 * items) >= recount_margin(further, items)
