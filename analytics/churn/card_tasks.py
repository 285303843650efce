"""What is known of a board task by task: missing cells, how wide tasks make the first two's interval, what flips it."""

import numpy as np
import polars as pl

from benchhealth.analytics.statistics import student

MEAN, WIN_RATE = "mean score", "win rate"
"""The orders of the table `first_place`: leaving tasks out changes the one, leaving models out the other."""

FEWEST_TASKS = 3
"""With fewer tasks the first two's differences have no spread worth naming."""


def by_task(newest: pl.DataFrame, first_place: pl.DataFrame, task_score: pl.DataFrame) -> pl.DataFrame:
    """One row for each board known task by task: the last columns of `board_card` with their reasons.

    `newest` are the cards of the newest looks. `missing_cells` is the share of the table of entries by tasks without a
    score. `cluster_width` is half the 95% interval of the difference of the first two where the board's tasks are a
    sample of tasks (Student's t over the differences by task), on the tasks' own scale.
    """
    cells = task_score.select("board_id", "task", "entry", "merit", "times", "has_mean")
    counted = cells.group_by("board_id").agg(
        missing_cells=1 - pl.len() / (pl.col("task").n_unique() * pl.col("entry").n_unique()),
        missing_reason=pl.lit(None, dtype=pl.String),
    )
    joined = (
        counted.join(_widths(newest, cells), on="board_id", how="left")
        .join(_fewest(first_place, MEAN, "tasks"), on="board_id", how="left")
        .join(_fewest(first_place, WIN_RATE, "models"), on="board_id", how="left")
    )
    otherwise = (
        ("cluster_width", "cluster_reason", "first_two_not_by_task"),
        ("tasks_to_flip", "tasks_reason", "no_common_scale"),
        ("models_to_flip", "models_reason", "no_win_rate"),
    )
    return joined.with_columns(
        pl.when(pl.col(value).is_null()).then(pl.coalesce(why, pl.lit(code))).alias(why)
        for value, why, code in otherwise
    )


def _fewest(first_place: pl.DataFrame, order_by: str, left_out: str) -> pl.DataFrame:
    """How many to leave out at least for another to be first; null with a reason where no choice does it."""
    fewest = pl.when(pl.col("challenger").is_not_null()).then(pl.col("left_out").list.len().cast(pl.Int64))
    return (
        first_place.filter(pl.col("order_by") == order_by)
        .select("board_id", fewest.alias(f"{left_out}_to_flip"))
        .with_columns(
            pl.when(pl.col(f"{left_out}_to_flip").is_null()).then(pl.lit("none_flips")).alias(f"{left_out}_reason")
        )
    )


def _widths(newest: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """For each board the half width over tasks of the difference of its first two, where both are known by task."""
    means = cells.filter("has_mean").drop("has_mean")
    key = ["board_id", "task"]
    first = newest.select("board_id", entry="first").join(means, on=["board_id", "entry"])
    second = newest.select("board_id", entry="second").join(means, on=["board_id", "entry"])
    pairs = first.join(second.select(*key, other="merit"), on=key).with_columns(by=pl.col("merit") - pl.col("other"))
    spreads = pairs.group_by("board_id").agg(n=pl.len(), spread=pl.col("by").std(), alike=pl.col("times").max())
    t = student.quantile(0.975, (spreads["n"] - 1).to_numpy())
    enough = (pl.col("n") >= FEWEST_TASKS) & (pl.col("alike") == 1)
    return spreads.with_columns(t=pl.Series(np.asarray(t, dtype=np.float64))).select(
        "board_id",
        cluster_width=pl.when(enough).then(pl.col("t") * pl.col("spread") / pl.col("n").sqrt()),
        cluster_reason=pl.when(pl.col("alike") > 1)
        .then(pl.lit("tasks_weighted"))
        .when(~enough)
        .then(pl.lit("too_few_tasks")),
    )
