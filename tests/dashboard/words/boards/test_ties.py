"""Who is tied, in words: how many, of how many, and why where nobody can say."""

from datetime import datetime
from typing import Any

import pytest

from benchhealth.dashboard.words.boards import ties


def card(**of: object) -> dict[str, Any]:
    row = {
        **{"n_models": 59, "with_error": 59, "tied_first": 8, "ties_reason": None, "unit": "percent"},
        **{"first_name": "maker/GPT-5.5", "second_name": "Gemini 3", "tied_names": ["maker/GPT-5.5", "Gemini 3"]},
        **{"neighbours_apart": 0, "neighbours": 9, "pairs_apart": 22, "pairs": 45, "settle_reason": None},
        **{"pairs_by_item": 0, "clusters": None, "missing_cells": None, "tied_first_clustered": None},
        **{"n_items": 120, "items_to_settle": 56_168, "times_the_test": 468.1, "settled_by": None},
        **{"settled_by_name": None, "recount_margin": 1, "recount_reason": None},
        "observed_at": datetime(2026, 4, 24),
    }
    return {**row, **of}


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ({}, "8 are tied for first on ARC-AGI-2"),
        ({"with_error": 50}, "At least 8 are tied for first on ARC-AGI-2"),
        ({"tied_first": 2}, "GPT-5.5 and Gemini 3 share first place on ARC-AGI-2"),
        ({"tied_first": 1}, "GPT-5.5 is first on ARC-AGI-2 by more than its error"),
        (
            {"tied_first": 1, "with_error": 3},
            "GPT-5.5 is first on ARC-AGI-2 by more than its error, among the 3 with a known error",
        ),
        ({"n_models": 1, "with_error": 1, "tied_first": 1}, "GPT-5.5 is the only model on ARC-AGI-2"),
        ({"ties_reason": "no_error_known"}, "Nobody can say who is tied on ARC-AGI-2: no error is known"),
        (
            {"ties_reason": "first_without_error"},
            "Nobody can say who is tied on ARC-AGI-2: the error of the first is not known",
        ),
    ],
)
def test_the_headline_says_who_is_tied(about: dict[str, Any], expected: str) -> None:
    assert ties.headline(card(**about), "ARC-AGI-2") == expected


def test_beside_other_facts_it_is_short_and_silent_where_unknown() -> None:
    assert ties.short(card()) == "8 of 59 tied for first"
    assert ties.tie_with_day(card()) == "8 of 59 tied for first on 24 Apr 2026"
    assert ties.short(card(tied_first=1)) == "first by more than its error"
    assert ties.short(card(with_error=9)) == "at least 8 of 59 tied for first"
    assert ties.tie_with_day(card(ties_reason="no_error_known")) == ties.short(card(n_models=1)) == ""


@pytest.mark.parametrize(
    ("about", "answer", "evidence"),
    [
        ({}, "8 models", "of 59 models on 24 Apr 2026; GPT-5.5 is printed first, at 85%"),
        ({"with_error": 50}, "At least 8 models", "of 59 models on 24 Apr 2026, 50 of them with a known error; GPT"),
        ({"ties_reason": "no_error_known"}, "Not known", "no error is known; of 59 models on 24 Apr 2026 GPT-5.5"),
    ],
)
def test_the_first_tile_says_who(about: dict[str, Any], answer: str, evidence: str) -> None:
    tied = ties.tie_sentence(card(**about), "85%")
    assert tied.answer == answer and tied.evidence.startswith(evidence)


@pytest.mark.parametrize(
    ("apart", "of", "answer"),
    [(0, 9, "No (0 of 9)"), (5, 9, "Partly (5 of 9)"), (9, 9, "Yes (9 of 9)"), (0, 0, "Not known")],
)
def test_neighbours_are_answered_in_a_word_before_the_number(apart: int, of: int, answer: str) -> None:
    neighbours_of = ties.neighbours(card(neighbours_apart=apart, neighbours=of))
    assert neighbours_of.answer == answer
    assert not of or neighbours_of.evidence == "neighbours in the top ten; 22 of 45 pairs do, one at a time"


