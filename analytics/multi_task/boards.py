"""Multi-task boards as tables: models by tasks, as their sources list them now."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.multi_task.zhang_hardt import average_ranks
from benchhealth.analytics.record.boards import best, newest, rankable
from benchhealth.analytics.record.frames import AS_PUBLISHED, Frames, is_part
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.group_mean import group_mean

FEWEST_TASKS = 3
FEWEST_MODELS = 5
MOST_MODELS = 100
"""Models of a board that are compared, the best by mean rank: what the measures ask is an order of all pairs."""

RUN_BY = 1 / 3
"""Share of the models that must have run a task for it to be one of the board's."""

COVERED = 0.5
"""Share of the board's tasks that a model must have run to be compared."""

OF_MEANS = ("benchbench/benchbench-mteb",)
"""Boards whose columns are means over data sets (`...-12-datasets`): their authors count each as often as it has data
sets, and the mean over all of them as a column like the others, as often as all together."""

ALL_TOGETHER = "mean over all data sets"
"""The published name of the column that averages over all data sets."""

CELL = ["source_id", "benchmark_id", "file_id", "observed_at", "model_id", "setting", "source_row", "merit", "error"]
"""Columns of a ranked result that say where it stands and which of several is best."""


LeftOut = tuple[tuple[str, int, int], ...]
NOTHING_LEFT = "nothing_left"
"""What a cut leaves out where nothing is left that could be compared."""


class Board(NamedTuple):
    """Entries by tasks, best mean rank first; `merit` has higher as better and NaN where a model did not run a task.

    `ranked` is false for entries that are no model (human baselines), which nothing may name as first. `times` says how
    often each task counts (None: once each), `bounded` whether all are on bounded scales, so that scores have a mean.
    `as_defined` marks a board as its authors define it; `cut` is then what our own rule leaves of it (None: nothing
    that could be compared), and otherwise the board is that cut itself. `left_out` says what the cut leaves out of what
    the source lists, each with what is left and of how many; None where that is nothing.
    """

    board_id: str
    models: list[str]
    tasks: list[str]
    merit: Numbers
    ranked: NDArray[np.bool_]
    times: NDArray[np.int64] | None = None
    bounded: bool = True
    as_defined: bool = False
    left_out: LeftOut | None = None
    cut: "Board | None" = None

    def repeated_merit(self) -> Numbers:
        """The merits of models by tasks, a task that counts several times in as many columns."""
        return self.merit if self.times is None else np.repeat(self.merit, self.times, axis=1)


def multi_task_boards(frames: Frames) -> list[Board]:
    """Every leaderboard with parts (`<benchmark>/<task>`): whole where `AS_PUBLISHED` says so, and else cut.

    A task is one part of one source, from the newest version of its file; where it has parts of its own (a second
    metric, two halves of a set), its score is the mean of all of them, for entries that have all. The cut leaves out
    open-ended parts (costs, lengths), then tasks run by fewer than a third of the entries, entries with fewer than half
    of the tasks, and all but the best hundred by mean rank.
    """
    published = pl.col("source_id").is_in(AS_PUBLISHED)
    of_means = pl.format("{}/{}", "source_id", "benchmark_id").is_in(OF_MEANS)
    part_results = frames.result.filter(is_part() | of_means)
    human = (pl.col("kind") == "human") & published
    people = part_results.filter(human).select("source_id", "model_id").unique().with_columns(human=True).collect()
    counted = part_results.with_columns(kind=pl.when(human).then(pl.lit("model")).otherwise("kind"))
    standing = rankable(replace(frames, result=_newest_rows(frames, counted)))
    listed = newest(standing.select("bounded", *CELL).filter(pl.col("bounded") | published))
    if listed.is_empty():
        return []
    listed = listed.with_columns(entry=pl.coalesce(pl.when(published).then("setting"), pl.lit("")))
    cells = (
        _by_task(best(listed, ["source_id", "benchmark_id", "model_id", "entry"]))
        .join(people, on=["source_id", "model_id"], how="left")
        .with_columns(
            human=pl.col("human").fill_null(False),
            whole=pl.col("source_id") + "/" + pl.col("task").str.extract(r"^([^/]+)/"),
        )
        .filter(
            pl.col("task").n_unique().over("whole") >= FEWEST_TASKS,
            pl.struct("model_id", "entry").n_unique().over("whole") >= FEWEST_MODELS,
        )
        .sort("whole", "model_id", "entry")
        .with_columns(
            row=pl.struct("model_id", "entry").rle_id().over("whole"),
            column=pl.col("task").rank("dense").over("whole") - 1,
        )
    )
    without = _without_scores(frames, listed)
    boards = (
        _board(_cell_table(str(board_id[0]), cell, without.get(str(board_id[0]), ())))
        for board_id, cell in cells.group_by("whole", maintain_order=True)
    )
    return [board for board in boards if board is not None]


