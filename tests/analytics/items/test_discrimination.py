"""Items that run against ability: by hand, by chance alone, and with wrong keys planted."""

import numpy as np
import pytest

from benchhealth.analytics.items.measures import against_ability, share_in_rasch_worlds
from tests.support.item_worlds import drawn, with_wrong_keys


def test_by_hand() -> None:
    """Solved by the weakest alone, by the strongest alone, by nobody, by all."""
    solved = np.array([[0, 1, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], [1, 0, 0, 1, 0, 0]], dtype=np.bool_)
    assert against_ability(solved).tolist() == [True, False, False, False, False, False]


@pytest.mark.parametrize("floor", [0.0, 0.25])
def test_in_a_world_without_a_wrong_key_the_expected_share_is_that_of_the_world(floor: float) -> None:
    _, panel = drawn(20, 3_000, 5, floor=floor, slopes=0.0)
    share = float(against_ability(panel.solved).mean())
    expected = share_in_rasch_worlds(panel.outcomes, floor, np.random.default_rng(6))
    assert expected == pytest.approx(share, abs=0.02)
    assert 0.01 < share < 0.2


def test_with_few_models_planted_wrong_keys_are_a_small_part_of_what_runs_against_ability() -> None:
    rng = np.random.default_rng(7)
    _, panel = drawn(24, 6_000, 7, floor=0.25, slopes=0.0)
    wrong = rng.random(6_000) < 0.01
    against = against_ability(with_wrong_keys(panel, wrong, rng).solved)
    assert wrong[against].mean() < 0.25, "it is no evidence"
    assert against[wrong].mean() > 3 * against[~wrong].mean(), "though it is a sign"
