"""Declared leakage: whether scores are higher where makers say that they trained on the task."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from benchhealth.analytics.contamination.declared_leakage import POINTS
from benchhealth.analytics.record.tables import TABLES
from benchhealth.analytics.record.tables.declared import sentence, text
from benchhealth.dashboard.pages.trust.rung_tables import LEAKAGE
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import empty, links, tables
from benchhealth.dashboard.widgets.tables import Shown
from benchhealth.dashboard.words.known import known
from benchhealth.dashboard.words.text import count, markdown

_LEAKAGE = TABLES["declared_leakage"].by_name
COLUMNS = (
    Shown(text("title", "Where makers declare what they trained on.", label="source"), pinned=True, width=220),
    _LEAKAGE["share_declared"],
    Shown(sentence("reason", "Why there is no answer.", label="why there is no answer"), width=420),
)


def draw(view: View) -> None:
    """The section: a sentence for each source, and the table."""
    st.header("Does declared leakage show?", anchor="declared")
    rows = LEAKAGE.build(view, {})
    if rows.is_empty():
        empty.nothing(
            "No source here lets makers declare what their models were trained on.",
            "GIFT-Eval, fev-bench and MTEB do; pull them to see it.",
        )
        return
    st.markdown("\n".join(f"- {source_sentence(row)}" for row in rows.iter_rows(named=True)))
    tables.show(
        view,
        rows.drop("source_id"),
        LEAKAGE,
        {},
        key="leakage",
        alt="For each source how much more is scored where training on the task is declared, with its interval",
        columns=COLUMNS,
        of=("declared_leakage",),
    )
    st.markdown(
        "Makers choose what they train on: a higher score can come from a model built for such tasks as well as from "
        f"having seen them. [How it is computed]({links.address('methods')}#declared_leakage)"
    )


def source_sentence(row: Mapping[str, Any]) -> str:
    """One source: how much, with its interval, how many and until when, or why that cannot be told."""
    where = f"**{markdown(row['title'])}** ({row['n_declared']:,} of {count(row['n'], 'score')} declared, "
    where += f"{count(row['n_tasks'], 'task')}, {row['n_mixed']} of {count(row['n_models'], 'model')} with both kinds)"
    if row["value"] is None:
        return f"{where}: no answer; {markdown(row['reason'] or '')}."
    unit = "points" if row["unit"] == POINTS else "percent"
    what = "scores are higher" if row["unit"] == POINTS else "losses are smaller"
    if row["low"] <= 0 <= row["high"]:
        finding = f"declaring does not show: the difference is {row['value']:.1f} {unit}"
    elif row["value"] > 0:
        finding = f"where training on the task is declared, {what} by {row['value']:.1f} {unit}"
    else:
        finding = f"where training on the task is declared, it is the other way round, by {-row['value']:.1f} {unit}"
    return f"{where}: {finding} (95% interval {row['low']:.1f} to {row['high']:.1f}){known(row['known_until'])}."
