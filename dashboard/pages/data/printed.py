"""The section of the Data page about chance and human rows that boards print among their models."""

import streamlit as st

from benchhealth.dashboard.pages.data import tables as data_tables
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import empty, tables
from benchhealth.dashboard.words.text import count


def show(view: View) -> None:
    """The candidates for chance levels and human lines that no curator and no source states."""
    st.header("Printed baselines", anchor="baselines")
    rows = data_tables.baselines(view, {})
    if rows.is_empty():
        empty.nothing("No board prints a baseline that is not known already.", "Random and human rows are listed here.")
        return
    st.markdown(
        f"{count(rows.height, 'row')} of boards give a chance level or a human score where no fact is on record. "
        f"{rows['taken'].sum()} stand in until a curator writes the fact with its source; the rest is listed only."
    )
    tables.show(
        view,
        rows.select("benchmark_id", "attribute", "value", "taken", "published_name", "source_id", "source_row"),
        data_tables.BASELINES,
        {},
        key="baselines",
        alt="Chance and human scores that boards print, with the row that prints each and whether it stands in",
    )
