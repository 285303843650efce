"""The two-parameter model: printed parameters of LSAT 6 and 7, worlds whose items are known, and edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize, special

from benchhealth.analytics.statistics.item_response.two_parameter import Items, fit_drawn, fit_fixed
from tests.support.item_worlds import drawn, items_of
from tests.support.lsat import PATTERNS, SECTION_6, SECTION_7
from tests.support.soaking import examples

LTM_SLOPES = [0.8253715, 0.7229499, 0.8904748, 0.6885502, 0.6574516]
LTM_DIFFICULTIES = [-3.3597341, -1.3696497, -0.2798983, -1.8659189, -3.1235725]
"""LSAT 6 as the R package ltm prints it (Rizopoulos 2006, J. Stat. Softw. 17(5), section 3.1): log.Lik -2466.653."""

MIRT_SLOPES = [0.988, 1.081, 1.706, 0.765, 0.736]
MIRT_INTERCEPTS = [1.856, 0.808, 1.804, 0.486, 1.855]
"""LSAT 7 as the documentation of the R package mirt prints it (Chalmers, version 1.47.5): log-likelihood -2658.805."""

RASCH_DIFFICULTIES = [-3.6153, -1.3224, -0.3176, -1.7301, -2.7802]
"""LSAT 6 in Rasch's model as ltm prints it (Rizopoulos 2006, page 10), the slope being .7551; girth 0.8.0, whose
`onepl_mml` was run on the same answers, gives .7552 and -3.6152, -1.3224, -0.3176, -1.7301, -2.7801."""

GIRTH_7 = (1.0113, [-1.8475, -0.7824, -1.4449, -0.516, -1.9708])
"""LSAT 7 in Rasch's model by girth 0.8.0, `onepl_mml`."""


