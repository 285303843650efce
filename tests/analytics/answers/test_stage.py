"""The stage as an answer: the verdict's own case, with the numbers of that case."""

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from benchhealth.analytics.answers.stage import CASES, SEEN_THROUGH
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.verdict.probability.table import NAMED_ALONE
from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.dashboard.words.answers.sentences import words
from tests.support.answers import answer, answer_table
from tests.support.frames import benchmark, frames, result
from tests.support.verdicts import LIMITS

REPLIES = {
    "discriminating": "yes",
    "compressing": "partly",
    "saturated": "no",
    "emerging": "unknown",
    "unknown": "unknown",
}


def stage(*scores: float, **facts: object) -> dict[str, Any]:
    return answer(scored(*scores, **facts), "stage")


def scored(*scores: float, n_items: int = 2000, **facts: object) -> Frames:
    rows = [
        result("a", f"m{index}", score, n_items=n_items, dated_on=date(2025, 6, 1) + timedelta(days=index))
        for index, score in enumerate(scores)
    ]
    return frames(rows, [benchmark("a", released_on=date(2024, 1, 1), **facts)])


def test_the_reply_follows_the_stage_that_the_case_makes() -> None:
    assert {case.code: case.reply for case in CASES} == {code: REPLIES[name] for code, name in STAGE_OF.items()}


def test_what_measures_has_its_room_and_since_when() -> None:
    row = stage(*(0.3 + 0.05 * index for index in range(6)))
    assert (row["reply"], row["case"], row["unit"], row["n"], row["n_of"]) == ("yes", "measures", "share", 6, "models")
    assert row["value"] == pytest.approx(0.45)
    assert row["evidence"] == ["verdict/discriminating"]


def test_since_when_and_whether_the_day_was_seen_are_those_of_the_verdict_and_of_the_lives() -> None:
    rows = [
        result(
            "a", f"m{index}", 0.5 + 0.05 * index, n_items=2000, dated_on=date(2025, 1, 1) + timedelta(days=30 * index)
        )
        for index in range(11)
    ]
    facts = frames(rows, [benchmark("a", released_on=date(2024, 1, 1))])
    row = answer_table(facts).row(by_predicate=pl.col("question") == "stage", named=True)
    assert (row["reply"], row["case"], row["on_day"]) == ("no", "exhausted", date(2025, 10, 28))
    assert row["evidence"] == ["verdict/saturated", SEEN_THROUGH]


def test_what_is_bunched_says_by_how_much_and_the_room_beside_it() -> None:
    row = stage(*([0.5] * 12))
    assert (row["reply"], row["case"], row["unit"]) == ("partly", "bunched", "times")
    assert row["value"] == pytest.approx(0.0)
    assert (row["second"], row["second_unit"]) == (pytest.approx(0.5), "share")


def test_what_passed_people_and_cannot_be_ordered_says_both() -> None:
    row = stage(*([0.9] * 6), human=0.8, human_items=10_000)
    assert (row["reply"], row["case"], row["unit"]) == ("no", "people_passed_and_unresolved", "points")
    assert row["value"] == pytest.approx(10.0)
    assert (row["count"], row["n"], row["n_of"]) == (0, 10, "pairs")
    assert row["second"] == pytest.approx(0.1)


def test_an_emerging_one_is_unknown_and_has_no_value() -> None:
    row = stage(0.5, 0.4)
    assert (row["reply"], row["case"], row["value"], row["n"]) == ("unknown", "few_models", None, 2)


def test_what_is_used_up_and_still_ordered_says_both() -> None:
    row = stage(0.95, 0.96, 0.97, 0.985, 0.998, 0.94)
    assert (row["reply"], row["case"], row["unit"]) == ("no", "exhausted", "share")
    assert (row["n"], row["n_of"]) == (10, "pairs") and row["count"] > LIMITS.crowded_pairs * 10
    assert "of the scale is left, though" in words(row, {}).line and "it orders the best" in words(row, {}).line


def test_a_stage_that_is_not_probable_enough_is_unknown_and_names_two() -> None:
    drawn = [{"benchmark_id": "a", "stage": name, "p": p} for name, p in (("compressing", 0.55), ("saturated", 0.45))]
    facts = scored(0.76, *(0.5 - 0.02 * index for index in range(13)))
    table = answer_table(facts, stage_probability=drawn)
    row = table.row(by_predicate=pl.col("question") == "stage", named=True)
    assert (row["p"], row["between"]) == (0.55, ["compressing", "saturated"])
    assert (row["reply"], row["why_unknown"], row["value"]) == ("unknown", "looked_too_weakly", None)
    assert row["second"] == pytest.approx(0.24)
    wording = words(row, {})
    assert wording.tile.startswith("Unknown (unclear whether")
    assert f"a stage is named from {NAMED_ALONE:.0%} on" in wording.line
