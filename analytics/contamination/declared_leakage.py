"""Whether declared leakage shows: scores on tasks that makers name as training data, beside those on other tasks."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from benchhealth.analytics.contamination.reports import DECLARED
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers, Places
from benchhealth.analytics.statistics.random_streams import stream_of

TASK_DEPTH = {"mteb": 0, "fev": 1, "gift-eval": 1}
"""Sources whose makers declare leakage, and how many slashes the id of a task has: what has more is a second metric."""

POINTS, SMALLER = "points", "percent smaller loss"
SCHEMA = PUBLISHED["declared_leakage"]
FEWEST_MODELS = 3
"""Models with both kinds of tasks: an interval over fewer says nothing."""

RESAMPLES = 500
TOLERANCE = 1e-9
DRAWS = 1000
WITHIN_MODELS, TOO_FEW = "declared_for_whole_models", "few_mixed_models"
"""The codes that say why no effect is estimated."""


@dataclass(frozen=True)
class _Cells:
    """One source's newest scores: a model's and a task's place for each, the score as merit, and what was declared."""

    model: Places
    task: Places
    merit: Numbers
    declared: Numbers
    unit: str


def declared_leakage(frames: Frames, leakage_rng: np.random.Generator) -> pl.DataFrame:
    """Table `declared_leakage`: for each source how much higher models score on tasks that they declare.

    Each score is a level of its model, a level of its task and, where the model's maker declared the task (or the whole
    benchmark) as training data, `value` more: least squares over all cells, so that declared cells do not set the level
    that they are held against. Bounded scores count in points of 100; of losses the logarithm is taken, and `value` is
    by how many percent the loss is smaller. `low` and `high` are the 95% of 1,000 draws of models with replacement,
    each model's residuals kept: too short where only few models have both kinds of tasks (`n_mixed`), which alone tell
    anything. `share_declared` is the share of cells. Where a source's makers declare whole models,
    the level of the model takes all, and the status says so.

    Higher where declared is what training on the task would do, and also what choosing data near one's aims would do;
    around zero says that declaring does not show at this precision, not that there was no leak.
    """
    rows = [_effect_row(source_id, frames, stream_of(leakage_rng, source_id)) for source_id in sorted(TASK_DEPTH)]
    return pl.DataFrame([row for row in rows if row is not None], schema=SCHEMA, orient="row")


def _effect_row(source_id: str, frames: Frames, rng: np.random.Generator) -> dict[str, object] | None:
    """The row of one source; None where the source has no scores."""
    table = _scores(frames, source_id)
    if table.is_empty():
        return None
    cells = _cells(table)
    mixed = _mixed_models(cells)
    row: dict[str, object] = {
        "source_id": source_id,
        "unit": cells.unit,
        "share_declared": float(cells.declared.mean()),
        "n": cells.declared.size,
        "n_declared": int(cells.declared.sum()),
        "n_models": int(cells.model.max()) + 1,
        "n_mixed": mixed,
        "n_tasks": int(cells.task.max()) + 1,
    }
    if not mixed and cells.declared.any():
        return {**row, "status": "not_applicable", "case": WITHIN_MODELS}
    if mixed < FEWEST_MODELS:
        return {**row, "status": "insufficient", "case": TOO_FEW}
    interval = effect(cells.model, cells.task, cells.merit, cells.declared, rng)
    value, low, high = (100 * (1 - float(np.exp(-end))) for end in interval) if cells.unit == SMALLER else interval
    return {**row, "value": value, "low": low, "high": high, "status": "ok"}


