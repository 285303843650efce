"""Who is first on a board of many tasks when tasks or models are left out: the scores, and the order they give."""

from collections.abc import Collection, Sequence

import numpy as np
import polars as pl

from benchhealth.analytics.multi_task.boards import Board
from benchhealth.analytics.multi_task.first_place import MEAN, WIN_RATE
from benchhealth.analytics.multi_task.zhang_hardt import win_rates
from benchhealth.analytics.record.tables import PUBLISHED

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
