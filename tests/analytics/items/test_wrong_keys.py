"""Candidates for wrong keys: by hand, planted ones, and held against labels."""

from dataclasses import replace

import numpy as np
import pytest

from benchhealth.analytics.items.measures import AGREEING, agreement, held_against
from tests.support.item_worlds import drawn, panel_of, with_wrong_keys


def test_all_of_the_best_must_choose_one_wrong_option() -> None:
    chosen = np.full((AGREEING + 1, 5), 3, dtype=np.uint32)
    chosen[AGREEING] = 1
    chosen[2, 1] = 2  # one of the best chooses another
    chosen[:AGREEING, 3] = 0  # nothing could be read
    outcomes = np.zeros(chosen.shape)
    outcomes[:, 2] = 1.0  # it is the key
    agreed = agreement(panel_of(outcomes, chosen=chosen))
    assert agreed is not None
    assert agreed.candidate.tolist() == [True, False, False, False, True]
    assert agreed.models.tolist() == [AGREEING, 0, 0, 0, AGREEING]


def test_without_options_or_models_nothing_is_a_candidate() -> None:
    assert agreement(panel_of(np.zeros((9, 3)))) is None
    few = np.zeros((AGREEING - 1, 3))
    assert agreement(panel_of(few, chosen=few.astype(np.uint32))) is None


def test_planted_wrong_keys_are_found_where_the_best_know_the_answer() -> None:
    rng = np.random.default_rng(11)
    _, panel = drawn(24, 4_000, 11)
    wrong = rng.random(4_000) < 0.03
    planted = with_wrong_keys(panel, wrong, rng)
    agreed = agreement(planted)
    assert agreed is not None
    held = held_against(agreed.candidate, wrong, None)
    assert held is not None
    assert held.precision[0] > 0.9, "models that do not know the answer do not agree here: they guess each alone"
    assert 0.1 < held.recall[0] < 0.9
    all_know = agreement(
        replace(planted, outcomes=np.where(wrong, 0.0, 1.0) * np.ones((24, 1)), chosen=np.ones_like(planted.chosen))
    )
    assert all_know is not None and all_know.candidate.tolist() == wrong.tolist()


def test_precision_and_recall_by_hand() -> None:
    flagged = np.array([True, True, True, False, False, False])
    wrong = np.array([True, False, False, True, False, False])
    held = held_against(flagged, wrong, None)
    assert held is not None
    assert held.precision[0] == pytest.approx(1 / 3)
    assert held.recall[0] == pytest.approx(1 / 2)
    for share, low, high in held:
        assert 0 <= low <= share <= high <= 1
    assert held_against(np.zeros(6, dtype=np.bool_), wrong, None) is None
    assert held_against(flagged, np.zeros(6, dtype=np.bool_), None) is None


def test_items_of_one_subject_may_go_together() -> None:
    flagged = np.ones(60, dtype=np.bool_)
    wrong = np.repeat([True, False], 30)
    alone, together = held_against(flagged, wrong, None), held_against(flagged, wrong, np.repeat(np.arange(6), 10))
    assert alone is not None and together is not None
    assert together.precision[0] == alone.precision[0]
    assert together.precision[1] < alone.precision[1] and together.precision[2] > alone.precision[2]
