"""Many tests on one page: the false discovery rate of Benjamini and Hochberg."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """The q-value of each p-value: flagging all q <= 0.05 keeps the expected share of false flags at 5%.

    A NaN is a test that was not made: it stays NaN and does not count towards the number of tests. Holds for
    independent and for positively dependent tests. Raises ValueError for a p-value outside [0, 1].
    Source: Benjamini, Hochberg (1995), JRSS B 57(1), 289-300.

    >>> benjamini_hochberg([0.01, 0.04, 0.03, float("nan")]).round(3).tolist()
    [0.03, 0.04, 0.04, nan]
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError(f"one list of p-values expected, got shape {p.shape}")
    is_test = ~np.isnan(p)
    if ((p[is_test] < 0) | (p[is_test] > 1)).any():
        raise ValueError("a p-value lies outside [0, 1]")
    q = np.full(p.shape, np.nan)
    tests = p[is_test]
    order = np.argsort(tests)
    ranked = tests[order] * (tests.size / np.arange(1.0, tests.size + 1))
    tests[order] = np.minimum.accumulate(ranked[::-1])[::-1]
    q[is_test] = np.minimum(tests, 1.0)
    return q


def q_values(p_values: pl.Series) -> pl.Series:
    """`benjamini_hochberg` of a column: null is a test that was not made, and stays null.

    >>> q_values(pl.Series([0.25, None, 0.5])).to_list()
    [0.5, None, 0.5]
    """
    return pl.Series(benjamini_hochberg(p_values.to_numpy()), dtype=pl.Float64).fill_nan(None)


def q_values_within(rows: pl.DataFrame, keys: Sequence[str], p: str = "p_value", q: str = "q_value") -> pl.DataFrame:
    """The rows, as they are ordered, with a column `q`: the q-values of the column `p` within each group of `keys`.

    As `benjamini_hochberg` for each group; null is a test that was not made.
    """
    order = "_order"
    tests = pl.col(p).is_not_null().sum().over(keys)
    rank = pl.int_range(1, pl.len() + 1).over(keys)
    return (
        rows.with_row_index(order)
        .sort(*keys, p, nulls_last=True)
        .with_columns(pl.when(pl.col(p).is_not_null()).then(pl.min_horizontal(pl.col(p) * tests / rank, 1.0)).alias(q))
        .with_columns(pl.col(q).cum_min(reverse=True).over(keys))
        .with_columns(pl.when(pl.col(p).is_not_null()).then(pl.col(q)).alias(q))
        .sort(order)
        .drop(order)
    )
