"""Lists of changes of one kind, each behind a heading that tiles lead to."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.widgets import changed, tables
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.happened.changes import subject, what_changed

LINES = 7
"""How many lines of a kind are shown before anything is opened."""


def tile(anchor: str, number: str, text: str, colour: str, *, leads: bool) -> Tile:
    """A count and what is counted; `leads` to the section of that anchor where there is one."""
    return Tile(anchor, "", f":{colour}[{number}]" if colour else number, f"[{text}](#{anchor})" if leads else text)


def section(title: str, anchor: str, rows: pl.DataFrame, note: str = "", lines: int = LINES) -> None:
    """The lines of one kind; what is more than `lines` is in a table that opens. The note is markdown."""
    if rows.is_empty() and not note:
        return
    with st.container(key=f"group_{anchor}", border=True, gap="small"):
        st.header(title, anchor=anchor)
        if rows.height:
            st.markdown("\n\n".join(changed.line(row) for row in rows.head(lines).iter_rows(named=True)))
        if note:
            st.markdown(f":small[:gray[{note}]]")
        more(anchor, rows[lines:], f"{rows.height - lines:,} more")


def more(anchor: str, rows: pl.DataFrame, label: str) -> None:
    """Draw further changes as a table in a box that the reader opens."""
    if rows.is_empty():
        return
    box = st.expander(label, key=f"more_{anchor}", on_change="rerun")
    if not box.open:
        return
    days = "on_day" in rows.columns
    with box:
        lines = [
            (subject(row), what_changed(row), row["on_day"] if days else None) for row in rows.iter_rows(named=True)
        ]
        tables.grid(
            pl.DataFrame(lines, schema={"of": pl.String, "what changed": pl.String, "day": pl.Date}, orient="row"),
            key=f"rest_{anchor}",
            alt="The other changes of this kind",
        )
