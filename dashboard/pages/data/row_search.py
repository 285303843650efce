"""Any row of any table, found by a word in it and traced to its file, commit and line."""

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import PUBLISHED, TABLES
from benchhealth.analytics.record.tables.declared import link, sentence, text
from benchhealth.dashboard.published.files.places import file_address, opens_at
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, columns_of
from benchhealth.dashboard.widgets import empty, filters, tables
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.text import count, markdown

LIMIT = 200
"""Rows found at once; a question in SQL or a download gives all."""


PLACE, FILE = "place", "file"
"""The column that leads to the file of a row, and its name where the table has a column of that name itself."""
FILE_COLUMNS = tuple(
    GridColumn(link(name, "The file, at the row where that can be opened."), width=80) for name in (FILE, PLACE)
)
MEANING_COLUMNS = (
    GridColumn(text("label", "What heads the column here.", label="column"), width=150),
    GridColumn(sentence("meaning", "What the column holds."), width=420),
    GridColumn(text("column", "What heads it in files and in SQL.", label="name in files"), width=150),
)


def name_in_words(name: str) -> str:
    """A table's or a column's name as pages print it."""
    return name.replace("_", " ")


def link_column(table: str) -> str | None:
    """The column of `found` that leads to the file of each row of this table; none where its rows come from no file."""
    schema = PUBLISHED[table]
    traced = {"snapshot_id", "source_row"} <= set(schema)
    return None if not traced else FILE if PLACE in schema else PLACE


def matching_rows(view: View, params: Params) -> pl.DataFrame:
    """At most LIMIT rows of the `table` in which a text holds all words of `find`, each with the `place` it comes from.

    Raises ParameterError for a table that does not exist.
    """
    name = params.get("table", "result")
    if name not in PUBLISHED:
        raise ParameterError(f"no table {name!r}")
    schema = PUBLISHED[name]
    words = params.get("find", "").lower().split()[:6]
    texts = [column for column, kind in schema.items() if kind == pl.String()]
    all_text = " || ' ' || ".join(f"coalesce(t.\"{column}\", '')" for column in texts) or "''"
    holds = " AND ".join(f"contains(lower({all_text}), $w{index})" for index in range(len(words))) or "true"
    leads = link_column(name)
    columns = "t.*, s.url AS file_url, s.observed_at AS file_of" if leads else "t.*"
    joined = "LEFT JOIN snapshot s USING (snapshot_id)" if leads else ""
    order = ", ".join(f't."{column}"' for column in TABLES[name].key)
    rows = view.query(
        f'SELECT {columns} FROM "{name}" t {joined} WHERE {holds} ORDER BY {order} LIMIT {LIMIT}',  # noqa: S608
        **{f"w{index}": word for index, word in enumerate(words)},
    )
    if leads is None:
        return rows
    addresses = [file_address(url, row) for url, row in rows.select("file_url", "source_row").iter_rows()]
    first = pl.Series(leads, addresses, dtype=pl.String)
    return rows.drop("file_url").select(first, pl.exclude("snapshot_id"), "snapshot_id")


MATCHING_ROWS = PublishedTable("rows", matching_rows)


def show(view: View) -> None:
    """Draw the choice of a table, the search for words in it, and the rows that hold them."""
    table_column, words_column = st.columns([1, 2])
    with table_column:
        table = filters.id_picker(
            "table", "Table", {"result": "result", **{name: name_in_words(name) for name in PUBLISHED}}, with_id=False
        )
    with words_column:
        words = filters.search("find", "Words in the row", "for example: humaneval gpt-4o")
    params = {"table": table, **({"find": words} if words else {})}
    rows = view.recent(("rows", table, words), lambda: matching_rows(view, params))
    st.header(_title(table, words, rows), anchor="rows")
    if rows.is_empty():
        empty.nothing("No row holds all of these words.", "Fewer words, or another table, may.")
        return
    leads = link_column(table)
    st.markdown(f":small[:gray[{_traced(rows, leads)}]]")
    table_rows = rows
    if leads:
        opening = pl.Series("opens at", [opens_at(address) for address in rows[leads]], dtype=pl.String)
        table_rows = rows.select(leads, opening, pl.exclude(leads))
    if "date_basis" in table_rows.columns:
        table_rows = table_rows.with_columns(pl.col("date_basis").str.replace_all("_", " "))
    tables.show(
        view,
        table_rows,
        MATCHING_ROWS,
        params,
        alt=f"Rows of the table {name_in_words(table)}",
        columns=[column for column in FILE_COLUMNS if column.column.name == leads],
        visible_rows=14,
        declared_in=(table,),
    )
    with st.expander(f"What the columns mean: a row is {TABLES[table].row}"):
        meanings(table, "columns")


def meanings(table: str, key: str) -> None:
    """The declared meaning of each column of the table."""
    listed = pl.DataFrame(columns_of(table)).select("label", "meaning", "unit", "column", "type")
    tables.grid(
        listed,
        key=key,
        alt=f"Columns of the table {name_in_words(table)} with meaning, unit and type",
        columns=MEANING_COLUMNS,
        visible_rows=14,
    )


def _traced(rows: pl.DataFrame, leads: str | None) -> str:
    """Where the links of the rows lead, and how many lead to their line."""
    if leads is None:
        return "Rows of this table are computed or curated; those of *result* and *rejection* lead to a file."
    lines = sum(opens_at(address).startswith("line") for address in rows[leads])
    of_all = f"{lines:,} of {count(rows.height, 'row')} open at their line, at the commit that was read"
    if lines == rows.height:
        return f"{of_all}."
    return f"{of_all}. The others open the file or the page that they cite: JSON and pages have no lines to point at."


def _title(table: str, words: str, rows: pl.DataFrame) -> str:
    of_table = f"of {markdown(name_in_words(table))}"
    search_text = f" with “{markdown(words)}”" if words else ""
    if rows.height == LIMIT:
        return f"The first {LIMIT} rows {of_table}{search_text}"
    return f"{count(rows.height, 'row')} {of_table}{search_text}"
