"""Who is tied on a board: tiers of joint rank sets, who is first if all were measured again, who can be told apart."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95

Counts = NDArray[np.int64]

ERRORS_AROUND = 6.0
"""How many standard errors around a score are integrated: a new score lies further out with a chance of 2e-9."""

STEPS, MOST_STEPS = 64, 4_096
"""The fewest and the most even points of the integral; STEPS more lie around each score of far smaller error."""


def tiers(ranks: Numbers, low_joint: Numbers) -> Numbers:
    """For each model its tier, 1 for the first; NaN where its error is unknown.

    `ranks` are the printed ones (1 is best, equals share the best), `low_joint` the best that errors allow for all
    models at once (`rank_sets`), NaN where unknown. A tier holds every model that could hold the first place of the
    tier; the next begins at the best printed model that could not. The first tier is who is tied for first. So every
    model of known error has one tier, and each tier holds its first model, whose own set holds its printed rank.

    >>> tiers(np.array([1.0, 2.0, 3.0, 4.0]), low_joint=np.array([1.0, 1.0, 3.0, np.nan])).tolist()
    [1.0, 1.0, 2.0, nan]
    """
    tier = np.full(ranks.size, np.nan)
    untiered = np.isfinite(low_joint)
    number = 0
    while untiered.any():
        number += 1
        first_place = 1.0 if number == 1 else float(ranks[untiered].min())
        members = untiered & (low_joint <= first_place)
        tier[members] = number
        untiered &= ~members
    return tier


def first_chances(merits: Numbers, errors: Numbers) -> Numbers:
    """For each model the chance that its score is the highest if all were measured again: they add up to 1.

    Each new score is drawn, independently, from a normal distribution around the one there is, with its error (> 0):
    the parametric bootstrap of the first place (Hall & Miller 2009, Using the bootstrap to quantify the authority of an
    empirical ranking, Annals of Statistics 37(6B), doi:10.1214/09-AOS699), here by integration instead of draws.

    Two, one standard error of their difference apart: the normal distribution at 1 and at -1.

    >>> first_chances(np.array([0.05, 0.0]), np.array([0.03, 0.04])).round(3).tolist()
    [0.841, 0.159]
    """
    chances = np.zeros(merits.size)
    within_reach = merits + ERRORS_AROUND * errors >= (merits - ERRORS_AROUND * errors).max()
    score, error = merits[within_reach], errors[within_reach]
    points = _points(score, error)
    z = (points[None, :] - score[:, None]) / error[:, None]
    below = special.log_ndtr(z)
    density = np.exp(-(z**2) / 2 + below.sum(axis=0)[None, :] - below) / error[:, None]
    integrals = (np.diff(points) * (density[:, 1:] + density[:, :-1])).sum(axis=1)
    chances[within_reach] = integrals / integrals.sum()
    return chances


def _points(score: Numbers, error: Numbers) -> Numbers:
    """The points of the integral: evenly over where the highest new score may lie, denser around precise scores."""
    low, high = float((score - ERRORS_AROUND * error).max()), float((score + ERRORS_AROUND * error).max())
    wanted = 2 * (high - low) / float(error.min())
    even = np.linspace(low, high, int(np.clip(np.ceil(wanted), STEPS, MOST_STEPS)))
    sharp = error < 2 * (even[1] - even[0])
    around = score[sharp, None] + error[sharp, None] * np.linspace(-ERRORS_AROUND, ERRORS_AROUND, STEPS)
    all_points = np.concatenate([even, around.ravel()])
    return np.unique(all_points[(all_points >= low) & (all_points <= high)])


def entropy(chances: Numbers) -> float:
    """Shannon's entropy of these chances in bits: 0 where one is sure, log2 of n where n are equally likely.

    >>> entropy(np.array([0.5, 0.25, 0.25]))
    1.5
    """
    likely = chances[chances > 0]
    return max(0.0, -float((likely * np.log2(likely)).sum()))


class PairsApart(NamedTuple):
    """How many neighbours in printed order, and of all pairs, can be told apart, and for how many that is known."""

    neighbours_apart: int
    neighbours: int
    pairs_apart: int
    pairs: int


def apart_of(merits: Numbers, variances: Numbers, z: float = Z95) -> PairsApart:
    """Count both for these models, given best first; each pair is judged on its own (`pairs_beyond_error`)."""
    apart, comparable = pairs_beyond_error(merits, variances, z)
    above = ~np.tri(merits.size, dtype=np.bool_)
    return PairsApart(
        int(np.count_nonzero(apart.diagonal(1))),
        int(np.count_nonzero(comparable.diagonal(1))),
        int(np.count_nonzero(apart & above)),
        int(np.count_nonzero(comparable & above)),
    )


class JudgedPairs(NamedTuple):
    """Two square matrices over models: which pairs can be told apart, and for which pairs that is known."""

    apart: NDArray[np.bool_]
    comparable: NDArray[np.bool_]


def pairs_beyond_error(merits: Numbers, variances: Numbers, z: float = Z95) -> JudgedPairs:
    """Which pairs of models can be told apart at 95%, and for which pairs that is known.

    `variances` has the variance of the difference of every two scores, NaN where unknown. A pair is apart where its
    scores differ by more than `z` standard errors; give more than 1.96 where those rest on few degrees of freedom.
    Nothing corrects for the number of pairs: each answers a question about these two alone.
    """
    comparable = np.isfinite(variances)
    apart = np.abs(merits[:, None] - merits[None, :]) > z * np.sqrt(np.where(comparable, variances, np.inf))
    return JudgedPairs(apart & comparable, comparable)
