"""Runs of one test, item by item: which belong together, in which order, what is missing."""

from collections.abc import Sequence

import numpy as np

from benchhealth.analytics.record.by_item.item_results import ItemResults, item_results
from benchhealth.analytics.record.by_item.packing import NamedRun
from tests.support.frames import Row, frames, of_runs


def run(
    model: str,
    items: Sequence[str],
    outcomes: Sequence[float],
    *,
    n_items: int | None = None,
    missing: Sequence[str] = (),
    clusters: Sequence[str] = (),
    chosen: Sequence[int] = (),
    **about: object,
) -> tuple[NamedRun, Row]:
    named = NamedRun(model, "b", n_items, items, outcomes, clusters, chosen, missing)
    row = {
        "snapshot_id": "one",
        "source_row": model,
        "source_id": "s",
        "benchmark_id": "b",
        "model_id": model,
        "setting": "",
        "reporter": "self",
        "condition": "",
        "n_items": named.n_items or len(items),
        "stands": True,
        **about,
    }
    return named, row


def results(*runs: tuple[NamedRun, Row]) -> ItemResults:
    """The runs as one file says them."""
    return item_results(of_runs(frames(), [named for named, _ in runs], [row for _, row in runs]))


def test_runs_over_the_same_items_are_one_test_whatever_the_order_of_their_lists() -> None:
    (test,) = results(run("m", ["x", "y", "z"], [1, 0, 0.5]), run("n", ["z", "x", "y"], [1, 0, 0])).tests()
    by_name = {name: test.outcomes[:, index].tolist() for index, name in enumerate(test.items)}
    assert by_name == {"x": [1, 0], "y": [0, 0], "z": [0.5, 1]}
    assert test.runs["model_id"].to_list() == ["m", "n"]
    assert test.answered.all() and test.cluster is None and test.chosen is None and test.clusters == ()


def test_what_a_list_of_solved_items_leaves_out_is_not_solved_and_answered() -> None:
    (test,) = results(run("m", ["x"], [1], n_items=3), run("n", ["y"], [1], n_items=3)).tests()
    assert sorted(test.items) == ["", "x", "y"]
    assert test.outcomes.sum(axis=1).tolist() == [1, 1] and test.outcomes.shape == (2, 3) and test.answered.all()


def test_other_items_another_number_or_another_condition_are_another_test() -> None:
    tests = results(
        run("m", ["x", "y"], [1, 0]),
        run("n", ["x", "z"], [1, 0]),
        run("o", ["x", "y", "z"], [1, 0, 0]),
        run("p", ["x", "y"], [1, 0], condition="5 shots"),
        run("q", ["y", "x"], [1, 0]),
        run("old", ["y", "x"], [1, 0], stands=False),
    ).tests()
    assert [test.runs["model_id"].to_list() for test in tests] == [["m", "q"], ["n"], ["o"], ["p"]]


def test_missing_answers_are_not_answered_and_belong_to_the_test() -> None:
    run_of_all = run("m", ["x", "y", "z"], [1, 0, 1])
    over_the_answered = run("n", ["x"], [1], missing=["y", "z"])
    over_all = run("o", ["x"], [1], missing=["y", "z"], n_items=3)
    (test,) = results(run_of_all, over_the_answered, over_all).tests()
    columns = [test.items.index(name) for name in "xyz"]
    assert test.answered[:, columns].tolist() == [[True] * 3, [True, False, False], [True, False, False]]
    assert np.all(test.outcomes[~test.answered] == 0)


def test_clusters_and_options_are_carried_by_item() -> None:
    (test,) = results(
        run("m", ["x", "y"], [1, 0], clusters=["law", "art"], chosen=[7, 0]), run("n", ["y", "x"], [1, 0])
    ).tests()
    assert test.cluster is not None and test.chosen is not None
    named = {
        name: (test.clusters[test.cluster[index]], test.chosen[:, index].tolist())
        for index, name in enumerate(test.items)
    }
    assert named == {"x": ("law", [7, 0]), "y": ("art", [0, 0])}
