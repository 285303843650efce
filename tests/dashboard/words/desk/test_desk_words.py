"""The desk in words: a sentence for every code, and the finding as it is said."""

import re
from datetime import date
from typing import Any

import pytest

from benchhealth.analytics.answers.desk.choose import MOST_RECOMMENDED, REASONS
from benchhealth.analytics.answers.desk.rules import (
    BEHIND_DAYS,
    CONDITIONS_OF_QUESTION,
    FLAWED,
    LEAST_ROOM,
    RESERVATIONS,
    ROLES,
    RULES,
)
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.words.desk import cards, citation, domain_report, panel, question, ruled_out
from benchhealth.dashboard.words.methods import desk as methods_desk
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.terms.citing import citation_forms
from benchhealth.dashboard.words.text import NO_RESULT
from tests.support.generalising import faults

ROW: dict[str, Any] = {
    **dict.fromkeys(PUBLISHED["decision"]),
    **{"benchmark_id": "gso", "label": "GSO", "role": "publish", "construct": "speed of programs"},
    **{"answer_kind": "patch", "n_items": 102, "room": 0.56, "room_low": 0.44, "room_high": 0.70},
    **{"pairs_apart": 2, "pairs": 10, "models": 24, "by_others": 24, "unsaid": None, "reason": "first"},
    **{"known_until": date(2026, 4, 27), "independent_until": date(2026, 4, 27), "reservations": ["one_construct"]},
    **{"condition": "Terminus", "flawed": 0.05, "checked": 200, "run_cost": 12.4, "priced_runs": 7, "houses": 1},
}
CODES = [*(code for codes in RULES.values() for code in codes), *CONDITIONS_OF_QUESTION]


def test_a_card_says_its_numbers_why_and_what_speaks_against_it() -> None:
    card = cards.card(ROW, ROW)
    assert card.numbers == (
        ("Room", "56% left, 44 to 70%"),
        ("Clear differences", "2 of 10 pairs of the top five"),
        ("Measured", "24 of 24 listed models by others"),
        ("Data to", "27 Apr 2026, last look at results of others"),
        ("A run costs", "$12, median of 7 runs"),
    )
    assert card.about == "Speed of programs, 102 items"
    assert card.why.startswith("Weighed by today's stage") and card.why.endswith(
        "speed of programs (kind of answer: patch)."
    )
    assert card.reservation == "It speaks of speed of programs, of nothing else."
    unsure = cards.card({**ROW, "reservations": ["stage_doubted", "apart_unknown"]}, ROW).reservation
    assert unsure == (
        "Which of two stages it is in is not sure. "
        "Not every one of its top five has a known error, so how many differ is not known."
    )


@pytest.mark.parametrize(
    ("by_others", "unsaid", "said"),
    [
        (0, 34, "0 of 108 listed models by others; of 34 nobody says who measured"),
        (67, None, "67 of 108 listed models by others"),
    ],
)
def test_what_nobody_says_is_not_passed_over(by_others: int, unsaid: int | None, said: str) -> None:
    row = {**ROW, "models": 108, "by_others": by_others, "unsaid": unsaid}
    assert cards.measured_by_others(row) == said
    assert said in ruled_out.number({**row, "why": "makers_all"})


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_names_what_is_alike(reason: str) -> None:
    sentence = cards.recommendation_reason({**ROW, "reason": reason}, {**ROW, "label": "SWE-bench Verified"})
    assert "patch" in sentence and "speed of programs" in sentence
    assert ("SWE-bench Verified" in sentence) == reason.startswith("same_")


@pytest.mark.parametrize("code", RESERVATIONS)
def test_every_reservation_has_its_sentence(code: str) -> None:
    (sentence,) = cards.drawbacks({**ROW, "reservations": [code]})
    assert sentence and "None" not in sentence and "{" not in sentence


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_reason_and_the_number_behind_it(code: str) -> None:
    assert ruled_out.REASONS[code]
    sentence = ruled_out.number({**ROW, "why": code})
    assert sentence and "None" not in sentence
    assert faults(f"{sentence} (data to Apr 2026)") == []


def test_unknown_is_a_word_and_makers_alone_are_said_to_be() -> None:
    bare = {**ROW, "room": None, "pairs_apart": None, "run_cost": None, "independent_until": None}
    numbers = dict(cards.card(bare, bare).numbers)
    assert numbers["Room"] == "Not known"
    assert numbers["Clear differences"] == "Not known: errors missing"
    assert numbers["A run costs"] == "Not known"
    assert numbers["Data to"] == "27 Apr 2026, by makers or not said by whom"
    assert cards.room({**bare, "reservations": ["no_ceiling"]}) == "No ceiling"
    assert cards.room({**ROW, "room_bound": "at_least"}).startswith("at least 56% left")
    assert (
        cards.days_known({**ROW, "known_until": date(2026, 8, 22)})
        == "27 Apr 2026, last look at results of others; in all Aug 2026"
    )


@pytest.mark.parametrize(
    ("number", "of", "role", "expected"),
    [
        (3, 13, "publish", "Three of 13 benchmarks could carry your claim"),
        (1, 8, "fund", "One of 8 benchmarks could show progress you fund"),
        (1, 1, "ship", "The only benchmark could bear on what you ship"),
        (0, 1, "teach", "The only benchmark could not serve a class"),
    ],
)
def test_the_finding_counts(number: int, of: int, role: str, expected: str) -> None:
    assert question.title(number, of, role) == expected
    assert len(expected) <= 70


