"""What first place hangs on: the named subset does it, and diversity by both definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from benchhealth.analytics.multi_task import zhang_hardt as published
from benchhealth.analytics.multi_task.boards import Board, multi_task_boards
from benchhealth.analytics.multi_task.stability import (
    MEAN,
    WIN_RATE,
    diversities,
    first_places,
    stability,
    stability_of,
)
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import frames, result
from tests.support.soaking import examples

scores = arrays(np.float64, st.tuples(st.integers(5, 9), st.integers(3, 5)), elements=st.integers(0, 9).map(float))


def board(merit: published.Numbers) -> Board:
    models, tasks = ([f"{letter}{i}" for i in range(size)] for letter, size in zip("mt", merit.shape, strict=True))
    return Board("lab/many", models, tasks, merit, np.ones(len(merit), dtype=bool))


@examples(20, soak=40)
@given(scores)
def test_leaving_out_what_is_named_puts_the_challenger_above_the_first(merit: published.Numbers) -> None:
    one = board(merit)
    for row in first_places([one]).iter_rows(named=True):
        if row["challenger"] is None:
            assert (row["left_out"], row["flips"]) == ([], 0)
            continue
        first, challenger = one.models.index(row["first"]), one.models.index(row["challenger"])
        assert len(row["left_out"]) <= row["of"]
        if row["order_by"] == MEAN:
            kept_tasks = [index for index, task in enumerate(one.tasks) if task not in row["left_out"]]
            mean = merit[:, kept_tasks].mean(axis=1)
            assert mean[challenger] > mean[first]
        else:
            assert {row["first"], row["challenger"]}.isdisjoint(row["left_out"])
            kept_tasks = [index for index, model in enumerate(one.models) if model not in row["left_out"]]
            rate = published.win_rates(merit)[:, kept_tasks].sum(axis=1)
            assert rate[challenger] > rate[first]


def test_diversity_by_both_definitions() -> None:
    merit = np.random.default_rng(4).integers(0, 4, size=(12, 5)).astype(float)
    diversity = diversities([board(merit)]).row(0, named=True)
    assert diversity["as_published"] == published.diversity(merit)[0]
    # W with ties corrected is Friedman's statistic over m (n - 1)
    assert diversity["tie_corrected"] == pytest.approx(
        1 - stats.friedmanchisquare(*merit).statistic / (5 * 11), abs=1e-12
    )
    apart = [np.mean([merit[i, t] == merit[j, t] for i in range(12) for j in range(i)]) for t in range(5)]
    assert diversity["tied"] == pytest.approx(np.mean(apart))
    alike = diversities([board(np.ones((6, 3)))]).row(0, named=True)
    assert (alike["tie_corrected"], alike["tied"]) == (None, 1.0)


def test_the_three_tables_are_of_the_same_boards() -> None:
    merit = np.random.default_rng(1).random((12, 4))
    facts = frames([result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(4) for m in range(12)])
    makers = {"stability": stability_of, "first_place": first_places, "diversity": diversities}
    boards, no_boards = multi_task_boards(facts), multi_task_boards(frames())
    tables = {name: make(boards) for name, make in makers.items()}
    assert tables["stability"].equals(stability(facts))
    assert tables["first_place"]["order_by"].to_list() == [MEAN, WIN_RATE]
    assert tables["first_place"]["of"].to_list() == [3, 10]
    for name, table in tables.items():
        assert table.schema == PUBLISHED[name]
        assert set(table["board_id"]) == {"lab/many"}
    assert all(make(no_boards).is_empty() for make in makers.values())


def test_without_a_model_that_ran_every_task_there_is_no_mean_to_lead_by() -> None:
    merit = np.random.default_rng(3).random((8, 4))
    merit[np.arange(8), np.arange(8) % 4] = np.nan
    assert first_places([board(merit)])["order_by"].to_list() == [WIN_RATE]
