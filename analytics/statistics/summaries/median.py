"""The interval of a median, from the order of the values alone."""

from functools import cache

import numpy as np
import polars as pl
from scipy import special

ERROR = 0.05
"""How often the interval may miss the median."""


@cache
def interval_order_statistic(n: int) -> int | None:
    """Which of `n` values, counted from either end, bounds the 95% interval of their median; None for fewer than six.

    From the r-th smallest to the r-th largest the interval holds the median of what the values are drawn from with
    probability 1 - 2 P(B < r) at least, where B is binomial with n and 1/2, whatever their distribution; r is the
    largest for which that is 95%. Equal values make it wider, never narrower. Source: David, Nagaraja (2003), Order
    Statistics, 3rd edition, section 7.1.

    >>> interval_order_statistic(5), interval_order_statistic(6), interval_order_statistic(20)
    (None, 1, 6)
    """
    below = special.bdtr(np.arange(n + 1), n, 0.5)
    return int(np.searchsorted(below, ERROR / 2)) or None


def median_interval(ordered: pl.Series) -> pl.DataFrame:
    """The 95% interval of the median of each list of `ordered` values (ascending, no nulls): low and high.

    Values are taken as drawn independently. Both ends are null where there are fewer than six.

    >>> median_interval(pl.Series([[1, 2, 3, 4, 5, 60]])).row(0)
    (1, 60)
    """
    counts = ordered.list.len().cast(pl.Int64)
    lower_order = pl.Series([interval_order_statistic(n) if n else None for n in counts.fill_null(0)], dtype=pl.Int64)
    return pl.DataFrame(
        {
            "low": ordered.list.get(lower_order - 1, null_on_oob=True),
            "high": ordered.list.get(counts - lower_order, null_on_oob=True),
        }
    )
