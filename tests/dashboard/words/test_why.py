"""Why a stage is what it is, in one phrase that fits the room that is left."""

from typing import Any

import pytest

from benchhealth.analytics.verdict.rules import STAGE_RULES
from benchhealth.dashboard.words.why import PHRASES, Why, why


def known(value: float, n: int = 10) -> dict[str, Any]:
    return {"value": value, "n": n, "status": "ok"}


def holds(*rules: str) -> list[dict[str, str]]:
    return [{"rule": rule, "how": "holds"} for rule in rules]


@pytest.mark.parametrize(
    ("stage", "reasons", "room", "said"),
    [
        (
            "compressing",
            holds("unresolved", "bunched"),
            0.6,
            "not even the best and the tenth can be told apart, though 60% of",
        ),
        (
            "saturated",
            holds("surely_narrow_all_told", "human_passed", "unresolved"),
            0.139,
            "above the human line, and the top five cannot be told apart",
        ),
        ("compressing", holds("surely_narrow"), 0.139, "less than a quarter of the scale is left"),
        (
            "discriminating",
            [],
            0.12,
            "7 of 10 pairs of the top five differ beyond error, though 12% of the scale is left",
        ),
        ("discriminating", [], 0.5, ""),
        ("unknown", [], 0.5, ""),
    ],
)
def test_the_case_that_applied_is_the_reason(stage: str, reasons: list[dict[str, str]], room: float, said: str) -> None:
    told = {"headroom": known(room), "resolution_top5": known(0.7), "spread_top10": known(2.0)}
    found = why({"stage": stage, "verdict_reason": reasons}, told).text
    assert found.startswith(said)
    assert bool(found) == bool(said)


def test_every_case_of_a_stage_with_phrases_has_one() -> None:
    assert {stage: len(cases) for stage, cases in STAGE_RULES if stage in PHRASES} == {
        stage: len(phrases) for stage, phrases in PHRASES.items()
    }


def test_a_rule_that_is_denied_or_kept_out_does_not_hold() -> None:
    told = {"headroom": known(0.6)}
    for how in ("denied", "kept_out"):
        verdict = {"stage": "compressing", "verdict_reason": [{"rule": "bunched", "how": how}]}
        assert why(verdict, told) == Why()


def test_that_headroom_is_not_known_is_no_stricter_rule_about_it() -> None:
    verdict = {"stage": "compressing", "verdict_reason": holds("no_headroom", "bunched")}
    assert why(verdict, {}).text == "not even the best and the tenth can be told apart"


def test_a_phrase_says_whether_what_is_left_is_in_it() -> None:
    verdict = {"stage": "compressing", "verdict_reason": holds("surely_narrow")}
    assert why(verdict, {"headroom": known(0.139)}).is_room
    other = {"stage": "compressing", "verdict_reason": holds("bunched")}
    assert why(other, {"headroom": known(0.6)}).says_room
    assert not why(other, {"headroom": known(0.05)}).says_room
