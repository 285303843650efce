"""Why a stage is what it is, in one phrase that fits the room that is left."""

from typing import Any

import pytest

from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.dashboard.words.why import PHRASES, WhyPhrase, why_phrase


def indicator_of(value: float, n: int = 10) -> dict[str, Any]:
    return {"value": value, "n": n, "status": "ok"}


@pytest.mark.parametrize(
    ("case", "room", "expected"),
    [
        ("bunched", 0.6, "not even the best and the tenth differ beyond error, though 60% of"),
        (
            "people_passed_and_unresolved",
            0.139,
            "above the human line, and the top five do not differ beyond error, though",
        ),
        ("narrow", 0.139, "less than 25% of the scale is left"),
        ("measures", 0.12, "7 of 10 pairs of the top five differ beyond error, though 12% of the scale is left"),
        ("measures", 0.5, ""),
        ("room_and_order_unknown", 0.5, ""),
        (None, 0.5, ""),
    ],
)
def test_the_case_that_applied_is_the_reason(case: str | None, room: float, expected: str) -> None:
    indicators = {
        "headroom": indicator_of(room),
        "resolution_top5": indicator_of(0.7),
        "spread_top10": indicator_of(2.0),
    }
    sentence = why_phrase({"stage": STAGE_OF.get(case or "", "unknown"), "case": case}, indicators).text
    assert sentence.startswith(expected)
    assert bool(sentence) == bool(expected)


def test_every_case_of_a_stage_that_runs_out_has_a_phrase() -> None:
    assert set(PHRASES) == {code for code, stage in STAGE_OF.items() if stage in ("saturated", "compressing")}


def test_a_phrase_says_whether_what_is_left_is_in_it() -> None:
    assert why_phrase({"stage": "compressing", "case": "narrow"}, {"headroom": indicator_of(0.139)}).is_room
    bunched = {"stage": "compressing", "case": "bunched"}
    assert why_phrase(bunched, {"headroom": indicator_of(0.6)}).says_room
    assert not why_phrase(bunched, {"headroom": indicator_of(0.05)}).says_room
    assert (
        why_phrase({"stage": "unknown", "case": "room_and_order_unknown"}, {"headroom": indicator_of(0.5)})
        == WhyPhrase()
    )
