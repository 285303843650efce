"""Whether the difference of two scores is more than chance, by what is known of their errors, or item by item."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, sqrt

import numpy as np
import polars as pl
from scipy import special

from benchhealth.analytics.record.by_item.clusters import Spread
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95, binomial_error, wilson_high, wilson_low
from benchhealth.analytics.statistics.units.paired import difference_variances, mean_correlation
from benchhealth.analytics.statistics.units.settling import items_to_settle

REAL, ON_THESE, IF_SHARED, WITHIN = "real", "on_these", "if_shared", "within"
EQUAL, ERRORS_UNKNOWN = "equal", "errors_unknown"
CASES = (REAL, ON_THESE, IF_SHARED, WITHIN, EQUAL, ERRORS_UNKNOWN)
"""What the intervals say: beyond error even if errors are independent; beyond error on these items, and not if other
clusters of items (subjects, repositories) had been drawn; only if errors are shared as on like tests; within error
under all that was tried; the scores are equal; the error of one is not known."""


@dataclass(frozen=True)
class Score:
    """A score, a fraction where it has a number of `items`, else in its unit with its standard `error`.

    Both are None where no error is known. Raises ValueError for a score with items that is no fraction, and for a
    number of items or an error that is not positive.
    """

    value: float
    items: int | None = None
    error: float | None = None

    def __post_init__(self) -> None:
        if self.items is not None and (self.items < 1 or not 0 <= self.value <= 1):
            raise ValueError(f"a share of a positive number of items expected, got {self.value} of {self.items}")
        if self.error is not None and not self.error > 0:
            raise ValueError(f"a positive standard error expected, got {self.error}")

    @property
    def is_known(self) -> bool:
        """Whether the standard error of the difference is known."""
        return self.items is not None or self.error is not None


@dataclass(frozen=True)
class Interval:
    """The second score less the first, where the errors of the two have this `correlation`.

    It is None where items are taken to be drawn in so many `clusters`, None where they are drawn one by one. `low` to
    `high` is its 95% interval. `chance` is how often two equally good models would come out in this order by
    at least as much. `items` are those that each would need for the interval to end at 0 at this distance; None where
    that is not counted in items, or there is no distance.
    """

    correlation: float | None
    low: float
    high: float
    chance: float
    items: int | None
    clusters: int | None = None


@dataclass(frozen=True)
class ClusterEffect:
    """What the clusters of a test's items do to the difference of two models, as measured on models known item by item.

    The variance of a difference is `ratio` times that of independent errors, the mean over pairs of models; Student's t
    knows it with so many `degrees` of freedom. `clusters` is how many there are.
    """

    ratio: float
    degrees: float
    clusters: int


@dataclass(frozen=True)
class Difference:
    """The second score less the first: its case (one of CASES), and its interval under each assumed correlation."""

    case: str
    value: float
    intervals: tuple[Interval, ...]

    @property
    def settles(self) -> tuple[int, int] | None:
        """The fewest and the most items that would settle it, over the correlations; None where not known."""
        counts = [limits.items for limits in self.intervals if limits.items is not None]
        return (min(counts), max(counts)) if counts and self.value else None


def difference(
    first: Score,
    second: Score,
    correlations: Sequence[float] = (),
    z: float = Z95,
    effect: ClusterEffect | None = None,
) -> Difference:
    """The second score less the first with its intervals, for independent errors and for these `correlations`.

    Two models that answer the same items err alike, so that their difference is surer than that of two samples. How
    much alike is known where both are known item by item (`paired`); elsewhere from other tests, so that both ends of
    what was measured there are given, and independence, which gives the widest interval. Where an `effect` of clusters
    was measured on this test, the last interval is what other clusters of the kind might have given.

    The interval joins those of the two scores (Wilson's, or `z` standard errors) by squares: Newcombe 1998, method 10,
    doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I, and with a correlation Zou 2007,
    doi:10.1037/1082-989X.12.4.399. `z` is larger where the second was picked as the best of many (`rank_sets`).
    Raises ValueError for a correlation outside [0, 1).

    The first example of Newcombe (1998), 56 of 70 against 48 of 80, for which he prints .0524 to .3339 by method 10:

    >>> gap = difference(Score(48 / 80, items=80), Score(56 / 70, items=70))
    >>> gap.case, round(gap.value, 4), round(gap.intervals[0].low, 4), round(gap.intervals[0].high, 4)
    ('real', 0.2, 0.0524, 0.3339)
    """
    if not all(0 <= correlation < 1 for correlation in correlations):
        raise ValueError(f"correlations from 0 to below 1 expected, got {list(correlations)}")
    value = round(second.value - first.value, 12)
    if not (first.is_known and second.is_known):
        return Difference(EQUAL if value == 0 else ERRORS_UNKNOWN, value, ())
    ends, errors = [_limits(score, z) for score in (first, second)], [_error(score) for score in (first, second)]
    counted = first.items is not None and second.items is not None
    sizes = (first.items or 0, second.items or 0) if counted else None
    intervals = tuple(_interval(value, ends, errors, sizes, rho, z) for rho in (0.0, *sorted(correlations)))
    if effect is not None:
        intervals = (*intervals, _clustered(value, intervals[0], _error_of_both(errors[0], errors[1], 0.0), effect, z))
    return Difference(case_of(value, intervals), value, intervals)


def over_clusters(value: float, error: float, degrees: float, clusters: int, z: float = Z95) -> Interval:
    """A difference whose standard `error` is over clusters of items, known with so many degrees of freedom."""
    reach = float(student.as_far_out(z, degrees)) * error
    return Interval(None, value - reach, value + reach, _p_value(value, error**2, degrees), None, clusters)


def _interval(  # noqa: PLR0913, PLR0917
    value: float,
    intervals: Sequence[tuple[float, float]],
    errors: Sequence[float],
    sizes: tuple[int, int] | None,
    correlation: float,
    z: float,
) -> Interval:
    (down_first, up_first), (down, up) = intervals
    variance = _error_of_both(errors[0], errors[1], correlation) ** 2
    items = None
    if sizes is not None and value:
        first, second = (error * sqrt(size) for error, size in zip(errors, sizes, strict=True))
        items = ceil(items_to_settle(value, _error_of_both(first, second, correlation) ** 2, z))
    return Interval(
        correlation,
        value - _error_of_both(down, up_first, correlation),
        value + _error_of_both(up, down_first, correlation),
        _p_value(value, variance),
        items,
    )


def _clustered(value: float, unclustered: Interval, error: float, effect: ClusterEffect, z: float) -> Interval:
    """The interval for independent errors as much wider as clusters make the error, and Student's t the interval."""
    wider = sqrt(effect.ratio) * float(student.as_far_out(z, effect.degrees)) / z
    low, high = value - wider * (value - unclustered.low), value + wider * (unclustered.high - value)
    chance = _p_value(value, effect.ratio * error**2, effect.degrees)
    return Interval(None, low, high, chance, None, effect.clusters)


def _p_value(value: float, variance: float, degrees: float = inf) -> float:
    """The one-sided p-value: how often equal models would differ so; without variance 0, or 0.5 for equal scores."""
    if variance > 0:
        t = abs(value) / sqrt(variance)
        return float(special.ndtr(-t) if degrees == inf else student.above(t, degrees))
    return 0.0 if value else 0.5


def _error_of_both(first: float, second: float, correlation: float) -> float:
    """The standard error of a difference, from both standard errors and their correlation."""
    return sqrt(max(first**2 + second**2 - 2 * correlation * first * second, 0.0))


def case_of(value: float, intervals: Sequence[Interval]) -> str:
    """The code, one of CASES, that the intervals of a difference give; there is at least one interval."""
    if value == 0:
        return EQUAL
    beyond = [limits.low > 0 or limits.high < 0 for limits in intervals]
    if beyond[0]:
        beyond_over_clusters = [
            is_beyond for limits, is_beyond in zip(intervals, beyond, strict=True) if limits.clusters is not None
        ]
        return REAL if all(beyond_over_clusters) else ON_THESE
    return IF_SHARED if any(beyond) else WITHIN


def _limits(score: Score, z: float) -> tuple[float, float]:
    """How far the interval of the score reaches down, and how far up."""
    if score.items is None:
        reach = z * (score.error or 0.0)
        return reach, reach
    low, high = _score_row(score).select(low=wilson_low(*_OF, z), high=wilson_high(*_OF, z)).row(0)
    return score.value - low, high - score.value


def _error(score: Score) -> float:
    return (
        float(_score_row(score).select(binomial_error(*_OF)).item()) if score.items is not None else score.error or 0.0
    )


_OF = (pl.col("score"), pl.col("n"))


def _score_row(score: Score) -> pl.DataFrame:
    return pl.DataFrame({"score": [score.value], "n": [score.items]})


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
    >>> of_both.only_first, of_both.only_second, of_both.difference.value, of_both.difference.intervals[0].chance
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
    intervals = [Interval(_correlation(outcomes), low, high, chance, items)]
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
