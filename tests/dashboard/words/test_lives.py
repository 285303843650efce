"""The title of a life: how many events, over how long, and how late the end was known."""

from datetime import date

import pytest

from benchhealth.analytics.aging import events
from benchhealth.dashboard.words.happened.lives import title

ROWS = [
    {"kind": events.RELEASED, "on_day": date(2020, 1, 1)},
    {"kind": events.SATURATED, "on_day": date(2023, 1, 1)},
    {"kind": events.LAST, "on_day": date(2024, 1, 1)},
]


@pytest.mark.parametrize(
    ("told_on", "late"),
    [
        (date(2023, 8, 1), "; data of the time showed its saturation 7 months late"),
        (date(2023, 1, 20), ""),
        (date(2022, 6, 1), ""),
        (None, ""),
    ],
)
def test_the_title_says_how_late_the_end_was_known_where_it_was_late(told_on: date | None, late: str) -> None:
    assert title(ROWS, told_on) == f"3 dated events in 4 years{late}"


def test_without_an_end_nothing_was_known_late() -> None:
    assert title(ROWS[:1], date(2023, 8, 1)) == "1 dated event"
