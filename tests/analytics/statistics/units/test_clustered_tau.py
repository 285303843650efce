"""The interval of tau over families of models: covered by simulation, and exact where that can be written down."""

import numpy as np
import pytest

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.rank_agreement import kendall_tau
from benchhealth.analytics.statistics.units.clustered_tau import FIELLER, clustered_tau
from tests.support.soaking import Soak

RHO = 0.5
TRUE = 2 / np.pi * np.arcsin(RHO)
"""Kendall's tau of two normal scores of this correlation."""


def coverage(seed: int, runs: int, models: int, of_family: int, alike: float = 0.8) -> tuple[float, float]:
    """The share of intervals that hold the truth, and of those that take relatives for independent models."""
    rng = np.random.default_rng(seed)
    covariance = np.array([[1, RHO], [RHO, 1]])
    names = [f"{index // of_family}" for index in range(models)]
    inside = independent = 0
    for _ in range(runs):
        family = np.repeat(rng.multivariate_normal([0, 0], covariance, models // of_family), of_family, axis=0)
        own_part = rng.multivariate_normal([0, 0], covariance, models)
        scores = np.sqrt(alike) * family + np.sqrt(1 - alike) * own_part
        tau = clustered_tau(*scores.T, names)
        assert tau.tau is not None and tau.low is not None and tau.high is not None
        inside += tau.low <= TRUE <= tau.high
        reach = Z95 * np.sqrt(FIELLER / (models - 4))
        independent += abs(np.arctanh(tau.tau) - np.arctanh(TRUE)) <= reach
    return inside / runs, independent / runs


def test_relatives_do_not_make_an_order_surer() -> None:
    inside, independent = coverage(1, 150, 60, 4)
    assert inside >= 0.89
    assert independent < 0.85  # what was published


@pytest.mark.soak
@pytest.mark.parametrize(("models", "of_family"), [(40, 1), (40, 4), (80, 4), (200, 4)])
def test_taus_are_covered_at_length(models: int, of_family: int, soak: Soak) -> None:
    runs = 2000
    inside, independent = coverage(soak.random.randrange(2**32), runs, models, of_family)
    error = np.sqrt(inside * (1 - inside) / runs)
    soak.say(
        f"tau, {models} models in families of {of_family}: {inside:.3f} +- {error:.3f}, models as independent "
        f"{independent:.3f}"
    )
    assert inside == pytest.approx(0.95, abs=0.03)


def test_the_jackknife_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(2)
    left, right = rng.integers(0, 9, 12), rng.integers(0, 9, 12)
    names = list("aaabbbccddef")
    without = [
        kendall_tau(
            *(np.array([side[index] for index, name in enumerate(names) if name != out]) for side in (left, right))
        )
        for out in "abcdef"
    ]
    z = np.arctanh(np.array(without, dtype=float))
    tau = clustered_tau(left, right, names)
    assert tau.tau == kendall_tau(left, right) and tau.low is not None and tau.high is not None
    half = (np.arctanh(tau.high) - np.arctanh(tau.low)) / 2
    degrees = 12**2 / (3**2 + 3**2 + 2**2 + 2**2 + 1 + 1) - 1
    from scipy import stats

    assert half == pytest.approx(stats.t.ppf(0.975, degrees) * np.sqrt(((z - z.mean()) ** 2).sum() * 5 / 6))


def test_what_has_no_interval() -> None:
    assert clustered_tau([1, 2, 3, 4], [1, 3, 2, 4], list("abcd"))[1:] == (None, None)
    assert clustered_tau([1.0] * 6, range(6), list("abcdef")) == (None, None, None)
    with pytest.raises(ValueError, match="a cluster for each unit"):
        clustered_tau([1, 2, 3], [1, 2, 3], ["a"])
