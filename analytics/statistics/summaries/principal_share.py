"""How much of what a table of scores varies by is one direction: the first principal component's share."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEWEST_ROWS = 3
"""Rows; with fewer a table has one direction whatever it holds."""


def principal_share(scores: ArrayLike) -> float | None:
    """The share (0 to 1) of the variance of a table, rows by columns, that its first principal component explains.

    Columns are brought to mean 0 and standard deviation 1 first, so that none counts for more because it varies by
    more (Hotelling 1933); constant ones are left out. None with fewer than three rows or two varying columns, or where
    a cell is not finite: the share of a table with holes hangs on how they are filled.

    >>> round(principal_share([[1, 2], [2, 4], [3, 6]]), 9), round(principal_share([[0, 0], [0, 1], [1, 0], [1, 1]]), 9)
    (1.0, 0.5)
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < FEWEST_ROWS or not np.isfinite(table).all():
        return None
    spread = table.std(axis=0)
    varying = spread > 1e-12 * np.abs(table).max(initial=1.0)
    if varying.sum() < 2:
        return None
    standard = (table[:, varying] - table[:, varying].mean(axis=0)) / spread[varying]
    values = np.linalg.svd(standard, compute_uv=False) ** 2
    return float(values[0] / values.sum())


def component_shares(scores: ArrayLike) -> NDArray[np.float64] | None:
    """What share of the variance the first component of a table explains, the first two, and so on.

    Columns are brought to mean 0 and keep their spread. None for a table of fewer than three rows, with a cell that
    is not finite, or that does not vary.
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < FEWEST_ROWS or not np.isfinite(table).all():
        return None
    values = np.linalg.svd(table - table.mean(axis=0), compute_uv=False) ** 2
    return np.cumsum(values) / values.sum() if values.sum() > 0 else None


def with_filled_cells(scores: ArrayLike, components: int, rounds: int = 200) -> NDArray[np.float64]:
    """A table whose empty cells (NaN) are what its first components make of them, after so many rounds.

    The first guess is the column's mean (principal components with missing values: Josse and Husson 2012).
    """
    table = np.asarray(scores, dtype=np.float64)
    empty = ~np.isfinite(table)
    filled = np.where(empty, np.nanmean(table, axis=0), table)
    for _ in range(rounds if empty.any() else 0):
        mean = filled.mean(axis=0)
        left, values, right = np.linalg.svd(filled - mean, full_matrices=False)
        filled = np.where(empty, mean + (left[:, :components] * values[:components]) @ right[:components], table)
    return filled
