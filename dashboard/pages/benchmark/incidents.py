"""What happened to the benchmark: the latest incidents above the tabs, each with its source and the other side."""

from collections.abc import Sequence

import polars as pl
import streamlit as st

from benchhealth.analytics.record.happened.incidents import CONSTANT_ANSWER
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, recently
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.prose.incidents import HEADS, month_of_incident, other_side, what_happened
from benchhealth.dashboard.words.text import count, markdown

INCIDENTS_SHOWN = 4
"""How many incidents are shown before anything is opened."""

GRAVE = ("retired", CONSTANT_ANSWER)
FAULTY = 0.2
"""Audits that found at least this share of the checked items faulty are named at the top of the page."""
WARNED = 2
"""How many such audits are named at the top of the page."""

ELSEWHERE = ("contamination", "break")
"""Kinds that have a tab of their own: they come last."""


def incidents(view: View, params: Params) -> pl.DataFrame:
    """The incidents of a benchmark with its `unit`: newest first, the kinds that have a tab of their own last."""
    benchmark_id = known_benchmark(view, params)
    unit = view.table("benchmark").select("benchmark_id", "unit")
    return (
        view.table("incident")
        .filter(pl.col("benchmark_id") == benchmark_id)
        .join(unit, on="benchmark_id", how="left")
        .with_columns(has_tab=pl.col("kind").is_in(ELSEWHERE))
        .sort("has_tab", "on_date", "kind", descending=[False, True, False], nulls_last=True)
        .drop("has_tab")
    )


INCIDENTS = PublishedTable("incidents", incidents)


def warnings(view: View, facts: Facts) -> None:
    """Draw what a reader of any score must know, at the top: see `is_grave`."""
    grave = [row for row in _rows(view, facts["benchmark_id"]) if is_grave(row)]
    for row in sorted(grave, key=lambda row: row["kind"] != "audit")[:WARNED]:
        st.markdown(line(row))


def is_grave(row: Row) -> bool:
    """Whether it affects every score: many faulty items, an empty answer that scores, a retirement."""
    return row["kind"] in GRAVE or (row["home"] == "label_error" and row["share"] >= FAULTY)


def section(view: View, facts: Facts) -> None:
    """Draw the incidents; nothing where none is on record."""
    rows = _rows(view, facts["benchmark_id"])
    if not rows:
        return
    st.header("What happened to it", anchor="incidents")
    for row in rows[:INCIDENTS_SHOWN]:
        st.markdown(line(row))
    if older := rows[INCIDENTS_SHOWN:]:
        with st.expander(count(len(older), "more incident")):
            for row in older:
                st.markdown(line(row))
    st.markdown(f":small[{links.csv('All as CSV', INCIDENTS.address({'benchmark': facts['benchmark_id']}))}]")


def line(row: Row) -> str:
    """One incident as a line of markdown, with its source and the other side of a dispute."""
    place_text = f" ({markdown(row['place'])})" if row["place"] else ""
    reply = other_side(row)
    dispute = f" {markdown(reply)} ([source](<{row['dispute_url']}>))." if reply else ""
    return (
        f"**{markdown(HEADS[row['kind']])}**, {month_of_incident(row)}: {markdown(what_happened(row))}. "
        f":small[[Source](<{row['source_url']}>){place_text}.{dispute}]"
    )


@recently
def _rows(view: View, benchmark_id: str) -> Sequence[Row]:
    return incidents(view, {"benchmark": benchmark_id}).to_dicts()
