"""The note of a breakpoint that no curator wrote is made of its case when it is published."""

from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.breakpoints import NUMBERS_OF
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.words.prose.cases import PUBLISHED as PUBLISHED_FORM
from benchhealth.dashboard.words.prose.cases import with_sentences
from benchhealth.dashboard.words.prose.record import PROPOSED
from benchhealth.dashboard.words.prose.template import filled_template

NOTES = {
    "scores_moved": ([20, 20, 0.5, 50.12344], "20 of 20 past scores move, the median from 0.5 to 50.1234"),
    "rows_renamed": ([30, 30], "30 of 30 rows vanish and reappear with the same scores under other names"),
    "rows_mostly_new": ([9, 10, 8], "9 of 10 rows vanish and 8 others appear"),
    "order_lost": ([0.8512], "rank agreement with the past is 0.85"),
    "points_edited": ([20, 20, 15, 1.0], "20 of 20 past scores edited, 15 by 0.5 points or more (median 1.0 points)"),
    "scores_edited": ([20, 20, 15, 3.5], "20 of 20 past scores edited, 15 by 0.5 points or more (median 3.5)"),
}


def note(**cells: object) -> str:
    row = dict.fromkeys(PUBLISHED["breakpoint"]) | cells
    return str(with_sentences(pl.DataFrame([row], schema=PUBLISHED["breakpoint"]), "note")["note"].item())


@pytest.mark.parametrize("case", NUMBERS_OF)
def test_a_proposal_says_what_speaks_for_it(case: str) -> None:
    numbers, expected = NOTES[case]
    assert note(case=case, numbers=[float(number) for number in numbers]) == expected


def test_every_case_has_a_sentence_and_no_sentence_is_of_none() -> None:
    assert set(PROPOSED) == set(NUMBERS_OF) == set(NOTES)


def test_a_handover_says_both_addresses_and_the_day() -> None:
    names = ["old/duel", "new/duel", "why new/duel"]
    sentence = note(case="handed_over", names=names, until_day=date(2024, 6, 1))
    assert sentence == "from old/duel, last seen on 2024-06-01, to new/duel: why new/duel"


def test_what_a_curator_wrote_stays() -> None:
    assert note(note="said so") == "said so"


def test_counts_in_thousands_are_parted_and_years_are_not() -> None:
    edited = note(case="points_edited", numbers=[1065.0, 6804.0, 458.0, 0.37])
    assert edited.startswith("1,065 of 6,804 past scores edited, 458 by")
    row = {"kind": "of 2024", "on_day": date(2024, 6, 1), "n": 1618, "numbers": [12032.0]}
    assert filled_template("{n} of {numbers[0]:i}, {kind}, {on_day}", row, PUBLISHED_FORM) == (
        "1,618 of 12,032, of 2024, 2024-06-01"
    )
