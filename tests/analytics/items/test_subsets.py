"""Whether fewer items keep the order: by hand, and between the extremes."""

import numpy as np
import pytest

from benchhealth.analytics.items.measures import DRAWS, SUBSET, of_subsets


def test_models_that_differ_on_every_item_alike_keep_their_order() -> None:
    subset = of_subsets(np.tile([[1.0], [0.6], [0.2]], (1, 40)), np.random.default_rng(1))
    assert subset is not None
    assert subset == (20, DRAWS, 1.0, 1.0, 1.0)


def test_models_that_differ_by_one_item_seldom_do() -> None:
    outcomes = np.zeros((3, 100))
    outcomes[0, :3], outcomes[1, 3:5], outcomes[2, 5] = 1.0, 1.0, 1.0
    subset = of_subsets(outcomes, np.random.default_rng(2))
    assert subset is not None
    assert subset.items == 50
    assert 0 < subset.same_order < DRAWS / 2
    assert -1 <= subset.low < subset.tau <= subset.high <= 1


def test_models_that_tie_may_stand_either_way() -> None:
    outcomes = np.zeros((3, 40))
    outcomes[0], outcomes[1, ::2], outcomes[2, 1::2] = 1.0, 1.0, 1.0
    subset = of_subsets(outcomes, np.random.default_rng(3))
    assert subset is not None and subset.same_order == DRAWS


def test_it_depends_on_the_generator_alone() -> None:
    outcomes = (np.random.default_rng(4).random((5, 1_000)) < 0.5).astype(np.float64)
    one, other, third = (of_subsets(outcomes, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert one == other != third
    assert one is not None and one.items == SUBSET


def test_models_without_an_order_have_none_to_keep() -> None:
    assert of_subsets(np.ones((4, 30)), np.random.default_rng(7)) is None


@pytest.mark.parametrize("items", [2, 799, 800])
def test_a_short_test_is_halved(items: int) -> None:
    outcomes = np.zeros((2, items))
    outcomes[0] = 1.0
    subset = of_subsets(outcomes, np.random.default_rng(8))
    assert subset is not None and subset.items == min(SUBSET, items // 2)
