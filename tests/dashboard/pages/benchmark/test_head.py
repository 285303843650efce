"""The title of a benchmark: its verdict and as much of what is known as fits, and never what is not known."""

from datetime import date, timedelta
from typing import Any

from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.pages.benchmark.tiles import _resolution, _room, _second

FACTS: dict[str, Any] = {"name": "MMLU", "unit": "percent", "human": 0.898}
VERDICT: dict[str, Any] = {
    "stage": "saturated",
    "case": None,
    "since": date(2024, 9, 25),
    "known_until": date(2026, 8, 22),
    "as_of": date(2026, 11, 22),
    "flags": [],
    "reasons": [],
    "verdict_reason": [],
}


def known(value: float, **more: object) -> dict[str, Any]:
    unsaid = dict.fromkeys(("low", "high", "reason", "case", "other_id", "kind", "on_day"))
    return {**unsaid, "value": value, "n": 2, "status": "ok", **more}


TOLD = {
    "headroom": known(0.015, low=0.01, high=0.02),
    "months_since_human_passed": known(26.0, on_day=date(2024, 6, 20)),
    "contamination_max_share": known(0.109, known_until=date(2026, 8, 22)),
}


def test_the_title_holds_what_fits_and_the_sentence_the_rest() -> None:
    title, more = head.finding(FACTS, VERDICT, TOLD)
    assert title == "MMLU: saturated since Sep 2024; 1.5% of the range is left"
    assert more == (
        "The human line of 90% was passed in Jun 2024; documented overlap of 11% by Aug 2026, the largest of 2 reports."
    )
    assert len(title) <= head.LONGEST


def test_what_is_not_known_is_not_said() -> None:
    assert head.finding({**FACTS, "human": None}, VERDICT, {}) == ("MMLU: saturated since Sep 2024", "")
    unknown = {**VERDICT, "stage": "unknown", "since": None, "known_until": None}
    assert head.finding(FACTS, unknown, {})[0] == "MMLU: not enough is known"


def test_nothing_left_is_said_so_and_no_headroom_is_negative() -> None:
    assert head.sentence(FACTS, {"headroom": known(-0.02)}) == "Nothing of the range is left."


def test_an_open_scale_has_no_ceiling_and_people_who_were_not_passed_stand() -> None:
    assert head.sentence({**FACTS, "unit": "rating", "human": None}, {}) == "Its scale has no ceiling."
    assert "the human line of 90% stands" in head.sentence(FACTS, {"headroom": known(0.4), "human_margin": known(-0.1)})


def test_a_verdict_on_old_knowledge_names_its_day() -> None:
    old = {**VERDICT, "known_until": date(2018, 6, 25)}
    assert head.title(FACTS, old).endswith("(known until Jun 2018)")
    seven_months = {**VERDICT, "known_until": date(2026, 11, 22) - timedelta(days=213)}
    assert "(known until " in head.title(FACTS, seven_months), "the map draws it grey too"
    assert head.title(FACTS, VERDICT).endswith("since Sep 2024")


def test_tiles_say_unknown_in_a_word_with_the_reason() -> None:
    lacking = {"status": "insufficient", "value": None, "reason": "fewer than two models"}
    assert _resolution({"resolution_top5": lacking}) == (":gray[Not known]", "Fewer than two models.")
    assert _room({**FACTS, "unit": "rating"}, VERDICT, {})[0] == ":gray[No ceiling]"
    assert _room(FACTS, VERDICT, {"headroom_of_ceiling": known(0.54)})[0] == "At least 54% left"


def test_a_rerun_is_a_better_second_measurement_than_a_harder_variant() -> None:
    harder = known(15.9, other_id="mmlu-pro", kind="harder variant")
    fresh = known(11.0, other_id="exam-2", kind="fresh sample")
    rerun = known(3.9, other_id="exam", kind="independent rerun")
    assert _second({"twin_gap": harder, "maker_premium": rerun}) is rerun
    assert _second({"twin_gap": fresh, "maker_premium": rerun}) is fresh
    assert _second({"twin_gap": harder}) is harder
    assert _second({"maker_premium": rerun}) is rerun
    assert _second({}) is None
