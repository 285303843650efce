"""The record of forecasts in a sentence, with its empty state."""

from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.words.forecasts import chance_text, event, record_sentence

SCHEMA = PUBLISHED["forecast_record"]


def issued(*rows: tuple[str, bool | None]) -> pl.DataFrame:
    entries = [{"issued_on": date(2026, 11, 22), "state": state, "inside": inside} for state, inside in rows]
    return pl.DataFrame(entries, schema=SCHEMA)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], "no earlier forecast to check yet"),
        ([("waiting", None)], "1 forecast issued since 22 Nov 2026, none due yet"),
        ([("waiting", None), ("due", True), ("due", False), ("due", None)], "3 due, 1 of 2 inside"),
        ([("due", None)], "1 due, in none was a stronger model tested"),
        ([("not seen", None)], "none due yet, 1 past their day, with no source read since"),
    ],
)
def test_the_record_says_how_many_are_issued_due_and_inside(rows: list[tuple[str, bool | None]], expected: str) -> None:
    assert record_sentence(issued(*rows)).endswith(expected)


def test_a_chance_is_of_a_stronger_model_or_of_a_better_score() -> None:
    assert chance_text(0.62) == "probability 62%"
    assert chance_text(None) == "odds not known"
    assert event("on the capability scale, dated by release") == "a stronger model than all before is tested"
    assert event("off the capability scale, dated by release") == "the best score is beaten"
