"""How likely a twin is to show a leak: the power of the flag for one model that learnt some of the original's items."""

import math

from scipy import special

from analytics.twin import FALSE_DISCOVERIES


def power(
    n_items: int,
    leaked_share: float,
    accuracy: float = 0.6,
    twin_items: int | None = None,
    tests: int = 1,
) -> float:
    """The probability that a model which knows `leaked_share` of the original's items is flagged against its twin.

    Such a model answers those right and the others with its `accuracy`, so the original shows
    accuracy + leaked_share * (1 - accuracy). The twin has `twin_items` (default: as many). The sides are taken to
    differ by chance alone; where models differ in more, or where the line is fitted to models that leak too, a leak is
    harder to see. The level is that of the smallest p-value among `tests` models under Benjamini-Hochberg,
    FALSE_DISCOVERIES / tests: where many leak it is less strict. Normal approximation of the one-sided test of the
    difference. Raises ValueError for impossible inputs.
    """
    if n_items < 1 or tests < 1 or (twin_items is not None and twin_items < 1):
        raise ValueError("at least one item and one test")
    if not (0 <= leaked_share <= 1 and 0 < accuracy < 1):
        raise ValueError(f"shares lie between 0 and 1, got a leak of {leaked_share} and an accuracy of {accuracy}")
    other = twin_items or n_items
    shown = accuracy + leaked_share * (1 - accuracy)
    noise = accuracy * (1 - accuracy)
    believed = math.sqrt(shown * (1 - shown) / n_items + noise / other)
    actual = math.sqrt((1 - leaked_share) * noise / n_items + noise / other)
    needed = -float(special.ndtri(FALSE_DISCOVERIES / tests)) * believed
    return float(special.ndtr((shown - accuracy - needed) / actual))


def power_sentence(n_items: int, twin_items: int, n_models: int, accuracy: float) -> str:
    """What the page says beside the chart about leaks that the twin would, and would not, show."""
    small, large = (power(n_items, share, accuracy, twin_items, max(n_models, 1)) for share in (0.1, 0.3))
    return (
        f"With {n_items:,} items and {twin_items:,} on the twin, a model of {accuracy:.0%} accuracy that had learnt a "
        f"tenth of the original's items would be flagged among {n_models:,} models with probability {small:.0%}, one "
        f"that had learnt three tenths with {large:.0%}. No flag is no proof of a clean model."
    )
