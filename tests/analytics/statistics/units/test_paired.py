"""Differences on the same items: published numbers, and intervals that hold the truth as often as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.paired import difference_variances, differing_items, mean_correlation
from tests.support.shared_items import Bank


def table(both: int, first: int, other: int, neither: int) -> np.ndarray:
    """Two raters of the same people: how many both approve, one alone, neither."""
    return np.array(
        [
            [1.0] * (both + first) + [0.0] * (other + neither),
            [1.0] * both + [0.0] * first + [1.0] * other + [0.0] * neither,
        ]
    )


def test_approval_asked_twice() -> None:
    """Agresti 2002, Categorical data analysis, table 10.1: .59 and .55 approve, the difference's error is .0095."""
    asked = table(794, 150, 86, 570)
    assert float(np.diff(asked.mean(axis=1))[0]) == pytest.approx(-0.04, abs=0.0001)
    assert np.sqrt(difference_variances(asked)[0, 1]) == pytest.approx(0.0095, abs=0.0001)
    assert differing_items(asked)[0, 1] == 236


def test_models_that_agree_on_every_item_are_not_said_to_be_equal_for_certain() -> None:
    same = np.ones((2, 20))
    assert difference_variances(same)[0, 1] == pytest.approx(2 / 22**2)
    assert mean_correlation(same) is None
    assert mean_correlation(np.array([[0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1.0]])) == pytest.approx(-1 / 3)


@given(arrays(float, (3, 12), elements=st.sampled_from([0.0, 0.25, 1.0])), st.permutations(range(12)))
def test_variances_are_symmetric_positive_and_the_same_in_any_order_of_items(
    outcomes: np.ndarray, order: list[int]
) -> None:
    variances = difference_variances(outcomes)
    assert variances == pytest.approx(variances.T) and (np.diag(variances) == 0).all()
    assert (variances[np.triu_indices(3, 1)] > 0).all()
    assert difference_variances(outcomes[:, order]) == pytest.approx(variances)
    assert difference_variances(1 - outcomes) == pytest.approx(variances)


def coverage(ability: tuple[float, float], items: int, runs: int) -> tuple[float, float, float, float]:
    """How often the interval of the difference holds the truth, paired and as if independent, and how often either
    tells the two models apart."""
    rng, bank = np.random.default_rng(4), Bank()
    truth = np.diff(bank.answered(np.random.default_rng(5), np.array(ability), 400_000).mean(axis=1))[0]
    rates = np.zeros(4)
    for _ in range(runs):
        outcomes = bank.answered(rng, np.array(ability), items)
        share = outcomes.mean(axis=1)
        difference, error = share[1] - share[0], np.sqrt(difference_variances(outcomes)[0, 1])
        alone = np.sqrt((share * (1 - share) / items).sum())
        rates += [
            *(abs(difference - truth) <= Z95 * each for each in (error, alone)),
            *(abs(difference) > Z95 * each for each in (error, alone)),
        ]
    paired, unpaired, true_rate, told_alone = rates / runs
    return float(paired), float(unpaired), float(true_rate), float(told_alone)


def test_differences_on_the_same_items_cover_the_truth_and_tell_more_pairs_apart() -> None:
    paired, unpaired, true_rate, alone = coverage((0.0, 0.3), 200, 1_500)
    assert paired == pytest.approx(0.95, abs=0.03)
    assert unpaired > paired and true_rate > 1.2 * alone


@pytest.mark.soak
@pytest.mark.parametrize("items", [60, 200, 500])
@pytest.mark.parametrize("ability", [(0.0, 0.0), (0.0, 0.3), (1.3, 1.5)])
def test_differences_on_the_same_items_cover_the_truth_at_length(ability: tuple[float, float], items: int) -> None:
    paired, unpaired, true_rate, alone = coverage(ability, items, 10_000)
    print(f"pairs {ability}, {items} items: paired {paired:.3f} ({true_rate:.3f} apart), {unpaired:.3f} ({alone:.3f})")
    assert paired == pytest.approx(0.95, abs=0.03)
