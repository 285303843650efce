"""The ranks that errors leave open: for one model at a time (marginal), and for all models at once (simultaneous)."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy import special

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import binomial

CONFIDENCE = 0.95
"""Confidence of each model's interval of ranks, and of all simultaneous ones together."""

TABULATED_OTHERS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000)
RATIOS = tuple(2.0**power for power in (-5, -4, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 5))
"""Where critical values are tabulated: numbers of others, and ratios of a model's error to theirs."""

PAIRS_AT_ONCE = 32_768
"""Pairs of models that are compared at once: so many stay in the processor's cache, however long the board is."""


class RankSets(NamedTuple):
    """For each model the lowest and highest rank that the errors allow, NaN where its error is unknown.

    `low` to `high` holds each model's true rank with the stated confidence, for that model alone; `low_joint` to
    `high_joint` are wider, so that with that confidence all of them hold at once.
    """

    low: Numbers
    high: Numbers
    low_joint: Numbers
    high_joint: Numbers


def rank_intervals(  # noqa: PLR0913, PLR0917 - what a rank depends on
    merits: Numbers,
    errors: Numbers,
    level: float = CONFIDENCE,
    paired: Numbers | None = None,
    items: Numbers | None = None,
    degrees: float = np.inf,
) -> RankSets:
    """For each model the ranks compatible with the errors; higher merit is better, NaN is unknown.

    A model's rank is at least 1 + the number of models significantly better, and at most n - the number significantly
    worse. Two models differ significantly where |difference| > c * its standard error. Marginal: c is the quantile of
    the largest of one model's n - 1 studentised differences (`critical_values`), so each interval covers the true rank
    with probability `level` where all are equal, and with more where they differ. Simultaneous: c is that of the
    largest of all n (n - 1) / 2 differences (`joint_critical_value`), so that all intervals hold at once with that
    probability. `paired` holds the variance of the difference of every two models that answered the same items, NaN
    where they did not: there errors count as independent, which is too wide where items are the same and not known.

    `items` is the number of right or wrong items of which a score is the share, NaN where its error has another source.
    The variance of a difference d is then that of two equal shares, as in the score test: it is larger by
    d^2 (1/n_i + 1/n_j) / 4, and by d^2 / n for two models on the same items (McNemar 1947). Without `items` the two
    models that happen to lie farthest apart have the smallest errors: with 192 models on 148 items all sets held at
    once in .92 where .95 is stated, and in .96 with `items`; item by item in .88, and in .98 with them.

    Where variances are estimated with few `degrees` of freedom (clusters of items) a critical value is that of
    Student's t that has the same probability beyond it. That holds in .95 of boards of 14 clusters and in .93 of boards
    of five; the normal value widened by the ratio of the two at 95% holds in .85 and .65.

    A model of unknown error is significantly better or worse than none, and its ranks are NaN. These are the marginal
    and the simultaneous confidence sets of Mogstad, Romano, Shaikh, Wilhelm (2024), Inference for ranks, Review of
    Economic Studies 91(1), with quantiles by integration in place of their bootstrap, and without their step-down.
    Coverage by simulation in tests/analytics/statistics/units/test_rank_sets.py.
    """
    n = merits.size
    has_error = np.isfinite(errors)
    counts = np.zeros((4, n))
    if has_error.sum() > 1:
        shared = None if paired is None else paired[np.ix_(has_error, has_error)]
        own_error = errors[has_error] if shared is None else own_errors(errors[has_error], shared)
        joint = joint_critical_value(n, level)
        normal = np.stack([critical_values(own_error, n, level), np.full(own_error.size, joint)])
        critical = (normal if np.isinf(degrees) else student.as_far_out(normal, degrees)) ** 2
        more = None if items is None else np.nan_to_num(0.25 / items[has_error], nan=0.0)
        counts[:, has_error] = _significant(merits[has_error], errors[has_error] ** 2, critical, shared, more)
    better, worse, better_joint, worse_joint = np.where(has_error, counts, np.nan)
    return RankSets(1 + better, n - worse, 1 + better_joint, n - worse_joint)


def items_asked(rows: pl.DataFrame) -> Numbers:
    """The parameter `items` of `rank_intervals`: the number of right or wrong items of which each score is the share.

    NaN where the error of a score has another source. `rows` has the columns that `errors.binomial` reads.
    """
    items = rows.select(asked=pl.when(binomial()).then(pl.col("n_items").cast(pl.Float64)))["asked"]
    return items.fill_null(np.nan).to_numpy()


