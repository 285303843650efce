"""Indicators in words: their units, rounded numbers, and reasons without keys."""

from datetime import date
from typing import Any

import pytest

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.record.evidence import Indicator
from benchhealth.dashboard.words.indicators import interval_text, reason_sentence, reasons_in_words, value_text
from benchhealth.dashboard.words.prose.cases import row_sentence

FACTS = {"unit": "percent"}


def row(value: float | None, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "n": 14042, "status": "ok"}


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("headroom", 0.003, "0.3%"),
        ("frontier", 0.884, "88%"),
        ("months_since_result", 27.0, "2.2 years"),
        ("months_to_tenth_of_headroom", -3.2, "\u22123 months"),
        ("twin_gap", 15.876, "16 points"),
        ("human_margin", 0.035, "3.5 points"),
        ("n_models", 1385.0, "1,385"),
        ("s_index_true_error", 5.997e-18, "below 0.001"),
        ("labels_public", 1.0, "public"),
        ("condition_stated", 0.0, "as reported"),
        ("spread_top10", 4.5377, "4.5 times"),
        ("headroom", None, "Not known"),
        ("headroom", float("nan"), "Not known"),
    ],
)
def test_a_value_has_its_unit_and_what_digits_it_bears(key: str, value: float | None, words: str) -> None:
    assert value_text(key, value, FACTS) == words


def test_an_open_ended_score_is_no_percent() -> None:
    assert value_text("frontier", 1507.6, {"unit": "rating"}) == "1,508"


@pytest.mark.parametrize("indicator", INDICATORS, ids=lambda indicator: indicator.key)
def test_every_indicator_has_words_of_at_most_two_digits(indicator: Indicator) -> None:
    words = value_text(indicator.key, 0.123456789, FACTS)
    assert "_" not in words
    assert "0.1234" not in words


def test_intervals_are_words_and_may_be_open() -> None:
    assert interval_text("headroom", row(0.1, 0.05, 0.15), FACTS) == "5 to 15%"
    assert interval_text("twin_gap", row(3.9, 2.29, 5.54), FACTS) == "2.3 to 5.5 points"
    assert interval_text("n_models", row(3), FACTS) == ""
    assert interval_text("months_to_tenth_of_headroom", row(9, 3, None), FACTS) == "from 3 months"


def reason(rule: str, indicator: str, value: float | None, **more: float | str | None) -> dict[str, Any]:
    """A row of `verdict_reason`, with what the test needs of it."""
    fields = {"benchmark_id": "a", "place": 1, "part": 1, "how": "holds", "side": "below", "measure": indicator}
    numbers = dict.fromkeys(("low", "high", "n", "other_indicator", "other_value", "stricter", "chance", "threshold"))
    return {**fields, **numbers, "rule": rule, "indicator": indicator, "value": value, "compared": value, **more}


def test_a_reason_says_what_it_means_and_then_the_rounded_indicators() -> None:
    row = reason("nearly_exhausted", "headroom", 0.003065, low=-0.0046, high=0.0086, n=14042, threshold=0.07)
    expected = "Hardly anything of the scale is left: headroom 0.3% (at most 0.9%) over 14,042 items"
    assert reason_sentence([row], {}, FACTS) == expected


def test_a_reason_without_chance_says_what_headroom_can_be() -> None:
    row = reason("surely_narrow", "headroom", None, measure="headroom_max", compared=0.2, chance=0.5, threshold=0.25)
    expected = "Little of the scale is left: headroom is no more than 20% even if the chance level is 50%, below 25%"
    assert reason_sentence([row], {}, FACTS) == expected


def test_where_no_error_is_known_the_room_that_may_be_left_is_said_and_nothing_twice() -> None:
    rows = [
        reason("unweighed", "best_has_error", 0.0, side="at most", threshold=0.0),
        reason(
            "unweighed", "headroom", None, measure="headroom_min", compared=0.176, low=0.176, threshold=0.25, part=2
        ),
    ]
    sentence = reason_sentence(rows, {}, FACTS)
    assert sentence.endswith("number of its items is known: headroom may be as small as 18%, below 25%")


def test_a_reason_without_a_meaning_keeps_its_words_but_no_key() -> None:
    row = reason("no_resolution", "resolution_top5", None, side="unknown")
    sentence = reason_sentence([row], {"resolution_top5": {"case": "fewer_than_two"}}, FACTS)
    assert sentence == "Resolution of the top five, unpaired is not known (fewer than two models)"


def test_a_reason_of_two_rows_of_the_same_words_is_said_once() -> None:
    reason_fields = {"how": "kept_out", "threshold": 0.25, "margin": 0.02, "n": 10}
    rows = [
        reason(rule, "headroom", 0.24, place=index, **reason_fields)
        for index, rule in enumerate(("surely_narrow", "narrow"), 1)
    ]
    assert len(reasons_in_words(rows, {}, FACTS)) == 1


def test_cases_have_scores_in_their_unit_and_days_in_words() -> None:
    case = {"case": "above_chance", "kind": "stated", "names": ["label errors"], "numbers": [0.9351, 0.25, 0.01]}
    ends = "ceiling 93.5% (label errors), chance 25%"
    assert row_sentence(case, "percent") == f"{ends}; the interval holds the error of the best score"
    audited = {**case, "numbers": [0.9351, 0.25, 0.01, 5700]}
    assert row_sentence(audited, "percent").endswith("best score and that of 5,700 items checked for label errors")
    line = {"case": "human_baseline", "numbers": [0.9]}
    assert row_sentence(line, "percent") == "human baseline 90%"
    case_row = {"case": "known_until", "known_until": date(2026, 8, 22)}
    assert row_sentence(case_row, None) == "data to 22 Aug 2026"


def test_a_row_without_a_case_keeps_the_sentence_that_it_has() -> None:
    assert row_sentence({"case": None, "reason": "withheld"}, "percent") == "withheld"
    assert row_sentence({"case": None, "reason": None}, "percent") == ""


def test_a_limit_that_only_last_month_decides_is_said_so() -> None:
    row = reason("unresolved", "resolution_top5", 0.1, how="kept_out", side="at most", threshold=0.1, margin=0.05, n=10)
    sentence = reason_sentence([row], {}, FACTS)
    assert "1 of 10 pairs, at or near the limit at most 1 of 10 pairs" in sentence
    assert "is not yet taken as within the limit" in sentence
