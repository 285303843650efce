"""Boards of known truth at the shapes of real ones whose items come in clusters, with answers that are missing."""

from typing import NamedTuple

import numpy as np
from scipy import special

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_mean import OverClusters, clustered_items, over_sums
from benchhealth.analytics.statistics.units.paired import difference_variances
from benchhealth.analytics.statistics.units.rank_sets import rank_intervals
from benchhealth.analytics.statistics.units.ties import apart_of, pairs_beyond_error
from tests.support.simulated_boards import FEW_CELLS, LARGEST, TOP, Shape, held, resampled, truth_of

SIZES: tuple[tuple[int, ...], ...] = (
    (50,) * 1_000,
    (50,) * 1_000,
    (239,) * 39 + (238,),
    (252, 188, 156, 129, 80),
    (253,) * 34 + (260,),
    (55, 34, 22, 15, 11, 7, 4),
    (30,) * 30,
    (150, 120, 90, 70, 50, 40, 30, 16, 10),
    (1_534, 895, 783, 612, *(193,) * 52, 182),
    (1,) * 9,
)
"""How many items each cluster of the boards of LARGEST holds: classes of ImageNet, the five sets of AlpacaEval, 35
articles, seven domains, 30 and 57 subjects; of LMArena and ForecastBench, whose clusters are not printed, 40 and nine
made-up ones; of SvelteBench every task is one."""

OWN, ALIKE = 0.15, 0.5
"""How far each model's own ability, and how hard clusters are for all, vary from cluster to cluster (probit)."""

LACKING, LACKING_LAST = 0.005, 0.14
"""The share of answers that are missing, and that of every tenth model: they count as wrong, in the truth as well."""


class Rates(NamedTuple):
    """Of simulated boards: how often the tied hold every true best and all sets hold at once, the share of pairs and of
    neighbours of the top ten that are told apart the wrong way round, how often the interval of the first two holds
    their true difference, how many are tied; and how often all sets hold item by item (NaN where items are too many)
    and by a bootstrap over items (likewise)."""

    tied: float
    joint: float
    wrong_pairs: float
    wrong_neighbours: float
    first_two: float
    size: float
    by_item: float
    bootstrap: float


class _Board(NamedTuple):
    score: Numbers
    over: OverClusters
    outcomes: Numbers | None


def lacking(models: int) -> Numbers:
    """The share of answers that each model lacks."""
    return np.where(np.arange(models) % 10 == 9, LACKING_LAST, LACKING)


def drawn(rng: np.random.Generator, truth: Numbers, sizes: tuple[int, ...], own_spread: float = OWN) -> _Board:
    """A board of models of these expected scores, missing answers counted as wrong."""
    size, number = np.array(sizes), len(sizes)
    there = 1 - lacking(truth.size)[:, None]
    ability = special.ndtri(truth[:, None] / there) * np.sqrt(2 + own_spread**2 + ALIKE**2)
    level = ability + own_spread * rng.standard_normal((truth.size, number)) + ALIKE * rng.standard_normal(number)
    if truth.size * int(size.sum()) <= FEW_CELLS:
        of_item = np.repeat(np.arange(number), size)
        p = there * special.ndtr(level[:, of_item] - rng.standard_normal(of_item.size))
        outcomes = (rng.random(p.shape) < p).astype(np.float64)
        return _Board(outcomes.mean(axis=1), clustered_items(outcomes, of_item), outcomes)
    solved = rng.binomial(size, there * special.ndtr(level / np.sqrt(2))).astype(np.float64)
    return _Board(solved.sum(axis=1) / size.sum(), over_sums(solved, size.astype(np.float64)), None)


def checked(
    rng: np.random.Generator, shape: Shape, sizes: tuple[int, ...], runs: int, *, equal: bool, own_spread: float = OWN
) -> Rates:
    """What the product says over clusters of so many boards of a shape."""
    truth = truth_of(shape, equal=equal) * (1 - LACKING_LAST)
    rows = np.array([_of_board(rng, truth, drawn(rng, truth, sizes, own_spread)) for _ in range(runs)])
    return Rates(*rows.mean(axis=0).tolist())


def _of_board(rng: np.random.Generator, truth: Numbers, board: _Board) -> tuple[float, ...]:
    errors = np.sqrt(np.diag(board.over.variances))
    sets = rank_intervals(board.score, errors, paired=board.over.variances, degrees=board.over.degrees)
    tied, joint = held(truth, sets.low_joint, sets.high_joint)
    top = np.argsort(-board.score, kind="stable")[:TOP]
    z = float(student.as_far_out(Z95, board.over.degrees))
    variances = board.over.variances[np.ix_(top, top)]
    apart, _ = pairs_beyond_error(board.score[top], variances, z)
    wrong = np.triu(apart & (truth[top][:, None] <= truth[top][None, :]), 1)
    counted = apart_of(board.score[top], variances, z)
    distance, real = (float(each[top[0]] - each[top[1]]) for each in (board.score, truth))
    by_item, bootstrap = np.nan, np.nan
    if board.outcomes is not None:
        alone = rank_intervals(board.score, errors, paired=difference_variances(board.outcomes))
        by_item = float(held(truth, alone.low_joint, alone.high_joint)[1])
        bootstrap = float(held(truth, *resampled(rng, board.outcomes, 100))[1])
    return (
        float(tied), float(joint), wrong.sum() / counted.pairs, np.diag(wrong, 1).sum() / counted.neighbours,
        float(abs(distance - real) <= z * np.sqrt(variances[0, 1])), float((sets.low_joint == 1).sum()),
        by_item, bootstrap,
    )  # fmt: skip


BOARDS = tuple(zip(LARGEST, SIZES, strict=True))
