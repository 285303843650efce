"""The gap of one twin broken down, below its charts: by group of models, over time, and by effective robustness."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from analytics.twins.groups import GROUPINGS
from dashboard.pages.twins.figures import breakdown as figures
from dashboard.published import twin_pairs
from dashboard.published.generation import View
from dashboard.widgets import chart, filters

Twin = Mapping[str, Any]


def show(view: View, row: Twin, sources: Sequence[chart.SourceLine]) -> None:
    """The parts of which there is something to show; what cannot be said is said in a sentence."""
    _groups(view, row, sources)
    _ages(view, row, sources)
    _robustness(view, row, sources)


def _groups(view: View, row: Twin, sources: Sequence[chart.SourceLine]) -> None:
    twin = {"twin": row["twin_id"]}
    groupings = [by for by in GROUPINGS if not twin_pairs.groups(view, {**twin, "by": by}).is_empty()]
    if not groupings:
        st.markdown("Neither makers, weights nor families of these models are known, so they are not grouped.")
        return
    by = filters.one("by", "Grouped by", groupings)
    params = {**twin, "by": by}
    rows = twin_pairs.groups(view, params)
    chart.show(
        view,
        chart.Chart(
            key="groups",
            finding=figures.group_finding(row, rows, by),
            alt=figures.group_alt(row, rows, by),
            figure=figures.group_figure(row, rows),
            table=twin_pairs.GROUPS,
            params=params,
            method="twin_groups",
            sources=sources,
        ),
    )


def _ages(view: View, row: Twin, sources: Sequence[chart.SourceLine]) -> None:
    twin = {"twin": row["twin_id"]}
    clocks = [clock for clock in twin_pairs.CLOCKS if not twin_pairs.ages(view, {**twin, "clock": clock}).is_empty()]
    if not clocks:
        st.markdown("The models of this twin are of one date or of none that is known, so no gap over time is drawn.")
        return
    clock = filters.one("clock", "Over time, by", clocks)
    params = {**twin, "clock": clock}
    rows = twin_pairs.ages(view, params)
    chart.show(
        view,
        chart.Chart(
            key="ages",
            finding=figures.age_finding(row),
            alt=figures.age_alt(row, rows, clock),
            figure=figures.age_figure(row, rows, clock),
            table=twin_pairs.AGES,
            params=params,
            method="twin_ages",
            sources=sources,
        ),
    )


def _robustness(view: View, row: Twin, sources: Sequence[chart.SourceLine]) -> None:
    params = {"twin": row["twin_id"]}
    rows = twin_pairs.robustness(view, params)
    if rows.is_empty():
        return
    chart.show(
        view,
        chart.Chart(
            key="robustness",
            finding=figures.robustness_finding(row, rows),
            alt=figures.robustness_alt(rows),
            figure=figures.robustness_figure(rows),
            table=twin_pairs.ROBUSTNESS,
            params=params,
            method="robustness",
            sources=sources,
            column_config={"model": st.column_config.TextColumn("model", width=220)},
        ),
    )
