"""Diversity and stability of a multi-task board by the definition of Zhang and Hardt (2024), their search included.

The measures are theirs: Kendall's W without correction of ties, and the distance (1 - tau-b) / 2 between the order of
a board and the most different order that their gradient descent finds. What a descent finds depends on its every step,
so the steps are theirs as well (package benchbench 1.0.1, https://github.com/socialfoundations/benchbench, MIT): the
losses, step sizes, stops and the stream of random numbers, rewritten over arrays with the gradients in closed form, in
double precision throughout.
What it finds is a lower bound of the worst case; `analytics.multi_task.stability` searches on from there.

A board is an array of models by tasks, higher is better; NaN is "not run" where it is allowed.
Source: Zhang, Hardt (2024), Inherent Trade-Offs between Diversity and Stability in Multi-Task Benchmarks, ICML.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers, Places

EQUAL = 1e-8
"""Scores closer than this are tied."""

DESCENT_STEPS = 1_000
ONE_KEPT_IN = 5
"""One model in five, the best, is ranked by `irrelevant_models`; the others are those that come and go."""

LEAST_WEIGHT = 0.01
"""No task's weight falls below about this share of the whole."""

UNCHANGED = 1e-5
"""The search for weights stops where a step changes the loss by less."""


TRAILING = 0.01
"""A better model that trails a worse one by more than this in win rate is pushed down no further."""


class Change(NamedTuple):
    """How far one order is from another: `distance` is (1 - tau-b) / 2, `shift` the largest move in ranks / (n - 1)."""

    distance: float
    shift: float


def average_ranks(scores: Numbers) -> Numbers:
    """Rank of each score among those of its column, 1 for the largest, ties (closer than `EQUAL` to the next) at their
    mean. A score that is NaN ranks below all others.

    >>> average_ranks(np.array([0.9, 0.5, 0.5, 0.1])).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    order = np.argsort(-scores, axis=0, kind="stable")
    falls = ~(np.abs(np.diff(np.take_along_axis(scores, order, axis=0), axis=0)) <= EQUAL)
    edge = np.ones_like(scores[:1], dtype=bool)
    position = np.arange(1, len(scores) + 1).reshape(-1, *[1] * (scores.ndim - 1))
    first = np.maximum.accumulate(np.where(np.concatenate([edge, falls]), position, 0))
    last = np.minimum.accumulate(np.where(np.concatenate([falls, edge]), position, len(scores))[::-1])[::-1]
    ranks = np.empty(scores.shape)
    np.put_along_axis(ranks, order, 0.5 * (first + last), axis=0)
    return ranks


def change(new: Numbers, old: Numbers) -> Change:
    """How far the ranks `new` are from `old`; zero where they are the same, half where one is all ties.

    Of three pairs one has turned, and two models have moved by one of two places:

    >>> moved = change(new=np.array([1.0, 3.0, 2.0]), old=np.array([1.0, 2.0, 3.0]))
    >>> round(moved.distance, 3), moved.shift
    (0.333, 0.5)
    """
    moved = np.abs(new - old)
    if moved.sum() <= EQUAL:
        return Change(0.0, 0.0)
    return Change(float(order_distances(-new[None, :], old)[0]), float(moved.max()) / (new.size - 1))


def diversity(scores: Numbers) -> tuple[float, float]:
    """1 - Kendall's W as published, and the mean over pairs of tasks of the largest move in ranks / (n - 1).

    Half ranks of ties are cut to whole ones and W is not corrected for ties, so many ties make a board look diverse.
    Missing scores must have been filled in (`filled`). Raises ValueError with fewer than two models or tasks.

    Two tasks that order three models the other way round agree in nothing:

    >>> diversity(np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 3.0]]))
    (1.0, 1.0)
    """
    ranks = average_ranks(scores).T
    m, n = ranks.shape
    if min(m, n) < 2:
        raise ValueError(f"two models and two tasks at least, got {n} and {m}")
    sums = ranks.astype(np.int64).sum(axis=0)
    kendall_w = float(((sums - sums.mean()) ** 2).sum()) / (m**2 * (n**3 - n) / 12)
    pairs = np.abs(ranks[:, None, :] - ranks[None, :, :]).max(axis=2)[np.triu_indices(m, 1)]
    return 1 - kendall_w, float(pairs.mean() / (n - 1))


def filled(scores: Numbers, neighbours: int = 5) -> Numbers:
    """Missing scores as the mean of the models nearest on the tasks that both ran, among those that have the score.

    The distance is the root of the mean squared difference over shared tasks. With no shared task: the task's mean.

    The second model lacks a score on the second task: it gets that of the only other.

    >>> filled(np.array([[1.0, 4.0], [1.0, np.nan]])).tolist()
    [[1.0, 4.0], [1.0, 4.0]]
    """
    missing = np.isnan(scores)
    if not missing.any():
        return scores
    filled_scores = np.where(missing, 0.0, scores)
    run = (~missing).astype(np.float64)
    shared = run @ run.T
    squared = filled_scores**2 @ run.T + run @ (filled_scores**2).T - 2 * filled_scores @ filled_scores.T
    distance = np.divide(np.maximum(squared, 0), shared, out=np.full_like(shared, np.inf), where=shared > 0)
    complete = scores.copy()
    for task in np.flatnonzero(missing.any(axis=0)):
        donors, wanting = np.flatnonzero(~missing[:, task]), np.flatnonzero(missing[:, task])
        nearest = np.argsort(distance[np.ix_(wanting, donors)], axis=1, kind="stable")[:, :neighbours]
        values = scores[donors, task][nearest].mean(axis=1)
        has_no_neighbour = ~np.isfinite(distance[np.ix_(wanting, donors)]).any(axis=1)
        complete[wanting, task] = np.where(has_no_neighbour, scores[donors, task].mean(), values)
    return complete


def win_rates(scores: Numbers) -> Numbers:
    """For each model and each other, the share of the tasks both ran on which the first is better; 0 without such.

    >>> win_rates(np.array([[3.0, 1.0], [2.0, 2.0]])).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    n_shared = np.zeros((scores.shape[0],) * 2)
    wins = np.zeros_like(n_shared)
    for task in scores.T:
        run = np.isfinite(task)
        n_shared += np.logical_and.outer(run, run)
        wins += np.greater.outer(task, task)
    return np.divide(wins, n_shared, out=np.zeros_like(n_shared), where=n_shared > 0)


