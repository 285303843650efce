"""The seed of a session: asked for, drawn for a soak, and otherwise always the same."""

import pytest
from hypothesis import core

from tests.support.many_readers import ReadingLog
from tests.support.soaking import FIXED, VARIABLE, choose_seed, session_seed


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A session that begins; the seed of this one comes back."""
    monkeypatch.setenv(VARIABLE, "0")
    monkeypatch.delenv(VARIABLE)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(core, "global_force_seed", core.global_force_seed)
    return monkeypatch


def test_a_soak_draws_its_seed_and_a_suite_does_not(session: pytest.MonkeyPatch) -> None:
    choose_seed(soak=True)
    assert session_seed() != FIXED
    session.delenv(VARIABLE)
    choose_seed(soak=False)
    assert session_seed() == FIXED


def test_a_seed_that_is_asked_for_is_taken_and_ci_has_always_the_same(session: pytest.MonkeyPatch) -> None:
    session.setenv("CI", "true")
    choose_seed(soak=True)
    assert session_seed() == FIXED
    session.setenv(VARIABLE, "77")
    choose_seed(soak=True)
    assert session_seed() == core.global_force_seed == 77


def test_growth_compares_the_last_third_with_the_middle_one() -> None:
    assert ReadingLog(memory=[10.0, 20.0, 100.0, 100.0, 103.0, 103.0]).growth() == pytest.approx(0.03)
