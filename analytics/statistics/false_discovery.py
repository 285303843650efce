"""Many tests on one page: the false discovery rate of Benjamini and Hochberg."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """The q-value of each p-value: flagging all q <= 0.05 keeps the expected share of false flags at 5%.

    A NaN is a test that was not made: it stays NaN and does not count towards the number of tests. Holds for
    independent and for positively dependent tests. Raises ValueError for a p-value outside [0, 1].
    Source: Benjamini, Hochberg (1995), JRSS B 57(1), 289-300.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError(f"one list of p-values expected, got shape {p.shape}")
    made = ~np.isnan(p)
    tested = p[made]
    if ((tested < 0) | (tested > 1)).any():
        raise ValueError("a p-value lies outside [0, 1]")
    q = np.full(p.shape, np.nan)
    if tested.size:
        order = np.argsort(tested, kind="stable")
        scaled = tested[order] * tested.size / np.arange(1, tested.size + 1)
        adjusted = np.empty_like(scaled)
        adjusted[order] = np.minimum.accumulate(scaled[::-1])[::-1].clip(max=1.0)
        q[made] = adjusted
    return q
