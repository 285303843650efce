"""The median of waits that are not all over: the true one, where leaving out those that last is short."""

import numpy as np
import pytest

from benchhealth.analytics.statistics.survival.kaplan_meier import half_life, kaplan_meier
from benchhealth.analytics.statistics.survival.waits import median_wait
from tests.support.soaking import Soak

TRUE = 8.0
"""Months; what was watched of a wait ends between 0 and 32 months after it began."""


def simulated(seed: int, runs: int, levels: int, of_step: int) -> tuple[float, float, float]:
    """The median over runs of the estimate, of that without what is not over, and the share of intervals that hold."""
    rng = np.random.default_rng(seed)
    waits, left_out, inside = [], [], 0
    for _ in range(runs):
        wait, watched = (
            np.repeat(drawn, of_step)
            for drawn in (
                rng.exponential(TRUE / np.log(2), levels // of_step),
                rng.uniform(0, 4 * TRUE, levels // of_step),
            )
        )
        over = wait <= watched
        half = median_wait(np.minimum(wait, watched), over, np.arange(levels) // of_step)
        waits.append(np.inf if half.months is None else half.months)
        left_out.append(float(np.median(wait[over])) if over.any() else np.nan)
        inside += (half.low or -np.inf) <= TRUE <= (np.inf if half.high is None else half.high)
    return float(np.median(waits)), float(np.nanmedian(left_out)), inside / runs


def test_waits_that_last_are_not_left_out() -> None:
    waits, left_out, inside = simulated(1, 200, 60, 2)
    assert waits == pytest.approx(TRUE, abs=1)
    assert left_out < 6  # what was published
    assert inside >= 0.88


@pytest.mark.soak
@pytest.mark.parametrize(("levels", "of_step"), [(30, 1), (30, 3), (90, 3)])
def test_medians_of_waits_at_length(levels: int, of_step: int, soak: Soak) -> None:
    runs = 4000
    waits, left_out, inside = simulated(soak.random.randrange(2**32), runs, levels, of_step)
    error = np.sqrt(inside * (1 - inside) / runs)
    soak.say(
        f"waits of {levels} levels, {of_step} a step: median {waits:.2f} of {TRUE:.0f}, without those not over "
        f"{left_out:.2f}; interval {inside:.3f} +- {error:.3f}"
    )
    assert waits == pytest.approx(TRUE, rel=0.08)  # of ten steps the median is .4 low
    assert inside == pytest.approx(0.95, abs=0.03)


def test_alone_each_it_is_the_product_limit() -> None:
    rng = np.random.default_rng(2)
    wait, over = rng.exponential(5, 40), rng.random(40) < 0.7
    curve = half_life(kaplan_meier(np.full(40, -1.0), wait, over))
    assert median_wait(wait, over, np.arange(40)).months == pytest.approx(curve.months)


def test_a_median_below_0_none_and_a_single_step() -> None:
    assert median_wait([-3.0, -2.0, 4.0], [True, True, False], [0, 1, 2]).months == -2
    assert median_wait([3.0, 9.0, 9.0], [True, False, False], [0, 1, 1]).months is None
    assert median_wait([3.0, 3.0], [True, True], [0, 0]) == (3.0, None, None)
    assert median_wait([3.0], [False], [0]) == (None, None, None)
    with pytest.raises(ValueError, match="three lists"):
        median_wait([1.0], [True], [0, 1])
