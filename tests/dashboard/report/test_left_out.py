"""What the title of a report on many benchmarks leaves out of those that still measure."""

from datetime import date

import pytest

from benchhealth.dashboard.report.field import _left_out, _verdict

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


def test_it_says_of_how_many_the_stage_is_not_sure() -> None:
    """The table names the two stages that such a benchmark may be in, and the sentence counts it under one of them."""
    sure = {**ROW, "stage": "compressing", "flags": [], "between": []}
    between = {**sure, "between": ["discriminating", "compressing"]}
    assert _verdict([sure, between]) == "Of 2 benchmarks, 2 are running out. The stage of 1 of these is not sure."
    assert _verdict([sure, sure]) == "Of 2 benchmarks, 2 are running out."
