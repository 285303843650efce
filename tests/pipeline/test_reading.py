"""The sixty passages that most readers read are plain: at most 25 words a sentence, and grade 10 at most."""

import re
from pathlib import Path

import pytest

from benchhealth.dashboard.pages import PAGES
from tests.support.readability import MOST_WORDS, PLACES, Passage, Place, grade, passage, read, syllables, table, words


@pytest.fixture(scope="module")
def passages(bundled_home: Path) -> list[Passage]:
    return read(bundled_home)


def test_the_list_is_of_sixty_places_on_every_page_of_the_menu() -> None:
    assert len(PLACES) == len(set(PLACES)) == 60
    beside = {"search", "numbers", "decide"}  # the desk came after the list was chosen
    assert {place.page for place in PLACES} >= {page.url_path for page in PAGES if not page.hidden} - beside


def test_each_sentence_is_short_and_plain(passages: list[Passage]) -> None:
    assert [table([one]) for one in passages if not one.is_plain] == []


def test_what_makes_a_finding_one_is_still_said(passages: list[Passage]) -> None:
    """A subtitle under the title of a chart, with it, says of how many, and until when."""
    texts = {one.place: one.text for one in passages}
    for place, text in texts.items():
        if place.block.startswith("sub ") and place.page in {"compare", "field", "leaderboards"}:
            sentence = f"{texts[place._replace(block=place.block.replace('sub', 'head'))]}. {text}"
            assert re.search(r"\b(?:19|20)\d\d\b", sentence), place
            assert re.search(r"\b\d[\d,]* \w+", sentence), place


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("Of 12,032 items GPT-4.1 solved 63%", ["Of", "12,032", "items", "GPT-4.1", "solved", "63%"]),
        ("It's theirs: (95%, −1.2)", ["It's", "theirs", "95%", "1.2"]),
        ("", []),
    ],
)
def test_words_are_counted_by_hand(text: str, counted: list[str]) -> None:
    assert words(text) == counted


def test_the_grade_is_that_of_the_formula() -> None:
    """`The cat sat on the mat.`, six words of one syllable: 0.39 * 6 + 11.8 - 15.59, as Kincaid et al. have it."""
    assert grade("The cat sat on the mat.") == pytest.approx(0.39 * 6 + 11.8 - 15.59)
    assert [syllables(word) for word in ("cat", "reading", "benchmarks", "1,500", "second-hand")] == [1, 2, 2, 1, 3]


def test_the_longest_and_the_hardest_sentence_count_and_a_number_may_begin_one() -> None:
    long = " ".join(["word"] * (MOST_WORDS + 1))
    read_as = passage(Place("map", "", "title"), f"Short. 12 of these are {long}. End.")
    assert (read_as.words, read_as.is_plain) == (MOST_WORDS + 5, False)
    hard = "Contamination notwithstanding, saturation differentiates benchmarks"
    assert not passage(Place("map", "", "title"), hard).is_plain
