"""How often what a card says over clusters of items holds, at the shapes of the largest boards, answers missing."""

import numpy as np
import pytest

from benchhealth.analytics.churn.coverage import CLUSTERED_COVERAGE, Coverage
from benchhealth.analytics.statistics.units.clustered_mean import FEWEST_CLUSTERS
from benchhealth.dashboard.words.methods.shared_items import clustered_coverage
from tests.support.clustered_boards import BOARDS, Rates, checked
from tests.support.simulated_boards import Shape
from tests.support.soaking import Soak

LEAST = 0.93
"""So often each claim must hold, beside the noise of so many draws."""

MANY = 300
"""Boards of more models are drawn a third as often."""


def test_all_sets_hold_over_clusters_where_item_by_item_they_do_not() -> None:
    rates = checked(
        np.random.default_rng(21), Shape("small", 12, 480, 0.6, 0.4), (40,) * 12, 150, equal=True, own_spread=0.3
    )
    assert rates.tied >= 0.9 and rates.joint >= 0.9 and rates.first_two >= 0.93
    assert rates.by_item < 0.5 and rates.bootstrap < 0.5
    assert rates.wrong_pairs <= 0.05 and rates.wrong_neighbours <= 0.05


def test_methods_print_every_shape_with_its_width_and_say_which_clusters_are_made_up() -> None:
    printed = clustered_coverage().splitlines()
    shapes = {(shape.name, shape.models, shape.items, len(sizes)) for shape, sizes in BOARDS}
    assert {(one.board, one.models, one.items, one.clusters) for one in CLUSTERED_COVERAGE} == shapes
    for one in CLUSTERED_COVERAGE:
        (line,) = (each for each in printed if each.startswith(f"| {one.board} |"))
        assert f"{one.equal:.3f} ± {one.standard_error(one.equal):.3f}" in line
        assert ("*" in line) == one.is_made_up == (one.board in {"LMArena text", "ForecastBench"})
        assert min(one.equal, one.apart, one.first_two) >= LEAST


@pytest.mark.soak
@pytest.mark.parametrize(("shape", "sizes"), BOARDS, ids=[shape.name for shape, _ in BOARDS])
@pytest.mark.parametrize("equal", [True, False], ids=["all equal", "evenly apart"])
def test_over_clusters_at_the_shapes_of_the_largest_boards(
    shape: Shape, sizes: tuple[int, ...], equal: bool, soak: Soak
) -> None:
    rng = np.random.default_rng(soak.random.getrandbits(64))
    runs = 300 // (3 if shape.models > MANY else 1) // (3 if shape.models > 3 * MANY else 1)
    assert len(sizes) >= FEWEST_CLUSTERS and sum(sizes) == shape.items
    rates = checked(rng, shape, sizes, runs, equal=equal)
    soak.say(_printed_line(shape, len(sizes), equal, rates, runs))
    printed_row = next(one for one in CLUSTERED_COVERAGE if one.board == shape.name)
    printed = printed_row.equal if equal else printed_row.apart
    assert abs(rates.joint - printed) <= 4 * np.hypot(
        printed_row.standard_error(printed), _width(printed_row, printed, runs)
    )
    noise = 2 * np.sqrt((1 - LEAST) * LEAST / runs)
    for covered in (rates.tied, rates.joint, rates.first_two, 1 - rates.wrong_pairs, 1 - rates.wrong_neighbours):
        assert covered >= LEAST - noise


def _width(covered: Coverage, share: float, runs: int) -> float:
    return covered._replace(boards=runs).standard_error(share)


def _printed_line(shape: Shape, clusters: int, equal: bool, rates: Rates, runs: int) -> str:
    how = "all equal" if equal else "evenly apart"
    width = np.sqrt(0.05 * 0.95 / runs)
    return (
        f"clusters, {shape.name} {shape.models} x {shape.items} in {clusters}, {how}, {runs} boards (±{width:.3f}): "
        f"tied hold the best {rates.tied:.3f}, all sets {rates.joint:.3f}, first two {rates.first_two:.3f}, pairs "
        f"wrong {rates.wrong_pairs:.4f}, neighbours {rates.wrong_neighbours:.4f}, {rates.size:.1f} tied; item by item "
        f"{rates.by_item:.2f}, bootstrap of items {rates.bootstrap:.2f}"
    )
