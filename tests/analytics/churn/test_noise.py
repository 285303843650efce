"""What noise of changes exchanges, on simulated boards on which nobody truly changed: as much as is seen."""

import numpy as np
import pytest
from numpy.typing import NDArray

from benchhealth.analytics.churn.noise import FEWEST_INCUMBENTS, Noise, change_noise, expected_exchanges
from tests.support.soaking import Soak

K = 10
MODELS = 60
SHARES = (0.0, 0.9, 0.97)
NEW = np.random.default_rng


def exchanged(first: NDArray[np.float64], second: NDArray[np.float64], k: int = K) -> int:
    top = [side >= np.partition(side, side.size - k)[side.size - k] for side in (first, second)]
    return int((top[0] & ~top[1]).sum())


def ratio(
    seed: int, runs: int, shared: float, *, error: float = 0.3, uneven: bool = True, changed: int = 0
) -> tuple[float, float]:
    """Observed over expected exchanges where looks share so many of their votes, and its Monte Carlo error.

    `changed` models of each board truly move by two standard deviations of the board.
    """
    rng = NEW(seed)
    seen, expected = [], []
    for _ in range(runs):
        errors = error * np.exp(0.5 * rng.standard_normal(MODELS)) if uneven else np.full(MODELS, error)
        truth, together = rng.standard_normal((2, MODELS))
        looks = [
            truth + errors * (np.sqrt(shared) * together + np.sqrt(1 - shared) * rng.standard_normal(MODELS))
            for _ in range(2)
        ]
        looks[1][:changed] += 2 * rng.choice([-1, 1], changed)
        exchanges = expected_exchanges(looks[0].tolist(), looks[1].tolist(), (errors.tolist(),) * 2, [K], rng)[K]
        assert exchanges is not None
        seen.append(exchanged(*looks))
        expected.append(K * exchanges.expected)
    return sum(seen) / sum(expected), float(np.std(seen) / np.sqrt(runs) / np.mean(expected))


@pytest.mark.parametrize("shared", SHARES)
def test_where_nobody_changed_as_much_is_seen_as_noise_gives(shared: float) -> None:
    ratio_of, error = ratio(1, 150, shared)
    assert abs(ratio_of - 1) < 0.1 + 2 * error


@pytest.mark.soak
@pytest.mark.parametrize("error", [0.15, 0.5])
@pytest.mark.parametrize("shared", SHARES)
def test_noise_of_changes_at_length(shared: float, error: float, soak: Soak) -> None:
    ratio_of, monte_carlo = ratio(soak.random.randrange(2**32), 3000, shared, error=error)
    soak.say(f"exchanges, {shared:.0%} of votes shared, error {error}: {ratio_of:.3f} +- {monte_carlo:.3f} of expected")
    assert ratio_of == pytest.approx(1, abs=0.1)


def test_true_changes_are_beyond_noise() -> None:
    ratio_of, error = ratio(2, 100, 0.97, error=0.15, changed=6)
    assert ratio_of > 2 + 2 * error


def test_the_noise_of_changes_is_robust_and_blind_to_a_shift() -> None:
    rng = NEW(3)
    first = rng.standard_normal(500)
    second = first + 0.1 * rng.standard_normal(500)
    ones = np.ones(500)
    noise = change_noise(first, second, ones)
    assert noise == (1, pytest.approx(0.1, abs=0.015))
    assert change_noise(first, second + 40.0, ones) == pytest.approx(noise)
    second[:50] += 9.0
    assert change_noise(first, second, ones).scale == pytest.approx(0.1, abs=0.03)
    assert change_noise(first, first - 0.3, ones) == (0, 0)


def test_rounded_ratings_move_in_part_and_a_few_corrections_are_no_noise() -> None:
    rng = NEW(6)
    first = np.round(100 * rng.standard_normal(200))
    second = np.round(first + 0.4 * rng.standard_normal(200))
    moved = (first != second).mean()
    assert change_noise(first, second, np.ones(200)) == (pytest.approx(moved), pytest.approx(1 / 0.6745, rel=1e-3))
    corrected = first.copy()
    corrected[: FEWEST_INCUMBENTS - 1] += 50
    assert change_noise(first, corrected, np.ones(200)) == (0, 0)


def test_rows_that_are_never_measured_again_have_no_noise() -> None:
    merits = [1 - 0.01 * index for index in range(20)]
    moved = [merits[0], 0.2, *merits[2:]]
    unknown = [float("nan")] * 20
    assert expected_exchanges(merits, moved, (unknown, unknown), [5, 10, 30], NEW(4)) == {
        5: Noise(0, 0),
        10: Noise(0, 0),
        30: None,
    }


def test_few_models_say_nothing_of_noise_unless_none_moved() -> None:
    few = [1 - 0.1 * index for index in range(FEWEST_INCUMBENTS - 1)]
    errors = ([0.1] * len(few),) * 2
    assert expected_exchanges(few, few, errors, [5], NEW(5)) == {5: Noise(0, 0)}
    assert expected_exchanges(few, [few[1], few[0], *few[2:]], errors, [5], NEW(5)) == {5: None}
