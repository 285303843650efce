"""Ticks of axes: as many decimals as tell them apart, and never too few to read."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.figures.lettering.axes import (
    FEWEST_TICKS,
    MOST_TICKS,
    log_ticks,
    score_axis,
    share_axis,
    step_of,
)


def written(low: float, high: float, axis: dict[str, object]) -> list[str]:
    """The ticks from low to high as d3 writes them."""
    step, form = float(str(axis["dtick"])), str(axis["tickformat"])
    first, last = math.ceil(low / step), math.floor(high / step)
    return [format(index * step, form) for index in range(first, last + 1)]


def test_an_axis_of_one_point_has_ticks_that_read_differently() -> None:
    assert written(0.886, 0.903, share_axis(0.886, 0.903)) == ["89.0%", "89.5%", "90.0%"]


@given(st.floats(-1, 1), st.floats(1e-4, 2), st.integers(4, 10))
def test_no_two_ticks_read_alike_and_there_are_neither_too_few_nor_too_many(
    low: float, width: float, most: int
) -> None:
    texts = written(low, low + width, share_axis(low, low + width, most))
    assert len(set(texts)) == len(texts)
    assert 1 <= len(texts) <= most + 1


def test_scores_without_a_range_are_plain_numbers() -> None:
    assert score_axis(1402.0, 1404.0, "rating")["tickformat"] == ",.1f"
    assert score_axis(100.0, 9000.0, "rating")["tickformat"] == ",.0f"
    assert score_axis(0.1, 0.9, "fraction")["tickformat"] == ".0%"


@pytest.mark.parametrize("width", [0.0, math.nan, math.inf])
def test_a_range_of_nothing_has_a_step(width: float) -> None:
    assert step_of(5.0, 5.0 + width) == 1.0


@given(st.floats(1e-3, 1e6), st.floats(1.001, 1.5))
def test_a_short_logarithmic_axis_has_numbers_too(low: float, times: float) -> None:
    axis = log_ticks(pl.DataFrame({"value": [low, low * times]}))
    assert isinstance(axis["ticktext"], list)
    assert FEWEST_TICKS <= len(set(axis["ticktext"])) == len(axis["ticktext"]) <= MOST_TICKS + 2
