"""How many in use still measure: by hand, and all counts add up whatever they are."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.words.first.in_use import NO_OTHER_STAGE, Left, how_we_count, in_use, rest_sentence, title
from tests.support.generalising import all_faults

COUNTS = {"discriminating": 39, "compressing": 61, "saturated": 20, "emerging": 3, "unknown": 6}


def test_the_sentence_of_the_first_page() -> None:
    assert title(COUNTS) == "Of 129 AI benchmarks in use, 39 are still measuring"
    assert rest_sentence(COUNTS) == "Of the other 90, 61 are running out, 20 are saturated and 9 cannot be judged."


def test_a_month_and_a_domain_are_said_in_the_same_words() -> None:
    june = {"discriminating": 5, "saturated": 1}
    assert title(june, about="June 2019", past=True) == "June 2019: of 6 AI benchmarks in use, 5 were still measuring"
    assert rest_sentence(june, past=True) == "The other one was saturated."
    assert title({"saturated": 2}, "benchmark", "Law") == "Law: of 2 benchmarks in use, none is still measuring"
    assert title({"discriminating": 1}) == "Of 1 AI benchmark in use, 1 is still measuring"


@pytest.mark.parametrize(
    ("about", "expected"), [("", "No benchmark is in use"), ("Law", "Law: no benchmark is in use")]
)
def test_where_none_is_in_use(about: str, expected: str) -> None:
    assert title({}, "benchmark", about) == expected


@given(st.dictionaries(st.sampled_from(STAGES), st.integers(0, 400)))
def test_the_rest_and_the_title_add_up_to_what_is_in_use(counts: dict[str, int]) -> None:
    told = rest_sentence(counts).replace("The other one", "1")
    numbers = [int(number) for number in re.findall(r"(\d+) (?:is|are|cannot)", told)]
    assert sum(numbers) + counts.get("discriminating", 0) == in_use(counts)
    assert (rest_sentence(counts) == NO_OTHER_STAGE) == (not numbers)


def test_how_we_count_names_every_number_and_generalises_nothing() -> None:
    left = Left(curated=192, not_looked_at=41, not_reported=22, unsure=4, families=25, saturated=32, every=4144)
    text = how_we_count(COUNTS, left, date(2026, 2, 20), date(2026, 8, 22))
    assert all(f"{number:,}" in text for number in (192, 129, 41, 22, 3, 2, 4, 25, 32, 4144))
    assert "there is room, or no ceiling" in text and "The top five need not differ." in text
    assert all_faults([text]) == []
