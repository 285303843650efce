"""Spells within error: where one ends, which is not over, and the curve of all against a hand calculation."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.aging.stock import FEWEST_SPELLS, MONTH_DAYS, standstill_curve, standstills
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import frames

BEGUN = date(2024, 1, 1)


def steps(*rows: tuple[int, float, float | None], until: int = 400, of: str = "exam") -> pl.DataFrame:
    """Steps of one benchmark by days after BEGUN, merit and error, and the best carried to the day `until`."""
    every = [(BEGUN + timedelta(days=day), merit, error, False) for day, merit, error in rows]
    last = every[-1]
    return pl.DataFrame(
        [*every, (BEGUN + timedelta(days=until), last[1], last[2], True)],
        schema={"dated_on": pl.Date, "merit": pl.Float64, "error": pl.Float64, "carried": pl.Boolean},
        orient="row",
    ).with_columns(benchmark_id=pl.lit(of))


def spells_of(frontier: pl.DataFrame, unit: str = "percent", *, curated: bool = True) -> pl.DataFrame:
    ids = frontier["benchmark_id"].unique(maintain_order=True)
    about = pl.DataFrame({"benchmark_id": ids}).with_columns(unit=pl.lit(unit), curated=pl.lit(curated))
    return standstills(frontier, about, frames([]))


def test_a_spell_ends_with_the_first_best_that_is_beyond_error_of_the_one_that_began_it() -> None:
    # Reach is 1.96 x sqrt(2) x .01 = .0277: .52 is within it of .50, .53 is not; from there .56 is again beyond.
    rows = spells_of(steps((0, 0.50, 0.01), (30, 0.52, 0.01), (90, 0.53, 0.01), (200, 0.56, 0.01)))
    assert rows["from_on"].to_list() == [BEGUN + timedelta(days=day) for day in (0, 90, 200)]
    assert rows["until_on"].to_list() == [BEGUN + timedelta(days=day) for day in (90, 200, 400)]
    assert rows["over"].to_list() == [True, True, False]
    assert rows["months"][0] == pytest.approx(90 / MONTH_DAYS)


@pytest.mark.parametrize(
    ("frontier", "unit", "curated"),
    [
        (steps((0, 0.5, 0.01), (30, 0.6, None)), "percent", True),
        (steps((0, 0.5, 0.01), (30, 0.6, 0.01)), "rating", True),
        (steps((0, 0.5, 0.01), (30, 0.6, 0.01)), "percent", False),
        (steps((0, 0.5, 0.01), of="exam/part"), "percent", True),
    ],
    ids=["an error unknown", "a rating", "not curated", "a part"],
)
def test_without_errors_ratings_parts_and_what_nobody_curated_have_no_spells(
    frontier: pl.DataFrame, unit: str, curated: bool
) -> None:
    assert spells_of(frontier, unit, curated=curated).is_empty()


@given(st.lists(st.floats(0.001, 0.2), min_size=1, max_size=12), st.floats(0.001, 0.1))
def test_spells_follow_one_another_without_a_gap_and_only_the_last_is_not_over(
    rises: list[float], error: float
) -> None:
    merits = np.cumsum(rises)
    rows = spells_of(steps(*((7 * day, float(merit), error) for day, merit in enumerate(merits))))
    assert rows["from_on"][0] == BEGUN
    assert rows["until_on"].to_list()[:-1] == rows["from_on"].to_list()[1:]
    assert rows["over"].to_list() == [True] * (rows.height - 1) + [False]


@given(st.integers(1, 9))
def test_what_comes_later_moves_no_spell_that_is_over(last: int) -> None:
    every = [(20 * day, 0.05 * day, 0.012) for day in range(10)]
    early, late = (spells_of(steps(*rows)) for rows in (every[: last + 1], every))
    over = early.filter("over")
    assert over.equals(late.head(over.height))


def test_the_curve_is_that_of_a_hand_calculation() -> None:
    # Five spells of 1, 2 (not over), 3, 4 and 6 months (not over): 4/5, then 4/5 x 2/3, then that x 1/2.
    lasted = [(1.0, True), (2.0, False), (3.0, True), (4.0, True), (6.0, False)]
    spells = pl.DataFrame(
        [
            (f"b{share_at}", f"b{share_at}", BEGUN, BEGUN, months, over)
            for share_at, (months, over) in enumerate(lasted)
        ],
        schema=PUBLISHED["standstill"],
        orient="row",
    )
    curve = standstill_curve(spells)
    share_at = dict(curve.select("months", "share").iter_rows())
    assert (share_at[1.0], share_at[3.0], share_at[4.0]) == (
        pytest.approx(0.8),
        pytest.approx(0.8 * 2 / 3),
        pytest.approx(0.8 / 3),
    )
    assert curve["median_months"][0] == 4.0
    assert (curve["n"][0], curve["over"][0], curve["families"][0]) == (5, 3, 5)
    assert standstill_curve(spells.head(FEWEST_SPELLS - 1)).is_empty()


def test_without_steps_there_are_no_spells() -> None:
    assert spells_of(steps((0, 0.5, 0.01)).clear()).is_empty()
