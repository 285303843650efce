"""Every case of every question has words, and the words of a row hold its own number."""

from datetime import date
from typing import Any

import pytest

from benchhealth.analytics.answers.cases import WHYS, Case, Question
from benchhealth.analytics.answers.counts import Saturated
from benchhealth.analytics.answers.table import QUESTIONS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.words.answers.counts import saturated_basis, saturated_title, while_watched
from benchhealth.dashboard.words.answers.sentences import TITLES, WHY_UNKNOWN, words
from benchhealth.dashboard.words.card.cells import ORDER, UNTIL, brief, cells
from tests.support.answer_words import own_numbers
from tests.support.generalising import all_faults

DAY = date(2026, 8, 22)
NAMES = {"a": "Alpha", "b": "Beta"}
CASES = [(question, case) for question in QUESTIONS for case in question.cases]

NUMBERS: dict[str, dict[str, Any]] = {
    "room": {"value": 0.17, "low": 0.12, "high": 0.2, "unit": "share", "n": 484, "n_of": "items", "count": 24,
             "second": 0.83, "second_unit": "percent", "on_day": DAY, "condition": "no tools"},
    "order": {"value": 0.2, "unit": "share", "count": 2, "n": 10, "n_of": "pairs", "second": 4.0,
              "second_unit": "pairs"},
    "second": {"value": 3.57, "low": 0.81, "high": 6.33, "unit": "points", "n": 23, "n_of": "models", "second": 0.79,
               "kind": "fresh sample", "side": "first", "twin_id": "t", "other_id": "b", "said_by": "Epoch AI, data",
               "missed": 18.4, "missed_unit": "points"},
    "seen": {"value": 0.109, "unit": "share", "count": 3, "n": 38, "n_of": "models", "flagged": 3, "tested": 38,
             "missed": 0.336, "missed_unit": "share", "kind": "anomaly", "said_by": "Llama 2", "second": 20.0},
    "labels": {"value": 0.0583, "unit": "share", "count": 2915, "n": 50000, "n_of": "items", "kind": "whole",
               "said_by": "five crowd workers", "second": 0.0249, "part": "chemistry"},
    "reporters": {"value": 5.0, "unit": "makers", "count": 5, "n": 11, "n_of": "makers", "second": 7.0,
                  "said_by": "Meta", "on_day": DAY},
    "looked": {"value": 3.2, "unit": "months", "n": 40, "n_of": "results", "count": 2, "second": 8.1, "on_day": DAY},
    "stage": {"value": 0.17, "unit": "share", "low": 0.12, "high": 0.2, "count": 1, "n": 10, "n_of": "pairs",
              "second": 0.4, "second_unit": "share", "on_day": DAY},
    "outlook": {"value": 14.0, "low": 8.0, "high": 30.0, "unit": "months", "n": 98, "n_of": "forecasts", "second": 0.8,
                "on_day": DAY},
    "instead": {"value": 0.56, "unit": "share", "other_id": "b", "kind": "discriminating", "second": 0.78, "n": 16},
}  # fmt: skip

NO_VALUE = {"value": None, "unit": None}
OF_CASE: dict[str, dict[str, Any]] = {
    **dict.fromkeys(
        ("documented_unmeasured", "declared", "declared_task", "beyond_ten_years", "used_up", "at_limit", "none_fits"),
        NO_VALUE,
    ),
    **{key: {"value": 0.0} for key in ("none_wrong", "none_wrong_in_some")},
    **{"wrong_in_sample": {"kind": "sample"}, "wrong_in_part": {"kind": "part"}},
    "bunched": {"value": 0.93, "unit": "times"},
    "people_passed_and_unresolved": {"value": 13.2, "unit": "points"},
    "people_reached_and_stalled": {"value": 17.4, "unit": "months"},
}
"""Where a case has another number than the others, or none."""


def row_of(question: Question, case: Case, **more: object) -> dict[str, Any]:
    row = {**NUMBERS[question.key], **OF_CASE.get(case.code, {}), **more}
    if case.reply == "unknown":
        row["value"] = None
    about = {"benchmark_id": "a", "question": question.key, "reply": case.reply, "case": case.code, "known_until": DAY}
    return {**dict.fromkeys(PUBLISHED["answer"]), "evidence": [], **row, **about, "why_unknown": case.why}


@pytest.mark.parametrize(("question", "case"), CASES, ids=lambda one: getattr(one, "key", None) or one.code)
def test_every_case_on_the_card_has_a_line_of_a_dozen_words(question: Question, case: Case) -> None:
    line = brief(row_of(question, case), NAMES)
    assert bool(line) == (question.key in ORDER)
    assert len(line.split()) <= 12
    assert "known until" not in line
    assert "None" not in line.replace("None known", "")


def test_the_card_names_both_bests_where_makers_claim_more() -> None:
    room = next(one for one in QUESTIONS if one.key == "room")
    bests = {"second": 0.65, "second_unit": "fraction", "measured": 0.65, "claimed": 0.86, "count": 53}
    days = {"measured_on": DAY, "claimed_on": DAY}
    line = brief(row_of(room, room.case("narrow"), **bests, **days), NAMES)
    assert line.startswith("Of 53 models: others 65%, makers 86%; ") and len(line.split()) <= 12


