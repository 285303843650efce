"""How probable a stage is, in words: the same for every surface."""

import pytest

from benchhealth.dashboard.words.indicators import draws_sentence
from benchhealth.dashboard.words.methods.stages import calibration_lists
from benchhealth.dashboard.words.stages import STAGE_SHAPE, stage_badge, stage_cell, stage_label, stage_words, sure

BETWEEN = ["compressing", "saturated"]


def test_a_stage_that_is_not_probable_enough_is_not_named() -> None:
    assert stage_words("saturated") == "Saturated"
    assert stage_words("saturated", BETWEEN) == "Unclear whether running out or saturated"
    assert stage_words("unknown", ["unknown", "discriminating"]) == "Unclear whether still measuring"
    assert stage_label("saturated", BETWEEN) == f"{STAGE_SHAPE['unknown']} {stage_words('saturated', BETWEEN)}"
    assert stage_cell("saturated", BETWEEN) == "▼ or ■, not sure"
    assert stage_cell("saturated", None) == stage_label("saturated")
    assert stage_badge("saturated", BETWEEN).startswith(":gray-badge[")
    assert stage_badge("saturated", None).startswith(":red-badge[")


@pytest.mark.parametrize(
    ("stage", "p", "between", "expected"),
    [
        ("saturated", 0.934, [], "saturated in 93% of 500 simulations of what is uncertain"),
        ("saturated", 1.0, [], "saturated in all of 500 simulations of what is uncertain"),
        ("saturated", None, [], ""),
        ("emerging", 1.0, [], ""),
        (
            "saturated",
            0.52,
            BETWEEN,
            "today's numbers say saturated, as 52% of 500 simulations of what is uncertain do (a stage is named from "
            "60% on)",
        ),
    ],
)
def test_how_probable_it_is(stage: str, p: float | None, between: list[str], expected: str) -> None:
    assert sure(stage, p, between) == expected


def test_what_is_drawn_of_one_benchmark() -> None:
    row = {"draws": 500, "drawn": 12, "conditions": 2}
    rows = [{**row, "stage": "compressing", "p": 0.07}, {**row, "stage": "saturated", "p": 0.93}]
    assert draws_sentence(rows, "saturated") == (
        "Measured again 500 times, with the scores of 12 models drawn anew, over 2 conditions: saturated in 93% and "
        "running out in 7% of the draws."
    )
    assert "was not drawn: no stage is known" in draws_sentence([], "unknown")


def test_calibration_says_of_how_many() -> None:
    row = {"basis": "year", "stage": "saturated", "p_least": 0.9, "p_most": 1.0, "n": 35, "benchmarks": 17, "p": 0.997}
    sentence = calibration_lists([{**row, "again": 0.97, "low": 0.85, "high": 0.99}])
    assert "found again in 97% of 35 cases of 17 benchmarks (95% interval 85 to 99%" in sentence
    assert calibration_lists([]) == ""
