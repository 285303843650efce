"""Models whose right and wrong answers fit their strength badly: a hint at most."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.items.panel import Panel
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.item_response.person_fit import odd_ones, standardised_likelihood
from benchhealth.analytics.statistics.item_response.two_parameter import Items

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
