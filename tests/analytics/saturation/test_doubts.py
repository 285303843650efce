"""A constant answer above every model, an error that nobody knows, and people who answered other tasks."""

from dataclasses import replace
from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.happened.incidents import CONSTANT_ANSWER
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.saturation.doubts import BEST_HAS_ERROR, CONSTANT_ANSWER_MARGIN
from benchhealth.analytics.saturation.headroom import HUMAN_MARGIN
from tests.support.frames import benchmark, evidence_of, frames, result
from tests.support.verdicts import judged

AS_OF = date(2026, 2, 1)
OF_ALPACA = {"n_models": 205.0, "headroom_of_ceiling": 0.215, "resolution_top5": 0.7, "age_months": 30.0}


@pytest.mark.parametrize(("constant", "margin"), [(0.865, 0.0796), (0.5, -0.2854)])
def test_a_constant_answer_is_compared_with_the_best_model(constant: float, margin: float) -> None:
    tried = pl.DataFrame(
        [{"benchmark_id": "a", "kind": CONSTANT_ANSWER, "score": constant}], schema=PUBLISHED["incident"]
    )
    evidence = evidence_of(frames([result("a", "m", 0.7854)], [benchmark("a")]), AS_OF)
    assert CONSTANT_ANSWER_MARGIN.compute(replace(evidence, incident=tried))["value"].item() == pytest.approx(margin)
    assert CONSTANT_ANSWER_MARGIN.compute(evidence)["case"].item() == "no_constant_answer"


def test_what_a_constant_answer_beats_is_not_known_to_measure() -> None:
    beaten = judged(**OF_ALPACA, constant_answer_margin=0.0796)
    assert beaten["stage"] == "unknown"
    assert "same to every item beats every model" in beaten["reasons"][0]
    assert judged(**OF_ALPACA, constant_answer_margin=-0.1)["stage"] == judged(**OF_ALPACA)["stage"] != "unknown"


def test_without_an_error_or_a_number_of_items_saturation_cannot_be_judged() -> None:
    reason_part = "whether it is saturated cannot be judged"
    unweighed = judged(n_models=20.0, age_months=30.0, headroom=0.05, best_has_error=0.0)
    assert any(reason_part in reason for reason in unweighed["reasons"])
    for values in ({"headroom": 0.05, "best_has_error": 1.0}, {"headroom": 0.6, "best_has_error": 0.0}):
        assert not any(reason_part in reason for reason in judged(n_models=20.0, age_months=30.0, **values)["reasons"])


@pytest.mark.parametrize(("n_items", "expected"), [(None, 0.0), (100, 1.0)])
def test_a_number_of_items_gives_the_error(n_items: int | None, expected: float) -> None:
    facts = frames([result("a", "m", 0.8, n_items=n_items)], [benchmark("a", n_items=n_items)])
    assert BEST_HAS_ERROR.compute(evidence_of(facts, AS_OF))["value"].item() == expected


def test_people_who_answered_other_tasks_are_held_against_nothing() -> None:
    other = frames([result("a", "m", 0.98)], [benchmark("a", human=None, human_elsewhere=0.642)])
    margin = HUMAN_MARGIN.compute(evidence_of(other, AS_OF)).row(0, named=True)
    assert (margin["value"], margin["case"]) == (None, "human_of_other_tasks")
