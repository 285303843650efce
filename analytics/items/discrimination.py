"""Items that weaker models solve more often than stronger ones, and how many chance alone would make."""

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.item_response.two_parameter import fit_drawn

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
