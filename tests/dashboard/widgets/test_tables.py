"""Grids take labels, formats and meanings from the declarations of tables."""

import polars as pl

from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.widgets import tables


def test_the_first_table_that_has_a_column_says_what_it_is() -> None:
    known = tables.columns_in(("rejection", "snapshot"), ["reason", "observed_at", "no such"])
    assert known == {
        "reason": TABLES["rejection"].by_name["reason"],
        "observed_at": TABLES["snapshot"].by_name["observed_at"],
    }


def test_every_declared_column_can_be_drawn_with_its_title_and_meaning() -> None:
    for table in TABLES.values():
        for column in table.columns:
            drawn = tables.drawn(column)
            assert isinstance(drawn, dict)
            assert (drawn["label"], drawn["help"]) == (column.title, column.meaning), (table.name, column.name)


def test_durations_are_texts_on_a_grid() -> None:
    rows = tables.durations(pl.DataFrame({"age": [3.0, None, 77.0], "n": [1, 2, 3]}), "age")
    assert rows.rows() == [("3 months", 1), (None, 2), ("6.4 years", 3)]
