"""Data: where every number comes from, any row of it, questions in SQL, everything to download."""

from collections.abc import Callable, Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.declared import link, text
from benchhealth.dashboard.pages.data import curators, data_tables, editions, query, rows, sources
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import links, tables
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.tables import GridColumn

ASKS: Mapping[str, str] = {
    "sql": "Query",
    "find": "Rows",
    "table": "Rows",
    **dict.fromkeys(("source", "reason", "queue"), "For curators"),
}
"""The tab that a parameter of the address belongs to."""


DOWNLOAD_COLUMNS = (
    GridColumn(link("CSV", "The table as CSV without formulas."), link_text="take", width=70),
    GridColumn(link("Parquet", "The table as Parquet."), link_text="take", width=80),
    GridColumn(text("columns", "What the table holds."), width=620),
)


def draw(view: View) -> None:
    """Draw the page."""
    st.title("Where every number comes from", anchor=False)
    drawn: Mapping[str, Callable[[View], None]] = {
        "Sources": sources.show,
        "Rows": rows.show,
        "Query": query.show,
        "Downloads": _downloads,
        "For curators": curators.show,
    }
    opened = next((tab for name, tab in ASKS.items() if name in st.query_params), "Sources")
    tabs = st.tabs(list(drawn), key="tab", default=opened, on_change="rerun", bind="query-params")
    for draw, tab in zip(drawn.values(), tabs, strict=True):
        if tab.open:
            with tab:
                draw(view)


def _downloads(view: View) -> None:
    st.header(f"{len(PUBLISHED)} tables to take along", anchor="downloads")
    st.markdown(
        f":small[:gray[Generation {view.name}, without rows that may not be passed on; how many those are is in the "
        "header of each answer. The addresses are stable.]]"
    )
    base = st.context.url or ""
    root = base.split("?")[0].rsplit("/", 1)[0]
    listed = pl.DataFrame(
        {
            "table": [rows.named(name) for name in PUBLISHED],
            "CSV": [f"{root}/data/{name}.csv" for name in PUBLISHED],
            "Parquet": [f"{root}/data/{name}.parquet" for name in PUBLISHED],
            "columns": [", ".join(rows.named(column) for column in schema) for schema in PUBLISHED.values()],
        }
    )
    tables.grid(
        listed,
        key="downloads",
        alt="Every table with its columns and where to take it",
        columns=DOWNLOAD_COLUMNS,
        visible_rows=18,
    )
    editions.show(root)
    st.markdown(
        "[All that can be had by address](api/): charts, badges, reports, answers in SQL. As Every Eval Ever records: "
        f"`benchhealth export`. [How rows are chosen]({links.address('methods')}#standing)."
    )


PAGE = PageSpec(
    url_path="data",
    title="Data",
    draw=draw,
    tables=(
        data_tables.SOURCES,
        data_tables.RUNS,
        data_tables.SNAPSHOTS,
        data_tables.PROPOSALS,
        data_tables.KEPT_OUT,
        data_tables.CONFLICTS,
        data_tables.BASELINES,
        data_tables.LIKELY,
        data_tables.REASONS,
        data_tables.REJECTED,
        rows.MATCHING_ROWS,
        *data_tables.DOWNLOADS,
    ),
    section="Data",
)
