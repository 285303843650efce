"""What is said of the two bests: a lead only where others still look."""

from datetime import date

import polars as pl
import pytest

from benchhealth.dashboard.pages.benchmark.figures.sides import title
from benchhealth.dashboard.words.prose.corroboration import ahead

FACTS = {"higher_is_better": True, "unit": "fraction"}


def sides(looked: date) -> pl.DataFrame:
    ends = [("third_party", 0.49, looked, True), ("self", 0.96, date(2026, 2, 19), True)]
    return pl.DataFrame(ends, schema=["reporter", "score", "dated_on", "carried"], orient="row")


def test_who_stopped_looking_is_not_behind() -> None:
    """MATH: others measured last in August 2024, makers report until 2026."""
    said = title(sides(date(2024, 8, 30)), FACTS)
    assert said.startswith("Others measured last in Aug 2024; what makers reported later stands 47 points above it")
    assert "ahead" not in said


def test_a_lead_is_said_where_both_sides_look() -> None:
    assert title(sides(date(2025, 12, 1)), FACTS).startswith("Makers' reports run 47 points ahead")


@pytest.mark.parametrize(("measured", "claimed"), [(0.50, 0.51), (0.60, 0.50)])
def test_no_lead_is_said_within_two_points(measured: float, claimed: float) -> None:
    assert not ahead(measured, claimed, higher_is_better=True)
