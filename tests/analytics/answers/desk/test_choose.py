"""One question to the desk: what it recommends, the first reason against the others, and what it never does."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.answers.desk.choose import (
    CHOSEN_CONSTRUCT,
    FIRST,
    MOST_RECOMMENDED,
    REASONS,
    SAME_ANSWER,
    SAME_CONSTRUCT,
    Decided,
    QuestionError,
    decide,
)
from benchhealth.analytics.answers.desk.rules import CONDITIONS_OF_QUESTION, RULES, WORK, likeness
from benchhealth.analytics.answers.desk.table import DecisionError, checked_table
from benchhealth.analytics.record.tables import PUBLISHED

SCHEMA = PUBLISHED["decision"]
PASSES: Mapping[str, Any] = {
    **{"role": "publish", "domain": "code", "domain_group": "code"},
    **{"construct": "programs", "answer_kind": "program"},
    **{"likeness": "answer", "reservations": ["one_construct"], "models": 30, "by_others": 30},
    **{"known_until": date(2026, 8, 1), "independent_until": date(2026, 7, 1)},
}


def table(*rows: Mapping[str, Any]) -> pl.DataFrame:
    filled = [{**PASSES, "benchmark_id": f"b{index}", "place": index + 1, **row} for index, row in enumerate(rows)]
    return pl.DataFrame([{name: row.get(name) for name in SCHEMA} for row in filled], schema=SCHEMA)


def ids(decided: Decided) -> list[str]:
    return decided.chosen["benchmark_id"].to_list()


def reasons(decided: Decided) -> dict[str, str]:
    return dict(decided.ruled_out.select("benchmark_id", "why").iter_rows())


def test_three_at_most_by_place_and_the_fourth_is_said_to_come_after() -> None:
    decided = decide(table(*[{}] * 5), "publish", "code")
    assert ids(decided) == ["b0", "b1", "b2"]
    assert decided.chosen["reason"].to_list() == [FIRST, SAME_CONSTRUCT, SAME_CONSTRUCT]
    assert reasons(decided) == {"b3": "ranked_after", "b4": "ranked_after"}
    assert decided.chosen.height + decided.ruled_out.height == 5


def test_of_several_rules_the_first_is_named() -> None:
    failing = {f"rule_{rule}": codes[0] for rule, codes in RULES.items()}
    rules = list(RULES)
    rows = [{name: code for name, code in failing.items() if name in [f"rule_{one}" for one in rules[index:]]}
            for index in range(len(rules))]  # fmt: skip
    decided = decide(table(*rows), "publish", "code")
    assert ids(decided) == []
    assert reasons(decided) == {f"b{index}": RULES[rule][0] for index, rule in enumerate(rules)}
    assert set(decided.ruled_out["rule"]) == set(rules)


def test_independence_counts_only_where_it_is_asked_for() -> None:
    rows = table({"rule_independence": "makers_all", "independent_until": None})
    assert reasons(decide(rows, "publish", "code")) == {"b0": "makers_all"}
    assert ids(decide(rows, "publish", "code", date(2026, 8, 1), independent=False)) == ["b0"]


@pytest.mark.parametrize(
    ("since", "independent", "named"),
    [
        (date(2026, 7, 1), True, True),
        (date(2026, 7, 2), True, False),
        (date(2026, 8, 1), False, True),
        (date(2026, 8, 2), False, False),
    ],
)
def test_the_day_is_that_of_others_where_results_must_be_theirs(since: date, independent: bool, named: bool) -> None:
    decided = decide(table({}), "publish", "code", since, independent=independent)
    assert ids(decided) == (["b0"] if named else [])
    assert reasons(decided) == ({} if named else {"b0": "not_since"})


def test_what_a_run_costs_counts_where_it_is_known() -> None:
    decided = decide(table({"run_cost": 11.0}, {"run_cost": 10.0}, {}), "publish", "code", budget=10)
    assert ids(decided) == ["b1", "b2"]
    assert reasons(decided) == {"b0": "over_budget"}


def test_a_construct_that_is_chosen_decides_alone() -> None:
    rows = table({"construct": "patches"}, {}, {"construct": "patches"})
    decided = decide(rows, "publish", "code", construct="programs")
    assert (ids(decided), decided.chosen["reason"].to_list()) == (["b1"], [CHOSEN_CONSTRUCT])
    assert reasons(decided) == {"b0": "other_construct", "b2": "other_construct"}


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"construct": "programs", "answer_kind": "judged text", "likeness": "construct"}, SAME_CONSTRUCT),
        ({"construct": "speed"}, SAME_ANSWER),
        ({"construct": "speed", "domain": "agentic-code"}, None),
        ({"construct": "speed", "answer_kind": "patch"}, None),
        ({"construct": "talk", "answer_kind": "votes of people", "likeness": "construct"}, None),
    ],
)
def test_without_a_construct_the_others_are_like_the_first(other: Mapping[str, Any], reason: str | None) -> None:
    decided = decide(table({}, other), "publish", "code")
    assert dict(decided.chosen.select("benchmark_id", "reason").iter_rows()).get("b1") == reason
    assert reasons(decided) == ({} if reason else {"b1": "other_construct"})


def test_none_is_an_answer_and_names_why_for_each() -> None:
    decided = decide(table({"rule_room": "saturated"}, {"rule_result": "no_result"}), "publish", "code")
    assert (ids(decided), decided.ruled_out.height) == ([], 2)
    assert decided.ruled_out["why"].to_list() == ["saturated", "no_result"], "what comes nearest comes first"


@pytest.mark.parametrize(
    ("asked", "words"),
    [(("own", "code", ""), "own"), (("publish", "cooking", ""), "cooking"), (("publish", "code", "songs"), "songs")],
)
def test_what_there_is_not_is_refused(asked: tuple[str, str, str], words: str) -> None:
    role, domain, construct = asked
    with pytest.raises(QuestionError, match=words):
        decide(table({}), role, domain, construct=construct)


@pytest.mark.parametrize("lacking", [{"reservations": []}, {"reservations": None}, {"likeness": None}])
def test_a_recommendation_without_reservation_or_likeness_is_refused(lacking: Mapping[str, Any]) -> None:
    with pytest.raises(DecisionError, match="b1"):
        decide(table({}, lacking), "publish", "code")
    excused = table({**lacking, "rule_room": "saturated"})
    assert checked_table(excused) is excused


def test_a_row_that_only_makers_measured_needs_both_too() -> None:
    with pytest.raises(DecisionError):
        checked_table(table({"reservations": [], "rule_independence": "makers_all"}))


ROW = st.fixed_dictionaries(
    {
        "construct": st.sampled_from(["a", "b"]),
        "answer_kind": st.sampled_from(["program", "patch", "short answer"]),
        "run_cost": st.sampled_from([None, 5.0, 50.0]),
        "independent_until": st.sampled_from([None, date(2025, 1, 1), date(2026, 1, 1)]),
        **{f"rule_{rule}": st.sampled_from([None, None, None, *codes]) for rule, codes in RULES.items()},
    }
)


@given(
    st.lists(ROW, min_size=1, max_size=9),
    st.booleans(),
    st.sampled_from([None, date(2025, 6, 1)]),
    st.sampled_from([None, 10.0]),
)
def test_every_benchmark_is_recommended_or_has_one_reason(
    rows: list[dict[str, Any]], independent: bool, since: date | None, budget: float | None
) -> None:
    rows = [{**row, "likeness": "answer" if row["answer_kind"] in WORK else "construct"} for row in rows]
    decided = decide(table(*rows), "publish", "code", since, budget, independent=independent)
    named = [*ids(decided), *decided.ruled_out["benchmark_id"]]
    assert sorted(named) == sorted(f"b{index}" for index in range(len(rows)))
    assert decided.chosen.height <= MOST_RECOMMENDED
    assert set(decided.chosen["reason"]) <= set(REASONS)
    assert set(decided.ruled_out["why"]) <= {
        *(code for codes in RULES.values() for code in codes),
        *CONDITIONS_OF_QUESTION,
    }
    assert decided.ruled_out["rule"].null_count() == 0
    if decided.chosen.height:
        first = decided.chosen.row(0, named=True)
        for row in decided.chosen.iter_rows(named=True):
            alike = row["answer_kind"] == first["answer_kind"] and row["answer_kind"] in WORK
            assert row["construct"] == first["construct"] or alike


@pytest.fixture(scope="module")
def registry() -> pl.DataFrame:
    """All curated benchmarks as if each failed no rule, in one domain: only likeness can keep them apart."""
    facts = pl.read_csv(Path("data/registry/benchmark.csv"), infer_schema_length=None)
    benchmarks = facts.filter(~pl.col("benchmark_id").str.contains("/", literal=True)).drop_nulls(["construct"])
    rows = benchmarks.select("benchmark_id", "domain", "construct", "answer_kind", likeness=likeness()).to_dicts()
    return table(*rows)


def anyhow(registry: pl.DataFrame, benchmark_id: str) -> list[set[str]]:
    """What stands beside a benchmark: where its construct is chosen, and where it comes first and none is."""
    construct = registry.filter(pl.col("benchmark_id") == benchmark_id)["construct"][0]
    first = registry.with_columns(place=pl.when(pl.col("benchmark_id") == benchmark_id).then(0).otherwise("place"))
    every = []
    for rows, asked in ((registry, construct), (first, "")):
        decided = decide(rows, "publish", "code", construct=asked)
        after = decided.ruled_out.filter(pl.col("why") == "ranked_after")["benchmark_id"]
        every.append({*ids(decided), *after})
    return every


@pytest.mark.parametrize(
    ("benchmark_id", "never"),
    [
        ("hle", "healthbench"),
        ("hle", "healthbench-hard"),
        ("lmarena-text", "arena-image-to-video"),
        ("mbpp", "gso"),
        ("humaneval", "gso"),
        ("gso", "mbpp"),
    ],
)
def test_these_are_never_beside_one_another(registry: pl.DataFrame, benchmark_id: str, never: str) -> None:
    assert {benchmark_id, never} <= set(registry["benchmark_id"])
    for beside in anyhow(registry, benchmark_id):
        assert benchmark_id in beside
        assert never not in beside


def test_whatever_is_chosen_of_the_registry_is_alike(registry: pl.DataFrame) -> None:
    about = {row["benchmark_id"]: row for row in registry.iter_rows(named=True)}
    for benchmark_id, mine in about.items():
        chosen, first = anyhow(registry, benchmark_id)
        assert {about[one]["construct"] for one in chosen} == {mine["construct"]}
        for one in first:
            alike = _form(about[one]) == _form(mine) and mine["answer_kind"] in WORK
            assert alike or about[one]["construct"] == mine["construct"]


def _form(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["domain"], row["answer_kind"]
