"""The sources: under which licence, until when each is known, and how many of its rows were kept."""

from datetime import date
from functools import partial

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import count as counts
from benchhealth.analytics.record.tables.declared import day, text
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.pages.data import data_tables
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import empty, links, tables
from benchhealth.dashboard.widgets.tables import GridColumn, sized
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.prose.changes import cadence_text
from benchhealth.dashboard.words.text import count, markdown

NEVER = "never fetched here"
NOT_FETCHED = "not fetched"
"""NEVER in a narrow column."""
TITLE = 40
"""Letters of a source's title that the table has room for."""
PHONE_SOURCES = 12
"""Sources that a phone lists before anything is opened."""

COLUMNS = (
    GridColumn(text("title", "Who publishes it.", label="source"), pinned=True, width=258),
    GridColumn(day("last_observed_at", "The day of the newest statement.", label="newest"), width=88),
    GridColumn(counts("rows_kept", "Rows of all versions that were stored."), width=78),
    GridColumn(counts("rows_rejected", "Rows of all versions that were rejected.", label="rejected"), width=76),
    GridColumn(counts("snapshots", "Versions of its files.", label="versions"), width=68),
    GridColumn(text("cadence", "How often it is expected to change; the CSV says more.", label="expected"), width=160),
    *sized("source", known_until=92, licence=92, redistributable=56, status=84, homepage=76),
)


def title(sources: pl.DataFrame) -> str:
    """The page's title: how many rows of how many sources all numbers come from."""
    if sources.is_empty():
        return "No source is on record"
    with_rows = sources.filter(pl.col("rows_kept") > 0)
    stored = count(int(with_rows["rows_kept"].sum()), "stored row")
    return f"Every number comes from {stored} of {count(with_rows.height, 'source')}"


def finding(sources: pl.DataFrame, as_of: date | None) -> str:
    """The sentence: how many sources were seen in the week before the assessment."""
    if sources.is_empty():
        return "No source is on record"
    if as_of is None or sources["known_until"].null_count() == sources.height:
        return f"None of {count(sources.height, 'source')} was fetched yet"
    in_week = pl.col("known_until") >= pl.lit(as_of).dt.offset_by("-7d")
    recent = sources.filter(in_week.fill_null(value=False)).height
    return f"{recent} of {count(sources.height, 'source')} were seen in the week up to {day_of(as_of)}"


def show(view: View) -> None:
    """The table of sources, those with the latest data first."""
    rows = data_tables.sources(view, {})
    if rows.is_empty():
        empty.nothing(
            "No source is on record.",
            "Run `benchhealth init` for the bundled snapshot, or `benchhealth nightly` to pull the sources.",
        )
        return
    st.header(markdown(finding(rows, latest(view.table("verdict")["as_of"]))), anchor="sources")
    st.markdown(f":small[:gray[{_sums(rows)}]]")
    rows = rows.sort("known_until", "source_id", descending=[True, False], nulls_last=True)
    with st.container(key="wide_sources"):
        _table(view, rows)
    with st.container(key="narrow_sources"):
        _narrow(rows)
    st.markdown(
        "**Known until**, or **data to**, is the day on which an upstream last answered, or the newest version inside "
        "a copy or a paper. "
        f"[Why old data and unread sources differ]({links.address('methods')}#stale)."
    )


def _table(view: View, rows: pl.DataFrame) -> None:
    tables.show(
        view,
        rows.select(
            texts(rows["title"], partial(head_of, limit=TITLE)),
            "known_until",
            "last_observed_at",
            "licence",
            "redistributable",
            "rows_kept",
            "rows_rejected",
            "snapshots",
            texts(rows["cadence"], expected_cadence),
            pl.col("status").replace("never", NOT_FETCHED),
            "homepage",
        ),
        data_tables.SOURCES,
        {},
        alt="Sources with licence, until when each is known, snapshots and rows stored and rejected",
        columns=COLUMNS,
        visible_rows=16,
    )


def expected_cadence(cadence: str) -> str:
    """How often a source is expected to change, without the reason, which is in the CSV."""
    return cadence_text(cadence.split(";", maxsplit=1)[0])


def _narrow(rows: pl.DataFrame) -> None:
    """The sources for a phone, two lines each; those with the oldest data open on demand."""
    st.markdown(_source_list(rows.head(PHONE_SOURCES)))
    st.markdown(f":small[{links.csv('All as CSV', data_tables.SOURCES.address({}))}]")
    if rows.height <= PHONE_SOURCES:
        return
    box = st.expander(f"{rows.height - PHONE_SOURCES} more", key="more_sources", on_change="rerun")
    if box.open:
        with box:
            st.markdown(_source_list(rows[PHONE_SOURCES:]))


def _source_list(rows: pl.DataFrame) -> str:
    """Name, until when it is known, licence and how many of its rows were kept."""
    return "\n\n".join(
        f"{links.linked(title or source_id, homepage)}  \n:small[:gray[{_data_to(until)} · {count(rows_kept, 'row')} · "
        f"{markdown(licence or 'licence not known')}{'' if free else ', not passed on'}]]"
        for source_id, title, homepage, until, rows_kept, licence, free in rows.select(
            "source_id", "title", "homepage", "known_until", "rows_kept", "licence", "redistributable"
        ).iter_rows()
    )


def _data_to(day: date | None) -> str:
    return NEVER if day is None else f"data to {day_of(day)}"


def _sums(rows: pl.DataFrame) -> str:
    n_read, n_refused = (int(rows[name].sum()) for name in ("rows_in", "rows_rejected"))
    bound = rows.filter(~pl.col("redistributable")).height
    closed = f" The files of {bound} of them may not be passed on." if bound else ""
    return (
        f"{count(int(rows['snapshots'].sum()), 'version')} of their files, {n_read:,} rows read; {n_refused:,} were "
        f"rejected, each with its reason.{closed}"
    )