@pytest.mark.parametrize(
    ("measured", "claimed", "tile", "line"),
    [
        (date(2026, 4, 24), date(2026, 8, 11), "24 Apr 2026 (by others)", "By makers until 11 Aug 2026; sources read"),
        (date(2026, 4, 24), None, "24 Apr 2026 (by others)", "Sources read until 22 Aug 2026."),
        (None, date(2026, 8, 11), "11 Aug 2026 (by makers)", "Nobody else is known to have measured it"),
        (None, None, "22 Aug 2026", "The last day on which its sources were read."),
    ],
)
def test_the_card_says_until_when_others_measured_it(
    measured: date | None, claimed: date | None, tile: str, line: str
) -> None:
    looked = next(one for one in QUESTIONS if one.key == "looked")
    row = row_of(looked, looked.case("results_come_in"), measured_on=measured, claimed_on=claimed)
    (cell,) = cells({"looked": row}, {}, NAMES)
    assert (cell.key, cell.tile) == (UNTIL, tile)
    assert cell.brief.startswith(line)


def test_a_makers_report_later_than_the_last_reading_is_not_of_the_sources_read() -> None:
    """ARC-AGI-2: makers report until July 2026, and what it is judged by was read in April."""
    looked = next(one for one in QUESTIONS if one.key == "looked")
    days = {"measured_on": date(2026, 4, 23), "claimed_on": date(2026, 7, 30), "known_until": date(2026, 4, 24)}
    (cell,) = cells({"looked": row_of(looked, looked.case("results_come_in")) | days}, {}, NAMES)
    assert cell.brief == "By makers until 30 Jul 2026; sources of its condition read until 24 Apr 2026."


@pytest.mark.parametrize(("question", "case"), CASES, ids=lambda one: getattr(one, "key", None) or one.code)
def test_every_case_has_words_that_begin_with_its_reply_and_hold_its_number(question: Question, case: Case) -> None:
    row = row_of(question, case)
    wording = words(row, NAMES)
    assert wording.question == TITLES[question.key]
    assert wording.reply == {"yes": "Yes", "no": "No", "partly": "Partly", "unknown": "Unknown"}[case.reply]
    assert wording.tile == (f"{wording.reply} ({wording.number})" if wording.number else wording.reply)
    assert wording.paragraph.startswith(wording.line)
    assert wording.line.endswith("data to Aug 2026.")
    assert wording.alt == f"{wording.question} {wording.tile}. {wording.line}"
    assert wording.spoken.startswith(f"Alpha. {wording.question} {wording.reply}")
    assert "%" not in wording.spoken
    for number in own_numbers(row):
        assert number in wording.line or number in wording.tile, (number, wording)
    assert all_faults([wording.paragraph, wording.alt, f"{wording.tile}. {wording.line}"]) == []


def test_a_gap_is_said_as_it_is_on_the_second() -> None:
    second = next(one for one in QUESTIONS if one.key == "second")
    rerun = row_of(second, second.case("rerun"), kind="independent rerun", other_id="a")
    assert words(rerun, NAMES).tile == "Partly (3.6 points lower in an independent rerun)"
    assert (
        "on an independent rerun as Epoch AI lists it, 95% interval 0.8 to 6.3, over 23 results"
        in words(rerun, NAMES).line
    )
    higher = row_of(second, second.case("differs"), value=-3.57, low=-6.33, high=-0.81)
    assert "3.6 points higher on Beta (a fresh sample), 95% interval 0.8 to 6.3" in words(higher, NAMES).line
    long = {**NAMES, "b": "ImageNetV2 matched-frequency"}
    assert brief(higher, long) == "It is ImageNetV2 matched-frequency, over 23 results."  # no bracket is left open
    itself = row_of(second, second.case("agrees"), side="second")
    assert "on Beta (of which it is a fresh sample)" in words(itself, NAMES).line


def test_what_would_have_been_missed_is_said_where_nothing_was_found() -> None:
    seen = next(one for one in QUESTIONS if one.key == "seen")
    weak = words(row_of(seen, seen.case("too_weak"), count=0, n=19), NAMES)
    assert weak.tile == "Unknown (0 of 19 models stand out; knowing less than 34% would be missed)"
    blind = words(row_of(seen, seen.case("too_weak"), count=0, missed=None), NAMES)
    assert "one that knew all items would have been missed as well" in blind.line
    wording = words(row_of(seen, seen.case("nothing_found"), count=0, n=1534, missed=0.13, kind="twin"), NAMES)
    assert wording.tile == "Unknown (0 of 1,534 models stand out; knowing 13% or more would show)"


def test_nothing_is_said_of_today_of_who_reports_it() -> None:
    reporters = next(one for one in QUESTIONS if one.key == "reporters")
    for case in reporters.cases:
        wording = words(row_of(reporters, case), NAMES)
        assert "still" not in wording.paragraph
        assert "no longer" not in wording.paragraph


