"""Declared leakage: by hand, where nothing can be told, and the same whatever levels models and tasks have."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.contamination.declared_leakage import (
    POINTS,
    SMALLER,
    WITHIN_MODELS,
    declared_leakage,
    effect,
)
from benchhealth.analytics.record.frames import Frames
from tests.support.frames import benchmark, frames, result

DECLARED = "declared by the maker: the task's data in the training data"
TASKS = ("one", "two", "three", "four")
MODELS = ("alder", "birch", "cedar", "elder")


def facts(
    source: str, scores: dict[tuple[str, str], float], declared: list[tuple[str, str]], unit: str = "percent"
) -> Frames:
    """Scores by (task, model) and who declared what."""
    ids = sorted({task for task, _ in scores})
    return frames(
        [result(task, model, score, source_id=source) for (task, model), score in scores.items()],
        [benchmark(task, unit=unit, higher_is_better=unit != "loss") for task in ids],
        reports=[
            {"benchmark_id": task, "subject": model, "subject_kind": "model", "method": DECLARED, "reference_url": "x"}
            for task, model in declared
        ],
    )


def row(declared_by: Frames, source: str) -> dict[str, Any]:
    table = declared_leakage(declared_by, np.random.default_rng(1))
    return table.row(by_predicate=pl.col("source_id") == source, named=True)


def test_five_points_more_on_three_declared_tasks_are_found_exactly() -> None:
    declared = [("mteb-one", "alder"), ("mteb-two", "birch"), ("mteb-three", "cedar")]
    scores = {
        (f"mteb-{task}", model): 0.4 + 0.1 * index + 0.02 * place + 0.05 * ((f"mteb-{task}", model) in declared)
        for index, task in enumerate(TASKS)
        for place, model in enumerate(MODELS)
    }
    leak = row(facts("mteb", scores, declared), "mteb")
    assert leak["value"] == pytest.approx(5)
    assert (leak["unit"], leak["n"], leak["n_declared"]) == (POINTS, 16, 3)
    assert (leak["n_models"], leak["n_mixed"], leak["n_tasks"]) == (4, 3, 4)
    assert (leak["share_declared"], leak["status"]) == (3 / 16, "ok")


def test_a_declared_loss_of_half_the_size_is_so_many_percent_smaller() -> None:
    declared = [("fev-bench/one", "alder"), ("fev-bench/two", "birch"), ("fev-bench/three", "cedar")]
    scores = {
        (f"fev-bench/{task}", model): (1 + index)
        * (2 + place)
        * (0.5 if (f"fev-bench/{task}", model) in declared else 1)
        for index, task in enumerate(TASKS)
        for place, model in enumerate(MODELS)
    }
    leak = row(facts("fev", scores, declared, unit="loss"), "fev")
    assert leak["value"] == pytest.approx(50)
    assert leak["unit"] == SMALLER


def test_whole_models_leave_nothing_to_compare_and_a_second_metric_is_no_task() -> None:
    scores = {(f"gift-eval/{task}", model): 1.0 for task in TASKS for model in MODELS}
    seconds = {(f"gift-eval/{task}/mase", model): 1.0 for task in TASKS for model in MODELS}
    leak = row(facts("gift-eval", scores | seconds, [("gift-eval", "alder")], unit="loss"), "gift-eval")
    assert (leak["value"], leak["status"], leak["case"]) == (None, "not_applicable", WITHIN_MODELS)
    assert (leak["n"], leak["share_declared"]) == (16, 0.25)


def test_two_models_with_both_kinds_of_tasks_are_too_few() -> None:
    scores = {(f"mteb-{task}", model): 0.5 for task in TASKS for model in MODELS}
    leak = row(facts("mteb", scores, [("mteb-one", "alder"), ("mteb-two", "birch")]), "mteb")
    assert (leak["value"], leak["status"]) == (None, "insufficient")


def test_only_the_newest_score_counts_and_only_the_makers_word() -> None:
    scores = {(f"mteb-{task}", model): 0.5 for task in TASKS for model in MODELS}
    declared = facts("mteb", scores, [("mteb-one", "alder")])
    others = declared.contamination_report.with_columns(method=pl.lit("an N-gram of 13 words"), subject=pl.lit("birch"))
    both = Frames(
        **{
            **declared.__dict__,
            "contamination_report": pl.concat([declared.contamination_report, others]),
            "result": pl.concat([declared.result, declared.result]),
        }
    )
    assert row(both, "mteb")["n"] == 16
    assert row(both, "mteb")["n_declared"] == 1


@given(
    st.lists(st.floats(-50, 50), min_size=6, max_size=6),
    st.lists(st.floats(-50, 50), min_size=5, max_size=5),
    st.floats(-20, 20),
    st.integers(0, 2**16),
)
def test_levels_of_models_and_tasks_change_nothing(
    of_models: list[float], of_tasks: list[float], more: float, seed: int
) -> None:
    """Adding any level to a model or a task, and a constant to all declared cells, moves the answer by the latter."""
    chance = np.random.default_rng(seed)
    model, task = (places.ravel() for places in np.indices((6, 5)))
    declared = (chance.random(30) < 0.3).astype(float)
    declared[[0, 6]], declared[[1, 5]] = 1.0, 0.0
    noise = chance.normal(size=30)
    plain = effect(model, task, noise, declared, np.random.default_rng(0))
    levels = np.asarray(of_models)[model] + np.asarray(of_tasks)[task]
    moved = effect(model, task, noise + levels + more * declared, declared, np.random.default_rng(0))
    assert moved == pytest.approx([value + more for value in plain], abs=1e-6)
    assert plain[1] <= plain[2]