def critical_values(errors: Numbers, n: int, level: float = CONFIDENCE) -> Numbers:
    """For each model the quantile of the largest of its n - 1 studentised differences from equally good others.

    They have its own error in common, so that this lies below Bonferroni's, the more so the larger its error beside
    those of the others. Read off a table by n and by that ratio, in which all others have one error, the root mean
    square of all (Dunnett 1955, doi:10.1080/01621459.1955.10501294, there for equal errors).
    """
    typical = float(np.sqrt(np.mean(errors**2)))
    ratio = np.log(np.clip(errors / typical, RATIOS[0], RATIOS[-1])) if typical > 0 else np.zeros(errors.size)
    table = _table(level)
    position = min(
        float(np.interp(np.log(max(n - 1, 1)), np.log(TABULATED_OTHERS), np.arange(len(TABULATED_OTHERS)))),
        len(TABULATED_OTHERS) - 1.0,
    )
    below = min(int(position), len(TABULATED_OTHERS) - 2)
    row = table[below] + (position - below) * (table[below + 1] - table[below])
    return np.asarray(np.interp(ratio, np.log(RATIOS), row))


@lru_cache(maxsize=4_096)
def joint_critical_value(n: int, level: float = CONFIDENCE) -> float:
    """The quantile of the largest studentised difference between any two of n equally good models.

    That of the studentised range over the square root of 2 (Tukey 1953): exact where errors are equal and independent
    or have one correlation, conservative where independent errors differ (Hayter 1984, doi:10.1214/aos/1176346392).

    For three, the 3.314 of tables of the studentised range over the square root of 2:

    >>> round(joint_critical_value(2), 3), round(joint_critical_value(3) * 2**0.5, 3)
    (1.96, 3.314)
    """
    z = np.linspace(-8.5, 8.5, 681)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    at_most = special.ndtr(z)
    low, high = 0.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        inside = n * float(density @ (at_most - special.ndtr(z - middle)) ** (n - 1))
        low, high = (middle, high) if inside < level else (low, middle)
    return (low + high) / 2 / float(np.sqrt(2))


def own_errors(errors: Numbers, paired: Numbers) -> Numbers:
    """The error of each model without the part that all models share, which cancels in differences.

    The squares of the errors of two models add up to the variance of their difference, by least squares over all pairs.
    A pair without a variance in `paired` (its items are not the same) enters with the sum of its squared errors.
    """
    n = errors.size
    squares = errors**2
    if n < 3:
        return errors
    variance = np.where(np.isfinite(paired), paired, squares[:, None] + squares[None, :])
    np.fill_diagonal(variance, 0.0)
    of_each = variance.sum(axis=1)
    of_model = (of_each - of_each.sum() / (2 * (n - 1))) / (n - 2)
    return np.asarray(np.sqrt(np.clip(of_model, 1e-3 * float(squares.mean()), None)))


@lru_cache(maxsize=8)
def _table(level: float) -> Numbers:
    """Critical values by number of others and by ratio of errors: P(all |x_k - r x| <= c sqrt(1 + r^2)) = level."""
    points = np.linspace(-8, 8, 321)
    weight = np.exp(-(points**2) / 2)
    weight /= weight.sum()
    n_others, ratio = np.array(TABULATED_OTHERS)[:, None], np.array(RATIOS)[None, :]
    low, high = np.ones((len(TABULATED_OTHERS), len(RATIOS))), np.full((len(TABULATED_OTHERS), len(RATIOS)), 8.0)
    for _ in range(40):
        middle = (low + high) / 2
        reach, shift = (middle * np.sqrt(1 + ratio**2))[..., None], ratio[..., None] * points
        inside = special.ndtr(shift + reach) - special.ndtr(shift - reach)
        is_short = (inside ** n_others[..., None]) @ weight < level
        low, high = np.where(is_short, middle, low), np.where(is_short, high, middle)
    return np.asarray((low + high) / 2)


def _significant(
    score: Numbers, variance: Numbers, critical: Numbers, paired: Numbers | None, more: Numbers | None
) -> Numbers:
    """How many others are significantly above and below each, for each row of squared `critical` values: (4, n).

    `more` is by how much of a squared difference its variance grows, of either side.
    """
    counts = np.zeros((2 * critical.shape[0], score.size))
    at_once = max(PAIRS_AT_ONCE // score.size, 1)
    for start in range(0, score.size, at_once):
        block = slice(start, start + at_once)
        difference = score - score[block, None]
        higher = difference > 0
        of_pair = variance + variance[block, None]
        squared = np.square(difference, out=difference)
        added = 0.0 if more is None else squared * (more + more[block, None])
        of_pair += added
        if paired is not None:
            of_pair = np.where(np.isfinite(paired[block]), paired[block] + 2 * added, of_pair)
        for index, needed in enumerate(critical):
            is_apart = squared > of_pair * needed[block, None]
            above = np.count_nonzero(is_apart & higher, axis=1)
            counts[2 * index, block] = above
            counts[2 * index + 1, block] = np.count_nonzero(is_apart, axis=1) - above
    return counts
