"""What the first place of a board of many tasks hangs on, and how far its tasks agree: both by two definitions."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.multi_task.boards import Board
from benchhealth.analytics.multi_task.stability import (
    FirstPlace,
    first_by_mean,
    first_by_win_rate,
    kendall_diversity,
    stability_of,
)
from benchhealth.analytics.multi_task.zhang_hardt import average_ranks, diversity, filled
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers

MEAN, WIN_RATE = "mean score", "win rate"
"""How models are ordered: leaving tasks out changes the first, leaving models out the second."""


class ManyTasks(NamedTuple):
    """The published tables about boards of many tasks."""

    stability: pl.DataFrame
    first_place: pl.DataFrame
    diversity: pl.DataFrame


def many_tasks(boards: Sequence[Board]) -> ManyTasks:
    """The tables `stability`, `first_place` and `diversity` of these boards."""
    return ManyTasks(stability_of(boards), first_places(boards), diversities(boards))


def first_places(multi_task_boards: Sequence[Board]) -> pl.DataFrame:
    """Table `first_place`: for each board who is first, and the fewest to leave out for another to be.

    By `mean score` tasks are left out, by `win rate` other models, which are irrelevant to the two in question.
    `left_out` is a smallest such set and `of` how many there are to choose from; it is exact on boards of any size, as
    what decides is a sum over those present: leaving out first what speaks most for the leader is best. `flips` counts
    the models that some choice puts above the first; where there is none, `challenger` is null. A board on which no
    model ran every task, or whose tasks have no common scale, has no row by mean score.
    Source of both ideas: Zhang, Hardt (2024), Inherent Trade-Offs between Diversity and Stability in Multi-Task
    Benchmarks, ICML.
    """
    rows: list[dict[str, object]] = []
    for board in multi_task_boards:
        by_mean = first_by_mean(board)
        if by_mean is not None:
            rows.append(_first_place_row(board, MEAN, by_mean, len(board.tasks) - 1))
        rows.append(_first_place_row(board, WIN_RATE, first_by_win_rate(board), max(0, int(board.ranked.sum()) - 2)))
    return pl.DataFrame(rows, schema=PUBLISHED["first_place"], orient="row").sort("board_id", "order_by")


def diversities(multi_task_boards: Sequence[Board]) -> pl.DataFrame:
    """Table `diversity`: 1 - Kendall's W over the orders of a board's tasks, as published and with ties corrected.

    Gaps are filled from the nearest models for both. `tied` is the share of pairs of models that tie on a task, mean
    over tasks: where it is high the published number, which counts ties as disagreement, stands above the other.
    """
    rows = []
    for board in multi_task_boards:
        every = board.counted()
        merit = filled(every[:, np.isfinite(every).any(axis=0)])
        rows.append(
            {
                "board_id": board.board_id,
                "as_published": diversity(merit)[0],
                "tie_corrected": kendall_diversity(merit),
                "tied": _share_of_tied_pairs(merit),
            }
        )
    return pl.DataFrame(rows, schema=PUBLISHED["diversity"], orient="row").sort("board_id")


def _first_place_row(board: Board, order_by: str, first_place: FirstPlace, of: int) -> dict[str, object]:
    return {
        "board_id": board.board_id,
        "order_by": order_by,
        "first": first_place.first,
        "flips": first_place.flips,
        "challenger": first_place.challenger,
        "left_out": first_place.left_out,
        "of": of,
    }


def _share_of_tied_pairs(merit: Numbers) -> float:
    pairs = len(merit) * (len(merit) - 1) / 2
    tied = [(np.unique(task, return_counts=True)[1] * 1.0) for task in average_ranks(merit).T]
    return float(np.mean([(size * (size - 1) / 2).sum() / pairs for size in tied]))