def task_weights(scores: Numbers) -> tuple[Change, Numbers]:
    """The change of the order by mean score under the worst weights found, and those weights (largest 1).

    Two descents, one with pairs weighted by their distance in rank; the one that changes more counts.
    """
    varied = scores[:, scores.std(axis=0, ddof=1) > EQUAL]
    ranks = average_ranks(varied.mean(axis=1))
    tried = []
    for by_distance in (True, False):
        weights = _descend_weights(varied, ranks, by_distance)
        new = average_ranks((varied * weights).mean(axis=1))
        tried.append((change(new, ranks), weights))
    first, second = tried
    return first if first[0] >= second[0] else second


def _descend_weights(scores: Numbers, ranks: Numbers, by_distance: bool) -> Numbers:
    """Gradient descent on how far the better models lead, in double precision.

    The package sums losses in single precision, in which those of a large board (2,000 on MMLU) are told apart by no
    less than twelve times `UNCHANGED`: there a stop by that rule hangs on how the processor rounds.
    """
    spread = scores.std(axis=0, ddof=1)
    lag = ranks[:, None] - ranks[None, :]  # row: the worse model; column: the better one
    worse, better = np.nonzero(lag > 0)
    cost = lag[worse, better] if by_distance else 1.0
    n_tasks = scores.shape[1]
    # of each pair on each task (row), by what it costs: all that a step asks is a product with the weights
    leads = np.ascontiguousarray(cost * (scores[better] - scores[worse]).T) / (spread[:, None] * n_tasks)
    share = LEAST_WEIGHT / (1 - LEAST_WEIGHT)
    raw = np.ones(n_tasks)
    last = np.inf
    for _ in range(DESCENT_STEPS):
        soft, total, weights = _normalised(raw, share)
        lead = weights @ leads
        loss = float(np.maximum(lead, 0).sum())
        if loss <= EQUAL:
            break
        by_weight = leads @ (lead >= 0).astype(np.float64)
        by_share = (by_weight - by_weight @ weights) / total
        raw = raw - soft * (by_share - by_share @ soft)
        if abs(loss - last) < UNCHANGED:
            break
        last = loss
    scaled = _normalised(raw, share)[2] / spread
    return np.asarray(scaled / scaled.max())


def _normalised(raw: Numbers, share: float) -> tuple[Numbers, float, Numbers]:
    """Softmax of the raw weights, their sum after `share` is added to each, and the weights that sum to 1."""
    powers = np.exp(raw - raw.max())
    soft = powers / powers.sum()
    total = float((soft + share).sum())
    return soft, total, (soft + share) / total


def irrelevant_models(boards: Sequence[Numbers]) -> list[tuple[Change, Places]]:
    """The change of order of the best fifth by mean win rate under the worst company found, and who is then there.

    Of each board: its `rates` are of `win_rates`, its models sorted best first. The best fifth stay; each other model
    is in with a probability that descent moves (Adam, straight-through gradients of samples); of all samples the worst
    counts. Each step is taken on all boards at once: many times faster than in turn.
    """
    return [_worst(rates, companies) for rates, companies in zip(boards, _companies_tried(boards), strict=True)]


