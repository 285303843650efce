"""What is computed of a panel: who solves its items, what they distinguish, odd answers, fewer items, doubtful keys."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.items.panel import Panel
from benchhealth.analytics.statistics.arrays import Flags, Numbers
from benchhealth.analytics.statistics.item_response.person_fit import odd_ones, standardised_likelihood
from benchhealth.analytics.statistics.item_response.two_parameter import Items, fit_drawn
from benchhealth.analytics.statistics.rank_agreement import kendall_tau
from benchhealth.analytics.statistics.units.clustered_share import clustered_share, wilson


class FirstTwo(NamedTuple):
    """The items that both of the first two answered, and those that each alone of them solved."""

    shared: int
    first_alone: int
    second_alone: int


def by_number(panel: Panel) -> NDArray[np.int64]:
    """How many items are solved by 0, 1, … and all models: (models + 1,)."""
    return np.bincount(panel.solved.sum(axis=0), minlength=len(panel.models) + 1).astype(np.int64)


def none_by_guessing(n_models: int, n_items: int, floor: float) -> float:
    """How many items no model would solve if all guessed, each right as often as `floor` says: (1 - floor)^models.

    >>> none_by_guessing(n_models=2, n_items=1_000, floor=0.25)
    562.5
    """
    return (1 - floor) ** n_models * n_items


def first_two(panel: Panel) -> FirstTwo:
    """The items that distinguish the first two models; an item that only one of them answered is left out."""
    shared = panel.answered[0] & panel.answered[1]
    first, second = panel.solved[0] & shared, panel.solved[1] & shared
    return FirstTwo(int(shared.sum()), int((first & ~second).sum()), int((second & ~first).sum()))


LEAK = 0.3
"""The share of items that a planted leak gives away."""

DEVIATIONS = 3.0
"""A pattern is odd where it lies this many robust standard deviations below the median of all models."""


class Patterns(NamedTuple):
    """How well each model's pattern fits, which are odd, and of how many a planted leak would be found."""

    fit: Numbers
    odd: NDArray[np.bool_]
    planted_odd: int


def patterns(panel: Panel, items: Items, rng: np.random.Generator) -> Patterns:
    """The fit of each model's pattern, over the items it answered, and what the same test makes of leaks.

    All patterns of models differ from what two parameters an item give, so that they are held against one another and
    not against the normal distribution. A leak is planted in one model after another: LEAK of the items it answered,
    drawn at random, become right, its strength is found anew, and the others stay as they are.
    """
    natural = _fits(panel.outcomes, panel, items)
    leaked = (rng.random(panel.outcomes.shape) < LEAK) & panel.answered
    planted = _fits(np.where(leaked, 1.0, panel.outcomes), panel, items)
    planted_odd = int(odd_ones(planted, natural, DEVIATIONS).sum())
    return Patterns(natural, odd_ones(natural, natural, DEVIATIONS), planted_odd)


def _fits(outcomes: Numbers, panel: Panel, items: Items) -> Numbers:
    chances = items.chances(items.strengths_of(outcomes, panel.answered))
    return standardised_likelihood(outcomes, chances, panel.answered)


WORLDS = 10
"""How many worlds of a Rasch model are simulated."""

_ROUNDING = 1e-12


