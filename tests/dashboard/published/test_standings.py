"""Which sources said how a board stood, and within which days its scores share a scale."""

from collections.abc import Mapping
from datetime import date
from typing import cast

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.generation import View

BOARD = "arena/duel"


class Tables:
    """A view of these tables alone."""

    def __init__(self, rows: Mapping[str, list[dict[str, object]]]) -> None:
        self._rows = rows

    def table(self, name: str) -> pl.DataFrame:
        full = [{column: row.get(column) for column in PUBLISHED[name]} for row in self._rows.get(name, [])]
        return pl.DataFrame(full, schema=PUBLISHED[name], orient="row")


def stretch(address: str, begin: date, end: date, *, leads: bool = True) -> dict[str, object]:
    return {"board_id": BOARD, "address": address, "from_on": begin, "until_on": end, "leads": leads}


MOVED = cast(
    View,
    Tables(
        {
            "lineage": [
                stretch("new/duel", date(2025, 6, 1), date(2025, 8, 1)),
                stretch("old/duel", date(2024, 1, 1), date(2024, 5, 1)),
                stretch("crawl/duel", date(2024, 2, 1), date(2025, 7, 1), leads=False),
            ],
            "breakpoint": [
                {"board_id": BOARD, "on_date": date(2025, 6, 1), "kind": "moved"},
                {"board_id": BOARD, "on_date": date(2024, 3, 1), "kind": "scale"},
                {"board_id": BOARD, "on_date": date(2024, 4, 1), "kind": "proposed scale"},
                {"board_id": "other/duel-2", "on_date": date(2024, 4, 2), "kind": "scale"},
            ],
        }
    ),
)


def test_the_sources_of_a_board_that_moved_are_named_the_leading_one_first() -> None:
    assert standings.sources(MOVED, BOARD) == ["new", "old"]
    assert standings.sources(MOVED, "squad/squad-2.0") == ["squad"]


def test_a_scale_holds_from_one_breakpoint_or_move_to_the_next_and_not_over_the_days_that_nobody_saw() -> None:
    assert standings.spans(MOVED, "duel") == [
        (date(2024, 1, 1), date(2024, 2, 29)),
        (date(2024, 3, 1), date(2024, 5, 1)),
        (date(2025, 6, 1), date(2025, 8, 1)),
    ]
    assert standings.spans(MOVED, "squad-2.0") == []
