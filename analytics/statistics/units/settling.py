"""What would settle the order of two scores: how many items, and how many items graded otherwise."""

import math

from benchhealth.analytics.statistics.errors import Z95

ROUNDING_ITEMS = 1e-9
"""Items by which a difference may fall short of a whole number through the noise of arithmetic."""


def items_to_settle(difference: float, variance_per_item: float, z: float = Z95) -> float:
    """How many items there must be for the interval of this difference to end at zero; infinite where there is none.

    `difference` is between the two scores, `variance_per_item` the variance of the difference on one item: for
    independent errors p(1 - p) of either, added; where items are shared the variance of the differences by item. The
    distance is taken as it is today: n = z^2 * variance / difference^2 (the usual sample size of a test of two means
    at a power of one half; Fleiss, Levin, Paik 2003, Statistical methods for rates and proportions, chapter 4).

    Five points apart at one half each, 1.96^2 x (.25 + .25) / .05^2:

    >>> round(items_to_settle(0.05, 0.25 + 0.25))
    768
    """
    return math.inf if difference == 0 else z**2 * variance_per_item / difference**2


def items_for_one(difference: float, variance_per_item: float, of_other: float, z: float = Z95) -> float:
    """How many items one model must answer to settle it while the other stays; infinite where no number is enough.

    `variance_per_item` is that of the one's score on one item, `of_other` the variance of the other's whole score.
    """
    left = (difference / z) ** 2 - of_other
    return variance_per_item / left if left > 0 else math.inf


def recount_margin(difference: float, items: int) -> int:
    """The fewest items whose grade for the first must turn from right to wrong for another to be first or tied.

    `difference` >= 0 is that of the best two scores as fractions of `items`. Each such grade takes one item from the
    first, and the other's stay as they are; 0 where both scores are equal.

    >>> recount_margin(0.02, items=150)
    3
    """
    return max(0, math.ceil(difference * items - ROUNDING_ITEMS * items))
