"""Differences between models that answered the same items: what is hard for both cancels."""

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import Z95

Numbers = NDArray[np.float64]


def difference_variances(outcomes: Numbers) -> Numbers:
    """The variance of the difference between the means of every two models: (models, models), 0 on the diagonal.

    `outcomes` are shares of each item's points, (models, items). The items are a sample of all that might have been
    asked, and both models met the same ones, so that the difference is a mean of differences by item:
    Var(a - b) = Var(a) + Var(b) - 2 Cov(a, b) (Miller 2024, Adding error bars to evals, arXiv:2411.00640, section 4.2).
    Two items are added, on one of which either model alone is right: without them two models that differ on few items
    look surer than they are (Bonett & Price 2012, doi:10.3102/1076998611411915, here also for graded items).
    """
    solved = np.asarray(outcomes, dtype=np.float64)
    n = solved.shape[1] + 2
    inner = solved @ solved.T
    squares = np.diag(inner)
    total = np.clip(squares[:, None] + squares[None, :] - 2 * inner, 0.0, None) + 2
    sums = solved.sum(axis=1)
    variance = (total / n - ((sums[:, None] - sums[None, :]) / n) ** 2) / n
    np.fill_diagonal(variance, 0.0)
    return np.asarray(variance)


def differing_items(outcomes: Numbers) -> NDArray[np.int64]:
    """On how many items every two models did not do equally well: (models, models)."""
    solved = np.asarray(outcomes, dtype=np.float64)
    return np.stack([(solved != one).sum(axis=1) for one in solved]).astype(np.int64)


def mean_correlation(outcomes: Numbers) -> float | None:
    """The mean correlation, over pairs of models, of what they did on the items; None with fewer than two that vary.

    The errors of two scores on the same items correlate by as much.
    """
    solved = np.asarray(outcomes, dtype=np.float64)
    from_mean = solved - solved.mean(axis=1, keepdims=True)
    length = np.sqrt((from_mean**2).sum(axis=1))
    unit = from_mean[length > 0] / length[length > 0, None]
    m = unit.shape[0]
    return float((np.square(unit.sum(axis=0)).sum() - m) / (m * (m - 1))) if m > 1 else None


def clustered_variances(outcomes: Numbers, clusters: NDArray[np.intp]) -> Numbers:
    """The variance of the difference between the means of every two models, items being drawn in clusters.

    `outcomes` as in `difference_variances`, `clusters` the number (from 0) of each item's cluster. Items of one
    passage, subject or repository are hard together, so that the clusters are the sample: the sum over clusters of the
    squared sum of a difference's deviations, over n squared, times clusters / (clusters - 1) (Miller 2024, Adding error
    bars to evals, arXiv:2411.00640, section 3.2; Liang & Zeger 1986, doi:10.1093/biomet/73.1.13), times the square of
    Student's t of so many clusters less one over z, as few clusters know their own scatter badly. On the diagonal that
    of each model's own mean. Raises ValueError with fewer than two clusters.
    """
    solved = np.asarray(outcomes, dtype=np.float64)
    number = int(clusters.max()) + 1
    if number < 2:
        raise ValueError("two clusters or more expected")
    from_mean = solved - solved.mean(axis=1, keepdims=True)
    sums = np.stack([np.bincount(clusters, weights=row, minlength=number) for row in from_mean])
    wider = (float(student.quantile(0.975, number - 1.0)) / Z95) ** 2
    covariance = sums @ sums.T * (wider * number / (number - 1) / solved.shape[1] ** 2)
    own = np.diag(covariance)
    variance = np.clip(own[:, None] + own[None, :] - 2 * covariance, 0.0, None)
    np.fill_diagonal(variance, own)
    return np.asarray(variance)
