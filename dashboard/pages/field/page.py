"""Field: findings over all benchmarks together, a chart each, and the charts and tables behind them by choice."""

from collections.abc import Sequence

import streamlit as st

from benchhealth.dashboard.figures import moved
from benchhealth.dashboard.figures.chart import ChartSpec
from benchhealth.dashboard.pages.field import (
    blind_spots,
    ceilings,
    charts,
    findings,
    goodhart_tables,
    life_tables,
    more,
    proxy,
    proxy_tables,
    renewal,
    stock,
)
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import ids
from benchhealth.dashboard.widgets import block, filters, links
from benchhealth.dashboard.widgets.folded import collapsible
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.text import markdown

CHART = "chart"
FIRST = "findings"
ON_A_PHONE = 4
"""Findings that a phone shows at once; it has the others behind a line."""

PARTS = {
    FIRST: "Six findings",
    "aging": "Aging, all charts",
    "goodhart": "Goodhart, all charts",
    "measured": "Who measures",
}
OF_PART = {"aging": more.AGING, "goodhart": more.GOODHART, "measured": more.MEASURED}


def draw(view: View) -> None:
    """Draw the page."""
    st.title(markdown(findings.title(view)), anchor=False)
    st.markdown(f"{markdown(findings.subtitle(view))} [Published claims, re-computed]({links.address('reproduction')})")
    part = _draw_part()
    if part == FIRST:
        first, folded = findings.FINDINGS[:ON_A_PHONE], findings.FINDINGS[ON_A_PHONE:]
        _draw_in_pairs(view, first)
        with collapsible("findings", f"{len(folded)} more findings", folded[0].name):
            _draw_in_pairs(view, folded)
        if stories := links.stories(ids(view)):
            st.markdown(stories)
        return
    options = OF_PART[part]
    titles = {name: section.title for name, section in options.items()}
    section = options[filters.pill(CHART, "Chart", titles) or next(iter(options))]
    st.header(section.title, anchor=False)
    section.show(view)


def _draw_in_pairs(view: View, specs: Sequence[ChartSpec]) -> None:
    for left, right in zip(specs[::2], specs[1::2], strict=True):
        with st.container(key=f"two_columns_{left.name}"):
            for column, spec in zip(st.columns(2, gap="medium"), (left, right), strict=True):
                with column:
                    block.show(view, spec, {})


def _draw_part() -> str:
    """The part of the page with the chart that the address names; choosing another part opens its first chart."""
    named = st.query_params.get(CHART, "")
    section = more.SECTIONS.get(moved.CHARTS.get(named, (named,))[0], named)
    if section != named:
        st.query_params[CHART] = section
    part = next((name for name, options in OF_PART.items() if section in options), FIRST)

    def write_address() -> None:
        picked = st.session_state["part"]
        if picked in OF_PART:
            st.query_params[CHART] = next(iter(OF_PART[picked]))
        else:
            st.query_params.pop(CHART, None)

    st.session_state["part"] = part
    st.segmented_control(
        "Part",
        list(PARTS),
        key="part",
        format_func=lambda name: PARTS[name],
        on_change=write_address,
        label_visibility="collapsed",
    )
    return part


PAGE = PageSpec(
    url_path="field",
    title="Field",
    draw=draw,
    tables=(
        life_tables.CURVES,
        life_tables.HAZARDS,
        life_tables.LIVES,
        life_tables.ITEM_AGES,
        ceilings.CEILINGS,
        findings.CHECKS,
        renewal.SIDE_BY_SIDE,
        stock.SUCCESSIONS,
        *proxy_tables.TABLES,
        *goodhart_tables.TABLES,
    ),
    charts=(
        *findings.CHARTS,
        *charts.CHARTS,
        findings.CLAIMS,
        renewal.STATIC_DYNAMIC,
        *proxy.CHARTS,
        *stock.CHARTS,
        blind_spots.BLIND_SPOTS,
    ),
)