def _worst(rates: Numbers, companies: NDArray[np.bool_]) -> tuple[Change, Places]:
    best = rates[: len(rates) // ONE_KEPT_IN]
    ranks = _ranks_alone(rates)
    present = companies.astype(np.float64)
    distances = order_distances(present @ best.T / present.sum(axis=1, keepdims=True), ranks)
    company = np.flatnonzero(companies[int(distances.argmax())])
    return change(average_ranks(best[:, company].mean(axis=1)), ranks), company


def _ranks_alone(rates: Numbers) -> Numbers:
    """The ranks of the best fifth by their win rates against one another."""
    size = len(rates) // ONE_KEPT_IN
    return average_ranks(rates[:size, :size].mean(axis=1))


def order_distances(scores: Numbers, ranks: Numbers) -> Numbers:
    """(1 - tau-b) / 2 between the ranks and the order of each row of scores; half where a row is one tie."""
    first, second = np.triu_indices(ranks.size, 1)
    old = np.sign(ranks[second] - ranks[first])
    gap = scores[:, first] - scores[:, second]
    new = np.where(np.abs(gap) > EQUAL, np.sign(gap), 0.0)
    ordered = np.sqrt((old != 0).sum() * (new != 0).sum(axis=1))
    tau = np.divide(new @ old, ordered, out=np.zeros(len(scores)), where=ordered > 0)
    return np.asarray((1 - tau) / 2)


def _companies_tried(boards: Sequence[Numbers]) -> list[NDArray[np.bool_]]:
    """For each board every company (row) that its descent sampled, and last the likeliest where it ended.

    Boards are laid side by side at the size of the largest. The logit of a model that stays is plus infinity, that of
    one that is not there minus infinity, so that no draw and no step changes them.
    """
    sizes = np.array([len(rates) for rates in boards], dtype=np.int64)
    most = int(sizes.max(initial=0))
    rates_of = np.zeros((len(boards), most // ONE_KEPT_IN, most))
    better = np.zeros((len(boards), most // ONE_KEPT_IN, most // ONE_KEPT_IN))
    logits = np.full((len(boards), most), -np.inf)
    for board, rates in enumerate(boards):
        staying = len(rates) // ONE_KEPT_IN
        ranks = _ranks_alone(rates)
        rates_of[board, :staying, : len(rates)] = rates[:staying]
        better[board, :staying, :staying] = ranks[:, None] < ranks[None, :]
        logits[board, : len(rates)] = np.where(np.arange(len(rates)) < staying, np.inf, 0.0)
    tried, steps = _descend_companies(rates_of, better, logits, _draws(most), sizes)
    likely = special.expit(logits) > 0.5
    return [np.vstack([tried[: steps[board], board, :n], likely[board, :n]]) for board, n in enumerate(sizes)]


def _descend_companies(
    rates_of: Numbers, better: Numbers, logits: Numbers, draws: Numbers, sizes: Places
) -> tuple[NDArray[np.bool_], Places]:
    """The samples (step, board, model), and how many steps each board took; moves `logits` in place."""
    mean, square = np.zeros_like(logits), np.zeros_like(logits)
    tried = np.zeros((DESCENT_STEPS, *logits.shape), dtype=bool)
    steps = np.zeros_like(sizes)
    going = np.ones(len(sizes), dtype=bool)
    model_index = np.arange(logits.shape[1])
    for step in range(1, DESCENT_STEPS + 1):
        draw = draws[(step - 1) * sizes[:, None] + model_index]  # a board of n models draws n numbers a step
        np.less(draw, logits, out=tried[step - 1])
        present = tried[step - 1].astype(np.float64)
        company = present.sum(axis=1, keepdims=True)
        rate = np.matvec(rates_of, present) / company
        paid = better * (rate[:, :, None] - rate[:, None, :] >= -TRAILING)
        leading = paid.sum(axis=2)
        going &= leading.any(axis=1)
        if not going.any():
            break
        steps[going] = step
        slope = leading - paid.sum(axis=1)
        gradient = (np.vecmat(slope, rates_of) - np.vecdot(slope, rate)[:, None]) / company
        mean *= 0.9
        mean += 0.1 * gradient
        square *= 0.999
        square += 0.001 * gradient * gradient
        size, unbiased = 0.01 / (1 - 0.9**step), math.sqrt(1 - 0.999**step)
        logits -= going[:, None] * (size * unbiased * mean / (np.sqrt(square) + 1e-8 * unbiased))
    return tried, steps


def _draws(n: int) -> Numbers:
    """The logits of the uniform numbers of a board of n models, step by step; those of a smaller board come first.

    They are of torch's Mersenne twister under seed 0, 53 bits of each two words.
    """
    words = np.frombuffer(np.random.RandomState(0).bytes(8 * n * DESCENT_STEPS), dtype="<u4").astype(np.uint64)
    bits = ((words[::2] << np.uint64(32)) | words[1::2]) & np.uint64(2**53 - 1)
    return np.asarray(special.logit(bits / 2.0**53))
