"""Data: where every number comes from, any row of it, questions in SQL, everything to download."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.declared import link, text
from benchhealth.dashboard.pages.data import curators, data_tables, editions, row_search, sources
from benchhealth.dashboard.published import questions
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import empty, links, tables
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.text import count, listed, markdown

EXAMPLES: Mapping[str, str] = {
    "What still measures in coding": (
        "SELECT b.name, v.stage, v.since, v.known_until\nFROM benchmark b JOIN verdict v USING (benchmark_id)\n"
        "WHERE b.curated AND b.domain IN ('code', 'agentic-code') AND v.stage = 'discriminating'\nORDER BY b.name"
    ),
    "Least room left": (
        "SELECT b.name, round(i.value, 3) AS room_left, i.known_until\n"
        "FROM indicator i JOIN benchmark b USING (benchmark_id)\n"
        "WHERE i.indicator = 'headroom' AND i.status = 'ok' AND b.curated\nORDER BY i.value LIMIT 20"
    ),
    "One model's best scores": (
        "SELECT benchmark_id, max(score) AS best, count(*) AS results\nFROM result\n"
        "WHERE model_id = 'gpt-4o-2024-08-06' AND stands\nGROUP BY benchmark_id ORDER BY results DESC LIMIT 50"
    ),
    "Where a number comes from": (
        "SELECT r.model_id, r.score, r.dated_on, r.source_row, s.url, s.ref\n"
        "FROM result r JOIN snapshot s USING (snapshot_id)\n"
        "WHERE r.benchmark_id = 'humaneval' AND r.stands\nORDER BY r.score DESC LIMIT 20"
    ),
}


BOX = "sql_box"
_WRITTEN = "_sql_written"
"""The query of the address when it was last written into the box; later typing is kept."""


def show_query(view: View) -> None:
    """Draw the box for a question in SQL, the examples, and the answer."""
    st.header("Ask in SQL", anchor="query")
    st.markdown(
        f":small[:gray[One SELECT in the SQL of DuckDB over {len(PUBLISHED)} tables; 6 seconds; "
        f"{questions.SHOWN_ROWS:,} rows here, {questions.FILE_ROWS:,} as a file. What may not be passed on is left out "
        "and counted.]]"
    )
    statement = st.query_params.get("sql") or next(iter(EXAMPLES.values()))
    if BOX not in st.session_state or st.session_state.get(_WRITTEN) != statement:
        st.session_state[BOX] = st.session_state[_WRITTEN] = statement
    with st.form("ask", border=False):
        st.text_area("SQL", key=BOX, height=150, label_visibility="collapsed")
        st.form_submit_button("Ask", on_click=_ask)
    examples = " · ".join(
        f"[{title}](<{links.address('data', tab='Query', sql=sql)}>)" for title, sql in EXAMPLES.items()
    )
    st.markdown(f":small[Examples: {examples}]")
    if st.query_params.get("sql"):
        _answer(view, statement)


def _ask() -> None:
    """Put the typed query into the address, before the page is drawn again from it."""
    typed = str(st.session_state[BOX])
    st.session_state[_WRITTEN] = typed
    if typed.strip():
        st.query_params["sql"] = typed
    else:
        st.query_params.pop("sql", None)


def _answer(view: View, sql: str) -> None:
    try:
        answer = questions.ask(view, sql, st.context.ip_address or "")
    except (questions.Refused, questions.Busy) as refused:
        empty.nothing("There is no answer.", markdown(str(refused)))
        return
    missing = listed([f"{number:,} of {markdown(name)}" for name, number in answer.withheld.items()])
    withheld = f" Rows that may not be passed on are not in it: {missing}." if missing else ""
    first = "The first " if answer.cut else ""
    st.markdown(
        f"**{first}{count(answer.rows.height, 'row')}.**{withheld} {links.csv('CSV', f'query.csv?sql={quote(sql)}')} · "
        f"[JSON](<query.json?sql={quote(sql)}>) · [Link](<{links.address('data', tab='Query', sql=sql)}>)"
    )
    if answer.rows.height:
        tables.grid(answer.rows, key="answer", alt="The answer to the question", visible_rows=12)


ASKS: Mapping[str, str] = {
    "sql": "Query",
    "find": "Rows",
    "table": "Rows",
    **dict.fromkeys(("source", "reason", "queue"), "For curators"),
}
"""The tab that a parameter of the address belongs to."""


DOWNLOAD_COLUMNS = (
    GridColumn(text("table", "Its name in SQL, too."), width=208),
    GridColumn(link("CSV", "The table as CSV without formulas."), link_text="take", width=70),
    GridColumn(link("Parquet", "The table as Parquet."), link_text="take", width=80),
    GridColumn(text("columns", "What the table holds."), width=620),
)


def draw(view: View) -> None:
    """Draw the page."""
    st.title(markdown(sources.title(data_tables.sources(view, {}))), anchor=False)
    drawn: Mapping[str, Callable[[View], None]] = {
        "Sources": sources.show,
        "Rows": row_search.show,
        "Query": show_query,
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
        "header of each answer. The addresses are stable; names are those of SQL.]]"
    )
    base = st.context.url or ""
    root = base.split("?")[0].rsplit("/", 1)[0]
    listed = pl.DataFrame(
        {
            "table": list(PUBLISHED),
            "CSV": [f"{root}/data/{name}.csv" for name in PUBLISHED],
            "Parquet": [f"{root}/data/{name}.parquet" for name in PUBLISHED],
            "columns": [", ".join(schema) for schema in PUBLISHED.values()],
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
        f"`benchhealth export --format eee`. [How rows are chosen]({links.address('methods')}#standing)."
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
        row_search.MATCHING_ROWS,
        *data_tables.DOWNLOADS,
    ),
    section="Data",
)
