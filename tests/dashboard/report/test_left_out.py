"""What the title of a report on many benchmarks leaves out of those that still measure."""

from datetime import date

import pytest

from benchhealth.dashboard.report.field import _left_out

ROW = {
    **{"stage": "discriminating", "name": "A", "known_until": date(2025, 11, 3)},
    **{"fresh": True, "in_use": True, "alive": True},
}
OLD = {**ROW, "fresh": False, "in_use": False, "alive": False}
DORMANT = {**ROW, "in_use": False, "alive": False}
UNSURE = {**ROW, "alive": False}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([ROW, {**OLD, "stage": "saturated"}], ""),
        ([OLD], " The one still measuring had no source read for six months or more (A since Nov 2025): the title"),
        ([DORMANT], " The one still measuring is reported by nobody any more: the title leaves it out."),
        ([UNSURE], " The one still measuring is too near the limit to another stage: the title leaves it out."),
        (
            [ROW, DORMANT, UNSURE, UNSURE],
            " Of the 4 still measuring, 1 is reported by nobody any more and 2 are too near",
        ),
    ],
)
def test_it_says_why(rows: list[dict[str, object]], expected: str) -> None:
    told = _left_out(rows)
    assert told.startswith(expected)
    assert bool(told) == bool(expected)
