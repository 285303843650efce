"""Boards of known truth at the shapes of real ones: who is tied for first by ours, by overlap, by a bootstrap."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import AGRESTI_COULL, Z95
from benchhealth.analytics.statistics.units.paired import difference_variances
from benchhealth.analytics.statistics.units.rank_sets import RankSets, rank_intervals
from benchhealth.analytics.statistics.units.ties import pairs_beyond_error, tiers

BINS = 200
"""Kinds of items, equally common, that differ in how hard they are."""

FEW_CELLS = 500_000
"""Up to so many cells outcomes are drawn item by item, as what pairs models or resamples items needs them."""

TOP = 10


class Shape(NamedTuple):
    """A board: how many models, how many items, and the best and the worst score."""

    name: str
    models: int
    items: int
    best: float
    worst: float


LARGEST = (
    Shape("timm ImageNet", 1_266, 50_000, 0.90, 0.41),
    Shape("ImageNet testbed", 335, 50_000, 0.88, 0.01),
    Shape("LMArena text", 363, 9_559, 0.60, 0.40),
    Shape("AlpacaEval 2", 205, 805, 0.79, 0.02),
    Shape("SQuAD 2.0", 203, 8_862, 0.91, 0.01),
    Shape("BigCodeBench hard", 192, 148, 0.41, 0.01),
    Shape("MMMU", 182, 900, 0.85, 0.24),
    Shape("ForecastBench", 171, 576, 0.69, 0.50),
    Shape("MMLU, Epoch AI", 167, 14_042, 0.88, 0.25),
    Shape("SvelteBench", 163, 9, 0.95, 0.05),
)
"""One board of each of the ten sources whose boards list most models with an error (data to 22 August 2026).

Of LMArena, whose scores are ratings, the votes of its first stand in place of items, and of SvelteBench, where most
solve all of nine tasks, a best score that can be missed."""


class Rates(NamedTuple):
    """Of simulated boards: how often the tied hold every true best and all sets hold at once, how often some tier is
    wrong, the share of neighbours of the top ten that are told apart the wrong way round, and how many are tied."""

    tied: float
    joint: float
    wrong_tier: float
    wrong_neighbours: float
    size: float


class Board(NamedTuple):
    """One simulated board: true and printed scores, errors, and outcomes item by item where there are few."""

    truth: Numbers
    score: Numbers
    error: Numbers
    items: Numbers
    outcomes: Numbers | None


def drawn(rng: np.random.Generator, truth: Numbers, items: int, correlation: float) -> Board:
    """A board of models of these true scores whose outcomes on one item correlate by so much (at a score of .5)."""
    shared = np.sin(np.pi * correlation / 2)  # Sheppard 1899: the correlation of two halves of a normal pair
    ease = special.ndtri((np.arange(BINS) + 0.5) / BINS)
    kinds = rng.integers(0, BINS, items)
    ability = special.ndtri(truth)[:, None] + np.sqrt(shared) * ease[None, :]
    p = special.ndtr(ability / np.sqrt(1 - shared))
    outcomes = None
    if truth.size * items <= FEW_CELLS:
        outcomes = (rng.random((truth.size, items)) < p[:, kinds]).astype(np.float64)
        score = outcomes.mean(axis=1)
    else:
        counts = np.bincount(kinds, minlength=BINS)
        score = rng.binomial(counts[None, :], p).sum(axis=1) / items
    return Board(truth, score, _binomial(score, items), np.full(truth.size, float(items)), outcomes)


def truth_of(shape: Shape, *, equal: bool) -> Numbers:
    """All as good as the best, or evenly from the best to the worst."""
    return np.full(shape.models, shape.best) if equal else np.linspace(shape.best, shape.worst, shape.models)


def ours(board: Board, *, paired: bool = False) -> RankSets:
    """The sets of the product: errors taken as independent, as where no items are known, or item by item."""
    shared = difference_variances(board.outcomes) if paired and board.outcomes is not None else None
    return rank_intervals(board.score, board.error, paired=shared, items=board.items)


def overlapping(board: Board) -> NDArray[np.bool_]:
    """The plain rule: whose own 95% interval overlaps that of the first."""
    first = board.score.argmax()
    return board.score + Z95 * board.error >= board.score[first] - Z95 * board.error[first]


def resampled(rng: np.random.Generator, outcomes: Numbers, draws: int = 300) -> tuple[Numbers, Numbers]:
    """The ranks of a Gaussian multiplier bootstrap over items of the largest studentised difference of any two models.

    What the rival of the issue does in its first step (Chernozhukov, Chetverikov, Kato 2013, arXiv:1212.6906), written
    anew; its further steps part more models, and never fewer.
    """
    models, items = outcomes.shape
    from_mean = outcomes - outcomes.mean(axis=1, keepdims=True)
    inner = from_mean @ from_mean.T
    spread = np.sqrt(np.clip(np.diag(inner)[:, None] + np.diag(inner)[None, :] - 2 * inner, 0, None))
    spread[spread <= 0] = np.inf
    sums = from_mean @ rng.standard_normal((items, draws))
    largest = [float((np.abs(sums[:, [column]] - sums[:, [column]].T) / spread).max()) for column in range(draws)]
    score = outcomes.mean(axis=1)
    needed = np.where(np.isfinite(spread), np.quantile(largest, 0.95) * np.nan_to_num(spread, posinf=0.0), np.inf)
    ahead = (score[:, None] - score[None, :]) * items > needed
    return 1.0 + ahead.sum(axis=0), models - ahead.sum(axis=1).astype(np.float64)


def held(truth: Numbers, low: Numbers, high: Numbers) -> tuple[bool, bool]:
    """Whether every true best may be first, and whether each set holds all ranks that the model may truly have."""
    least = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    most = truth.size - (truth[None, :] < truth[:, None]).sum(axis=1)
    return bool((low[least == 1] == 1).all()), bool(((low <= least) & (high >= most)).all())


def checked(rng: np.random.Generator, shape: Shape, correlation: float, runs: int, *, equal: bool) -> Rates:
    """What the product says of so many boards of a shape, errors taken as independent."""
    truth, sums = truth_of(shape, equal=equal), np.zeros(5)
    least = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    for _ in range(runs):
        board = drawn(rng, truth, shape.items, correlation)
        sets = ours(board)
        ranks = 1.0 + (board.score[None, :] > board.score[:, None]).sum(axis=1)
        tied, joint = held(truth, sets.low_joint, sets.high_joint)
        tier = tiers(ranks, sets.low_joint)
        begins = {number: ranks[tier == number].min() for number in np.unique(tier)}
        above = np.array([0.0 if number == 1 else begins[number - 1] for number in tier])
        sums += (tied, joint, bool((least <= above).any()), _wrong_neighbours(board), (tier == 1).sum())
    return Rates(*(sums / runs).tolist())


def _wrong_neighbours(board: Board) -> float:
    """The share of neighbours of the printed top ten that are told apart though the lower is as good or better."""
    top = np.argsort(-board.score, kind="stable")[:TOP]
    apart, _ = pairs_beyond_error(board.score[top], board.error[top][:, None] ** 2 + board.error[top][None, :] ** 2)
    return float((np.diag(apart, 1) & (board.truth[top][:-1] <= board.truth[top][1:])).mean())


def _binomial(score: Numbers, items: int) -> Numbers:
    """As `errors.binomial_error`, of an array."""
    extreme = (score <= 0) | (score >= 1)
    total = np.where(extreme, items + 2 * AGRESTI_COULL, items)
    p = np.where(extreme, (score * items + AGRESTI_COULL) / total, score)
    return np.asarray(np.sqrt(p * (1 - p) / total))
