"""Why a stage is what it is, in one phrase that fits the room that is left."""

from typing import Any

import pytest

from benchhealth.analytics.verdict.rules import STAGE_RULES
from benchhealth.dashboard.words.why import PHRASES, why


def known(value: float, n: int = 10) -> dict[str, Any]:
    return {"value": value, "n": n, "status": "ok"}


UNRESOLVED = "resolution_top5 is 0.0, at most 0.1: the top five cannot be put in order (0 of 10 pairs differ)"
BUNCHED = "spread_top10 is 0.9, at most 1: not even the best and the tenth can be told apart (of what error explains)"
PASSED = "human_margin is 0.137, above 0: the best model is better than the human baseline (human baseline 0.72)"
NARROW = "headroom is 0.139, below 0.25: little of the scale is left, also when errors count (ceiling 1.0)"


@pytest.mark.parametrize(
    ("stage", "reasons", "room", "said"),
    [
        ("compressing", [UNRESOLVED, BUNCHED], 0.6, "not even the best and the tenth can be told apart, though 60% of"),
        (
            "saturated",
            [NARROW, PASSED, UNRESOLVED],
            0.139,
            "above the human line, and the top five cannot be told apart",
        ),
        ("compressing", [NARROW], 0.139, "less than a quarter of the scale is left"),
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
def test_the_case_that_applied_is_the_reason(stage: str, reasons: list[str], room: float, said: str) -> None:
    told = {"headroom": known(room), "resolution_top5": known(0.7), "spread_top10": known(2.0)}
    found = why({"stage": stage, "reasons": reasons}, told)
    assert found.startswith(said)
    assert bool(found) == bool(said)


def test_every_case_of_a_stage_with_phrases_has_one() -> None:
    assert {stage: len(cases) for stage, cases in STAGE_RULES if stage in PHRASES} == {
        stage: len(phrases) for stage, phrases in PHRASES.items()
    }
