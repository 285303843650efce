"""The table `decision`: counted by hand from small facts, and the codes of every rule."""

from datetime import date
from typing import Any

import polars as pl
import pytest

from benchhealth.analytics.answers.desk.rules import ELSEWHERE, RESERVATIONS, ROLES, RULES, WORK, outcomes, reservations
from benchhealth.analytics.answers.desk.table import run_costs
from tests.support.answers import decision_table
from tests.support.frames import benchmark, frames, result

DAY, LATER = date(2025, 10, 1), date(2025, 12, 1)
PASSES: dict[str, Any] = {
    **{"benchmark_id": "a", "models": 30, "by_others": 30, "is_dormant": False, "stage": "discriminating"},
    **{"room": 0.4, "room_case": "open", "order_reply": "yes", "flawed": None, "construct": "reading"},
    **{"answer_kind": "patch", "known_until": LATER, "independent_until": LATER, "own": 0.0, "condition": "standard"},
    **{
        "laptop": False,
        "houses": 2,
        "claims_more": False,
        "doubted": False,
        "room_bound": None,
        "labels_case": "none_wrong",
    },
}
TYPES = {"flawed": pl.Float64(), "own": pl.Float64(), "room": pl.Float64(), "room_bound": pl.String()}


def one(**more: object) -> pl.DataFrame:
    return pl.DataFrame([{**PASSES, **more}], schema_overrides=TYPES)


@pytest.mark.parametrize(
    ("lacking", "rule", "code"),
    [
        ({"models": 0, "by_others": 0}, "result", "no_result"),
        ({"models": 4}, "result", "few_models"),
        ({"is_dormant": True}, "result", "dormant"),
        ({"by_others": 0}, "independence", "makers_all"),
        ({"by_others": 4}, "independence", "few_by_others"),
        ({"stage": "saturated"}, "room", "saturated"),
        ({"room": 0.0999}, "room", "little_room"),
        ({"room": None}, "room", "room_unknown"),
        ({"order_reply": "no"}, "order", "unresolved"),
        ({"flawed": 0.10}, "labels", "labels_wrong"),
        ({"benchmark_id": "a/b"}, "construct", "part"),
        ({"construct": None}, "construct", "construct_unknown"),
    ],
)
def test_each_code_of_a_rule(lacking: dict[str, Any], rule: str, code: str) -> None:
    assert code in RULES[rule]
    assert one(**lacking).select(outcomes()[rule]).item() == code


@pytest.mark.parametrize("passing", [{}, {"room": 0.10}, {"room": None, "room_case": "open_ended"}, {"flawed": 0.0999}])
def test_what_is_just_enough_fails_no_rule(passing: dict[str, Any]) -> None:
    assert one(**passing).select(**outcomes()).row(0) == (None,) * len(RULES)


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        ({}, ["one_construct"]),
        ({"order_reply": "unknown", "houses": 1}, ["apart_unknown", "one_house", "one_construct"]),
        ({"order_reply": "partly", "own": 0.51}, ["crowded", "makers_most", "one_construct"]),
        ({"own": None, "flawed": 0.05}, ["measurer_unknown", "labels_some_wrong", "one_construct"]),
        ({"independent_until": date(2025, 9, 1)}, ["others_earlier", "one_construct"]),
        ({"claims_more": True}, ["makers_ahead", "one_construct"]),
        ({"independent_until": date(2025, 9, 2)}, ["one_construct"]),
        ({"condition": "no tools"}, ["under_condition", "one_construct"]),
        ({"labels_case": "not_audited"}, ["labels_unaudited", "one_construct"]),
        ({"room_case": "open_ended"}, ["no_ceiling", "one_construct"]),
        ({"doubted": True}, ["stage_doubted", "one_construct"]),
        ({"room_bound": "at_least"}, ["no_floor", "one_construct"]),
    ],
)  # fmt: skip
def test_what_speaks_against_one_is_never_nothing(more: dict[str, Any], codes: list[str]) -> None:
    assert one(**more).select(reservations(pl.lit("publish"))).item().to_list() == codes
    assert set(codes) <= set(RESERVATIONS)


@pytest.mark.parametrize(
    ("kind", "laptop", "code"),
    [("patch", False, "needs_more"), ("label", False, "keys_hidden"), ("label", True, "one_construct")],
)
def test_who_teaches_is_told_what_takes_more_than_a_laptop(kind: str, laptop: bool, code: str) -> None:
    row = one(answer_kind=kind, laptop=laptop)
    assert row.select(reservations(pl.lit("teach"))).item().to_list()[0] == code
    assert row.select(reservations(pl.lit("fund"))).item().to_list() == ["one_construct"]


def test_others_are_counted_in_the_condition_that_decides_and_known_until_their_own_last_look() -> None:
    measured = [
        result("a", f"m{index}", 0.5 + index / 100, dated_on=DAY, observed_on=DAY, source_id="house")
        for index in range(6)
    ]
    by_makers = [
        result("a", f"m{index}", 0.7, dated_on=LATER, observed_on=LATER, source_id="maker", reporter="self")
        for index in range(4, 9)
    ]
    facts = frames([*measured, *by_makers], [benchmark("a", n_items=400), benchmark("a/part")], looked_on=DAY)
    table = decision_table(facts)
    assert table.select("role", "benchmark_id").rows() == [(role, "a") for role in ROLES], "parts are not judged"
    row = table.row(0, named=True)
    assert (row["models"], row["by_others"], row["n_items"], row["makers"]) == (9, 6, 400, None)
    assert (row["domain_group"], row["construct"], row["likeness"]) == ("language", "reading", "construct")
    assert row["independent_until"] == DAY
    assert row["known_until"] == LATER
    assert row["laptop"] is True
    assert row["failed"] == next((row[f"rule_{rule}"] for rule in RULES if row[f"rule_{rule}"]), None)


def test_without_a_result_the_first_rule_fails_and_nothing_else_is_said_to() -> None:
    row = decision_table(frames([], [benchmark("a")])).row(0, named=True)
    assert (row["failed"], row["rule_result"], row["models"], row["by_others"]) == ("no_result", "no_result", 0, 0)
    assert row["rule_independence"] is None
    assert row["independent_until"] is None


def test_what_a_run_costs_is_a_median_over_all_items() -> None:
    rows = [
        *(result("run/cost", f"m{index}", cost) for index, cost in enumerate((10.0, 0.0, 40.0, 20.0))),
        *(result("task/cost", f"m{index}", cost) for index, cost in enumerate((0.5, 1.5))),
        *(result("calls/cost", f"m{index}", cost) for index, cost in enumerate((0.5, 1.5))),
    ]
    dollars = {"unit": "dollars", "higher_is_better": False, "curated": False}
    benchmarks = [
        *(benchmark(one_id, n_items=200) for one_id in ("run", "task", "calls")),
        benchmark("run/cost", metric="cost of the whole run", **dollars),
        benchmark("task/cost", metric="cost of a task", **dollars),
        benchmark("calls/cost", metric="dollars per 1,000 calls", **dollars),
    ]
    facts = frames(rows, benchmarks)
    costs = run_costs(facts, facts.benchmark)
    assert costs.rows() == [("run", 20.0, 3), ("task", 200.0, 2)], "0 is no cost, and calls are no items"


def test_a_kind_of_answer_that_is_work_takes_more_than_reading_it() -> None:
    assert not set(WORK) & {"votes of people", "votes of a model", "judged text", "short answer", "multiple choice"}
    assert set(ELSEWHERE) & set(WORK) == {"patch", "steps in an environment"}
