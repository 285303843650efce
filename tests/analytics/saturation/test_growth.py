"""How curves grow: the published ideal curves, patterns by hand, and what rescaling cannot change."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.saturation.growth import BURST, CONTINUOUS, CURVE_POINTS, GROWTH, STAGNANT, shapes
from tests.analytics.saturation.test_headroom import AS_OF, indicator
from tests.support.frames import Row, benchmark, frames, result
from tests.support.soaking import examples

START = date(2020, 1, 1)
AT = np.arange(1.0, CURVE_POINTS + 1)


def grown(merits: list[float], days: list[int], length: int) -> Row:
    """The shape of a running best with these steps, carried `length` days from its first."""
    return shapes(
        pl.DataFrame(
            {
                "benchmark_id": "a",
                "dated_on": [START + timedelta(days=day) for day in days],
                "merit": merits,
                "until": START + timedelta(days=length),
            },
            schema_overrides={"dated_on": pl.Date, "until": pl.Date, "merit": pl.Float64},
        )
    ).row(0, named=True)


@pytest.mark.parametrize(
    ("ideal", "growth", "height"),
    [
        (AT, CONTINUOUS, 0.5),
        (-1 / AT, STAGNANT, 0.928),
        (1 / AT[::-1], BURST, 0.072),
    ],
    ids=["x", "-1/x above 0", "-1/x below 0"],
)
def test_the_ideal_curves_of_ott_et_al_are_what_they_stand_for(ideal: np.ndarray, growth: str, height: float) -> None:
    growth_row = grown(ideal.tolist(), list(range(0, 10 * CURVE_POINTS, 10)), 10 * (CURVE_POINTS - 1))
    assert growth_row["growth"] == growth
    assert growth_row["height"] == pytest.approx(height, abs=1e-3)


def test_a_leap_after_long_flatness_is_a_burst_until_it_has_been_flat_for_a_third() -> None:
    assert grown([0.5, 0.51, 0.9], [0, 300, 700], 1000)["growth"] == BURST
    assert grown([0.5, 0.51, 0.9], [0, 300, 600], 1000)["growth"] == STAGNANT
    assert grown([0.5, 0.9, 0.95], [0, 100, 900], 1000)["growth"] == CONTINUOUS  # the leap came at once
    assert grown([0.5], [0], 1000) == {
        "benchmark_id": "a",
        "growth": STAGNANT,
        "height": 1.0,
        "early": 1.0,
        "leap": 0.0,
    }


STEPS = st.lists(st.tuples(st.integers(1, 100), st.integers(1, 200)), min_size=1, max_size=12)


@examples(20, soak=50)
@given(STEPS, st.integers(1, 400), st.floats(0.1, 50), st.floats(-5, 5))
def test_units_do_not_matter_and_heights_stay_between_first_and_last(
    steps: list[tuple[int, int]], tail: int, scale: float, shift: float
) -> None:
    merits = np.cumsum([rise for rise, _ in steps]).astype(float)
    days = np.cumsum([0, *(wait for _, wait in steps[1:])]).tolist()
    growth_row = grown(merits.tolist(), days, days[-1] + tail)
    moved = grown((scale * merits + shift).tolist(), days, days[-1] + tail)
    assert moved["growth"] == growth_row["growth"]
    assert moved["height"] == pytest.approx(growth_row["height"], abs=1e-6)
    assert all(-1e-9 <= growth_row[name] <= 1 + 1e-9 for name in ("height", "early", "leap"))


@examples(20, soak=50)
@given(STEPS, st.integers(1, 400))
def test_waiting_on_without_an_advance_ends_in_stagnation(steps: list[tuple[int, int]], tail: int) -> None:
    merits = np.cumsum([rise for rise, _ in steps]).astype(float).tolist()
    days = np.cumsum([0, *(wait for _, wait in steps[1:])]).tolist()
    assert grown(merits, days, 4 * (days[-1] + tail))["growth"] == STAGNANT


def rising(months: int, of: int) -> list[Row]:
    """One result a month, each better than the last, of which the first `of` months are known."""
    return [
        result(
            "a",
            f"m{index}",
            0.3 + 0.01 * index,
            dated_on=AS_OF - timedelta(days=30 * (months - index)),
            observed_on=AS_OF,
        )
        for index in range(of)
    ]


def test_the_curve_is_carried_to_the_last_look_and_late_results_are_counted() -> None:
    assert indicator(frames(rising(24, 24)), "growth")["reason"].startswith("continuous: ")
    halted = indicator(frames(rising(24, 12)), "growth")
    assert halted["reason"].startswith("stagnant: ")
    assert "0 of 12 results date from the last third" in halted["reason"]
    assert halted["value"] == pytest.approx(0.76, abs=0.03)


def test_without_shape_it_is_not_known() -> None:
    assert indicator(frames(rising(24, 2)), "growth")["reason"] == "results of fewer than 3 days"
    assert "less than 12 months" in indicator(frames(rising(5, 5)), "growth")["reason"]
    rating = frames(rising(24, 24), [benchmark("a", unit="rating", floor=None, ceiling=None)])
    assert indicator(rating, "growth")["status"] == "not_applicable"
    assert GROWTH.key == "growth"


def test_models_tried_since_the_last_advance_beyond_error() -> None:
    rows = [
        result("a", f"m{index}", score, n_items=1000, dated_on=date(2025, 1 + index, 1))
        for index, score in enumerate((0.5, 0.8, 0.6, 0.805, 0.7))
    ]
    rows.append(result("a", "m4", 0.65, setting="again", n_items=1000, dated_on=date(2025, 7, 1)))
    tries = indicator(frames(rows), "tries_since_advance")
    assert (tries["value"], tries["n"]) == (3, 4)  # .805 is within error of .8, so February is the last advance
    assert "after 2025-02-01" in tries["reason"]
    assert indicator(frames([result("a", "m", 0.5)]), "tries_since_advance")["status"] == "insufficient"


def test_a_model_that_is_measured_again_is_no_further_try() -> None:
    days = [date(2025, month, 1) for month in (1, 2, 3)]
    rated = [result("a", f"m{index}", 0.5 + index / 10, n_items=1000, dated_on=on) for on in days for index in (0, 1)]
    assert indicator(frames(rated), "tries_since_advance")["value"] == 0
    rating = frames(rated, [benchmark("a", unit="rating", floor=None, ceiling=None)])
    assert indicator(rating, "tries_since_advance")["status"] == "not_applicable"
    newcomer = result("a", "m2", 0.55, n_items=1000, dated_on=days[-1])
    assert indicator(frames([*rated, newcomer]), "tries_since_advance")["value"] == 1
