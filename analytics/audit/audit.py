"""What can be said of anybody's leaderboard: who is tied, who can be told apart, what it rests on."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.audit.board import ITEMS, SCORES, TASKS, Board, BoardError
from benchhealth.analytics.churn.board_card import TOP_MODELS, Card, Look, card_of
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95, binomial_error
from benchhealth.analytics.statistics.units.clustered_mean import (
    FEWEST_CLUSTERS,
    OverClusters,
    clustered_items,
    clustered_variances,
)
from benchhealth.analytics.statistics.units.paired import difference_variances
from benchhealth.analytics.statistics.units.rank_sets import rank_intervals
from benchhealth.analytics.statistics.units.ties import tiers

FEWEST_TASKS = 5
"""With fewer tasks nothing is known of how their scores scatter."""

WRONG, COMPLETE = "wrong", "complete"
MISSING = (WRONG, COMPLETE)
"""What a missing cell counts as: a wrong answer (items), or its item or task counts for nobody."""


@dataclass(frozen=True)
class Audit:
    """The card of a board, best first.

    `rows`: rank, model, score, low and high (its own 95% interval), rank_low and rank_high (all at once), tier.
    `card` is a row as of the table `board_card`. `over_clusters` are the counts of `card` where clusters are what was
    drawn, None where none are given. `first_without` says for how many clusters or tasks another is first without it,
    `of_parts` of how many. `missing` cells of `cells`, counted as `counted`.
    """

    board: Board
    rows: pl.DataFrame
    card: Card
    over_clusters: Card | None
    first_without: int | None
    of_parts: int | None
    missing: int
    cells: int
    counted: str
    counted_otherwise: Card | None


def audit(board: Board, missing: str = WRONG) -> Audit:
    """The audit of a board. Raises BoardError where nothing is left to compare.

    A missing cell of a test of items counts as `missing` says; a task that lacks a score of any model counts for
    nobody.
    """
    counted = missing if board.kind == ITEMS else COMPLETE
    cells, empty = board.values.size, board.missing
    full = _in_order_of_means(_without_missing_cells(board, counted))
    rows, card = _rank_table(full, _errors(full))
    numbers = _cluster_numbers(full)
    clustered = None
    if numbers is not None and numbers.max() + 1 >= FEWEST_CLUSTERS:
        clustered = _rank_table(full, _errors_over(clustered_items(full.values, numbers)))[1]
    without, n_parts = _without_each(full, numbers)
    return Audit(full, rows, card, clustered, without, n_parts, empty, cells, counted, _alternate(board, counted))


def _alternate(board: Board, counted: str) -> Card | None:
    """The card under the other rule for missing cells, where cells are missing and there is a choice."""
    if not board.missing or board.kind != ITEMS or not np.isfinite(board.values).all(axis=0).any():
        return None
    refilled = _in_order_of_means(_without_missing_cells(board, COMPLETE if counted == WRONG else WRONG))
    return _rank_table(refilled, _errors(refilled))[1]


def _in_order_of_means(board: Board) -> Board:
    """The board with its models in the order of their means."""
    order = np.lexsort((np.array(board.models), -board.values.mean(axis=1)))
    sizes = None if board.sizes is None else board.sizes[order]
    models, rerun = tuple(board.models[index] for index in order), board.run_variances
    rerun = None if rerun is None else rerun[order]
    return replace(board, models=models, values=board.values[order], sizes=sizes, run_variances=rerun)


def _without_missing_cells(board: Board, counted: str) -> Board:
    if not board.missing:
        return board
    if counted == WRONG:
        return replace(board, values=np.nan_to_num(board.values, nan=0.0))
    answered_by_all = np.isfinite(board.values).all(axis=0)
    if not answered_by_all.any():
        raise BoardError("no item was answered by all models")
    clusters = None if board.clusters is None else tuple(np.array(board.clusters)[answered_by_all].tolist())
    units = tuple(np.array(board.units)[answered_by_all].tolist())
    rerun = None if board.run_variances is None else board.run_variances[:, answered_by_all]
    return replace(board, values=board.values[:, answered_by_all], units=units, clusters=clusters, run_variances=rerun)


class _Errors(NamedTuple):
    """The standard error of each score, the variance of the difference of every two where units are shared, and the
    degrees of freedom with which these are known."""

    of_score: Numbers
    paired: Numbers | None = None
    degrees: float = np.inf


def _errors_over(clusters: OverClusters) -> _Errors:
    shared = clusters.variances.copy()
    np.fill_diagonal(shared, 0.0)
    return _Errors(np.sqrt(np.diag(clusters.variances)), shared, clusters.degrees)


def _errors(board: Board) -> _Errors:
    values = board.values
    if board.kind == SCORES:
        return _Errors(_binomial(values[:, 0], board.sizes))
    n = values.shape[1]
    if board.kind == TASKS:
        if n < FEWEST_TASKS:
            return _Errors(np.full(values.shape[0], np.nan))
        return _errors_over(clustered_variances(values, np.arange(n)))
    if n < 2:
        raise BoardError("there is one item alone")
    standard = values.std(axis=1, ddof=1) / np.sqrt(n)
    of_extremes = _binomial(values.mean(axis=1), np.full(values.shape[0], float(n)))
    return _Errors(np.where(standard > 0, standard, of_extremes), difference_variances(values))


def _binomial(score: Numbers, sizes: Numbers | None) -> Numbers:
    rows = pl.DataFrame({"score": score, "n": sizes})
    return np.asarray(rows.select(binomial_error(pl.col("score"), pl.col("n"))).to_series().to_numpy())


def _rank_table(board: Board, known_by: _Errors) -> tuple[pl.DataFrame, Card]:
    errors, paired, degrees = known_by
    merits = board.values.mean(axis=1)
    ranks = np.array([float((merits > merit + 1e-12).sum() + 1) for merit in merits])
    sets = rank_intervals(merits, errors, paired=paired, items=_right_or_wrong(board), degrees=degrees)
    of_tier = tiers(ranks, sets.low_joint)
    size = _sizes(board)
    reach = float(student.as_far_out(Z95, degrees)) * errors
    look = Look(
        list(board.models[:TOP_MODELS]), [""] * TOP_MODELS, merits, errors, size, of_tier, board.kind != TASKS, UNSTATED
    )
    has_error = np.isfinite(errors)
    columns: dict[str, Any] = {
        "rank": ranks,
        "model": list(board.models),
        "score": merits,
        "low": np.where(has_error, np.clip(merits - reach, 0.0, 1.0), np.nan),
        "high": np.where(has_error, np.clip(merits + reach, 0.0, 1.0), np.nan),
        "rank_low": sets.low_joint,
        "rank_high": sets.high_joint,
        "tier": of_tier,
    }
    whole_numbers = pl.col("rank", "rank_low", "rank_high", "tier").cast(pl.Int64)
    rows = pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None)).with_columns(whole_numbers)
    return rows, card_of(look, paired, degrees)


def _right_or_wrong(board: Board) -> Numbers | None:
    """The number of right or wrong items that each score is a share of; None where it is no such share."""
    is_so = board.kind == SCORES or (board.kind == ITEMS and bool(np.isin(board.values, (0.0, 1.0)).all()))
    return _sizes(board) if is_so else None


def _sizes(board: Board) -> Numbers:
    if board.sizes is not None:
        return board.sizes
    return np.full(len(board.models), float(board.values.shape[1]))


def _cluster_numbers(board: Board) -> NDArray[np.intp] | None:
    if board.clusters is None:
        return None
    return np.asarray(np.unique(np.array(board.clusters), return_inverse=True)[1], dtype=np.intp)


def _without_each(board: Board, clusters: NDArray[np.intp] | None) -> tuple[int | None, int | None]:
    """Without how many of the clusters (else of the tasks) another model is first."""
    if clusters is None:
        if board.kind != TASKS or board.values.shape[1] < 2:
            return None, None
        clusters = np.arange(board.values.shape[1])
    number = int(clusters.max()) + 1
    sums = np.stack([np.bincount(clusters, weights=row, minlength=number) for row in board.values], axis=1)
    sizes = np.bincount(clusters, minlength=number)
    left = (sums.sum(axis=0) - sums) / np.maximum(sizes.sum() - sizes, 1)[:, None]
    runner_up = left[:, 1:].max(axis=1) if left.shape[1] > 1 else np.full(number, -np.inf)
    return int((runner_up > left[:, 0] + 1e-12).sum()), number
