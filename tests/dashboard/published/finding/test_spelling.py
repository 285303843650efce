"""What a misspelt word is taken to have meant."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.published.finding.search import MOST_OFFERED, meant, search
from benchhealth.dashboard.published.generation import View
from benchhealth.warehouse.reader import Reader
from tests.support.soaking import examples


@pytest.fixture(scope="module")
def view(small_home: Path) -> View:
    return View(Reader(small_home).current())


def asked(view: View, query: str) -> list[str]:
    return meant(view, query, search(view, query))


@pytest.mark.parametrize(
    ("query", "first"), [("exma", "exam"), ("aerna", "arena"), ("hardexm", "hardexam"), ("hard exmm", "hard exam")]
)
def test_a_slip_or_two_lead_to_the_name(query: str, first: str, view: View) -> None:
    assert asked(view, query)[0] == first


@pytest.mark.parametrize("query", ["", "exam", "har", "zq", "qqqqqqqq", "exma qqqqqqqq", "x" * 90])
def test_what_is_found_or_like_nothing_is_left_as_it_is(query: str, view: View) -> None:
    assert asked(view, query) == []


@examples(20, soak=40)
@given(st.text(max_size=60))
def test_whatever_is_offered_finds_something(view: View, query: str) -> None:
    others = asked(view, query)
    assert len(others) <= MOST_OFFERED
    assert query not in others
    assert all(search(view, other) for other in others)