def parameters(items: Items) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slopes and intercepts of items that have parameters."""
    slopes, intercepts = items.grid.T
    return slopes, intercepts


def test_lsat_6_has_the_printed_parameters() -> None:
    answered = SECTION_6 > 0
    items = fit_fixed(PATTERNS[answered], weights=SECTION_6[answered])
    slopes, intercepts = parameters(items)
    assert slopes == pytest.approx(LTM_SLOPES, abs=1e-3)
    assert -intercepts / slopes == pytest.approx(LTM_DIFFICULTIES, abs=3e-3)
    assert items.log_likelihood == pytest.approx(-2466.653, abs=1e-3)


def test_lsat_7_has_the_printed_parameters() -> None:
    items = fit_fixed(PATTERNS, weights=SECTION_7)
    slopes, intercepts = parameters(items)
    assert slopes == pytest.approx(MIRT_SLOPES, abs=2e-3)
    assert intercepts == pytest.approx(MIRT_INTERCEPTS, abs=2e-3)
    assert items.log_likelihood == pytest.approx(-2658.805, abs=1e-3)


def test_with_one_slope_it_is_the_model_of_rasch() -> None:
    items = fit_fixed(PATTERNS, weights=SECTION_6, one_slope=True)
    slopes, intercepts = parameters(items)
    assert slopes == pytest.approx([0.7551] * 5, abs=1e-4)
    assert -intercepts / slopes == pytest.approx(RASCH_DIFFICULTIES, abs=2e-4)
    assert items.log_likelihood == pytest.approx(-2466.938, abs=1e-3)
    slope, difficulties = GIRTH_7
    slopes, intercepts = parameters(fit_fixed(PATTERNS, weights=SECTION_7, one_slope=True))
    assert slopes == pytest.approx([slope] * 5, abs=1e-4)
    assert -intercepts / slopes == pytest.approx(difficulties, abs=5e-4)


@pytest.mark.parametrize(
    ("counts", "slope", "difficulties"), [(SECTION_6, 0.7551, RASCH_DIFFICULTIES), (SECTION_7, *GIRTH_7)]
)
def test_with_the_sides_exchanged_rasch_is_the_same(
    counts: NDArray[np.float64], slope: float, difficulties: list[float]
) -> None:
    """Five items answer a thousand people: what is drawn then are the people, and the items have the strengths."""
    people = np.repeat(PATTERNS, counts.astype(int), axis=0)
    exchanged = fit_drawn(people.T, one_slope=True, tolerance=1e-6)
    easiness = exchanged.strengths * exchanged.mean[0] + exchanged.mean[1]
    assert easiness == pytest.approx(-slope * np.array(difficulties), abs=5e-3)
    assert exchanged.covariance[1, 1] ** 0.5 == pytest.approx(slope, abs=5e-3)
    assert exchanged.covariance[0, 0] == pytest.approx(0, abs=1e-9)


def test_each_pattern_may_stand_as_often_as_it_occurred() -> None:
    once, counted = fit_fixed(np.repeat(PATTERNS, SECTION_7.astype(int), axis=0)), fit_fixed(PATTERNS, 0.0, SECTION_7)
    assert once.grid == pytest.approx(counted.grid, abs=1e-6)


def test_with_a_floor_it_finds_what_a_general_optimiser_finds() -> None:
    """The same likelihood written down anew: 61 points from -6 to 6, and no step of the algorithm."""
    floor, points = 0.2, np.linspace(-6, 6, 61)
    weight = np.exp(-(points**2) / 2) / np.exp(-(points**2) / 2).sum()

    def negative(parameters: NDArray[np.float64]) -> float:
        rising = special.expit(np.outer(points, parameters[:5]) + parameters[5:])
        chance = np.clip(floor + (1 - floor) * rising, 1e-12, 1 - 1e-12)
        likely = np.exp(PATTERNS @ np.log(chance).T + (1 - PATTERNS) @ np.log(1 - chance).T) @ weight
        return -float(SECTION_7 @ np.log(likely))

    best = optimize.minimize(negative, np.concatenate([np.ones(5), np.ones(5)]), method="BFGS")
    items = fit_fixed(PATTERNS, floor, SECTION_7)
    assert items.log_likelihood == pytest.approx(-best.fun, abs=2e-3)
    assert np.concatenate(parameters(items)) == pytest.approx(best.x, abs=0.03)


def test_few_answerers_and_many_items_give_back_the_strengths_and_the_population_of_items() -> None:
    of_items, panel = drawn(24, 3_000, 1)
    fitted = fit_drawn(panel.outcomes, of_items.floor)
    true = of_items.strengths
    assert fitted.strengths == pytest.approx((true - true.mean()) / true.std(), abs=0.12)
    assert fitted.expected(fitted.strengths) == pytest.approx(panel.scores, abs=0.01)
    assert fitted.mean == pytest.approx([1.2 * true.std(), -0.5 + 1.2 * true.mean()], abs=0.1)
    assert fitted.covariance[1, 1] ** 0.5 == pytest.approx(1.5, abs=0.15)


def test_the_information_that_is_expected_is_that_of_the_true_items() -> None:
    of_items, panel = drawn(40, 3_000, 2)
    fitted = fit_drawn(panel.outcomes, of_items.floor)
    true = of_items.strengths
    points = np.linspace(-1.5, 1.5, 7)
    expected = of_items.information(true.mean() + points * true.std()) * true.std() ** 2
    assert fitted.information(points) == pytest.approx(expected, rel=0.06)


def test_information_is_what_the_slope_of_the_chances_gives() -> None:
    items = items_of(np.array([1.3, 0.6]), np.array([0.2, -1.0]), 0.25)
    strengths, step = np.array([-1.0, 0.4]), 1e-6
    chance = items.chances(strengths)
    rise = (items.chances(strengths + step) - items.chances(strengths - step)) / (2 * step)
    assert items.information(strengths) == pytest.approx((rise**2 / (chance * (1 - chance))).sum(axis=1), rel=1e-6)
    one = items_of(np.array([1.0]), np.array([0.0]), 0.0)
    assert one.information(np.array([0.0])) == pytest.approx([0.25])  # p (1 - p) at one half


def test_a_strength_is_read_over_what_was_answered() -> None:
    of_items, panel = drawn(12, 2_000, 3)
    answered_all = np.ones(panel.outcomes.shape, dtype=np.bool_)
    assert of_items.strengths_of(panel.outcomes, answered_all) == pytest.approx(of_items.strengths, abs=0.25)
    half = answered_all & (np.arange(2_000) % 2 == 0)
    lacking = np.where(half, panel.outcomes, 0.0)
    assert of_items.strengths_of(lacking, half) == pytest.approx(of_items.strengths, abs=0.35)


@examples(10, soak=25)
@given(st.integers(2, 6), st.integers(1, 12), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.25]))
def test_whatever_was_answered_all_is_finite(models: int, items: int, seed: int, floor: float) -> None:
    """Items that all or none solve, and models that solve all or none, are ordinary inputs."""
    outcomes = (np.random.default_rng(seed).random((models, items)) < 0.5).astype(np.float64)
    for fitted in (fit_drawn(outcomes, floor), fit_fixed(outcomes, floor), fit_drawn(outcomes, floor, one_slope=True)):
        chances = fitted.chances(fitted.strengths)
        assert np.isfinite(chances).all()
        assert (chances >= floor - 1e-9).all() and (chances <= 1).all()


@pytest.mark.parametrize(("shape", "floor"), [((1, 4), 0.0), ((3, 0), 0.0), ((3, 4), 1.0), ((3, 4), -0.1)])
def test_what_is_no_test_is_refused(shape: tuple[int, int], floor: float) -> None:
    for fit in (fit_drawn, fit_fixed):
        with pytest.raises(ValueError, match="two answerers and an item expected"):
            fit(np.zeros(shape), floor)
