"""Multi-task boards as tables: models by tasks, as their sources list them now."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analytics.multi_task.zhang_hardt import Numbers, average_ranks
from analytics.record.boards import best, newest, rankable
from analytics.record.frames import Frames
from analytics.statistics.group_mean import group_mean

FEWEST_TASKS = 3
FEWEST_MODELS = 5
LONGEST = 100
"""Models of a board that are compared, the best by mean rank: what the measures ask is an order of all pairs."""

RUN_BY = 1 / 3
"""Share of the models that must have run a task for it to be one of the board's."""

COVERED = 0.5
"""Share of the board's tasks that a model must have run to be compared."""

AS_PUBLISHED = ("benchbench",)
"""Sources that are the tables of a published analysis. Each of their lines is an entry, as its authors read them: a
name listed again counts again, and so does the line of human scores. Elsewhere a model is on a board once, in its best
setting of each task, and humans are not."""

CELL = ["source_id", "benchmark_id", "file_id", "observed_at", "model_id", "setting", "source_row", "merit", "error"]
"""Columns of a ranked result that say where it stands and which of several is best."""


class Board(NamedTuple):
    """Entries by tasks, best mean rank first; `merit` has higher as better and NaN where a model did not run a task.

    `ranked` is false for entries that are no model (human baselines), which nothing may name as first.
    """

    board_id: str
    models: list[str]
    tasks: list[str]
    merit: Numbers
    ranked: NDArray[np.bool_]


def multi_task_boards(frames: Frames) -> list[Board]:
    """Every leaderboard with bounded parts (`<benchmark>/<task>`), its entries as `AS_PUBLISHED` says.

    A task is one part of one source, from the newest version of its file; where it has parts of its own (a second
    metric, two halves of a set), its score is the mean of all of them, for entries that have all. Open-ended parts
    (costs, lengths) are left out, and then tasks run by fewer than a third of the entries and entries with fewer than
    half of the tasks.
    """
    parts = frames.result.filter(pl.col("benchmark_id").str.contains("/", literal=True))
    human = (pl.col("kind") == "human") & pl.col("source_id").is_in(AS_PUBLISHED)
    people = parts.filter(human).select("source_id", "model_id").unique().with_columns(human=True)
    counted = parts.with_columns(kind=pl.when(human).then(pl.lit("model")).otherwise("kind"))
    standing = rankable(replace(frames, result=_standing(frames, counted)))
    listed = newest(standing.select("bounded", *CELL).filter("bounded"))
    if listed.is_empty():
        return []
    entry = pl.when(pl.col("source_id").is_in(AS_PUBLISHED)).then("setting")
    listed = listed.with_columns(entry=pl.coalesce(entry, pl.lit("")))
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
    found = (_board(str(whole[0]), cell) for whole, cell in cells.group_by("whole", maintain_order=True))
    return [board for board in found if board is not None]


def _standing(frames: Frames, counted: pl.DataFrame) -> pl.DataFrame:
    """The rows of snapshots that are the newest with some benchmark: a fraction of all, and no board is of others."""
    files = frames.snapshot.select("snapshot_id", file_id="board_id")
    versions = (
        counted.lazy()
        .filter((pl.col("kind") == "model") & pl.col("score").is_finite())
        .group_by("snapshot_id", "benchmark_id")
        .agg(pl.col("source_id", "board_id").first(), pl.col("observed_at").max())
        .collect()
        .join(files, on="snapshot_id", how="left")
        .with_columns(file_id=pl.coalesce("file_id", "board_id"))
    )
    return counted.join(newest(versions), on="snapshot_id", how="semi")


def _by_task(cells: pl.DataFrame) -> pl.DataFrame:
    """One row for each task and entry: `merit` is the mean over the parts of the task, where the entry has them all."""
    key = ["source_id", "task", "model_id", "entry"]
    parts = cells.with_columns(task=pl.col("benchmark_id").str.extract(r"^([^/]+/[^/]+)")).with_columns(
        parts=pl.col("benchmark_id").n_unique().over("source_id", "task")
    )
    alone, several = parts.filter(pl.col("parts") == 1), parts.filter(pl.col("parts") > 1)
    means = several.group_by(key).agg(group_mean("merit"), complete=pl.len() == pl.col("parts").first())
    return pl.concat([alone.select(*key, "merit"), means.filter("complete").select(*key, "merit")])


def _board(board_id: str, cells: pl.DataFrame) -> Board | None:
    tasks = cells["task"].unique().sort().to_list()
    row, column = cells["row"].to_numpy(), cells["column"].to_numpy()
    entries = cells[np.flatnonzero(np.diff(row, prepend=-1))]
    several = pl.col("model_id").is_duplicated() & (pl.col("entry") != "")
    named = pl.when(several).then(pl.format("{} ({})", "model_id", "entry")).otherwise("model_id")
    models = entries.select(named)["model_id"].to_list()
    merit = np.full((len(models), len(tasks)), np.nan)
    merit[row, column] = cells["merit"]
    run = np.isfinite(merit)
    used = run.mean(axis=0) >= RUN_BY
    if used.sum() < FEWEST_TASKS:
        return None
    chosen = np.flatnonzero(run[:, used].mean(axis=1) >= COVERED)
    if chosen.size < FEWEST_MODELS:
        return None
    merit = merit[np.ix_(chosen, np.flatnonzero(used))]
    order = np.lexsort((*-merit.T[::-1], _mean_rank(merit)))[:LONGEST]  # equals by score, task by task: not by name
    return Board(
        board_id=board_id,
        models=[models[at] for at in chosen[order]],
        tasks=[task for task, kept in zip(tasks, used, strict=True) if kept],
        merit=merit[order],
        ranked=~entries["human"].to_numpy()[chosen[order]],
    )


def _mean_rank(merit: Numbers) -> Numbers:
    """Mean over the tasks that a model ran of its rank among those that ran it, as a share of their number."""
    run = np.isfinite(merit)
    ranks = np.where(run, average_ranks(merit) / np.maximum(run.sum(axis=0), 1), np.nan)
    return np.asarray(np.nanmean(ranks, axis=1))
