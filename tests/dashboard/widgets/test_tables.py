"""Grids take labels, formats and meanings from the declarations of tables."""

import ast
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import streamlit as st

from benchhealth.analytics.record.tables import TABLES, declared
from benchhealth.dashboard import pages
from benchhealth.dashboard.widgets import tables
from benchhealth.dashboard.widgets.tables import GridColumn


def test_the_first_table_that_has_a_column_says_what_it_is() -> None:
    columns = tables.columns_in(("rejection", "snapshot"), ["reason", "observed_at", "no such"])
    assert columns == {
        "reason": TABLES["rejection"].by_name["reason"],
        "observed_at": TABLES["snapshot"].by_name["observed_at"],
    }


def test_every_declared_column_can_be_drawn_with_its_title_and_meaning() -> None:
    for table in TABLES.values():
        for column in table.columns:
            drawn = tables.column_config(column)
            assert isinstance(drawn, dict)
            assert (drawn["label"], drawn["help"]) == (column.title, column.meaning), (table.name, column.name)


def test_a_month_is_no_day_on_a_grid() -> None:
    day = date(2021, 1, 31)
    rows = pl.DataFrame({"dated_on": [day, day, day, None], "date_precision": ["day", "month", "year", None], "n": 1})
    shown = tables.with_stated_precision(rows)
    assert shown["dated_on"].to_list() == ["2021-01-31", "2021-01", "2021", None]
    assert shown.columns == ["dated_on", "n"]
    alone = rows.drop("date_precision")
    assert tables.with_stated_precision(alone).equals(alone)


def test_durations_are_texts_on_a_grid() -> None:
    rows = tables.months_in_words(pl.DataFrame({"age": [3.0, None, 77.0], "n": [1, 2, 3]}), "age")
    assert rows.rows() == [("3 months", 1), (None, 2), ("6.4 years", 3)]


def test_what_a_grid_declares_itself_goes_before_what_its_tables_declare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels, formats and widths all come from declarations; shares are drawn in percent, instants as declared days."""
    drawn: dict[str, Any] = {}
    monkeypatch.setattr(st, "dataframe", lambda rows, **given: drawn.update(given, rows=rows))
    rows = pl.DataFrame({"share": [0.125], "seen": [datetime(2026, 1, 2, 3)], "left": [0.5], "plain_one": ["x"]})
    shown_columns = (
        GridColumn(declared.text("plain_one", "A text.", label="text"), width=50, pinned=True),
        declared.day("seen", "A day."),
        GridColumn(declared.percent("left", "What is left."), as_chart=True),
        declared.text("of no row", "A column that these rows lack."),
    )
    tables.grid(rows, key="k", alt="Rows", columns=shown_columns, declared_in=("contamination_report",))
    assert drawn["rows"].row(0) == (12.5, date(2026, 1, 2), 0.5, "x")
    config = drawn["column_config"]
    assert set(config) == set(rows.columns)
    assert (config["share"]["label"], config["share"]["type_config"]["format"]) == ("Share of items", "%.1f%%")
    assert (config["plain_one"]["label"], config["plain_one"]["width"], config["plain_one"]["pinned"]) == (
        "Text",
        50,
        True,
    )
    assert config["left"]["type_config"]["type"] == "progress"


def test_a_link_says_what_it_is_told_to() -> None:
    link = declared.link("url", "Where.")
    drawn = tables.column_configs((link, GridColumn(declared.link("file", "A file."), link_text="take")))
    assert [drawn[name]["type_config"]["display_text"] for name in ("url", "file")] == ["open", "take"]


@pytest.mark.parametrize("path", sorted(Path(pages.__file__).parent.rglob("*.py")), ids=lambda path: path.stem)
def test_no_page_words_a_column_by_hand(path: Path) -> None:
    """A column is declared with its meaning; `widgets.tables` alone makes Streamlit's configuration of it."""
    written = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute | ast.Name)]
    names = [node.attr if isinstance(node, ast.Attribute) else node.id for node in written]
    assert "column_config" not in names
