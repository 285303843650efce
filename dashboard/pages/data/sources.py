"""The sources: under which licence, until when each is known, and how many of its rows were kept."""

from datetime import date

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.data import tables as data_tables
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import empty, links, tables
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, markdown

NEVER = "never fetched here"
NARROW = 12
"""Sources that a phone lists before anything is opened."""


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
    """The table of sources, those known latest first."""
    rows = data_tables.sources(view, {})
    if rows.is_empty():
        empty.nothing(
            "No source is on record.",
            "Run `benchhealth init` for the bundled snapshot, or `benchhealth nightly` to pull the sources.",
        )
        return
    st.header(markdown(finding(rows, view.table("verdict")["as_of"].max())), anchor="sources")  # type: ignore[arg-type]
    st.markdown(f":small[:gray[{_sums(rows)}]]")
    rows = rows.sort("known_until", "source_id", descending=[True, False], nulls_last=True)
    with st.container(key="wide_sources"):
        _table(view, rows)
    with st.container(key="narrow_sources"):
        _narrow(rows)
    st.markdown(
        "**Known until** is where an upstream last answered, or the newest version inside a copy or a paper. "
        f"[Old news is not the same as no look]({links.address('methods')}#stale)."
    )


def _table(view: View, rows: pl.DataFrame) -> None:
    config = st.column_config
    tables.show(
        view,
        rows.select(
            "title",
            "known_until",
            "last_observed_at",
            "licence",
            "redistributable",
            "rows_kept",
            "rows_rejected",
            "snapshots",
            "cadence",
            pl.col("status").replace("never", NEVER),
            "homepage",
        ),
        data_tables.SOURCES,
        {},
        key="sources",
        alt="Sources with licence, until when each is known, snapshots and rows kept and rejected",
        config={
            "title": config.TextColumn("Source", pinned=True, width=284),
            "known_until": config.DateColumn("Known until", format="YYYY-MM-DD", width=92),
            "last_observed_at": config.DatetimeColumn(
                "Newest", format="YYYY-MM-DD", width=90, help="The newest statement"
            ),
            "licence": config.TextColumn("Licence", width=102),
            "redistributable": config.CheckboxColumn("Open", width=56, help="May be passed on"),
            "rows_kept": config.NumberColumn("Rows kept", format="localized", width=78),
            "rows_rejected": config.NumberColumn("Rejected", format="localized", width=76),
            "snapshots": config.NumberColumn("Versions", format="localized", width=68),
            "cadence": config.TextColumn("Expected", width=128),
            "status": config.TextColumn("State", width=84),
            "homepage": config.LinkColumn("Homepage", display_text="open", width=70),
        },
        visible_rows=16,
    )


def _narrow(rows: pl.DataFrame) -> None:
    """The sources for a phone, two lines each; those known least lately open on demand."""
    st.markdown(_listed(rows.head(NARROW)))
    st.markdown(f":small[[All as CSV]({data_tables.SOURCES.address({})})]")
    if rows.height <= NARROW:
        return
    box = st.expander(f"{rows.height - NARROW} more", key="more_sources", on_change="rerun")
    if box.open:
        with box:
            st.markdown(_listed(rows[NARROW:]))


def _listed(rows: pl.DataFrame) -> str:
    """Name, until when it is known, licence and how many of its rows were kept."""
    return "\n\n".join(
        f"{_linked(title or source_id, homepage)}  \n:small[:gray[{_until(until)} · {count(kept, 'row')} · "
        f"{markdown(licence or 'licence not known')}{'' if free else ', not passed on'}]]"
        for source_id, title, homepage, until, kept, licence, free in rows.select(
            "source_id", "title", "homepage", "known_until", "rows_kept", "licence", "redistributable"
        ).iter_rows()
    )


def _linked(title: str, homepage: str | None) -> str:
    return (
        f"[{markdown(title)}](<{homepage}>)"
        if (homepage or "").startswith(("https://", "http://"))
        else markdown(title)
    )


def _until(day: date | None) -> str:
    return NEVER if day is None else f"known until {day_of(day)}"


def _sums(rows: pl.DataFrame) -> str:
    read, kept, refused = (int(rows[name].sum()) for name in ("rows_in", "rows_kept", "rows_rejected"))
    bound = rows.filter(~pl.col("redistributable")).height
    closed = f" The files of {bound} of them may not be passed on." if bound else ""
    return (
        f"{count(int(rows['snapshots'].sum()), 'version')} of their files, {read:,} rows read: {kept:,} kept and "
        f"{refused:,} rejected, each with its reason.{closed}"
    )
