"""How far the order of a board of many tasks, and its first place, hang on tasks, weights, and who else takes part.

The table holds the measures of Zhang and Hardt (2024) by their definition (`analytics.multi_task.zhang_hardt`). Beside
them: Kendall's W with ties corrected, and what is exact: the fewest models, or tasks, to leave out for another to take
first place.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.multi_task.boards import (
    COVERED,
    FEWEST_MODELS,
    NOTHING_LEFT,
    Board,
    LeftOut,
    multi_task_boards,
)
from benchhealth.analytics.multi_task.zhang_hardt import (
    EQUAL,
    ONE_KEPT_IN,
    average_ranks,
    diversity,
    filled,
    irrelevant_models,
    task_weights,
    win_rates,
)
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers


class FirstPlace(NamedTuple):
    """Who is first, how many others could be, and the fewest to leave out for one of those (None: none could)."""

    first: str
    flips: int
    challenger: str | None
    left_out: list[str]


def stability(frames: Frames) -> pl.DataFrame:
    """Table `stability`: a row for each board of at least three tasks that at least five models ran, as it stands now.

    `as_defined` boards are whole, as their authors define them; of the others the numbers are of our cut of them.
    `n_models` counts entries, `n_tasks` a task as often as it counts. `diversity` is 1 - Kendall's W as published, over
    the tasks' orders, gaps filled from the nearest models. `ordinal_sensitivity` is how far the order of the best fifth
    by mean win rate moved under the worst company of other models found; null with fewer than ten models.
    `cardinal_sensitivity` is the same for the order by mean score under the worst task weights found, over models that
    ran every task; null where those are fewer than half, or tasks have no common scale. `flips` counts the models that
    leaving out some others would put above the first by win rate.

    `cut` says what our own cut leaves out of what the source lists (null: nothing), and `cut_models`, `cut_tasks`,
    `cut_diversity`, `cut_ordinal_sensitivity` and `cut_cardinal_sensitivity` what it gives: the same numbers where the
    board is that cut.
    """
    return stability_of(multi_task_boards(frames))


def stability_of(multi_task_boards: Sequence[Board]) -> pl.DataFrame:
    """The table `stability` of boards that are read already."""
    cuts = [board.cut for board in multi_task_boards if board.cut is not None and board.left_out is not None]
    all_boards = [*multi_task_boards, *cuts]
    measured = [_measured(board, moved) for board, moved in zip(all_boards, _moved_by_company(all_boards), strict=True)]
    of_cuts = {board.board_id: row for board, row in zip(cuts, measured[len(multi_task_boards) :], strict=True)}
    rows = [_board_row(board, row, of_cuts) for board, row in zip(multi_task_boards, measured, strict=False)]
    return pl.DataFrame(rows, schema=PUBLISHED["stability"], orient="row").sort("board_id")


def kendall_diversity(scores: Numbers) -> float | None:
    """1 - Kendall's W over the tasks' orders with ties corrected, in [0, 1]; None where every task is one tie.

    W = 12 S / (m^2 (n^3 - n) - m T), T the sum of t^3 - t over groups of t tied models in each task. Source: Kendall,
    Babington Smith (1939), The problem of m rankings; Kendall (1948), Rank correlation methods, chapter 6.

    Two tasks that order three models alike, and two that order them the other way round:

    >>> task = np.array([3.0, 2.0, 1.0])
    >>> kendall_diversity(np.stack([task, task], axis=1)), kendall_diversity(np.stack([task, -task], axis=1))
    (0.0, 1.0)
    """
    ranks = average_ranks(scores).T
    m, n = ranks.shape
    tied = sum(float((np.unique(task, return_counts=True)[1].astype(np.float64) ** 3).sum() - n) for task in ranks)
    most = m**2 * (n**3 - n) - m * tied
    if most <= 0:
        return None
    sums = ranks.sum(axis=0)
    return min(1.0, max(0.0, float(1 - 12 * ((sums - sums.mean()) ** 2).sum() / most)))


def first_by_win_rate(board: Board) -> FirstPlace:
    """Who leads by mean win rate, and the fewest other models to leave out so that another is above the leader; exact.

    A challenger passes the leader where the sum over those present of what it wins more often is above zero. Leaving
    out first the models that the leader beats most clearly more often than the challenger does is therefore optimal.
    """
    rates = win_rates(board.repeated_merit()[board.ranked])
    models = [name for name, ranked in zip(board.models, board.ranked, strict=True) if ranked]
    first = int(rates.mean(axis=1).argmax())
    gains = rates - rates[first]
    movable = ~np.eye(len(rates), dtype=bool)
    movable[:, first] = False
    return _first_place(first, gains, movable, models, models)


def first_by_mean(board: Board) -> FirstPlace | None:
    """Who leads by mean score, and the fewest tasks to leave out so that another is above the leader; exact.

    Only models that ran every task have a mean to compare; None where there is none, or tasks have no common scale.
    """
    complete = np.flatnonzero(np.isfinite(board.merit).all(axis=1) & board.ranked)
    if not complete.size or not board.bounded:
        return None
    merit = board.merit[complete] * (1 if board.times is None else board.times)
    models = [board.models[index] for index in complete]
    first = int(merit.mean(axis=1).argmax())
    gains = merit - merit[first]
    movable = gains < gains.max(axis=1, keepdims=True)  # one task stays: the challenger's best
    return _first_place(first, gains, movable, models, board.tasks)


def _moved_by_company(boards: Sequence[Board]) -> list[float | None]:
    """The `ordinal_sensitivity` of each board; None for a board of fewer than `2 * ONE_KEPT_IN` models."""
    large = [index for index, board in enumerate(boards) if len(board.models) >= 2 * ONE_KEPT_IN]
    of_large = irrelevant_models([_rates_best_first(boards[index]) for index in large])
    moved: list[float | None] = [None] * len(boards)
    for index, (worst, _) in zip(large, of_large, strict=True):
        moved[index] = worst.distance
    return moved


def _rates_best_first(board: Board) -> Numbers:
    rates = win_rates(board.repeated_merit())
    order = np.argsort(-rates.mean(axis=1), kind="stable")
    return rates[np.ix_(order, order)]


def _board_row(board: Board, measured: dict[str, object], of_cuts: dict[str, dict[str, object]]) -> dict[str, object]:
    """The row of a board: its own numbers, and those of our cut of it."""
    nothing_left = board.as_defined and board.cut is None
    cut = {} if nothing_left else of_cuts.get(board.board_id, measured)
    return {
        "board_id": board.board_id,
        **measured,
        "flips": first_by_win_rate(board).flips,
        "as_defined": board.as_defined,
        **_left_out(board.left_out),
        **{f"cut_{name.removeprefix('n_')}": cut.get(name) for name in measured},
    }


def _left_out(omissions: LeftOut | None) -> dict[str, object]:
    """What the cut leaves out, as a case; `names` say what, `numbers` what is left of each and of how many."""
    if omissions is None:
        return {}
    if omissions[0][0] == NOTHING_LEFT:
        return {"case": NOTHING_LEFT}
    sizes = [float(size) for _, *counts in omissions for size in counts]
    return {"case": "left_out", "names": [name for name, _, _ in omissions], "numbers": sizes}


def _measured(board: Board, moved_by_company: float | None) -> dict[str, object]:
    """Size, diversity and sensitivities of one board."""
    all_merit = board.repeated_merit()
    merit = all_merit[:, np.isfinite(all_merit).any(axis=0)]
    complete = merit[np.isfinite(merit).all(axis=1)]
    varied = board.bounded and len(complete) >= 2 and bool((complete.std(axis=0) > EQUAL).any())
    weighed = len(complete) >= max(FEWEST_MODELS, COVERED * len(merit)) and varied
    by_mean = np.argsort(-complete.mean(axis=1), kind="stable")
    return {
        "n_models": len(board.models),
        "n_tasks": all_merit.shape[1],
        "diversity": diversity(filled(merit))[0],
        "ordinal_sensitivity": moved_by_company,
        "cardinal_sensitivity": task_weights(complete[by_mean])[0].distance if weighed else None,
    }


def _first_place(
    first: int, gains: Numbers, movable: NDArray[np.bool_], models: list[str], movers: list[str]
) -> FirstPlace:
    """`gains`: for each challenger (row) what each mover (column) adds to its lead over the first; a sum decides."""
    losses = np.where(movable, np.minimum(gains, 0.0), 0.0)
    order = np.argsort(losses, axis=1, kind="stable")
    lead = gains.sum(axis=1, keepdims=True) - np.cumsum(np.take_along_axis(losses, order, axis=1), axis=1)
    overtakes = np.c_[gains.sum(axis=1), lead] > EQUAL
    overtakes[first] = False
    can_overtake = overtakes.any(axis=1)
    if not can_overtake.any():
        return FirstPlace(models[first], 0, None, [])
    needed = np.where(can_overtake, overtakes.argmax(axis=1), gains.shape[1] + 1)
    challenger = int(needed.argmin())
    left_out = sorted(movers[index] for index in order[challenger, : needed[challenger]])
    return FirstPlace(models[first], int(can_overtake.sum()), models[challenger], left_out)


MEAN, WIN_RATE = "mean score", "win rate"
"""How models are ordered: leaving tasks out changes the first, leaving models out the second."""


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
        all_merit = board.repeated_merit()
        merit = filled(all_merit[:, np.isfinite(all_merit).any(axis=0)])
        rows.append(
            {
                "board_id": board.board_id,
                "as_published": diversity(merit)[0],
                "tie_corrected": kendall_diversity(merit),
                "tied": _share_of_tied_pairs(merit),
            }
        )
    return pl.DataFrame(rows, schema=PUBLISHED["diversity"], orient="row").sort("board_id")


def _first_place_row(board: Board, order_by: str, first_place: FirstPlace, n_choices: int) -> dict[str, object]:
    return {
        "board_id": board.board_id,
        "order_by": order_by,
        "first": first_place.first,
        "flips": first_place.flips,
        "challenger": first_place.challenger,
        "left_out": first_place.left_out,
        "of": n_choices,
    }


def _share_of_tied_pairs(merit: Numbers) -> float:
    pairs = len(merit) * (len(merit) - 1) / 2
    tied = [(np.unique(task, return_counts=True)[1] * 1.0) for task in average_ranks(merit).T]
    return float(np.mean([(size * (size - 1) / 2).sum() / pairs for size in tied]))


ORDERS = (MEAN, WIN_RATE)


def task_scores(multi_task_boards: Sequence[Board]) -> pl.DataFrame:
    """Table `task_score`: what each entry of a board has on each task, as it is compared (higher is better).

    `entry` is a model, with its setting where the board lists it several times; entries that are no model (`ranked` is
    false) are never first. Tasks that an entry did not run have no row. A task counts `times`; `has_mean` says that all
    tasks of the board are on bounded scales, so that their scores have a mean.
    """
    rows = [
        (
            *(board.board_id, board.tasks[column], board.models[row], float(board.merit[row, column]), bool(ranked)),
            *(1 if board.times is None else int(board.times[column]), board.bounded),
        )
        for board in multi_task_boards
        for row, ranked in enumerate(board.ranked)
        for column in np.flatnonzero(np.isfinite(board.merit[row]))
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["task_score"], orient="row").sort("board_id", "task", "entry")


def order_without(
    scores: pl.DataFrame, order_by: str, without_tasks: Collection[str] = (), without: Collection[str] = ()
) -> pl.DataFrame:
    """The models of one board in order without these tasks and entries, as `first_place` has it: entry, value, place.

    By `mean score` only those are compared that ran every task of the board; by `win rate` the value is the share of
    the others that a model is above, mean over the tasks that both ran; a task counts as often as it does on the board.
    Nothing is left where all is left out, or where tasks have no common scale that a mean could be of.
    """
    models = scores.filter("ranked")
    if order_by == MEAN:
        models = models.filter("has_mean")
        models = models.filter(pl.len().over("entry") == models["task"].n_unique())
    remaining = models.filter(~pl.col("task").is_in(list(without_tasks)) & ~pl.col("entry").is_in(list(without)))
    if remaining.is_empty():
        return pl.DataFrame(schema={"entry": pl.String, "value": pl.Float64, "place": pl.Int64})
    wide = remaining.pivot(on="task", index="entry", values="merit", sort_columns=True).sort("entry")
    times = dict(remaining.select("task", "times").unique().iter_rows())
    tasks = wide.drop("entry")
    merit = np.repeat(tasks.to_numpy().astype(np.float64), [times[task] for task in tasks.columns], axis=1)
    value = merit.mean(axis=1) if order_by == MEAN else win_rates(merit).sum(axis=1) / max(1, len(merit) - 1)
    values = wide.select("entry", value=pl.Series(value))
    placed = values.with_columns(place=pl.col("value").rank("min", descending=True).cast(pl.Int64))
    return placed.sort("place", "entry")
