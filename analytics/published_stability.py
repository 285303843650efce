"""Diversity and stability of a multi-task board by the definition of Zhang and Hardt (2024), their search included.

The measures are theirs: Kendall's W without correction of ties, and the distance (1 - tau-b) / 2 between the order of
a board and the most different order that their gradient descent finds. What a descent finds depends on its every step,
so the steps are theirs as well (package benchbench 1.0.1, https://github.com/socialfoundations/benchbench, MIT): the
losses, step sizes, stops and the stream of random numbers, rewritten over arrays with the gradients in closed form.
What it finds is a lower bound of the worst case; `analytics.stability` searches on from there.

A board is an array of models by tasks, higher is better; NaN is "not run" where it is allowed.
Source: Zhang, Hardt (2024), Inherent Trade-Offs between Diversity and Stability in Multi-Task Benchmarks, ICML.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

EQUAL = 1e-8
"""Scores closer than this are tied."""

STEPS = 1_000
KEPT = 5
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
    """Rank of each score, 1 for the largest, ties (closer than `EQUAL` to the next) at their mean."""
    order = np.argsort(-scores, kind="stable")
    ordered = -scores[order]
    starts = np.r_[True, np.abs(np.diff(ordered)) > EQUAL]
    group = np.cumsum(starts) - 1
    bounds = np.r_[np.flatnonzero(starts), scores.size]
    ranks = np.empty(scores.size)
    ranks[order] = 0.5 * (bounds[group] + bounds[group + 1] + 1)
    return ranks


def change(new: Numbers, old: Numbers) -> Change:
    """How far the ranks `new` are from `old`; zero where they are the same, half where one is all ties."""
    if np.abs(new - old).sum() <= EQUAL:
        return Change(0.0, 0.0)
    if np.ptp(new) == 0 or np.ptp(old) == 0:
        return Change(0.5, float(np.abs(new - old).max()) / (new.size - 1))
    tau = float(stats.kendalltau(new, old).statistic)
    return Change((1 - tau) / 2, float(np.abs(new - old).max()) / (new.size - 1))


def diversity(scores: Numbers) -> tuple[float, float]:
    """1 - Kendall's W as published, and the mean over pairs of tasks of the largest move in ranks / (n - 1).

    Half ranks of ties are cut to whole ones and W is not corrected for ties, so many ties make a board look diverse.
    Missing scores must have been filled in (`filled`). Raises ValueError with fewer than two models or tasks.
    """
    ranks = np.array([average_ranks(task) for task in scores.T])
    m, n = ranks.shape
    if min(m, n) < 2:
        raise ValueError(f"two models and two tasks at least, got {n} and {m}")
    sums = ranks.astype(np.int64).sum(axis=0)
    w = float(((sums - sums.mean()) ** 2).sum()) / (m**2 * (n**3 - n) / 12)
    pairs = np.abs(ranks[:, None, :] - ranks[None, :, :]).max(axis=2)[np.triu_indices(m, 1)]
    return 1 - w, float(pairs.mean() / (n - 1))


def filled(scores: Numbers, neighbours: int = 5) -> Numbers:
    """Missing scores as the mean of the models nearest on the tasks that both ran, among those that have the score.

    The distance is the root of the mean squared difference over shared tasks. With no shared task: the task's mean.
    """
    missing = np.isnan(scores)
    if not missing.any():
        return scores
    known = np.where(missing, 0.0, scores)
    run = (~missing).astype(np.float64)
    shared = run @ run.T
    squared = known**2 @ run.T + run @ (known**2).T - 2 * known @ known.T
    distance = np.divide(np.maximum(squared, 0), shared, out=np.full_like(shared, np.inf), where=shared > 0)
    complete = scores.copy()
    for task in np.flatnonzero(missing.any(axis=0)):
        donors, wanting = np.flatnonzero(~missing[:, task]), np.flatnonzero(missing[:, task])
        near = np.argsort(distance[np.ix_(wanting, donors)], axis=1, kind="stable")[:, :neighbours]
        values = scores[donors, task][near].mean(axis=1)
        alone = ~np.isfinite(distance[np.ix_(wanting, donors)]).any(axis=1)
        complete[wanting, task] = np.where(alone, scores[donors, task].mean(), values)
    return complete


def win_rates(scores: Numbers) -> Numbers:
    """For each model and each other, the share of the tasks both ran on which the first is better; 0 without such."""
    both = np.zeros((scores.shape[0],) * 2)
    wins = np.zeros_like(both)
    for task in scores.T:
        run = np.isfinite(task)
        both += np.logical_and.outer(run, run)
        wins += np.greater.outer(task, task)
    return np.divide(wins, both, out=np.zeros_like(both), where=both > 0)


def task_weights(scores: Numbers) -> tuple[Change, Numbers]:
    """The change of the order by mean score under the worst weights found, and those weights (largest 1).

    Two descents, one with pairs weighted by their distance in rank; the one that changes more counts.
    """
    varied = scores[:, scores.std(axis=0, ddof=1) > EQUAL]
    ranks = average_ranks(varied.mean(axis=1))
    found = []
    for by_distance in (True, False):
        weights = _descend_weights(varied, ranks, by_distance)
        new = average_ranks((varied * weights).mean(axis=1))
        found.append((change(new, ranks), weights))
    first, second = found
    return first if first[0] >= second[0] else second


def _descend_weights(scores: Numbers, ranks: Numbers, by_distance: bool) -> Numbers:
    """Gradient descent on how far the better models lead, in single precision where the package is."""
    spread = scores.std(axis=0, ddof=1)
    standard = (scores - scores.mean(axis=0)) / spread
    lag = ranks[:, None] - ranks[None, :]  # row: the model behind; column: the one ahead
    behind, ahead = np.nonzero(lag > 0)
    cost = lag[behind, ahead] if by_distance else np.ones(behind.size)
    n, m = scores.shape
    share = np.float32(LEAST_WEIGHT / (1 - LEAST_WEIGHT))
    raw = np.ones(m, dtype=np.float32)
    last = float(0x3F3F3F3F)
    for _ in range(STEPS):
        soft, total, weights = _normalised(raw, share)
        merit = (standard * weights).mean(axis=1)
        lead = merit[ahead] - merit[behind]
        leading = lead >= 0
        paid = np.where(leading, cost, 0.0)
        loss = float(np.add.accumulate((paid * lead).astype(np.float32))[-1]) if paid.size else 0.0
        if loss <= EQUAL:
            break
        slope = np.bincount(ahead, paid, n) - np.bincount(behind, paid, n)
        by_weight = (slope @ standard / m).astype(np.float32)
        by_share = (by_weight - by_weight @ weights) / total
        raw = raw - soft * (by_share - by_share @ soft)
        if abs(loss - last) < UNCHANGED:
            break
        last = loss
    scaled = _normalised(raw, share)[2] / spread
    return np.asarray(scaled / scaled.max(), dtype=np.float64)


def _normalised(
    raw: NDArray[np.float32], share: np.float32
) -> tuple[NDArray[np.float32], np.float32, NDArray[np.float32]]:
    """Softmax of the raw weights, their sum after `share` is added to each, and the weights that sum to 1."""
    powers = np.exp(raw - raw.max())
    soft = powers / powers.sum()
    total = (soft + share).sum()
    return soft, total, (soft + share) / total


def irrelevant_models(rates: Numbers) -> tuple[Change, Places]:
    """The change of order of the best fifth by mean win rate under the worst company found, and who is then there.

    `rates` is of `win_rates`, its models sorted best first. The best fifth stay; each other model is in with a
    probability that descent moves (Adam, straight-through gradients of samples); of all samples the worst counts.
    """
    n = len(rates)
    kept = n // KEPT
    ranks = average_ranks(rates[:kept, :kept].mean(axis=1))
    logits = np.zeros(n)
    tried = _company_tried(rates[:kept], ranks, logits)
    likely = 1 / (1 + np.exp(-logits)) > 0.5
    likely[:kept] = True
    companies = np.vstack([tried, likely])
    distances = order_distances(companies @ rates[:kept].T / companies.sum(axis=1, keepdims=True), ranks)
    who = np.flatnonzero(companies[int(distances.argmax())])
    return change(average_ranks(rates[:kept, who].mean(axis=1)), ranks), who


def order_distances(scores: Numbers, ranks: Numbers) -> Numbers:
    """(1 - tau-b) / 2 between the ranks and the order of each row of scores; half where a row is one tie."""
    first, second = np.triu_indices(ranks.size, 1)
    old = np.sign(ranks[second] - ranks[first])
    gap = scores[:, first] - scores[:, second]
    new = np.where(np.abs(gap) > EQUAL, np.sign(gap), 0.0)
    ordered = np.sqrt((old != 0).sum() * (new != 0).sum(axis=1))
    tau = np.divide(new @ old, ordered, out=np.zeros(len(scores)), where=ordered > 0)
    return np.asarray((1 - tau) / 2)


def _company_tried(rates: Numbers, ranks: Numbers, logits: Numbers) -> Numbers:
    """Every sample that the descent took, one a row; moves `logits` in place. `rates` are of the models that stay."""
    kept, n = rates.shape
    pairs = np.argwhere(ranks[:, None] < ranks[None, :])
    lead_of = np.zeros((len(pairs), kept))
    lead_of[np.arange(len(pairs)), pairs[:, 0]] = 1.0
    lead_of[np.arange(len(pairs)), pairs[:, 1]] = -1.0
    mean, square = np.zeros(n), np.zeros(n)
    tried = np.zeros((STEPS, n))
    for step, draw in enumerate(_draws(n), start=1):
        present = tried[step - 1]
        np.less(draw, logits, out=present)
        present[:kept] = 1.0
        company = present.sum()
        rate = rates @ present / company
        paid = lead_of @ rate >= -TRAILING
        if not paid.any():
            return tried[: step - 1]
        slope = paid @ lead_of
        gradient = (slope @ rates - slope @ rate) / company
        gradient[:kept] += slope * rate
        mean *= 0.9
        mean += 0.1 * gradient
        square *= 0.999
        square += 0.001 * gradient * gradient
        size, unbiased = 0.01 / (1 - 0.9**step), math.sqrt(1 - 0.999**step)
        logits -= size * unbiased * mean / (np.sqrt(square) + 1e-8 * unbiased)
    return tried


def _draws(n: int) -> Numbers:
    """The logits of each step's uniform numbers: torch's Mersenne twister under seed 0, 53 bits of each two words."""
    words = np.frombuffer(np.random.RandomState(0).bytes(8 * n * STEPS), dtype="<u4").astype(np.uint64)
    bits = ((words[::2] << np.uint64(32)) | words[1::2]) & np.uint64(2**53 - 1)
    return np.asarray(special.logit(bits / 2.0**53).reshape(STEPS, n))
