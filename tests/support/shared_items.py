"""Models that answer the same simulated items, which differ in how hard they are and in how well they tell models."""

from typing import NamedTuple

import numpy as np
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.twins.pairs import Pairs


class Bank(NamedTuple):
    """A population of items: the spreads of their difficulty, of the logarithm of how steep they are, and of what each
    model finds hard in an item beyond that."""

    difficulty: float = 1.0
    steepness: float = 0.5
    own_spread: float = 0.7

    def answered(self, rng: np.random.Generator, ability: Numbers, items: int) -> Numbers:
        """Outcomes 0 or 1 of models of these abilities on so many items drawn anew: (models, items)."""
        steep = np.exp(self.steepness * rng.standard_normal(items))
        hard = self.difficulty * rng.standard_normal(items)
        beyond = self.own_spread * rng.standard_normal((ability.size, items))
        p = special.ndtr(steep * (ability[:, None] - hard) + beyond)
        return np.asarray(rng.random(p.shape) < p, dtype=np.float64)


def twin_of(original: Numbers, other: Numbers, names: list[str], *, by_item: bool = True) -> Pairs:
    """The two sides of a twin of these outcomes, with binomial errors; `by_item`: with the outcomes on each item."""
    sides = [outcomes.mean(axis=1) for outcomes in (original, other)]
    sizes = [np.full(len(names), float(outcomes.shape[1])) for outcomes in (original, other)]
    errors = [100 * np.sqrt(share * (1 - share) / n) for share, n in zip(sides, sizes, strict=True)]
    listed = (original, other) if by_item else (None, None)
    return Pairs(
        names, 100 * sides[0], 100 * sides[1], *errors, *sides, *sizes, 1, True,
        outcomes_original=listed[0], outcomes_other=listed[1],
    )  # fmt: skip
