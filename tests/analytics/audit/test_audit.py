"""What an audit says of boards whose answer is known, and what must hold of any."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchhealth.analytics.audit.audit import COMPLETE, WRONG, audit
from benchhealth.analytics.audit.board import ITEMS, SCORES, TASKS, Board, BoardError, board_of


def board(
    values: NDArray[Any], kind: str = ITEMS, clusters: list[str] | None = None, sizes: NDArray[Any] | None = None
) -> Board:
    names, units = [f"m{index}" for index in range(values.shape[0])], [f"u{index}" for index in range(values.shape[1])]
    return board_of(kind, names, values.astype(np.float64), units, "column_a_model", clusters=clusters, sizes=sizes)


def test_a_clear_first_and_two_that_are_tied() -> None:
    rng = np.random.default_rng(1)
    audited = audit(board(rng.random((3, 2_000)) < np.array([[0.3], [0.5], [0.501]])))
    assert audited.rows["model"].to_list()[2] == "m0"
    assert audited.card["tied_first"] == 2 and audited.rows["tier"].to_list() == [1, 1, 2]


def test_all_equal_are_all_tied() -> None:
    audited = audit(board(np.ones((4, 30))))
    assert audited.card["tied_first"] == 4 and audited.card["neighbours_apart"] == 0
    assert audited.card["recount_margin"] == 0


def test_of_counted_scores_errors_are_binomial() -> None:
    audited = audit(board(np.array([[0.9], [0.5]]), SCORES, sizes=np.array([400.0, 400.0])))
    assert audited.card["tied_first"] == 1 and audited.card["recount_margin"] == 160
    first = audited.rows.row(0, named=True)
    assert first["high"] - first["low"] == pytest.approx(2 * 1.959964 * np.sqrt(0.09 / 400))


def test_missing_cells_count_as_is_stated_and_the_other_rule_is_told() -> None:
    values = np.array([[1, 1, 1, np.nan], [1, 1, 0, 1], [0, 0, 0, 1]])
    wrong, complete = audit(board(values), WRONG), audit(board(values), COMPLETE)
    assert wrong.rows["score"].to_list() == [0.75, 0.75, 0.25]
    assert complete.rows["score"].to_list() == [1.0, pytest.approx(2 / 3), 0.0]
    assert (wrong.missing, wrong.cells) == (1, 12)
    assert wrong.counted_otherwise is not None and wrong.counted_otherwise["first"] == "m0"


def test_another_is_first_without_a_task() -> None:
    values = np.array([[0.5, 0.5, 0.5, 0.5, 1.0], [0.55, 0.55, 0.55, 0.55, 0.5]])
    audited = audit(board(values, TASKS))
    assert (audited.first_without, audited.of_parts) == (1, 5)


def test_of_few_tasks_no_error_is_known() -> None:
    audited = audit(board(np.array([[0.5, 0.6], [0.4, 0.7]]), TASKS))
    assert audited.card["ties_reason"] == "no_error_known"


def test_clusters_that_are_hard_together_widen_the_error() -> None:
    rng = np.random.default_rng(2)
    subjects = np.repeat(np.arange(20), 50)
    hard = rng.normal(0, 0.25, (2, 20))[:, subjects]
    values = rng.random((2, 1_000)) < np.array([[0.5], [0.6]]) + hard
    audited = audit(board(values, clusters=[f"s{subject}" for subject in subjects]))
    assert audited.over_clusters is not None
    assert audited.over_clusters["difference_error"] > 2 * audited.card["difference_error"]


def test_no_item_that_all_answered_leaves_nothing_to_compare() -> None:
    with pytest.raises(BoardError, match="all models"):
        audit(board(np.array([[1, np.nan, 1], [1, 1, np.nan], [np.nan, 1, 1]])), COMPLETE)


def test_models_without_an_item_in_common_are_not_ranked() -> None:
    """Each answered half of its own items: counted as wrong, the other's half would put one first beyond error."""
    values = np.full((2, 600), np.nan)
    values[0, :300], values[1, 300:] = 0.5, 0.5
    with pytest.raises(BoardError, match="m0 and m1 have no item in common: these are other sets of items"):
        board(values)


def test_no_task_is_counted_as_an_item_that_is_graded() -> None:
    assert audit(board(np.array([[0.5], [0.4]]), TASKS)).card["recount_reason"] == "open_scale"


@given(st.integers(2, 6), st.integers(2, 40), st.integers(0, 2**31))
def test_tiers_hold_everybody_once_and_somebody_is_first(models: int, items: int, seed: int) -> None:
    audited = audit(board(np.random.default_rng(seed).integers(0, 2, (models, items))))
    assert audited.rows["tier"].null_count() == 0
    assert sum(audited.card["tiers"]) == models and audited.card["tied_first"] >= 1
    assert audited.rows["score"].is_sorted(descending=True)
    assert (audited.rows["rank_low"] <= audited.rows["rank"]).all() and (
        audited.rows["rank"] <= audited.rows["rank_high"]
    ).all()
