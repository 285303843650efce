"""The difference of two models that answered the same items, item by item."""

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.difference.two_scores import EQUAL, REAL, WITHIN, Difference, Under
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.paired import difference_variances, mean_correlation
from benchhealth.analytics.statistics.units.settling import items_to_settle

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Paired:
    """What two models did on the `items` that both answered: how many each alone did better, and the difference."""

    items: int
    only_first: int
    only_second: int
    found: Difference


def paired(first: Numbers, second: Numbers, z: float = Z95) -> Paired:
    """The second mean less the first over the same items, as shares of each item's points: both (items,).

    The interval is that of `difference_variances`. For right or wrong answers `chance` is exact: how often, of the
    items on which one alone was right, a fair coin gives the second as many as it has or more (McNemar 1947,
    doi:10.1007/BF02295996, exact). Raises ValueError where the lengths differ or there is no item.
    """
    outcomes = np.stack([np.asarray(side, dtype=np.float64) for side in (first, second)])
    n = outcomes.shape[1]
    if n == 0:
        raise ValueError("no item that both answered")
    value = round(float(outcomes[1].mean() - outcomes[0].mean()), 12)
    error = sqrt(float(difference_variances(outcomes)[0, 1]))
    better = (int((outcomes[0] > outcomes[1]).sum()), int((outcomes[1] > outcomes[0]).sum()))
    graded = bool(((outcomes != 0) & (outcomes != 1)).any())
    chance = float(special.ndtr(-abs(value) / error)) if graded else _at_least(max(better), sum(better))
    low, high = value - z * error, value + z * error
    items = ceil(items_to_settle(value, n * error**2, z)) if value else None
    case = EQUAL if value == 0 else REAL if low > 0 or high < 0 else WITHIN
    return Paired(n, *better, Difference(case, value, (Under(_correlation(outcomes), low, high, chance, items),)))


def _at_least(heads: int, tosses: int) -> float:
    """How often a fair coin falls on one named side at least so often."""
    return float(special.bdtrc(heads - 1, tosses, 0.5)) if heads else 1.0


def _correlation(outcomes: Numbers) -> float:
    """That of the errors of the two; 0 where one of them never varies."""
    return mean_correlation(outcomes) or 0.0
