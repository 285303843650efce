from datetime import date
from typing import Any

import polars as pl

from analytics.record.tables import PUBLISHED
from dashboard.figures import turnover


def step(year: int, left: int | None = 0, expected: float | None = 0.1, tau: float | None = 1.0) -> dict[str, Any]:
    """The comparison of two year-ends; `left` None: across a breakpoint."""
    broken = left is None
    return {
        "board_id": "exams/exam",
        "from_on": date(year - 1, 12, 31),
        "to_on": date(year, 12, 31),
        "k": 10,
        "entered": left,
        "left": left,
        "renamed": None if broken else 1,
        "turnover": None if left is None else left / 10,
        "kendall_tau": None if broken else tau,
        "rbo": None if broken else 0.9,
        "expected_turnover": None if broken else expected,
        "spans_breakpoint": broken,
    }


def steps(*rows: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=PUBLISHED["churn"], orient="row")


def test_the_finding_sums_places_and_what_noise_would_change() -> None:
    found = turnover.finding(steps(step(2020, 8), step(2021, 3), step(2022, None)), 10)
    assert found == (
        "Between 2019-12-31 and 2021-12-31 over 2 comparisons, 11 places of the top 10 changed hands; "
        "noise alone would change 2.0"
    )


def test_unknown_noise_is_said_to_be_unknown() -> None:
    assert "unknown" in turnover.finding(steps(step(2020, 8), step(2021, 3, expected=None)), 10)


def test_a_board_with_breakpoints_only_compares_nothing() -> None:
    assert "No two days" in turnover.finding(steps(step(2020, None)), 10)
