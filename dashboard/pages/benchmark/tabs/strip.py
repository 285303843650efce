"""The strip of tabs: only the open one computes."""

from collections.abc import Callable, Mapping

import streamlit as st

from benchhealth.dashboard.pages.benchmark import outlook
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.pages.benchmark.tabs import (
    churn,
    contamination,
    indicators,
    items,
    life,
    measurers,
    reporters,
    sources,
    top_models,
    twins,
)
from benchhealth.dashboard.published.generation import View


def show(view: View, facts: Facts, verdict: Facts) -> None:
    """Draw the strip and the open tab."""
    asked = st.query_params.get("tab") == items.TAB or items.is_known(view, facts["benchmark_id"])
    with_items = {items.TAB: lambda: items.show(view, facts)} if asked else {}
    drawn: Mapping[str, Callable[[], None]] = {
        "Life": lambda: life.show(view, facts),
        "Top models": lambda: top_models.show(view, facts),
        "Churn": lambda: churn.show(view, facts),
        "Twins": lambda: twins.show(view, facts),
        **with_items,
        "Contamination": lambda: contamination.show(view, facts),
        "Who reports": lambda: _who(view, facts),
        "All indicators": lambda: indicators.show(view, facts, verdict),
        "Outlook": lambda: outlook.section(view, facts),
        "Sources": lambda: sources.show(view, facts),
    }
    tabs = st.tabs(list(drawn), key="tab", on_change="rerun", bind="query-params")
    for draw, tab in zip(drawn.values(), tabs, strict=True):
        if tab.open:
            with tab:
                draw()


def _who(view: View, facts: Facts) -> None:
    """Who shows the benchmark, then who measured models on it that are not its own."""
    reporters.show(view, facts)
    measurers.show(view, facts)