def test_who_reports_it_says_what_is_counted() -> None:
    reporters = next(one for one in QUESTIONS if one.key == "reporters")
    wording = words(row_of(reporters, reporters.case("shown"), count=1, value=1.0), NAMES)
    assert wording.tile == "Yes (in the last document of 1 of 11 makers)"
    assert wording.line.startswith("1 of 11 makers shows it in the last document of theirs")


def test_an_unknown_leads_to_the_incident_that_bears_on_it() -> None:
    seen = next(one for one in QUESTIONS if one.key == "seen")
    for case in seen.cases:
        row = row_of(seen, case, on_day=DAY if case.reply == "unknown" else None)
        is_led = "see the incident of Aug 2026" in words(row, NAMES).line
        assert is_led is (case.reply == "unknown") is (brief(row, NAMES) == "See the incident of Aug 2026.")
        assert all_faults([words(row, NAMES).paragraph]) == []


def test_the_best_of_others_is_not_said_of_all_where_makers_claim_another() -> None:
    """ImageNet: the card had 90%, which others measured, and the chart 91%, which a maker reports."""
    room = next(one for one in QUESTIONS if one.key == "room")
    bests = {"second": 0.90056, "second_unit": "percent", "measured": 0.90056, "claimed": 0.911, "count": 1729}
    row = row_of(room, room.case("narrow"), **bests, measured_on=DAY, claimed_on=DAY)
    assert brief(row, NAMES).startswith("Of 1,729 models: others 90%, makers 91%; ")
    assert brief({**row, "claimed": 0.9009}, NAMES).startswith("Best of 1,729 listed models: 90%")


def test_makers_who_report_it_elsewhere_are_not_counted_as_none() -> None:
    reporters = next(one for one in QUESTIONS if one.key == "reporters")
    assert words(row_of(reporters, reporters.case("reported_elsewhere"), count=0), NAMES).tile == "Yes (elsewhere)"


def test_a_name_that_is_not_known_is_the_id() -> None:
    instead = next(one for one in QUESTIONS if one.key == "instead")
    assert words(row_of(instead, instead.case("named")), {}).number == "b, 56% left"


def test_every_reason_for_unknown_has_words() -> None:
    assert set(WHY_UNKNOWN) == set(WHYS)


def test_the_count_of_the_map_and_that_of_the_curves_are_told_apart() -> None:
    counted = Saturated(benchmarks=190, saturated=36, watched=17, known_until=DAY)
    title, basis = saturated_title(counted), saturated_basis(counted)
    assert title == "36 of 190 curated benchmarks are saturated"
    assert basis.startswith("17 by results that")
    assert while_watched(22, counted) == (
        "22 saturated while watched (17 of the 36 curated ones that are saturated now and 5 others)"
    )
    assert all_faults([f"{title}; of these, {basis}"]) == []


def test_the_best_of_others_alone_is_not_said_of_all_listed_models() -> None:
    """On AlpacaEval 2 others measured 57%; 79% was handed in, and no maker claims any."""
    question = next(one for one in QUESTIONS if one.key == "room")
    case = next(one for one in question.cases if one.code == "open")
    handed_in = {"second": 0.57, "measured": 0.57, "measured_on": DAY, "claimed": None, "claimed_on": None}
    row = row_of(question, case, **handed_in, on_day=None)
    assert brief(row, NAMES).startswith("Best by others of 24 models: 57%")
    assert "the best score of other parties is 57%" in words(row, NAMES).paragraph.casefold()
    above = {**row, "handed_in": 0.79}
    assert brief(above, NAMES).startswith("Best by others of 24 models: 57%; handed in: 79%")
    told = words(above, NAMES)
    assert "and 79% was handed in that no others measured" in told.paragraph
    assert told.number.endswith("left; handed in: 79%") and all_faults([told.paragraph]) == []
    assert brief({**row, "on_day": DAY}, NAMES).startswith("Best of 24 listed models: 57%")


@pytest.mark.parametrize(
    ("case", "numbers", "expected"),
    [
        (
            "bunched",
            {"second": 0.6},
            ("not even the best and the tenth differ beyond error", "though 60% of the"),
        ),
        (
            "people_passed_and_unresolved",
            {"second": 0.139},
            ("above the human line, and the top five do not differ beyond error", "though 14% of the scale is left"),
        ),
        ("narrow", {"value": 0.139}, ("less than 25% of the scale is left", "14% (")),
        (
            "measures",
            {"value": 0.12, "count": 7},
            ("12% (", "though 7 of 10 pairs of the top five differ beyond"),
        ),
    ],
)
def test_the_case_that_applied_is_the_reason(case: str, numbers: dict[str, Any], expected: tuple[str, str]) -> None:
    stage = next(one for one in QUESTIONS if one.key == "stage")
    line = words(row_of(stage, stage.case(case), **numbers), NAMES).line
    assert [phrase for phrase in expected if phrase not in line] == []
