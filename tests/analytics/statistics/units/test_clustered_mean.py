"""Items that come in clusters: the jackknife by hand, and intervals that hold the truth as often as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_mean import (
    FEWEST_CLUSTERS,
    clustered_items,
    clustered_variance,
    clustered_variances,
)
from benchhealth.analytics.statistics.units.paired import difference_variances
from benchhealth.analytics.statistics.units.rank_sets import rank_intervals
from tests.support.clustered_items import SHAPES, Clusters
from tests.support.soaking import Soak


def test_clusters_of_one_item_are_the_items_themselves() -> None:
    outcomes = (np.random.default_rng(3).random((4, 5_000)) < 0.5).astype(float)
    clustered, alone = clustered_variances(outcomes, np.arange(5_000)), difference_variances(outcomes)
    off = ~np.eye(4, dtype=bool)
    assert clustered.variances[off] == pytest.approx(alone[off], rel=2e-3)
    assert clustered.degrees == 4_999
    with pytest.raises(ValueError, match="two clusters"):
        clustered_variances(outcomes, np.zeros(5_000, dtype=np.intp))


@given(st.integers(2, 8), st.integers(0, 2**31))
def test_each_difference_has_the_variance_of_one_mean(clusters: int, seed: int) -> None:
    """Every cluster left out in turn, one pair at a time."""
    rng = np.random.default_rng(seed)
    of_item = np.concatenate([np.arange(clusters), rng.integers(0, clusters, 20)])
    outcomes = rng.random((3, of_item.size))
    estimate = clustered_variances(outcomes, of_item)
    for one, other in ((0, 1), (1, 2)):
        difference = outcomes[one] - outcomes[other]
        without = np.array([difference[of_item != each].mean() for each in range(clusters)])
        by_hand = (clusters - 1) / clusters * np.square(without - without.mean()).sum()
        assert estimate.variances[one, other] == pytest.approx(by_hand)
        alone = clustered_variance(difference, [f"{each}" for each in of_item])
        assert alone is not None and alone.variance == pytest.approx(by_hand) and alone.degrees == estimate.degrees


def test_items_are_never_surer_in_clusters_than_alone() -> None:
    """Two models that differ once in each of five clusters do not scatter between these."""
    outcomes = np.stack([np.ones(50), np.tile([0.0] + [1.0] * 9, 5)])
    of_item = np.repeat(np.arange(5), 10)
    assert clustered_variances(outcomes, of_item).variances[0, 1] == pytest.approx(0)
    assert clustered_items(outcomes, of_item).variances[0, 1] == difference_variances(outcomes)[0, 1]


def covered(clusters: Clusters, models: int, runs: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """Equally good models: how often pairs are not told apart over clusters, all joint sets hold, and they hold item by
    item."""
    held = np.zeros(3)
    pairs = np.triu_indices(models, 1)
    for _ in range(runs):
        outcomes, of_item = clusters.answered(rng, models)
        score, over, alone = outcomes.mean(axis=1), clustered_items(outcomes, of_item), difference_variances(outcomes)
        distance = np.abs(score[:, None] - score[None, :])[pairs]
        reach = student.as_far_out(Z95, over.degrees) * np.sqrt(over.variances[pairs])
        sets = rank_intervals(score, np.sqrt(np.diag(over.variances)), paired=over.variances, degrees=over.degrees)
        by_item = rank_intervals(score, np.sqrt(score * (1 - score) / of_item.size), paired=alone)
        held += [
            (distance <= reach).mean(),
            ((sets.low_joint == 1) & (sets.high_joint == models)).all(),
            ((by_item.low_joint == 1) & (by_item.high_joint == models)).all(),
        ]
    pair, joint, alone_joint = held / runs
    return float(pair), float(joint), float(alone_joint)


def test_fewer_clusters_than_are_asked_for_would_still_cover() -> None:
    assert FEWEST_CLUSTERS == 5
    pair, joint, by_item = covered(Clusters("five", (40,) * 5, 0.3), 6, 300, np.random.default_rng(6))
    assert pair == pytest.approx(0.95, abs=0.03)
    assert joint >= 0.9 and by_item < 0.8


def test_one_large_repository_among_twelve_is_allowed_for() -> None:
    pair, joint, _ = covered(SHAPES["SWE-bench Verified"], 8, 200, np.random.default_rng(7))
    assert pair >= 0.94 and joint >= 0.95


@pytest.mark.soak
@pytest.mark.parametrize("own_share", [0.0, 0.15, 0.5])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("models", [10, 40])
def test_sets_over_clusters_cover_at_length(name: str, own_share: float, models: int, soak: Soak) -> None:
    runs = 400
    rng = np.random.default_rng(soak.random.getrandbits(64))
    pair, joint, by_item = covered(SHAPES[name]._replace(own_spread=own_share), models, runs, rng)
    soak.say(
        f"clusters, {name}, {models} models, own {own_share}: pairs {pair:.3f}, all sets {joint:.3f}, item by item "
        f"{by_item:.3f} (each ±{np.sqrt(0.05 * 0.95 / runs):.3f})"
    )
    assert pair >= 0.93 and joint >= 0.93 - 2 * np.sqrt(0.07 * 0.93 / runs)
