"""Twins that are easier or harder: clean models are not flagged for it, leaks are found, no excess is impossible."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics.regression import least_squares
from benchhealth.analytics.statistics.robust_line import RobustLine
from benchhealth.analytics.twins.expected import Side, candidates, response, share_of, straight
from benchhealth.analytics.twins.pairs import Pairs
from benchhealth.analytics.twins.residuals import _check_excess, residuals
from tests.support.bent_twins import Cell, drawn, rates
from tests.support.soaking import examples

BENDS = {"easier": 1.5, "as hard": 0.0, "harder": -1.0}
TAILS = {"normal": np.inf, "t4": 4.0}


@pytest.mark.parametrize("bend", BENDS)
def test_clean_models_are_not_flagged_where_the_twin_is_easier_or_harder(bend: str) -> None:
    rates_of = rates(Cell(BENDS[bend], 0.0, 0), 12, 20260301)
    assert rates_of.clean <= 0.05 and rates_of.lowest <= 0.05
    assert rates_of.untested <= 0.25


def test_leaks_are_found_where_the_twin_is_harder() -> None:
    assert rates(Cell(-1.0, 0.0, 8), 12, 20260302).leaked >= 0.4


@pytest.mark.soak
@pytest.mark.parametrize("tails", TAILS)
@pytest.mark.parametrize("floor", [0.0, 0.25])
@pytest.mark.parametrize("bend", BENDS)
def test_flags_on_bent_relations_at_length(bend: str, floor: float, tails: str) -> None:
    for leaked in (0, 1, 8, 15):
        rates_of = rates(Cell(BENDS[bend], floor, leaked, TAILS[tails]), 200, 4)
        print(
            f"twin {bend}, floor {floor}, {tails}, {leaked} of 47 leaked 30% of 500 items: "
            + ", ".join(
                f"{name} {value:.3f} ±{error:.3f}"
                for name, value, error in zip(
                    ("found", "clean", "lowest third"), rates_of[:3], rates_of.errors, strict=True
                )
            )
            + f", untested twins {rates_of.untested:.3f}"
        )
        assert rates_of.clean <= 0.05 and rates_of.lowest <= 0.05
        if leaked == 8 and floor == 0:
            assert rates_of.leaked >= (0.52 if bend == "as hard" else 0.45)


SHARES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=0, max_size=25)


@given(
    SHARES, st.sampled_from([0.0, 0.1, 0.25, np.nan]), st.sampled_from(["fit", "difference"]), st.sampled_from([1, -1])
)
@examples(20, soak=60)
def test_no_row_claims_more_than_the_score_above_the_floor(
    counts: list[tuple[int, int]], floor: float, test: str, sign: int
) -> None:
    shares = np.array(counts, dtype=np.float64).reshape(-1, 2).T / 60
    size = np.full(shares.shape[1], 60.0)
    errors = [100 * np.sqrt(side * (1 - side) / 60) for side in shares]
    names = [f"m{index}" for index in range(size.size)]
    ends = (floor, 1.0)
    pairs = Pairs(
        names, 100 * shares[0], 100 * shares[1], *errors, shares[0], shares[1], size, size, sign, True,
        ends_original=ends, ends_other=ends,
    )  # fmt: skip
    rows = residuals("t", pairs, least_squares(pairs.original, pairs.other), test)
    above = sign * (pairs.original - (100 * np.nan_to_num(floor) if sign > 0 else 100.0))
    claimed = rows["excess"].to_numpy()
    assert not (claimed > above + 1e-6).any()
    assert rows["untested"].null_count() == rows["p_value"].count()
    assert rows["p_value"].null_count() >= np.count_nonzero(above <= 0)


def test_a_row_that_claims_too_much_is_refused() -> None:
    _, pairs = drawn(np.random.default_rng(1), Cell(0.0, 0.25, 0))
    above = 100 * (pairs.share_original - 0.25)
    _check_excess("t", pairs, above)
    with pytest.raises(ValueError, match=r"t: an excess of .* points where the score allows"):
        _check_excess("t", pairs, above + 1)


def test_a_placed_score_comes_back() -> None:
    side = Side(np.array([0.0, 0.3, 0.97, 1.0]), np.full(4, 500.0), 0.25, 1.0)
    line, x = RobustLine(-0.5, 0.9), np.array([-1.0, 0.0, 1.0, 2.0])
    placed, error = response(line, x, side)
    assert np.isfinite(placed).all() and (error > 0).all()
    assert share_of(line, x, placed - line.at(x), side) == pytest.approx(side.share, abs=1e-9)


def test_where_no_line_fits_nobody_is_tested() -> None:
    rng = np.random.default_rng(2)
    original = rng.uniform(0.2, 0.9, 120)
    other = 0.2 + 0.6 * np.abs(original - 0.55) + 0.01 * rng.standard_normal(120)
    size = np.full(120, 2000.0)
    errors = [100 * np.sqrt(side * (1 - side) / 2000) for side in (original, other)]
    names = [f"m{index}" for index in range(120)]
    pairs = Pairs(names, 100 * original, 100 * other, *errors, original, other, size, size, 1, True)
    assert straight(pairs) is None and len(list(candidates(pairs))) == 2
    rows = residuals("t", pairs, None, "fit")
    assert rows["untested"].unique().to_list() == ["no_scale"] and rows["residual"].null_count() == 120


def test_points_are_for_what_has_no_ends() -> None:
    rng = np.random.default_rng(3)
    original = rng.uniform(900, 1400, 60)
    other = 1.1 * original - 90 + 5 * rng.standard_normal(60)
    error = np.full(60, 6.0)
    none = np.full(60, np.nan)
    pairs = Pairs([f"m{index}" for index in range(60)], original, other, error, error, none, none, none, none, 1, False)
    fit = straight(pairs)
    assert fit is not None and fit.models.scale == "linear" and fit.models.slope[0] == pytest.approx(1.1, abs=0.05)


def test_a_line_that_leaves_more_than_two_fifths_off_it_is_not_used() -> None:
    _, pairs = drawn(np.random.default_rng(4), Cell(0.0, 0.0, 0))
    fit = straight(pairs)
    assert fit is not None and fit.fit.fits and fit.fit.off < 0.2
    assert not fit.fit._replace(off=0.41).fits


def test_a_model_far_from_all_others_is_not_tested() -> None:
    _, pairs = drawn(np.random.default_rng(6), Cell(0.0, 0.0, 0))
    shares = [0.6 + side / 4 for side in (pairs.share_original, pairs.share_other)]
    shares[0][0], shares[1][0] = 0.2, 0.05
    apart = pairs._replace(
        original=100 * shares[0], other=100 * shares[1], share_original=shares[0], share_other=shares[1]
    )
    rows = residuals("t", apart, None, "fit")
    assert rows["untested"].to_list() == ["extrapolated", *[None] * 46]
