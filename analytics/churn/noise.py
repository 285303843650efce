"""What noise alone does to the top of a leaderboard."""

from collections.abc import Sequence

import numpy as np

DRAWS = 200
"""Pairs of boards simulated: the Monte Carlo error of a turnover near one half is below .02 for the top five."""

REACH = 5.0
"""Standard errors beyond which a model's chance of entering the top is not simulated."""


def expected_turnovers(
    merits: Sequence[float], errors: Sequence[float], depths: Sequence[int], rng: np.random.Generator
) -> dict[int, float | None]:
    """For each depth k the share of the top k that would be replaced if every model were merely measured twice afresh.

    `merits` (higher is better) are taken as the truth and both boards are drawn around them with normal errors,
    independent between models and between the two. A source that repeats old numbers, or keeps adding to the
    same votes, moves less than this; the scores themselves hold noise already and are spread out by it, which makes
    the figure a little small. None where a model of the top k (equals of the last included) has no error (NaN) or
    the board is shorter than k; a model below without an error stays where it is.
    """
    merit = np.asarray(merits, dtype=np.float64)
    error = np.asarray(errors, dtype=np.float64)
    has_error = np.isfinite(error)
    usable = [k for k in depths if k <= merit.size and has_error[merit >= -np.partition(-merit, k - 1)[k - 1]].all()]
    expected: dict[int, float | None] = dict.fromkeys(depths)
    if not usable:
        return expected
    spread = np.where(has_error, error, 0.0)
    deepest = max(usable)
    bar = np.partition(-(merit - REACH * spread), deepest - 1)[deepest - 1]
    near = np.flatnonzero(merit + REACH * spread >= -bar)
    drawn = -(merit[near] + spread[near] * rng.standard_normal((2, DRAWS, near.size)))
    ordered = np.partition(drawn, [k - 1 for k in usable], axis=2)
    for k in usable:
        top = drawn <= ordered[:, :, k - 1 : k]
        kept = np.count_nonzero(top[0] & top[1], axis=1) / np.count_nonzero(top[0], axis=1)
        expected[k] = float(1 - kept.mean())
    return expected