def _scores(frames: Frames, source_id: str) -> pl.DataFrame:
    """The newest score of each model on each task, with `declared`; tasks of one model alone say nothing of it."""
    units = frames.benchmark.select("benchmark_id", "unit", "higher_is_better")
    newest = (
        frames.result.filter(
            (pl.col("source_id") == source_id)
            & (pl.col("kind") == "model")
            & (pl.col("benchmark_id").str.count_matches("/") <= TASK_DEPTH[source_id])
        )
        .collect()
        .join(units, on="benchmark_id")
        .filter((pl.col("unit") != "loss") | (pl.col("score") > 0))
        .sort("observed_at", "snapshot_id", "source_row")
        .unique(["benchmark_id", "published_name"], keep="last", maintain_order=True)
    )
    named = (
        frames.contamination_report.filter(pl.col("method").str.contains(DECLARED))
        .select("benchmark_id", published_name="subject")
        .unique()
        .with_columns(declared=pl.lit(1.0))
    )
    root = pl.col("benchmark_id").str.split("/").list.first()
    of_whole = named.rename({"benchmark_id": "root", "declared": "declared_whole"})
    joined = (
        newest.with_columns(root=root)
        .join(named, on=["benchmark_id", "published_name"], how="left", maintain_order="left")
        .join(of_whole, on=["root", "published_name"], how="left", maintain_order="left")
    )
    declared = pl.coalesce("declared", "declared_whole", pl.lit(0.0))
    return joined.filter(pl.len().over("benchmark_id") > 1).select(
        "benchmark_id", "published_name", "unit", "higher_is_better", "score", declared=declared
    )


def _cells(table: pl.DataFrame) -> _Cells:
    is_loss = bool((table["unit"] == "loss").all())
    better = table["higher_is_better"].cast(pl.Float64).to_numpy() * 2 - 1
    score = table["score"].to_numpy()
    merit = better * (np.log(score) if is_loss else 100 * score)
    return _Cells(
        _places(table["published_name"]),
        _places(table["benchmark_id"]),
        merit,
        table["declared"].to_numpy(),
        SMALLER if is_loss else POINTS,
    )


def _places(names: pl.Series) -> Places:
    """The place of each name among the names, from 0."""
    return (names.rank("dense").cast(pl.Int64) - 1).to_numpy()


def _mixed_models(cells: _Cells) -> int:
    """How many models have declared tasks and others."""
    declared = np.bincount(cells.model, weights=cells.declared)
    return int(((declared > 0) & (declared < np.bincount(cells.model))).sum())


def effect(
    model: Places, task: Places, merit: Numbers, declared: Numbers, rng: np.random.Generator
) -> tuple[float, float, float]:
    """(value, low, high): the coefficient of `declared` (0 or 1) beside levels of models and tasks, in units of merit.

    `model` and `task` number the levels from 0. What is left of merit and of `declared` after both levels is regressed
    one on the other (Frisch and Waugh 1933; Lovell 1963). At least one model must have declared and undeclared tasks.

    Merit is 10 a model, 1 a task and 5 for each declared cell, so that the effect is 5 whatever is drawn:

    >>> model, task, declared = np.repeat([0, 1, 2], 3), np.tile([0, 1, 2], 3), np.eye(3).ravel()
    >>> of_declared = effect(model, task, 10.0 * model + task + 5 * declared, declared, np.random.default_rng(0))
    >>> [round(number, 6) for number in of_declared]
    [5.0, 5.0, 5.0]
    """
    left_of_merit, left_of_declared = (_residuals(model, task, values) for values in (merit, declared))
    models = int(model.max()) + 1
    joint = np.bincount(model, weights=left_of_merit * left_of_declared, minlength=models)
    squares = np.bincount(model, weights=left_of_declared**2, minlength=models)
    drawn = rng.multinomial(models, np.full(models, 1 / models), size=DRAWS)
    total = drawn @ squares
    draws = (drawn @ joint)[total > 0] / total[total > 0]
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(joint.sum() / squares.sum()), float(low), float(high)


def _residuals(model: Places, task: Places, values: Numbers) -> Numbers:
    """The residuals of values about a level for each model and each task (two-way fixed effects), by iteration."""
    left: Numbers = values - values.mean()
    counts = [np.bincount(groups) for groups in (model, task)]
    for _ in range(RESAMPLES):
        moved = 0.0
        for groups, count in zip((model, task), counts, strict=True):
            level = np.bincount(groups, weights=left) / count
            left = left - level[groups]
            moved = max(moved, float(np.abs(level).max()))
        if moved < TOLERANCE * max(1.0, float(np.abs(values).max())):
            break
    return left
