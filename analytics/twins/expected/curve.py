"""The two scales on which the second side of a twin may be a straight line of the first."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.robust_line import RobustLine
from benchhealth.analytics.twins.pairs import Pairs

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

LOGIT, LINEAR = "logit", "linear"
NEAR_FLOOR = 2.0
"""Within so many standard errors of the floor a score says too little to expect anything from it."""

HALF = 0.5
"""Of an item: by so much a score of no item or of all items is moved inside."""

NEVER_REACHED = 1e-9


class Side(NamedTuple):
    """One side of a twin of bounded scores, of which more is better: shares, the items that their errors are those of
    (NaN: unknown), and the ends that they lie between."""

    share: Numbers
    items: Numbers
    floor: float
    ceiling: float

    @property
    def inside(self) -> Numbers:
        """(score - floor) / (ceiling - floor), at least half an item inside both ends."""
        room = self.ceiling - self.floor
        least = np.clip(HALF / np.where(np.isfinite(self.items), self.items, np.inf) / room, NEVER_REACHED, HALF)
        return np.clip((self.share - self.floor) / room, least, 1 - least)

    @property
    def log_odds(self) -> Numbers:
        """Those of `inside`."""
        return np.asarray(special.logit(self.inside))

    @property
    def error(self) -> Numbers:
        """The standard error of `log_odds` by the delta method; NaN where that of the share is unknown."""
        inside = self.inside
        share = self.floor + (self.ceiling - self.floor) * inside
        return np.asarray(np.sqrt(share * (1 - share) / self.items) / self.steepness(inside))

    @property
    def above_floor(self) -> Mask:
        """Whether the score lies NEAR_FLOOR standard errors above the floor; without an error, whether above it."""
        spread = np.maximum(self.share * (1 - self.share), self.floor * (1 - self.floor))
        error = np.where(np.isfinite(self.items), np.sqrt(spread / self.items), 0.0)
        return np.asarray(self.share > self.floor + NEAR_FLOOR * error)

    def at(self, log_odds: Numbers) -> Numbers:
        """The share at these log odds."""
        return np.asarray(self.floor + (self.ceiling - self.floor) * special.expit(log_odds))

    def steepness(self, inside: Numbers) -> Numbers:
        """By how much the share grows with the log odds."""
        return (self.ceiling - self.floor) * inside * (1 - inside)

    def only(self, kept: Mask) -> "Side":
        """Of these models alone."""
        return self._replace(share=self.share[kept], items=self.items[kept])


def sides_of(pairs: Pairs) -> tuple[Side, Side]:
    """Both sides as shares of which more is better; an unknown floor is 0, a ceiling that was reached is 1."""
    return (
        _side(pairs.share_original, pairs.original_error, pairs.items_original, pairs.ends_original, pairs.sign),
        _side(pairs.share_other, pairs.other_error, pairs.items_other, pairs.ends_other, pairs.sign),
    )


def _side(share: Numbers, error: Numbers, items: Numbers, ends: tuple[float, float], sign: int) -> Side:
    variance = np.clip(share * (1 - share), 0, None)
    square = (error / 100) ** 2
    stated = np.isfinite(square) & (square > 0) & (variance > 0)
    items = np.where(stated, variance / np.where(stated, square, 1.0), items)
    floor, ceiling = ends
    if sign < 0:
        return Side(1 - share, items, 0.0, 1.0)
    reach = share + NEAR_FLOOR * np.where(np.isfinite(items), np.sqrt(variance / items), 0.0)
    passed = not np.isfinite(ceiling) or bool((reach >= ceiling).any())
    return Side(share, items, floor if np.isfinite(floor) else 0.0, 1.0 if passed else ceiling)


def response(line: RobustLine, log_odds: Numbers, other: Side) -> tuple[Numbers, Numbers]:
    """The second side as a straight line sees it, and its standard error, both in log odds.

    A score is placed about its expectation by how far the arcsines of their square roots lie apart, which has equal
    error wherever the score lies (Anscombe 1948), in units of what a step of log odds moves the expectation. So scores
    at the floor or at the ceiling are finite, and the error is that of what is expected, not of what was seen.
    """
    expected = line.at(log_odds)
    share, steep = _expected(expected, other)
    spread = np.sqrt(share * (1 - share))
    apart = np.arcsin(np.sqrt(np.clip(other.share, 0, 1))) - np.arcsin(np.sqrt(share))
    return expected + 2 * spread * apart / steep, spread / np.sqrt(other.items) / steep


def share_of(line: RobustLine, log_odds: Numbers, residual: Numbers, other: Side) -> Numbers:
    """The share that lies this far, in log odds, from what is expected: the way back from `response`."""
    share, steep = _expected(line.at(log_odds), other)
    angle = np.arcsin(np.sqrt(share)) + residual * steep / (2 * np.sqrt(share * (1 - share)))
    return np.asarray(np.sin(np.clip(angle, 0, np.pi / 2)) ** 2)


def _expected(log_odds: Numbers, other: Side) -> tuple[Numbers, Numbers]:
    inside = np.clip(special.expit(log_odds), NEVER_REACHED, 1 - NEVER_REACHED)
    return other.floor + (other.ceiling - other.floor) * inside, other.steepness(inside)
