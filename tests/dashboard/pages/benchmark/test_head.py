"""The title of a benchmark: its verdict and as much of what is known as fits, and never what is not known."""

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.words.answers.room import passed_by_makers_alone
from benchhealth.dashboard.words.answers.sentences import Words

FACTS: dict[str, Any] = {"name": "MMLU", "unit": "percent", "human": 0.898}
VERDICT: dict[str, Any] = {
    "stage": "saturated",
    "case": None,
    "p": 0.97,
    "between": [],
    "since": date(2024, 9, 25),
    "since_case": "crossed",
    "reached_on": None,
    "known_until": date(2026, 8, 22),
    "as_of": date(2026, 11, 22),
    "flags": [],
    "reasons": [],
    "verdict_reason": [],
}


@pytest.mark.parametrize(
    ("measured", "claimed", "is_higher_better", "said"),
    [
        (0.87, 0.93, True, " by makers' reports alone"),
        (0.91, 0.93, True, ""),
        (0.1, 0.05, False, " by makers' reports alone"),
        (None, 0.93, True, ""),
    ],
)
def test_a_human_line_that_only_makers_report_past_is_said_so(
    measured: float | None, claimed: float, is_higher_better: bool, said: str
) -> None:
    human = 0.9 if is_higher_better else 0.08
    assert passed_by_makers_alone({"measured": measured, "claimed": claimed}, human, is_higher_better) == said


def indicator_of(value: float, **more: object) -> dict[str, Any]:
    unsaid = dict.fromkeys(("low", "high", "reason", "case", "other_id", "kind", "on_day"))
    return {**unsaid, "value": value, "n": 2, "status": "ok", **more}


TOLD = {"months_since_human_passed": indicator_of(26.0, on_day=date(2024, 6, 20))}
STEPS = pl.DataFrame(
    {"dated_on": [date(2024, 1, 1), date(2025, 1, 1)], "score": [0.90, 0.923], "carried": [False, False]}
)
NONE = STEPS.clear()


def left(reply: str, number: str) -> Words:
    return Words("Is there room left?", reply, number, "", "", "", "", "")


def test_the_title_holds_what_is_left_and_the_sentence_what_no_answer_says() -> None:
    title, more = head.finding(FACTS, VERDICT, left("No", "1.5% left"), TOLD, STEPS)
    assert title == "MMLU: saturated since Sep 2024; 1.5% left"
    assert more == (
        "The human line of 90% was passed in Jun 2024. It has had this stage since Sep 2024; the best has improved "
        "by 2.3 points since then."
    )
    assert len(title) <= head.LONGEST_TITLE


def test_a_day_that_is_not_of_the_change_is_said_to_be_the_latest_and_why() -> None:
    waited = {**VERDICT, "since_case": "fifth_model", "reached_on": date(2020, 1, 8)}
    title, more = head.finding({**FACTS, "human": None}, waited, None, {}, NONE)
    assert title == "MMLU: saturated by Sep 2024"
    assert more == (
        "With 5 models, the fewest that a verdict takes, since Sep 2024; the numbers of those before would have made "
        "it in Jan 2020."
    )


def test_a_stretch_that_progress_took_back_is_said_beside_the_day_from_which_it_holds() -> None:
    risen = {**VERDICT, "since_case": "risen", "reached_on": date(2020, 1, 8)}
    title, more = head.finding({**FACTS, "human": None}, risen, None, {}, NONE)
    assert title == "MMLU: saturated since Sep 2024"
    assert more == (
        "The rules first gave this stage in Jan 2020. What was then left of the scale has more than halved since, "
        "beyond error, so the stage counts from Sep 2024."
    )


def test_what_is_not_known_is_not_said() -> None:
    unknown = left("Unknown", "no ceiling")
    assert head.finding({**FACTS, "human": None}, VERDICT, unknown, {}, NONE) == ("MMLU: saturated since Sep 2024", "")
    assert head.finding({**FACTS, "human": None}, VERDICT, None, {}, NONE) == ("MMLU: saturated since Sep 2024", "")
    none = {**VERDICT, "stage": "unknown", "since": None, "known_until": None}
    assert head.finding(FACTS, none, None, {}, NONE)[0] == "MMLU: not enough is known"


def test_what_does_not_fit_into_the_title_is_left_to_the_card() -> None:
    long = {**FACTS, "name": "A" * 60}
    assert head.finding(long, VERDICT, left("No", "1.5% left"), {}, NONE)[0].endswith("saturated since Sep 2024")


def test_people_who_were_not_passed_stand() -> None:
    finding = head.finding(FACTS, VERDICT, None, {"human_margin": indicator_of(-0.1)}, NONE)[1]
    assert finding == "The human line of 90% stands."
    until = {**FACTS, "known_until": date(2025, 11, 21)}
    dated = head.finding(until, VERDICT, None, {"human_margin": indicator_of(-0.1)}, NONE)[1]
    assert dated == "The human line of 90% stands, by data to Nov 2025."


def test_a_verdict_on_old_knowledge_names_its_day() -> None:
    old = {**VERDICT, "known_until": date(2018, 6, 25)}
    assert head.title(FACTS, old).endswith("(data to Jun 2018)")
    seven_months = {**VERDICT, "known_until": date(2026, 11, 22) - timedelta(days=213)}
    assert "(data to " in head.title(FACTS, seven_months), "the map draws it grey too"
    assert head.title(FACTS, VERDICT).endswith("since Sep 2024")


def test_a_benchmark_with_room_whose_top_is_within_error_is_not_said_to_run_out_of_room() -> None:
    crowded = {**VERDICT, "stage": "compressing", "case": "bunched"}
    assert head.title(FACTS, crowded) == "MMLU: top within error since Sep 2024"
    assert head.title(FACTS, {**crowded, "case": "narrow"}) == "MMLU: running out of room since Sep 2024"


def test_a_title_names_a_benchmark_so_that_no_other_has_the_name() -> None:
    facts = {**FACTS, "name": "MATH, level 5", "label": "MATH, level 5"}
    assert head.title(facts, VERDICT) == "MATH, level 5: saturated since Sep 2024"


def test_where_two_stages_are_possible_none_is_said_to_have_lasted() -> None:
    unsure = {**VERDICT, "between": ["compressing", "saturated"], "since_case": "risen", "reached_on": date(2020, 1, 8)}
    assert head.finding({**FACTS, "human": None}, unsure, None, {}, STEPS)[1] == ""
