"""Differences between models that answered the same items: what is hard for both cancels."""

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers


def difference_variances(outcomes: Numbers) -> Numbers:
    """The variance of the difference between the means of every two models: (models, models), 0 on the diagonal.

    `outcomes` are shares of each item's points, (models, items). The items are a sample of all that might have been
    asked, and both models met the same ones, so that the difference is a mean of differences by item:
    Var(a - b) = Var(a) + Var(b) - 2 Cov(a, b) (Miller 2024, Adding error bars to evals, arXiv:2411.00640, section 4.2).
    Two items are added, on one of which either model alone is right: without them two models that differ on few items
    look surer than they are (Bonett & Price 2012, doi:10.3102/1076998611411915, here also for graded items).

    Each alone is right on one of two items; two are added, so that four differences of size 1 have the mean 0:

    >>> difference_variances(np.array([[1.0, 0.0], [0.0, 1.0]])).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
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
    """On how many items every two models did not do equally well: (models, models).

    >>> differing_items(np.array([[1, 1, 0], [1, 0, 1]])).tolist()
    [[0, 2], [2, 0]]
    """
    solved = np.asarray(outcomes, dtype=np.float64)
    return np.stack([(solved != outcomes_of_model).sum(axis=1) for outcomes_of_model in solved]).astype(np.int64)


def mean_correlation(outcomes: Numbers) -> float | None:
    """The mean correlation, over pairs of models, of what they did on the items; None with fewer than two that vary.

    The errors of two scores on the same items correlate by as much.

    >>> round(mean_correlation(np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]])), 3)
    0.333
    """
    solved = np.asarray(outcomes, dtype=np.float64)
    from_mean = solved - solved.mean(axis=1, keepdims=True)
    length = np.sqrt((from_mean**2).sum(axis=1))
    unit = from_mean[length > 0] / length[length > 0, None]
    n_models = unit.shape[0]
    return float((np.square(unit.sum(axis=0)).sum() - n_models) / (n_models * (n_models - 1))) if n_models > 1 else None
