"""Odd patterns: planted leaks are found where weak models answer hard items, and missing answers are no sign."""

from dataclasses import replace

import numpy as np

from benchhealth.analytics.items.information import fitted_items
from benchhealth.analytics.items.measures import LEAK, patterns
from tests.support.item_worlds import drawn, panel_of


def test_a_leak_stands_out() -> None:
    of_items, panel = drawn(24, 2_000, 21)
    rng = np.random.default_rng(22)
    outcomes = panel.outcomes.copy()
    outcomes[15, rng.random(2_000) < LEAK] = 1.0
    leaked = panel_of(outcomes)
    result = patterns(leaked, fitted_items(leaked, of_items.floor), rng)
    assert np.flatnonzero(result.odd).tolist() == [15]
    assert result.planted_odd >= 20


def test_in_a_world_without_leaks_few_patterns_are_odd() -> None:
    odd = 0
    for seed in range(5):
        of_items, panel = drawn(24, 600, 30 + seed)
        odd += int(patterns(panel, fitted_items(panel, of_items.floor), np.random.default_rng(seed)).odd.sum())
    assert odd <= 6, "of 120: one robust deviation of 24 values is itself uncertain"


def test_what_a_model_did_not_answer_is_no_sign() -> None:
    of_items, panel = drawn(24, 2_000, 23)
    answered = panel.answered.copy()
    answered[3, :600] = False
    lacking = replace(panel, outcomes=np.where(answered, panel.outcomes, 0.0), answered=answered)
    assert not patterns(lacking, fitted_items(lacking, of_items.floor), np.random.default_rng(24)).odd[3]


def test_where_nearly_all_is_solved_a_leak_cannot_be_seen() -> None:
    rng = np.random.default_rng(25)
    outcomes = (rng.random((14, 500)) < np.linspace(0.99, 0.96, 14)[:, None]).astype(np.float64)
    easy = panel_of(outcomes)
    assert patterns(easy, fitted_items(easy, 0.25), rng).planted_odd < 7
