"""The curve of a benchmark: p = floor + (ceiling - floor) * sigmoid(slope * (capability - difficulty)).

The logistic item response model with known asymptotes, one benchmark in the place of one item (Birnbaum 1968; for
benchmarks, without asymptotes, Ho et al. 2025, arXiv:2512.00193).
"""

import numpy as np
from scipy.special import expit

from benchhealth.analytics.statistics.arrays import Numbers

LOGITS_AROUND = 10.0
"""Logits either side of the difficulty within which a curve is looked at: beyond it scores move by less than 1e-4."""

GRID = 401
"""Points at which information is evaluated: one for each twentieth of a logit."""


def expected(capability: Numbers, difficulty: Numbers, slope: Numbers, floor: Numbers, span: Numbers) -> Numbers:
    """The score to expect; `span` is the best score minus the floor. Arrays broadcast."""
    return np.asarray(floor + span * expit(slope * (capability - difficulty)))


def information(logit: Numbers, floor: Numbers, span: Numbers) -> Numbers:
    """Fisher information of one right-or-wrong item about the logit slope * (capability - difficulty).

    p'^2 / (p (1 - p)): with a floor above 0 it peaks above the difficulty, because guessing hides the weak.
    A lower-is-better curve (negative span) is read as its complement. Arrays broadcast.
    """
    rise = expit(logit)
    probability = floor + span * rise
    steep = span * rise * (1 - rise)
    spread = probability * (1 - probability)
    return np.divide(steep**2, spread, out=np.zeros(np.broadcast(steep, spread).shape), where=spread > 0)


def discriminating_range(
    difficulty: Numbers, slope: Numbers, floor: Numbers, span: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """For each benchmark the capabilities (low, peak, high) between which an item has at least half of its most
    information.

    To tell two models apart outside of it takes more than twice the items.
    """
    logits = np.linspace(-LOGITS_AROUND, LOGITS_AROUND, GRID)
    item_information = information(logits, floor[:, None], span[:, None])
    enough = item_information >= item_information.max(axis=1, keepdims=True) / 2
    first, last = enough.argmax(axis=1), GRID - 1 - enough[:, ::-1].argmax(axis=1)
    peak = item_information.argmax(axis=1)
    low, most, high = (difficulty + logits[indices] / slope for indices in (first, peak, last))
    return low, most, high
