"""Series of which neighbours correlate: made, unmade, dealt in blocks, and how strongly they do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics.series.serial import (
    block_length,
    coloured,
    dealt_anew,
    dealt_in_blocks,
    lag_one,
    persistence,
    whitened,
)
from tests.support.soaking import examples


def test_neighbours_correlate_as_asked_and_spread_alike() -> None:
    made = coloured(np.random.default_rng(1).standard_normal((4_000, 5)), 0.6)
    assert lag_one(made) == pytest.approx(np.full(5, 0.6), abs=0.05)
    assert made.var(axis=0) == pytest.approx(np.full(5, 1 / (1 - 0.36)), rel=0.15)


def test_what_is_new_is_what_was_put_in() -> None:
    noise = np.random.default_rng(2).standard_normal((500, 1))
    new = whitened(coloured(noise, 0.7)[:, 0], 0.7)
    assert np.corrcoef(new[1:], noise[1:, 0])[0, 1] == pytest.approx(1)
    assert abs(lag_one(new[:, None])[0]) < 0.1


@examples(20, soak=40)
@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 1_000))
def test_blocks_hold_every_value_once_and_keep_neighbours(n: int, length: int, seed: int) -> None:
    dealt = dealt_in_blocks(np.arange(n, dtype=float), length, 7, np.random.default_rng(seed))
    assert dealt.shape == (n, 7)
    assert (np.sort(dealt, axis=0) == np.arange(n)[:, None]).all()
    parted = ((np.diff(dealt, axis=0) - 1) % n != 0).sum(axis=0)
    assert (parted <= -(-n // length) - 1).all()


def test_the_rule_of_the_length_of_blocks() -> None:
    assert [block_length(n) for n in (1, 8, 20, 27, 28, 60, 1_000)] == [1, 2, 3, 3, 4, 4, 10]


def test_series_dealt_anew_correlate_and_spread_like_the_one_they_are_of() -> None:
    rng = np.random.default_rng(3)
    series = coloured(rng.standard_normal((400, 1)), 0.5)[:, 0]
    made = dealt_anew(series, 0.5, 200, rng)
    assert np.mean(lag_one(made)) == pytest.approx(0.5, abs=0.08)
    assert made.var(axis=0).mean() == pytest.approx(series.var(), rel=0.1)


@pytest.mark.parametrize("strength", [0.0, 0.3, 0.5])
def test_strength_is_corrected_for_what_a_fit_takes_out_and_rather_too_strong(strength: float) -> None:
    rng = np.random.default_rng(4)
    clock = np.linspace(-1, 1, 40)
    design = np.linalg.qr(np.column_stack([np.ones(40), clock, clock**2, clock**3]))[0]

    def left(series: np.ndarray) -> np.ndarray:
        return np.asarray(series - design @ (design.T @ series))

    residuals = left(coloured(rng.standard_normal((40, 60)), strength))
    plain = lag_one(residuals)
    strengths = [persistence(float(one), left, 40, rng) for one in plain]
    assert np.mean(plain) < strength
    assert strength <= np.median(strengths) + 0.02
    assert np.median(strengths) <= strength + 0.25
    assert all(0 <= one <= 0.9 for one in strengths)
