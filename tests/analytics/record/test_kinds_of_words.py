"""Of what kind the words of a condition are, with the registry's own rules."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.corroboration.differing import condition_difference, with_conditions
from benchhealth.analytics.record.conditions.recognise import with_condition
from benchhealth.analytics.record.conditions.references import parts_of_tests
from benchhealth.warehouse.curated.checked import read
from benchhealth.warehouse.curated.facts import CONDITION_FILE
from tests.support.frames import frame, result

RULES = read(Path(__file__).parents[3] / "data" / "registry", CONDITION_FILE)


@pytest.mark.parametrize(
    ("benchmark_id", "one", "two", "code"),
    [
        ("arc-agi-1", "as reported", "semi-private", "condition_unstated"),
        ("arc-agi-2", "as reported", "semi-private", "condition_unstated"),
        ("arc-agi-1", "public", "semi-private", "subset"),
        ("mmlu", "no tools", "no tools, biology", "subset"),
        ("gpqa-diamond", "no tools, several attempts", "no tools", "attempts"),
        ("gpqa-diamond", "no tools, several attempts", "as reported", "attempts"),
    ],
)
def test_who_states_nothing_is_not_said_to_state_another(benchmark_id: str, one: str, two: str, code: str) -> None:
    rows = with_conditions(
        frame("result", [result(benchmark_id, "m", 0.5, condition=condition) for condition in (one, two)]), RULES
    )
    pair = rows[:1].join(rows[1:], on="benchmark_id", suffix="_by")
    assert pair.select(said=condition_difference("_by"))["said"].item() == code


def test_the_editions_of_bfcl_are_two_conditions() -> None:
    days = (date(2025, 8, 27), date(2025, 8, 28), date(2024, 11, 19))
    rows = frame(
        "result",
        [result("bfcl", f"m{index}", 0.5, source_id="bfcl", observed_on=day) for index, day in enumerate(days)],
    )
    conditions = with_condition(rows.drop("condition", "stands"), RULES)["condition"].to_list()
    assert conditions == ["standard, third edition", "standard, fourth edition", "standard, third edition"]


def test_a_part_of_a_test_says_nothing_of_the_whole() -> None:
    pairs = [
        ("gpqa-main", "no tools, biology"),
        ("gpqa-main", "no tools"),
        ("swe-bench-verified", "484 of 500 problems"),
    ]
    rows = pl.DataFrame(pairs, schema=["benchmark_id", "condition"], orient="row")
    assert parts_of_tests(rows, RULES).rows() == [("gpqa-main", "no tools, biology")]
