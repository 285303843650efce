"""How often the models tied for first hold the best, on simulated boards of the shapes of the largest real ones."""

import numpy as np
import pytest

from tests.support.simulated_boards import LARGEST, Rates, Shape, checked, drawn, held, ours, overlapping, resampled
from tests.support.soaking import Soak

LEAST = 0.93
"""So often each claim must hold, beside the noise of so many draws."""

SMALL = Shape("small", 24, 150, 0.6, 0.4)
MANY = 1_000
"""Boards of more models are drawn a fifth as often."""


def noise(share: float, runs: int) -> float:
    """The standard error of a share of so many draws, of one that is 1 as if one draw had failed."""
    p = min(share, 1 - 1 / runs)
    return float(np.sqrt(p * (1 - p) / runs))


def test_who_is_tied_holds_the_best_where_all_are_equal_and_where_none_are() -> None:
    rng = np.random.default_rng(11)
    independent = checked(rng, SMALL, 0.0, 400, equal=True)
    assert independent.tied == pytest.approx(0.95, abs=0.03)
    assert independent.tied == independent.joint == 1 - independent.wrong_tier
    shared = checked(rng, SMALL, 0.6, 100, equal=False)
    assert shared.tied == 1 and shared.wrong_tier == 0 and shared.wrong_neighbours < 0.05
    assert 2 < shared.size < SMALL.models


def test_the_variance_of_equal_shares_keeps_the_coverage_of_many_models_on_few_items() -> None:
    """192 models on 148 items: .92 with the errors of the scores as they fell."""
    rates = checked(np.random.default_rng(12), LARGEST[5], 0.0, 600, equal=True)
    assert rates.joint == pytest.approx(0.95, abs=0.025)


def test_a_bootstrap_over_items_covers_less_where_models_are_many_beside_items() -> None:
    rng, truth, runs = np.random.default_rng(13), np.full(60, 0.5), 60
    boards = [drawn(rng, truth, 12, 0.4).outcomes for _ in range(runs)]
    covered = np.mean([held(truth, *resampled(rng, one, 100))[1] for one in boards if one is not None])
    assert covered < 0.8


@pytest.mark.soak
@pytest.mark.parametrize("shape", LARGEST, ids=lambda shape: shape.name)
@pytest.mark.parametrize("correlation", [0.0, 0.4, 0.6])
@pytest.mark.parametrize("equal", [True, False], ids=["all equal", "evenly apart"])
def test_who_is_tied_at_the_shapes_of_the_largest_boards(
    shape: Shape, correlation: float, equal: bool, soak: Soak
) -> None:
    rng = np.random.default_rng(soak.random.getrandbits(64))
    runs = (2_000 if equal and not correlation else 200) // (5 if shape.models > MANY else 1)
    rates = checked(rng, shape, correlation, runs, equal=equal)
    soak.say(
        f"{_line(shape, correlation, equal)}: {_ours(rates, shape, runs)}; {_others(rng, shape, correlation, equal)}"
    )
    for covered in (rates.tied, rates.joint, 1 - rates.wrong_tier):
        assert covered >= LEAST - 2 * noise(covered, runs)
    assert rates.wrong_neighbours <= 1 - LEAST


def _line(shape: Shape, correlation: float, equal: bool) -> str:
    how = "all equal" if equal else f"{shape.worst} to {shape.best}"
    return f"ties, {shape.name} {shape.models} x {shape.items}, correlation {correlation}, {how}"


def _ours(rates: Rates, shape: Shape, runs: int) -> str:
    return (
        f"tied hold the best {rates.tied:.3f} (±{noise(rates.tied, runs):.3f}), all sets {rates.joint:.3f}, "
        f"a tier is wrong {rates.wrong_tier:.3f}, neighbours {rates.wrong_neighbours:.4f}, "
        f"{rates.size:.1f} of {shape.models} tied"
    )


def _others(rng: np.random.Generator, shape: Shape, correlation: float, equal: bool, runs: int = 60) -> str:
    """The same boards by the plain rule of overlapping intervals, and, item by item, by a bootstrap and paired."""
    truth = np.full(shape.models, shape.best) if equal else np.linspace(shape.best, shape.worst, shape.models)
    best, plain, bootstrap, paired = truth == truth.max(), [], [], []
    for _ in range(runs):
        board = drawn(rng, truth, shape.items, correlation)
        tied = overlapping(board)
        plain.append((tied[best].all(), tied.sum()))
        if board.outcomes is not None:
            low, high = resampled(rng, board.outcomes)
            bootstrap.append((*held(truth, low, high), (low == 1).sum()))
            sets = ours(board, paired=True)
            paired.append((*held(truth, sets.low_joint, sets.high_joint), (sets.low_joint == 1).sum()))
    line = "overlap with the first {:.2f}, {:.1f} tied".format(*np.mean(plain, axis=0))
    for name, rows in (("bootstrap of items", bootstrap), ("paired", paired)):
        if rows:
            line += ", {} {:.2f}, all sets {:.2f}, {:.1f} tied".format(name, *np.mean(rows, axis=0))
    return line
