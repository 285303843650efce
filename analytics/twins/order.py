"""Whether the order of models on one test holds on a second measurement of the same thing, as codes.

An agreement is Kendall's tau in [-1, 1]; (1 + tau) / 2 of all pairs of models keep their order.
"""

STAYS = 0.8
"""Where an agreement lies above this the order stayed: 90 of 100 pairs keep it, where 50 would by chance."""

LESS_AT_THE_TOP = 0.1
"""By so much less must the best agree for the order to hold less well at the top: 5 more of 100 pairs are swapped."""

FEW_PLACES = 0.1
"""A fall of at most this share of all places is a small one: a model stays in the tenth that it was in, or the next."""

STAYED, SEEMS_TO_STAY, CHANGED = "stayed", "seems_to_stay", "changed"
NO_FALL, SMALL_FALL, LARGE_FALL = "no_fall", "small_fall", "large_fall"


def order_of(agreement: float | None, low: float | None) -> str:
    """STAYED where even the low end of the interval of an agreement is above STAYS, SEEMS_TO_STAY where only it is.

    CHANGED else, and where the agreement is not known.

    >>> [order_of(0.9, 0.85), order_of(0.9, 0.7), order_of(0.9, None), order_of(0.8, 0.7), order_of(None, None)]
    ['stayed', 'seems_to_stay', 'seems_to_stay', 'changed', 'changed']
    """
    if low is not None and low > STAYS:
        return STAYED
    return SEEMS_TO_STAY if agreement is not None and agreement > STAYS else CHANGED


def is_less_at_top(agreement: float | None, agreement_top: float | None) -> bool:
    """Whether the best agree clearly less well than all; not where either is not known.

    >>> is_less_at_top(0.95, 0.8), is_less_at_top(0.95, 0.9), is_less_at_top(0.95, None)
    (True, False, False)
    """
    return agreement is not None and agreement_top is not None and agreement_top < agreement - LESS_AT_THE_TOP


def fall_of(places: int, models: int) -> str:
    """How far a model fell of so many: NO_FALL, SMALL_FALL (at most FEW_PLACES of all places) or LARGE_FALL.

    >>> [fall_of(places, models=65) for places in (0, 6, 7)]
    ['no_fall', 'small_fall', 'large_fall']
    """
    if places == 0:
        return NO_FALL
    return SMALL_FALL if places <= FEW_PLACES * models else LARGE_FALL
