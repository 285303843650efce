"""A leaderboard as somebody brings it: models with what each did on every item or task, or with a score each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers

ITEMS, TASKS, SCORES = "items", "tasks", "scores"

LINE_A_MODEL, COLUMN_A_MODEL, LINE_A_CELL, LINE_A_SCORE = (
    "line_a_model",
    "column_a_model",
    "line_a_cell",
    "line_a_score",
)
LM_EVAL, INSPECT, EVERY_EVAL, HELM, SWE_BENCH = "lm_eval", "inspect", "every_eval_ever", "helm", "swe_bench"
FORMATS = (LINE_A_MODEL, COLUMN_A_MODEL, LINE_A_CELL, LINE_A_SCORE, LM_EVAL, INSPECT, EVERY_EVAL, HELM, SWE_BENCH)
"""What a file can be read as: four kinds of tables, and logs of five harnesses."""

MOST_MODELS, MOST_UNITS, MOST_CELLS = 5_000, 200_000, 20_000_000
"""More than any board has; a larger file is refused before its cells are held in memory."""


class BoardError(ValueError):
    """A file is not a leaderboard; the message names the position."""


def below_one(problem: str, score: float) -> BoardError:
    """The error of a score below 1 among percents, with what is to be written for what it may mean.

    >>> str(below_one("line 2", 0.7))
    'line 2: for 0.7 of 1 write 70, for 0.7 percent 0.7%'
    """
    return BoardError(f"{problem}: for {score:g} of 1 write {100 * score:g}, for {score:g} percent {score:g}%")


@dataclass(frozen=True)
class Board:
    """Models and `values`, (models, units) as fractions of 1, NaN where a cell is missing.

    `kind` says what a unit is: an item of a test, a task with its own score, or (one column) the whole score of so many
    `sizes` items. `clusters` names for each unit what it belongs to (a passage, a subject), where that is given.
    `run_variances`, of the shape of `values`, is the variance of a cell that is a mean of several runs, NaN for a
    single run; None where every cell is one. `format` is what the file was read as, one of FORMATS, without `left_out`
    columns of text.
    """

    kind: str
    models: tuple[str, ...]
    values: Numbers
    units: tuple[str, ...]
    format: str
    clusters: tuple[str, ...] | None = None
    sizes: Numbers | None = None
    left_out: int = 0
    run_variances: Numbers | None = None

    @property
    def missing(self) -> int:
        """The number of cells of models and items that hold no outcome."""
        return int(np.isnan(self.values).sum())


def board_of(  # noqa: PLR0913
    kind: str,
    models: Sequence[str],
    values: Numbers,
    units: Sequence[str],
    read_as: str,
    *,
    clusters: Sequence[str] | None = None,
    sizes: Numbers | None = None,
    run_variances: Numbers | None = None,
) -> Board:
    """The board of these cells, checked. Raises BoardError for what nobody can rank."""
    names = [name.strip() for name in models]
    if not names or not values.size:
        raise BoardError("there is no model in it")
    if len(names) == 1:
        raise BoardError(f"there is one model alone ({names[0]}): a board has two or more")
    _check_unique("model", names)
    _check_unique("item" if kind == ITEMS else "task", units)
    if np.isinf(values).any() or (values < 0).any() or (values > 1).any():
        raise BoardError("a score lies outside 0 to 1 (or 0 to 100, if any is above 1)")
    filled = np.isfinite(values)
    if not filled.any(axis=1).all():
        raise BoardError(f"{names[int(filled.sum(axis=1).argmin())]} has no cell that is filled in")
    _check_shared_items(kind, names, filled)
    return Board(
        kind,
        tuple(names),
        values,
        tuple(units),
        read_as,
        None if clusters is None else tuple(clusters),
        sizes,
        run_variances=run_variances,
    )


def kind_of(values: Numbers) -> str:
    """Items where every cell of a table is right, wrong or half right; else scores of tasks. Logs are of items."""
    finite = values[np.isfinite(values)]
    return ITEMS if np.isin(finite, (0.0, 0.5, 1.0)).all() else TASKS


def check_size(models: int, units: int) -> None:
    """Check the size of a board before it is read; raises BoardError for more cells than an audit reads."""
    if models > MOST_MODELS or units > MOST_UNITS or models * units > MOST_CELLS:
        raise BoardError(
            f"{models:,} models x {units:,} columns are more than are read "
            f"({MOST_MODELS:,} models, {MOST_UNITS:,} items, {MOST_CELLS:,} cells)"
        )


def _check_shared_items(kind: str, models: Sequence[str], filled: NDArray[np.bool_]) -> None:
    """Check that every two models have an item in common: else all that one has counts against the other."""
    if filled.all():
        return
    cells = filled.astype(np.float32)
    apart = np.argwhere(cells @ cells.T == 0)
    if apart.size:
        first, second = (models[int(index)] for index in apart[0])
        noun = "item" if kind == ITEMS else "task"
        raise BoardError(f"{first} and {second} have no {noun} in common: these are other sets of {noun}s")


def _check_unique(noun: str, names: Sequence[str]) -> None:
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise BoardError(f"the {noun} {repeated[0]!r} is there {Counter(names)[repeated[0]]} times")
    if any(not name for name in names):
        raise BoardError(f"a {noun} has no name")
