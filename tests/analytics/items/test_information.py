"""The curve: where a known test is sharpest, how much it tells at the top, and how often the interval holds it."""

import numpy as np
import pytest

from benchhealth.analytics.items.information import ENOUGH_MODELS, curve, fitted_items
from benchhealth.analytics.statistics.item_response.two_parameter import Items
from tests.support.item_worlds import drawn
from tests.support.soaking import Soak


def true_top(of_items: Items) -> float:
    """The share of the peak at the true strength of the model that scored best."""
    information = of_items.information(np.append(np.linspace(-6, 6, 601), of_items.strengths[0]))
    return float(information[-1] / information.max())


def test_with_few_models_there_is_a_shape_and_no_height() -> None:
    of_items, panel = drawn(24, 3_000, 41)
    shape = curve(panel, fitted_items(panel, of_items.floor))
    assert shape.top is None and shape.low is None and shape.high is None
    strengths = np.linspace(-6, 6, 1_201)
    expected = float(of_items.expected(strengths)[np.argmax(of_items.information(strengths))])
    assert shape.peak_score == pytest.approx(expected, abs=0.05)
    assert shape.information.max() == pytest.approx(1, abs=0.01)
    assert (np.diff(shape.scores) > 0).all()


def test_the_curve_is_the_same_for_strengths_and_scores_of_the_models() -> None:
    of_items, panel = drawn(30, 1_500, 42)
    shape = curve(panel, fitted_items(panel, of_items.floor))
    fitted_curve = fitted_items(panel, of_items.floor)
    assert np.interp(fitted_curve.strengths, shape.strengths, shape.scores) == pytest.approx(panel.scores, abs=0.02)


def test_from_enough_models_on_there_is_an_interval() -> None:
    of_items, panel = drawn(ENOUGH_MODELS, 400, 43)
    shape = curve(panel, fitted_items(panel, of_items.floor))
    assert shape.top is not None and shape.low is not None and shape.high is not None
    share, low, high = shape.top
    assert 0 < low <= share <= high <= 1
    assert low <= true_top(of_items) <= high
    assert (shape.low <= shape.information + 1e-9).all()


@pytest.mark.soak
@pytest.mark.parametrize(("models", "items"), [(50, 400), (60, 800), (100, 300)])
def test_the_interval_holds_the_truth(soak: Soak, models: int, items: int) -> None:
    worlds, inside, width = 100, 0, 0.0
    for _ in range(worlds):
        of_items, panel = drawn(models, items, soak.random.randrange(2**32))
        shape = curve(panel, fitted_items(panel, of_items.floor))
        assert shape.top is not None
        _, low, high = shape.top
        inside += low <= true_top(of_items) <= high
        width += (high - low) / worlds
    soak.say(f"{models} models, {items} items: {inside / worlds:.2f} of intervals hold the share, {width:.2f} wide")
    assert inside / worlds >= 0.9
