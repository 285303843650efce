"""How far a correlation of few pairs may lie from that of all that they were drawn from."""

from math import atanh, sqrt, tanh

from benchhealth.analytics.statistics.errors import Z95

FEWEST_PAIRS = 4
"""Pairs; with fewer the interval is the whole range."""

FIELLER = 1.06
"""By how much the variance of a rank correlation's transform exceeds that of a product-moment one (Fieller 1957)."""


def correlation_interval(r: float, n: int, *, ranks: bool = False) -> tuple[float, float]:
    """The 95% interval of a correlation of `n` pairs taken as drawn at random (Fisher 1915), both ends in [-1, 1].

    Of ranks the variance on the transformed scale is FIELLER times that of scores.

    On the transformed scale .549 +- 1.96 / 5:

    >>> low, high = correlation_interval(0.5, 28)
    >>> round(low, 3), round(high, 3)
    (0.156, 0.736)
    """
    if n < FEWEST_PAIRS:
        return -1.0, 1.0
    if abs(r) >= 1:
        return r, r
    half = Z95 * sqrt((FIELLER if ranks else 1.0) / (n - 3))
    return tanh(atanh(r) - half), tanh(atanh(r) + half)