def _newest_rows(frames: Frames, counted: pl.LazyFrame) -> pl.LazyFrame:
    """The rows of snapshots that are the newest with some benchmark: a fraction of all, and no board is of others."""
    files = frames.snapshot.select("snapshot_id", file_id="board_id")
    versions = (
        counted.filter((pl.col("kind") == "model") & pl.col("score").is_finite())
        .group_by("snapshot_id", "benchmark_id")
        .agg(pl.col("source_id", "board_id").first(), pl.col("observed_at").max())
        .collect()
        .join(files, on="snapshot_id", how="left")
        .with_columns(file_id=pl.coalesce("file_id", "board_id"))
    )
    return counted.join(newest(versions).lazy(), on="snapshot_id", how="semi", maintain_order="left")


def _without_scores(frames: Frames, listed: pl.DataFrame) -> dict[str, list[str]]:
    """For each board `AS_PUBLISHED` the entries that have no score in any of its tasks, as printed, line by line."""
    of_board = [pl.col("source_id") + "/" + pl.col("benchmark_id").str.extract(r"^([^/]+)"), pl.col("source_row")]
    key = [of_board[0].alias("whole"), of_board[1].str.extract(r"^(line \d+)").alias("line")]
    cells = frames.empty_cell.filter(pl.col("source_id").is_in(AS_PUBLISHED)).select(*key, "published_name")
    lines = cells.unique(["whole", "line"], keep="first", maintain_order=True)
    without = lines.join(listed.select(*key).unique(), on=["whole", "line"], how="anti").sort("whole", "line")
    return dict(without.group_by("whole").agg("published_name").iter_rows())


def _by_task(cells: pl.DataFrame) -> pl.DataFrame:
    """One row for each task and entry: `merit` is the mean over the parts of the task, where the entry has them all."""
    key = ["source_id", "task", "model_id", "entry"]
    own_part = pl.col("benchmark_id").str.extract(r"^([^/]+/[^/]+)")
    part_scores = cells.with_columns(
        task=pl.coalesce(own_part, pl.format("{}/{}", "benchmark_id", pl.lit(ALL_TOGETHER)))
    ).with_columns(parts=pl.col("benchmark_id").n_unique().over("source_id", "task"))
    of_one_part, of_several_parts = part_scores.filter(pl.col("parts") == 1), part_scores.filter(pl.col("parts") > 1)
    means = of_several_parts.group_by(key).agg(
        group_mean("merit"), pl.col("bounded").all(), complete=pl.len() == pl.col("parts").first()
    )
    columns = [*key, "merit", "bounded"]
    return pl.concat([of_one_part.select(columns), means.filter("complete").select(columns)])


class _ListedBoard(NamedTuple):
    """All that a source lists of one board: models by tasks, with which tasks are bounded and which entries human."""

    board_id: str
    models: NDArray[np.str_]
    tasks: NDArray[np.str_]
    merit: Numbers
    bounded: NDArray[np.bool_]
    human: NDArray[np.bool_]


