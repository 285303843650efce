"""How many models solve each item, how many items tell the first two apart, what is missing."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.items.panel import Panel


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