def test_pairs_of_items_and_other_clusters_are_both_said_with_the_rule_for_missing_answers() -> None:
    counts = {"pairs_by_item": 45, "pairs_apart_alone": 22, "clusters": 14, "missing_cells": 0.0059}
    over = {"neighbours_apart": 1, "neighbours": 9, "pairs_apart": 31, "pairs": 45, "tied_first": 9}
    row = card(**counts, **{f"{name}_clustered": value for name, value in over.items()})
    assert ties.by_items(row) == (
        "Of the 45 pairs of the top ten 45 are compared item by item; 22 differ beyond error (as many as were no items "
        "shared); over other clusters of items (14, such as subjects or repositories) 1 of 9 neighbours and 31 of 45 "
        "pairs, 9 models could be first; missing answers (0.6%) count as wrong."
    )
    assert ties.headline(row, "it") == "8 are tied for first on it; over other clusters of items 9 could be"
    unnamed = card(pairs_by_item=45, pairs_apart_alone=20, clustered_reason="no_clusters")
    assert ties.by_items(unnamed).endswith("(20 were no items shared); no file says which items belong together.")
    assert not ties.by_items(card())


@pytest.mark.parametrize(
    ("about", "answer", "evidence", "brief"),
    [
        (
            {},
            "No number of items",
            "it would take 56,000 at today’s distance of the first two; the test has 120",
            "No number: 56,000 against 120",
        ),
        (
            {"n_items": 2_500, "items_to_settle": 4_252, "times_the_test": 1.7},
            "1,800 more items",
            "at today’s distance of the first two; the test has 2,500",
            "1,800 more items",
        ),
        (
            {"n_items": 2_500, "items_to_settle": 1_100, "times_the_test": 0.44},
            "It is settled between two",
            "of 2,500 items 1,100 at today’s distance would do, for the first two alone",
            "It is settled between two",
        ),
        (
            {"unit": "rating", "n_items": 9_559, "items_to_settle": 36_913, "times_the_test": 3.9}
            | {"settled_by": "a", "settled_by_name": "Claude Opus 5"},
            "27,000 more votes on Claude Opus 5",
            "at today’s distance of the first two; Claude Opus 5 has 9,559",
            "27,000 more votes on Claude Opus 5",
        ),
        (
            {"settle_reason": "equal_scores"},
            "No number of items",
            "of the first two both have the same score",
            "No number of items: both have the same score",
        ),
        (
            {"settle_reason": "no_item_number"},
            "Not known",
            "how many items were asked is not known",
            "Not known: how many items were asked is not known",
        ),
    ],
)
def test_what_would_settle_it(about: dict[str, Any], answer: str, evidence: str, brief: str) -> None:
    settling = ties.settles(card(**about))
    assert (settling.answer, settling.evidence) == (answer, evidence)
    assert ties.settles_briefly(card(**about)) == brief


def test_how_much_grading_decides() -> None:
    assert ties.grading(card()) == ("1 item of 120", "graded otherwise gives another first, or a tie")
    assert ties.grading(card(recount_margin=0)).answer == "No item of 120"
    assert ties.grading(card(recount_reason="open_scale")).answer == "Not known"
    assert ties.grading_briefly(card(recount_margin=53)) == "53 items of 120"
    assert ties.grading_briefly(card(recount_reason="one_model")) == "Not known: only one model is listed"


@pytest.mark.parametrize(
    ("tiers", "more", "expected"),
    [
        ([1, 1, 2, 3], 40, "The first 4 places are three tiers"),
        ([1, 1], 0, "All 2 places are one tier"),
        ([1], 0, "The place is one tier"),
        ([None, None], 3, "The first 2 places as printed: no error says who could hold which"),
        ([1, None], 0, "All 2 places are one tier"),
    ],
)
def test_into_how_many_tiers_places_fall(tiers: list[int | None], more: int, expected: str) -> None:
    assert ties.tiers_sentence(tiers, more) == expected


def test_tiers_have_names() -> None:
    names = [ties.tier_name(1, 8), ties.tier_name(1, 1), ties.tier_name(2, 3), ties.tier_name(11, 1)]
    assert names == ["Tied for first", "First", "Second tier", "Tier 11"]
    assert ties.tier_name(None, 4) == "Error not known"


def test_much_read_boards_are_counted() -> None:
    assert ties.on_boards([2, 27, 8]) == "On 3 much-read boards 2 to 27 models could be first"
    assert ties.on_boards([1]) == "On one much-read board 1 model could be first"