def _cell_table(board_id: str, cells: pl.DataFrame, excluded: Sequence[str]) -> _ListedBoard:
    """The table of the cells; `excluded` names entries that have none."""
    tasks = cells.group_by("task").agg(pl.col("bounded").all()).sort("task")
    row, column = cells["row"].to_numpy(), cells["column"].to_numpy()
    entries = cells[np.flatnonzero(np.diff(row, prepend=-1))]
    several = pl.col("model_id").is_duplicated() & (pl.col("entry") != "")
    named = pl.when(several).then(pl.format("{} ({})", "model_id", "entry")).otherwise("model_id")
    merit = np.full((entries.height + len(excluded), tasks.height), np.nan)
    merit[row, column] = cells["merit"]
    return _ListedBoard(
        board_id=board_id,
        models=np.array([*entries.select(named)["model_id"].to_list(), *excluded]),
        tasks=np.array(tasks["task"].to_list()),
        merit=merit,
        bounded=tasks["bounded"].to_numpy(),
        human=np.concatenate([entries["human"].to_numpy(), np.zeros(len(excluded), dtype=bool)]),
    )


def _board(listed: _ListedBoard) -> Board | None:
    cut = _cut_board(listed)
    if listed.board_id.split("/", 1)[0] not in AS_PUBLISHED:
        return cut
    all_places = (np.arange(len(side)) for side in (listed.models, listed.tasks))
    left_out = ((NOTHING_LEFT, 0, 0),) if cut is None else cut.left_out
    return _ordered_board(listed, *all_places)._replace(
        times=_times(listed.tasks.tolist()) if listed.board_id in OF_MEANS else None,
        as_defined=True,
        left_out=left_out,
        cut=cut,
    )


def _times(tasks: Sequence[str]) -> NDArray[np.int64]:
    """How often the columns of a board `OF_MEANS` count."""
    matches = [re.search(r"-(\d+)-datasets?$", task) for task in tasks]
    sets = np.array([int(match[1]) if match else 0 for match in matches], dtype=np.int64)
    return np.where(sets > 0, sets, sets.sum())


def _cut_board(listed: _ListedBoard) -> Board | None:
    """What our own rule leaves of a board, with what it leaves out."""
    run = np.isfinite(listed.merit)
    is_task = np.array([not task.endswith(f"/{ALL_TOGETHER}") for task in listed.tasks])
    used = is_task & listed.bounded & (run.mean(axis=0) >= RUN_BY)
    if used.sum() < FEWEST_TASKS:
        return None
    chosen = np.flatnonzero(run[:, used].mean(axis=1) >= COVERED)
    if chosen.size < FEWEST_MODELS:
        return None
    chosen_part = _ordered_board(listed, chosen, np.flatnonzero(used))
    left_out = (
        (listed.board_id in OF_MEANS, ("means_once", 0, 0)),
        (used.sum() < is_task.sum(), ("tasks", int(used.sum()), int(is_task.sum()))),
        (chosen.size < len(run), ("models", chosen.size, len(run))),
        (chosen.size > MOST_MODELS, ("longest", MOST_MODELS, chosen.size)),
    )
    return chosen_part._replace(
        models=chosen_part.models[:MOST_MODELS],
        merit=chosen_part.merit[:MOST_MODELS],
        ranked=chosen_part.ranked[:MOST_MODELS],
        left_out=tuple(omission for holds, omission in left_out if holds) or None,
    )


def _ordered_board(listed: _ListedBoard, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Board:
    """The board of these entries and tasks: best mean rank first, equals by score, task by task, and not by name."""
    merit = listed.merit[np.ix_(rows, columns)]
    order = np.lexsort((*-merit.T[::-1], _mean_rank(merit)))
    return Board(
        board_id=listed.board_id,
        models=listed.models[rows[order]].tolist(),
        tasks=listed.tasks[columns].tolist(),
        merit=merit[order],
        ranked=~listed.human[rows[order]],
        bounded=bool(listed.bounded[columns].all()),
    )


def _mean_rank(merit: Numbers) -> Numbers:
    """Mean over the tasks that a model ran of its rank among those that ran it, as a share of their number; infinite
    for who ran none."""
    run = np.isfinite(merit)
    ranks = np.where(run, average_ranks(merit) / np.maximum(run.sum(axis=0), 1), 0.0).sum(axis=1)
    number = run.sum(axis=1)
    return np.asarray(np.divide(ranks, number, out=np.full(len(merit), np.inf), where=number > 0))
