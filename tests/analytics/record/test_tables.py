"""The declarations of tables: each says all that is made of it, and nothing that contradicts itself."""

from dataclasses import replace

import pytest

from benchhealth.analytics.record.tables import COMPLETED, DERIVED, TABLES
from benchhealth.analytics.record.tables.declared import (
    FACTS,
    TYPES,
    Column,
    DeclarationError,
    Form,
    Own,
    Sharing,
    Table,
    Unit,
    count,
    text,
)
from benchhealth.analytics.record.tables.stored import STORED

EVERY = [*TABLES.values(), *STORED.values()]
NAMING = {"benchmark_id", "model_id", "board_id", "twin_id", "source_id"}
"""Columns by which a row is about one thing."""


@pytest.mark.parametrize("table", EVERY, ids=lambda table: f"{table.sharing.name}-{table.name}")
def test_a_table_without_a_key_cannot_be_declared(table: Table) -> None:
    with pytest.raises(DeclarationError, match=f"{table.name}: no key"):
        replace(table, key=())
    with pytest.raises(DeclarationError, match="the key names no column: nowhere"):
        replace(table, key=("nowhere",))
    with pytest.raises(DeclarationError, match="declared twice"):
        replace(table, columns=(*table.columns, table.columns[0]))
    assert isinstance(table.own, Own), f"{table.name}: not an `Own`; its entry, where named, is made_by="


def test_every_column_has_a_sentence_of_meaning_and_a_title_in_words() -> None:
    columns = [(table.name, column) for table in EVERY for column in table.columns]
    assert [(name, one.name) for name, one in columns if not one.meaning.endswith(".") or len(one.meaning) > 100] == []
    assert [(name, one.name) for name, one in columns if not one.title or "_" in one.title] == []


def test_every_form_has_a_type() -> None:
    assert set(TYPES) == set(Form)


def test_what_is_about_everything_names_nothing() -> None:
    pooled = [table for table in EVERY if table.sharing is Sharing.POOLED]
    assert pooled
    assert [table.name for table in pooled if NAMING & set(table.by_name)] == []


def test_own_rows_are_told_by_a_column_that_the_table_has() -> None:
    by = {
        Own.BENCHMARK: {"benchmark_id"},
        Own.BOARD: {"board_id"},
        Own.TWIN: {"twin_id"},
        Own.SOURCE: {"source_id"},
        Own.MODEL: {"model_id"},
        Own.BENCHMARK_OR_MODEL: {"benchmark_id", "model_id"},
        Own.EITHER: {"benchmark_id", "board_id", "source_id"},
    }
    assert [table.name for table in TABLES.values() if not by.get(table.own, set()) <= set(table.by_name)] == []


def test_facts_that_are_published_and_facts_that_stay_are_kept_apart() -> None:
    assert {table.sharing for table in STORED.values()} == {Sharing.STAYS}
    assert Sharing.STAYS not in {table.sharing for table in TABLES.values()}
    assert {name for name, table in TABLES.items() if table.made_by != FACTS} == {*DERIVED, *COMPLETED}


def test_a_count_says_so_unless_it_is_counted_in_something_else() -> None:
    assert count("n", "Things.").unit is Unit.COUNT
    assert count("at", "Months.", unit=Unit.MONTHS).unit is Unit.MONTHS
    assert Column("a_b_id", "It.", Form.TEXT).title == "a b"
    assert text("a", "It.", label="the a").title == "The a"