def against_ability(solved: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which items run against ability: those who solve them score lower on the others than those who do not.

    `solved` is (models, items). The covariance of solving an item with the share of the other items that a model solves
    is below zero (the corrected item-total correlation, Henrysson 1963, doi:10.1007/BF02289618, is negative); an item
    that all or none solve does not count as such.

    The last item is solved by the weakest model alone:

    >>> solved = [[True, True, True, False], [True, True, False, False], [False, False, False, True]]
    >>> against_ability(np.array(solved)).tolist()
    [False, False, False, True]
    """
    right = solved.astype(np.float64)
    rest_score = right.sum(axis=1, keepdims=True) - right
    covariance = (right * (rest_score - rest_score.mean(axis=0))).sum(axis=0)
    return np.asarray(covariance < -_ROUNDING * right.shape[1])


def share_in_rasch_worlds(outcomes: Numbers, floor: float, rng: np.random.Generator) -> float:
    """The share of items that run against ability by chance alone: a mean over WORLDS of as many models and items.

    In Rasch's model (Rasch 1960) the chance of solving an item rises alike with ability for all items; here from the
    `floor`, by guessing. Models keep their strength, the slope is the one that fits all items best, and the intercept
    of items is drawn anew from the normal distribution that fits those of the test: that of one item is hardly known
    from a few models.
    """
    rasch = fit_drawn(outcomes, floor, one_slope=True)
    slope, intercept = rasch.mean
    deviation = float(rasch.covariance[1, 1]) ** 0.5
    shares = []
    for _ in range(WORLDS):
        logits = slope * rasch.strengths[:, None] + rng.normal(intercept, deviation, outcomes.shape[1])
        solved = rng.random(outcomes.shape) < floor + (1 - floor) * special.expit(logits)
        shares.append(float(against_ability(solved).mean()))
    return float(np.mean(shares))


DRAWS = 200
"""How many random subsets of items are drawn."""

SUBSET = 400
"""Items of a subset; of a test with fewer than twice as many, half of its items."""


class Subsets(NamedTuple):
    """How many of DRAWS subsets of `items` keep the exact order, and the agreement with it (tau-b), median and 95%."""

    items: int
    same_order: int
    tau: float
    low: float
    high: float


def of_subsets(outcomes: NDArray[np.float64], rng: np.random.Generator) -> Subsets | None:
    """Order the models on random subsets of (models, items) outcomes and compare with the order on all items.

    Models that tie on all items may stand in either order; a tie on the subset of models that do not is no order kept.
    None where the models have no order: all score the same.
    """
    n = outcomes.shape[1]
    size = min(SUBSET, n // 2)
    on_all = outcomes.mean(axis=1)
    taus, same_order = [], 0
    order = np.argsort(-on_all, kind="stable")
    for _ in range(DRAWS):
        on_subset = outcomes[:, rng.choice(n, size, replace=False)].mean(axis=1)
        tau = kendall_tau(on_all, on_subset)
        if tau is not None:
            taus.append(tau)
        same_order += _keeps(on_subset[order], on_all[order])
    if not taus:
        return None
    low, middle, high = np.quantile(taus, [0.025, 0.5, 0.975])
    return Subsets(size, same_order, float(middle), float(low), float(high))


def _keeps(on_subset: NDArray[np.float64], on_all: NDArray[np.float64]) -> bool:
    """Whether every model that is above another on the `on_all`, which is sorted, is above it on the part too."""
    best_below = np.maximum.accumulate(on_subset[::-1])[::-1]
    worst_above = np.minimum.accumulate(on_subset)
    ends = np.flatnonzero(np.diff(on_all) < 0)
    return bool((worst_above[ends] > best_below[ends + 1]).all())


AGREEING = 8
"""This many of the best models must all choose the same wrong option."""

WRONG_KEY = "wrong_groundtruth"
"""What people say of an item whose key they found wrong; every label but OK is a fault."""


class Agreement(NamedTuple):
    """Items on which the AGREEING best models choose one wrong option, and how many of all models choose that."""

    candidate: Flags
    models: NDArray[np.int64]


class HeldAgainst(NamedTuple):
    """Flags held against labels by people: precision and recall, each (share, low, high)."""

    precision: tuple[float, float, float]
    recall: tuple[float, float, float]


def agreement(panel: Panel) -> Agreement | None:
    """The candidates of a panel; None where the chosen options or AGREEING models are not known.

    That models agree on a wrong answer is a sign of a wrong key and of an error that they share: only people who look
    at the item can tell. (Ranking items by how consistently models disagree with the label: Northcutt, Jiang & Chuang
    2021, Confident learning, doi:10.1613/jair.1.12125, here without probabilities, which no file has.)
    """
    if panel.chosen is None or len(panel.models) < AGREEING:
        return None
    best = panel.chosen[:AGREEING]
    same = (best == best[0]).all(axis=0) & (best[0] != 0)
    candidate = same & ~panel.solved[:AGREEING].any(axis=0)
    models = (panel.chosen == best[0]).sum(axis=0).astype(np.int64)
    return Agreement(candidate, np.where(candidate, models, 0))


def held_against(flagged: Flags, wrong: Flags, clusters: NDArray[np.int64] | None) -> HeldAgainst | None:
    """How many flagged items people labelled `wrong`, and how many of those are flagged; None where there is none.

    All are of the labelled items. The intervals, 95%, are Wilson's; where the clusters of items are known, items of
    one cluster may go together (`clustered_share`).

    Of four labelled items two are flagged, of which people found one wrong, and one of the two that they found wrong:

    >>> flagged, wrong = np.array([True, True, False, False]), np.array([True, False, True, False])
    >>> against_labels = held_against(flagged, wrong, clusters=None)
    >>> against_labels.precision[0], against_labels.recall[0]
    (0.5, 0.5)
    """
    if not flagged.any() or not wrong.any():
        return None
    return HeldAgainst(_share(wrong, flagged, clusters), _share(flagged, wrong, clusters))


def _share(flags: Flags, among: Flags, clusters: NDArray[np.int64] | None) -> tuple[float, float, float]:
    if clusters is not None:
        return clustered_share(flags[among], clusters[among])
    share = float(flags[among].mean())
    return share, *wilson(share, float(among.sum()))
