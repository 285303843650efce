"""A twin looked at closer, below its charts: by group of models, over time, and by effective robustness."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from analytics.twins.groups import GROUPINGS
from dashboard.pages.twins.figures import breakdown as twin_more
from dashboard.published import twin_pairs as pairs
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
    known = [by for by in GROUPINGS if not pairs.groups(view, {**twin, "by": by}).is_empty()]
    if not known:
        st.markdown("Neither makers, weights nor families of these models are known, so they are not grouped.")
        return
    by = filters.one("by", "Grouped by", known)
    params = {**twin, "by": by}
    rows = pairs.groups(view, params)
    chart.show(
        view,
        chart.Chart(
            key="groups",
            finding=twin_more.group_finding(row, rows, by),
            alt=twin_more.group_alt(row, rows, by),
            figure=twin_more.group_figure(row, rows),
            table=pairs.GROUPS,
            params=params,
            method="twin_groups",
            sources=sources,
        ),
    )


def _ages(view: View, row: Twin, sources: Sequence[chart.SourceLine]) -> None:
    twin = {"twin": row["twin_id"]}
    known = [clock for clock in pairs.CLOCKS if not pairs.ages(view, {**twin, "clock": clock}).is_empty()]
    if not known:
        st.markdown("The models of this twin are of one date or of none that is known, so no gap over time is drawn.")
        return
    clock = filters.one("clock", "Over time, by", known)
    params = {**twin, "clock": clock}
    rows = pairs.ages(view, params)
    chart.show(
        view,
        chart.Chart(
            key="ages",
            finding=twin_more.age_finding(row),
            alt=twin_more.age_alt(row, rows, clock),
            figure=twin_more.age_figure(row, rows, clock),
            table=pairs.AGES,
            params=params,
            method="twin_ages",
            sources=sources,
        ),
    )


def _robustness(view: View, row: Twin, sources: Sequence[chart.SourceLine]) -> None:
    params = {"twin": row["twin_id"]}
    rows = pairs.robustness(view, params)
    if rows.is_empty():
        return
    chart.show(
        view,
        chart.Chart(
            key="robustness",
            finding=twin_more.robustness_finding(row, rows),
            alt=twin_more.robustness_alt(rows),
            figure=twin_more.robustness_figure(rows),
            table=pairs.ROBUSTNESS,
            params=params,
            method="robustness",
            sources=sources,
            column_config={"model": st.column_config.TextColumn("model", width=220)},
        ),
    )
