"""The difference of two models that answered the same items, item by item."""

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from scipy import special

from benchhealth.analytics.difference.two_scores import Difference, Under, case_of, over_clusters
from benchhealth.analytics.record.by_item.clusters import Spread
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.paired import difference_variances, mean_correlation
from benchhealth.analytics.statistics.units.settling import items_to_settle


@dataclass(frozen=True)
class Paired:
    """What two models did on the `items` that both answered: how many each alone did better, and the difference.

    `of_runs` is the share of the variance of the difference that other runs of the same items would have made, None
    where an item was run once; `if_run_for_ever` is the 95% interval without it.
    """

    items: int
    only_first: int
    only_second: int
    difference: Difference
    of_runs: float | None = None
    if_run_for_ever: tuple[float, float] | None = None


def paired(
    first: Numbers,
    second: Numbers,
    z: float = Z95,
    run_variances: Numbers | None = None,
    spread: Spread | None = None,
) -> Paired:
    """The second mean less the first over the same items, as shares of each item's points: both (items,).

    An outcome that is a mean of several runs has a variance of that mean, in `run_variances` (2, items). The spread of
    the outcomes holds it already, so that the interval needs nothing more; its part tells what more runs can gain
    (Miller 2024, arXiv:2411.00640, section 3.2).

    The interval is that of `difference_variances`. For right or wrong answers `chance` is exact: how often, of the
    items on which one alone was right, a fair coin gives the second as many as it has or more (McNemar 1947,
    doi:10.1007/BF02295996, exact). Where the `spread` of the two over clusters of their items is known, a second
    interval is what other clusters of the kind might have given (`clustered_mean.clustered_items`). Raises ValueError
    where the lengths differ or there is no item.

    On eight items the second alone is right, on one the first: a fair coin gives 8 of 9 or 9 of 9 in 10 of 512.

    >>> first, second = np.array([0] * 8 + [1, 1]), np.array([1] * 8 + [0, 1])
    >>> of_both = paired(first, second)
    >>> of_both.only_first, of_both.only_second, of_both.difference.value, of_both.difference.under[0].chance
    (1, 8, 0.7, 0.01953125)
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
    intervals = [Under(_correlation(outcomes), low, high, chance, items)]
    if spread is not None:
        intervals.append(over_clusters(value, sqrt(float(spread.variances[0, 1])), spread.degrees, spread.clusters, z))
    difference = Difference(case_of(value, intervals), value, tuple(intervals))
    return Paired(n, *better, difference, *_without_runs(value, error, z, run_variances))


def _without_runs(
    value: float, error: float, z: float, run_variances: Numbers | None
) -> tuple[float | None, tuple[float, float] | None]:
    """The share of the variance that is of runs, and the interval without it; nothing where any item was run once."""
    if run_variances is None or not np.isfinite(run_variances).all() or error == 0:
        return None, None
    share = min(1.0, float(run_variances.sum()) / run_variances.shape[1] ** 2 / error**2)
    reach = z * error * sqrt(1 - share)
    return share, (value - reach, value + reach)


def _at_least(heads: int, tosses: int) -> float:
    """How often a fair coin falls on one named side at least so often."""
    return float(special.bdtrc(heads - 1, tosses, 0.5)) if heads else 1.0


def _correlation(outcomes: Numbers) -> float:
    """The correlation of the errors of the two; 0 where one of them never varies."""
    return mean_correlation(outcomes) or 0.0
