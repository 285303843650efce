"""Editions that are kept: month, size, hash, and how to cite them."""

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import count, link, number, text
from benchhealth.dashboard.published.files import editions
from benchhealth.dashboard.widgets import tables
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn
from benchhealth.dashboard.words.terms import editions as words
from benchhealth.dashboard.words.terms.citing import of_edition
from benchhealth.warehouse.keeping.editions import EditionError

COLUMNS = (
    GridColumn(link("edition", "All files of the edition."), link_text=TEXT_AFTER_HASH, width=90),
    GridColumn(count("files", "Files in it."), width=70),
    GridColumn(number("MB", "Megabytes of all its files."), format="%.1f", width=70),
    GridColumn(text("cite as", "A reference to it, with the DOI where it was deposited."), width=720),
    GridColumn(text("hash", words.HASH), width=480),
)
VISIBLE = 4
"""Editions that are seen without scrolling."""


def show(root: str) -> None:
    """The editions, the newest first; `root` is the address of this dashboard without a slash at its end."""
    st.header("Editions, kept for ever", anchor="editions")
    try:
        kept_editions = editions.kept_editions()
    except EditionError:
        st.markdown("An edition here is damaged: `benchhealth doctor` says which.")
        return
    if not kept_editions:
        st.markdown(words.NO_EDITIONS)
        return
    st.markdown(f":small[:gray[{words.ABOUT_EDITIONS}]]")
    rows = [
        (
            f"{root}/edition/{edition.month}/#{edition.month}",
            len(edition.files),
            edition.size / 10**6,
            of_edition(edition.month, f"{root}/edition/{edition.month}/", edition.doi),
            edition.sha256,
        )
        for edition in kept_editions
    ]
    tables.grid(
        pl.DataFrame(rows, schema=["edition", "files", "MB", "cite as", "hash"], orient="row"),
        key="editions",
        alt="The editions that are kept, with size, citation and hash",
        columns=COLUMNS,
        visible_rows=VISIBLE,
    )
