"""How many places of a leaderboard noise alone exchanges among models that both of two looks at it list."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers

DRAWS = 200
"""Pairs of looks simulated: the Monte Carlo error of the share of a top five is below .02."""

FEWEST_INCUMBENTS = 10
"""Models on both looks, and of them models that moved, below which their changes do not say how large noise is."""

ROUNDING = 1e-9
"""Share of the spread of scores below which a change is the rounding of a shifted board."""

_MAD = float(special.ndtri(0.75))
"""The median absolute deviation of a normal distribution of standard deviation 1."""


class Noise(NamedTuple):
    """The share of a top that noise of changes alone exchanges: its mean and its standard deviation over draws."""

    expected: float
    spread: float


class ChangeNoise(NamedTuple):
    """The share of models that noise moves, and the standard deviation of their changes in units of their weights."""

    moved: float
    scale: float


def change_noise(before: Numbers, after: Numbers, weight: Numbers) -> ChangeNoise:
    """How large the noise of changes is: none where fewer than FEWEST_INCUMBENTS scores moved at all.

    The changes are taken from their median, so that a board that moved as a whole has none. The scale is the median
    absolute deviation of those that moved, divided by that of a normal distribution: a few models that truly changed
    do not move it. Where ratings are rounded only some of them move, by a whole point.
    """
    change = after - before
    own_change = change - np.median(change)
    own_change[np.abs(own_change) <= ROUNDING * max(float(np.ptp(before)), float(np.ptp(after)))] = 0.0
    moved = own_change != 0
    if np.count_nonzero(moved) < FEWEST_INCUMBENTS:
        return ChangeNoise(0.0, 0.0)
    return ChangeNoise(float(moved.mean()), float(np.median(np.abs(own_change / weight)[moved])) / _MAD)


def expected_exchanges(
    before: Sequence[float],
    after: Sequence[float],
    errors: tuple[Sequence[float], Sequence[float]],
    depths: Sequence[int],
    rng: np.random.Generator,
) -> dict[int, Noise | None]:
    """For each depth k the share of the top k that noise alone exchanges among models on both looks.

    `before` and `after` are the merits (higher is better) of the same models on two looks, `errors` their standard
    errors on both (NaN where unknown). A board that keeps adding to the same votes measures only a small part anew, and
    one that repeats old numbers nothing. So noise is that of *changes*, learnt from the board's own incumbents
    (`change_noise`), in proportion to the two errors where all are known, else equal for all. Both looks are drawn
    around the mean of the two, half a change to either side: without a true change either could have been the first.
    None with fewer than FEWEST_INCUMBENTS models, unless no score moved (then 0), and where there are fewer than k.
    In the simulation of tests/analytics/churn/test_noise.py the observed share is that expected, whether two looks have
    none, 90 or 97% of their votes in common. Were every model measured anew at each look, as until rules 6, it would be
    .34 of that expected at 90% and .18 at 97%.
    Source of the scale: Hampel (1974), The influence curve and its role in robust estimation,
    doi:10.1080/01621459.1974.10482962.
    """
    first, second = (np.asarray(side, dtype=np.float64) for side in (before, after))
    usable = [k for k in depths if k <= first.size]
    exchanges: dict[int, Noise | None] = dict.fromkeys(depths)
    if not usable:
        return exchanges
    weight = np.hypot(*(np.asarray(side, dtype=np.float64) for side in errors))
    if not (np.isfinite(weight).all() and (weight > 0).all()):
        weight = np.ones(first.size)
    noise = change_noise(first, second, weight)
    if first.size < FEWEST_INCUMBENTS and not _no_score_moved(first, second):
        return exchanges
    if noise.scale == 0:
        return exchanges | dict.fromkeys(usable, Noise(0.0, 0.0))
    is_moved = rng.random((DRAWS, first.size)) < noise.moved
    half = 0.5 * noise.scale * weight * np.where(is_moved, rng.standard_normal((DRAWS, first.size)), 0.0)
    middle = (first - np.median(first) + second - np.median(second)) / 2
    drawn = -(middle + np.stack([-half, half]))
    ordered = np.partition(drawn, [k - 1 for k in usable], axis=2)
    for k in usable:
        top = drawn <= ordered[:, :, k - 1 : k]
        smaller = np.count_nonzero(top, axis=2).min(axis=0)  # of equals at place k some go and nobody comes for them
        exchanged = (smaller - np.count_nonzero(top[0] & top[1], axis=1)) / k
        exchanges[k] = Noise(float(exchanged.mean()), float(exchanged.std()))
    return exchanges


def _no_score_moved(first: Numbers, second: Numbers) -> bool:
    """Whether every score changed by the same amount, which may be none."""
    change = second - first
    return bool(np.ptp(change) <= ROUNDING * max(float(np.ptp(first)), float(np.ptp(second))))
