"""The order that is left, and that what `first_place` names makes another first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from benchhealth.analytics.multi_task.boards import Board
from benchhealth.analytics.multi_task.stability import MEAN, ORDERS, WIN_RATE, first_places, order_without, task_scores
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from tests.support.soaking import examples

merits = arrays(np.float64, st.tuples(st.integers(5, 9), st.integers(3, 5)), elements=st.integers(0, 9).map(float))


def board(merit: Numbers) -> Board:
    models, tasks = ([f"{letter}{i}" for i in range(size)] for letter, size in zip("mt", merit.shape, strict=True))
    return Board("lab/many", models, tasks, merit, np.ones(len(merit), dtype=bool))


@examples(20, soak=40)
@given(merits)
def test_what_is_named_makes_another_first(merit: Numbers) -> None:
    one = board(merit)
    scores = task_scores([one])
    for row in first_places([one]).iter_rows(named=True):
        order = row["order_by"]
        value = dict(order_without(scores, order).select("entry", "value").iter_rows())
        assert value[row["first"]] == pytest.approx(max(value.values()))
        if row["challenger"] is None:
            continue
        left_out = {"without_tasks" if order == MEAN else "without": row["left_out"]}
        left = dict(order_without(scores, order, **left_out).select("entry", "value").iter_rows())
        assert left[row["challenger"]] > left[row["first"]]


def test_an_entry_that_did_not_run_every_task_has_no_mean_and_a_win_rate() -> None:
    scores = task_scores([board(np.array([[1.0, np.nan], [0.5, 0.5], [0.2, 0.9]]))])
    assert scores.schema == PUBLISHED["task_score"]
    assert scores.height == 5
    assert order_without(scores, MEAN)["entry"].to_list() == ["m2", "m1"]
    assert order_without(scores, WIN_RATE)["value"].to_list() == [1.0, 0.25, 0.25]


@pytest.mark.parametrize("order", ORDERS)
def test_nothing_is_left_where_all_is_left_out(order: str) -> None:
    scores = task_scores([board(np.ones((5, 3)))])
    assert order_without(scores, order, without_tasks=["t0", "t1", "t2"]).is_empty()
    assert order_without(scores, order, without=[f"m{index}" for index in range(5)]).is_empty()


def test_what_is_no_model_is_never_first() -> None:
    one = board(np.array([[9.0, 9.0], [1.0, 1.0]]))._replace(ranked=np.array([False, True]))
    assert order_without(task_scores([one]), MEAN)["entry"].to_list() == ["m1"]