def test_every_role_is_said_and_weighs_something() -> None:
    assert tuple(question.ROLES) == ROLES == tuple(question.WEIGHED)
    assert str(MOST_RECOMMENDED) in question.INVITATION


def test_the_question_is_a_sentence_with_its_day() -> None:
    subtitle = question.subtitle(
        "publish", "Code", "", date(2026, 2, 1), date(2026, 8, 22), independent=True, budget=None
    )
    assert subtitle == (
        "For a paper about code: results of others known in Feb 2026 or later; data to Aug 2026 at the latest."
    )
    more = question.subtitle("ship", "Code", "speed", None, None, independent=False, budget=100)
    assert "asking for speed" in more and "results of anybody" in more and "$100 a run" in more


def test_where_none_is_recommended_it_says_what_would_be_needed() -> None:
    for rule, codes in {**RULES, "day": ("not_since",), "budget": ("over_budget",)}.items():
        sentence = ruled_out.what_is_needed([{**ROW, "rule": rule, "why": codes[0]}])
        assert sentence.startswith("What would be needed: ") and "GSO comes nearest" in sentence
    assert f"{LEAST_ROOM:.0%}" in ruled_out.what_is_needed([{**ROW, "rule": "room", "why": "little_room"}])


def test_the_panel_names_its_models_and_never_a_mean() -> None:
    assert panel.title(6, ["A", "B", "C"], 3) == "6 listed models were measured by others on all three"
    assert panel.title(9, ["A", "B", "C"], 2) == "9 listed models were measured by others on 2 or more of 3"
    assert panel.choice(6, ["A", "B", "C"], 3) == "complete on all three: 6"
    assert panel.title(1, ["A"], 1) == "1 listed model was measured by others on A"
    subtitle = panel.subtitle(6, 6, ["A", "B"], 2, date(2026, 7, 2))
    assert "never averaged" in subtitle and "Jul 2026" in subtitle and "The first" not in subtitle
    assert panel.subtitle(20, 42, ["A"], 1, None).startswith("The first 20 of 42 models by A. ")


def test_a_citation_has_question_and_generation() -> None:
    page, csv = "https://a.example/decide?x=1", "https://a.example/csv/decided?x=1"
    asked = {"for": "fund", "domain": "code"}
    cited = citation.citation_of("One of 8 benchmarks could serve", asked, "gen-1", date(2026, 8, 22), page, csv)
    bibtex = dict(citation_forms(cited))["BibTeX"]
    assert bibtex.startswith("@misc{benchhealth-decision-fund-code-gen-1,") and page in bibtex and csv in bibtex
    assert "Aug 2026" in cited.text and "gen-1" in cited.text


def test_the_topic_on_methods_prints_the_limits_and_every_rule() -> None:
    text = methods_desk.desk(6)
    assert len(re.findall(r"^\d+\. \*\*", text, re.MULTILINE)) == len(RULES) + len(CONDITIONS_OF_QUESTION)
    for limit in (LEAST_ROOM, FLAWED):
        assert percent(limit) in text
    for number in (
        f"{Thresholds().min_models} models or more",
        f"{BEHIND_DAYS} days",
        f"first {MOST_RECOMMENDED}",
        "6 months",
    ):
        assert number in text
    assert all(weighed in text for weighed in question.WEIGHED.values())


def test_chosen_models_are_counted() -> None:
    assert panel.title_of_chosen(2, 3, ["A", "B"]) == "2 of 3 chosen models are listed, and measured by others, on both"
    assert panel.title_of_chosen(0, 1, ["A"]) == "The chosen model is not listed, and measured by others, on A"
    subtitle = panel.subtitle(2, 2, ["A", "B"], 1, None, chosen=3)
    assert subtitle.startswith("1 of the chosen others measured on none. Chosen models (A and B), one condition")


@pytest.mark.parametrize("role", ROLES)
def test_questions_to_begin_with_are_those_of_the_chosen_use_first(role: str) -> None:
    offered = [params for _, params in question.examples(role, {"code", "vision", "agents"})]
    uses = [params["for"] for params in offered]
    assert len(offered) == 5 and len(question.examples(role, {"code", "vision", "agents", "mathematics"})) == 6
    assert {params["domain"] for params in offered} == {"code", "vision", "agents"}
    assert uses[0] == role and role not in uses[uses.count(role) :]


def test_where_nothing_is_recommended_there_are_no_others() -> None:
    rejected = [{"why": "saturated"}, {"why": "no_room"}, {"why": "saturated"}]
    assert ruled_out.heading(rejected, 2).startswith("Why not the others: for 2 of 3 the first reason is “")
    assert ruled_out.heading(rejected, 0).startswith("Why none: for 2 of 3 the first reason is “")


def test_a_report_names_the_page_that_recommends() -> None:
    assert domain_report.of_choice([]) == "The page Decide recommends none of these for a paper in its own domain."
    assert domain_report.of_choice(["A", "B"]).endswith("the page Decide recommends A and B.")


def test_results_under_other_conditions_are_not_said_to_be_missing() -> None:
    said = {
        condition: ruled_out.number({**ROW, "why": "no_result", "condition": condition}) for condition in (None, "x")
    }
    assert said == {None: NO_RESULT, "x": "all of its results are under other conditions"}
