"""Which benchmarks tell two models apart: by items, by tasks, and not at all."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from benchhealth.analytics.models.pair import APART_SCHEMA, FEWEST_TASKS, TASKS, told_apart
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import benchmark, frame, frames, result, with_items

FACTS = frame("benchmark", [benchmark("a"), benchmark("b"), benchmark("c"), benchmark("low", higher_is_better=False)])
NO_TASKS = pl.DataFrame(schema=TASKS)


def position(model_id: str, scores: dict[str, tuple[float, float | None]]) -> pl.DataFrame:
    rows = [
        {"benchmark_id": name, "model_id": model_id, "score": score, "error": error}
        for name, (score, error) in scores.items()
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["position"])


def test_errors_decide_and_where_there_is_none_nothing_is_said() -> None:
    first = position("m", {"a": (0.9, 0.01), "b": (0.5, 0.05), "c": (0.9, None)})
    other = position("n", {"a": (0.8, 0.01), "b": (0.45, 0.05), "c": (0.1, 0.01)})
    table = told_apart(first, other, FACTS, NO_TASKS)
    assert table.schema == APART_SCHEMA
    assert dict(table.select("benchmark_id", "ahead").iter_rows()) == {"a": "first", "b": "neither", "c": "unknown"}
    assert table["error"][0] == pytest.approx(0.01 * 2**0.5)
    turned = told_apart(other, first, FACTS, NO_TASKS)
    assert dict(turned.select("benchmark_id", "ahead").iter_rows()) == {"a": "other", "b": "neither", "c": "unknown"}


def test_errors_that_correlate_as_on_like_tests_tell_more_apart_and_are_said_beside() -> None:
    """Independent errors of 1 and 2 points against 4 points apart; correlated by .5, of 1.73."""
    like = pl.DataFrame([{"benchmark_id": "z", "correlation": 0.5}], schema=PUBLISHED["design_effect"])
    measured = pl.DataFrame([{"benchmark_id": "a", "correlation": 0.2}], schema=PUBLISHED["design_effect"])
    first, other = position("m", {"a": (0.54, 0.01)}), position("n", {"a": (0.50, 0.02)})
    (alone,) = told_apart(first, other, FACTS, NO_TASKS).to_dicts()
    assert (alone["ahead"], alone["ahead_shared"], alone["error_shared"]) == ("neither", "neither", None)
    (table,) = told_apart(first, other, FACTS, NO_TASKS, design_effect=like).to_dicts()
    assert (table["ahead"], table["ahead_shared"], table["correlation"]) == ("neither", "first", 0.5)
    assert table["error_shared"] == pytest.approx(0.01 * 3**0.5)
    (same,) = told_apart(first, other, FACTS, NO_TASKS, design_effect=pl.concat([like, measured])).to_dicts()
    assert same["correlation"] == 0.2, "what was measured on the test itself goes before that of others"


def test_where_lower_is_better_the_lower_one_is_ahead() -> None:
    table = told_apart(position("m", {"low": (0.1, 0.01)}), position("n", {"low": (0.5, 0.01)}), FACTS, NO_TASKS)
    assert table["ahead"].to_list() == ["first"]


def test_tasks_in_common_are_paired() -> None:
    rng = np.random.default_rng(1)
    hard = rng.uniform(0.2, 0.8, 20)
    ours, theirs = hard + 0.03 + rng.normal(0, 0.01, 20), hard + rng.normal(0, 0.01, 20)
    tasks = pl.DataFrame(
        {
            "benchmark_id": "a",
            "source_id": "s",
            "task": [str(index) for index in range(20)],
            "score": ours,
            "other_score": theirs,
        }
    )
    first, other = (position(name, {"a": (float(side.mean()), 0.05)}) for name, side in (("m", ours), ("n", theirs)))
    alone, paired = told_apart(first, other, FACTS, NO_TASKS), told_apart(first, other, FACTS, tasks)
    assert (alone["ahead"][0], alone["basis"][0]) == ("neither", "items")
    assert (paired["ahead"][0], paired["basis"][0], paired["tasks"][0]) == ("first", "tasks", 20)
    assert stats.ttest_rel(ours, theirs).pvalue < paired["p_value"][0] == 2 / 2**20  # what twenty tasks can carry
    close = told_apart(first, other, FACTS, tasks.with_columns(score=ours - 0.027))
    assert close["p_value"][0] == pytest.approx(stats.ttest_rel(ours - 0.027, theirs).pvalue)
    assert told_apart(first, other, FACTS, tasks.head(FEWEST_TASKS - 1))["basis"].to_list() == ["items"]
    elsewhere = position("m", {"a": (0.99, 0.05)})
    assert told_apart(elsewhere, other, FACTS, tasks)["basis"].to_list() == ["items"], "its score is no mean of these"


def test_models_that_answered_the_same_items_are_compared_item_by_item() -> None:
    solved = {"m": np.arange(400) < 240, "n": np.arange(400) < 215}
    rows = [result("a", name, float(one.mean()), n_items=400, source_row=name) for name, one in solved.items()]
    items = item_results(with_items(frames(rows), {name: one.astype(float) for name, one in solved.items()}))
    first, other = (position(name, {"a": (float(one.mean()), 0.025)}) for name, one in solved.items())
    alone, paired = told_apart(first, other, FACTS, NO_TASKS), told_apart(first, other, FACTS, NO_TASKS, items)
    assert (alone["ahead"][0], alone["basis"][0]) == ("neither", "items")
    assert (paired["ahead"][0], paired["basis"][0], paired["differing"][0]) == ("first", "same items", 25)
    # of 25 unlike items all go one way; the published test of that counts them (McNemar 1947)
    assert paired["p_value"][0] >= stats.binomtest(25, 25).pvalue
    turned = told_apart(other, first, FACTS, NO_TASKS, items)
    assert turned["difference"][0] == pytest.approx(-paired["difference"][0])
    another = position("m", {"a": (0.9, 0.025)})
    assert told_apart(another, other, FACTS, NO_TASKS, items)["basis"].to_list() == ["items"], "of another run"


def test_over_clusters_of_items_a_difference_is_as_sure_as_they_agree() -> None:
    """25 items that one model alone solves: in one of ten clusters they say little, over all of them much."""
    rng = np.random.default_rng(5)
    other_solves = rng.permutation(400) < 200
    alone = np.flatnonzero(~other_solves)
    rows = [result("a", name, 0.5, n_items=400, source_row=name) for name in ("m", "n")]
    clusters = [f"{index // 40}" for index in range(400)]
    by_how = {}
    for how, chosen in (("one", alone[alone < 80][:25]), ("all", rng.permutation(alone)[:25])):
        ours = other_solves.copy()
        ours[chosen] = True
        solved = {"m": ours.astype(float), "n": other_solves.astype(float)}
        rows = [result("a", name, float(one.mean()), n_items=400, source_row=name) for name, one in solved.items()]
        items = item_results(with_items(frames(rows), solved, clusters=clusters))
        first, other = (position(name, {"a": (float(one.mean()), 0.025)}) for name, one in solved.items())
        (by_how[how],) = told_apart(first, other, FACTS, NO_TASKS, items).to_dicts()
    assert [(row["basis"], row["clusters"], row["differing"]) for row in by_how.values()] == [("clusters", 10, 25)] * 2
    assert (by_how["one"]["ahead"], by_how["all"]["ahead"]) == ("neither", "first")
    assert by_how["all"]["reach"] == pytest.approx(stats.t.ppf(0.975, 9) * by_how["all"]["error"], rel=1e-4)
    assert by_how["all"]["p_value"] >= 2 / 2**10, "ten clusters carry no more than their signs"


def test_few_tasks_carry_no_more_than_their_signs() -> None:
    ours = np.linspace(0.3, 0.6, FEWEST_TASKS)
    tasks = pl.DataFrame(
        {
            "benchmark_id": "a",
            "source_id": "s",
            "task": [str(index) for index in range(FEWEST_TASKS)],
            "score": ours + 0.02 + 1e-6 * np.arange(FEWEST_TASKS),
            "other_score": ours,
        }
    )
    first, other = (position(name, {"a": (score, 0.05)}) for name, score in (("m", 0.47), ("n", 0.45)))
    assert told_apart(first, other, FACTS, tasks)["p_value"][0] == 2 / 2**FEWEST_TASKS


def test_many_benchmarks_make_chance_findings_and_they_are_counted_in() -> None:
    names = [f"b{index}" for index in range(40)]
    facts = frame("benchmark", [benchmark(name) for name in names])
    # One in forty at p = 0.04 is what chance gives.
    first = position("m", {name: (0.5 + (0.029 if name == "b0" else 0.0), 0.01) for name in names})
    other = position("n", dict.fromkeys(names, (0.5, 0.01)))
    table = told_apart(first, other, facts, NO_TASKS)
    assert table.filter(pl.col("benchmark_id") == "b0")["p_value"][0] < 0.05
    assert set(table["ahead"]) == {"neither"}


def test_nothing_in_common_is_an_empty_table() -> None:
    table = told_apart(position("m", {"a": (0.5, 0.1)}), position("n", {"b": (0.5, 0.1)}), FACTS, NO_TASKS)
    assert table.schema == APART_SCHEMA and table.is_empty()
