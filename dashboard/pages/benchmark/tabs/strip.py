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

TABS: Mapping[str, tuple[Callable[[View, Facts], None], ...]] = {
    "Life": (life.show,),
    "Top models": (top_models.show,),
    "Churn": (churn.show,),
    "Twins": (twins.show,),
    items.TAB: (items.show,),
    "Contamination": (contamination.show,),
    "Who reports": (reporters.show, measurers.show),
    "All indicators": (indicators.show,),
    "Outlook": (outlook.section,),
    "Sources": (sources.show,),
}
"""What each tab draws, one below the other."""


def show(view: View, facts: Facts) -> None:
    """Draw the strip and the open tab; that of items where it is asked for or anything is known item by item."""
    with_items = st.query_params.get("tab") == items.TAB or items.is_known(view, facts["benchmark_id"])
    drawn = {name: parts for name, parts in TABS.items() if name != items.TAB or with_items}
    tabs = st.tabs(list(drawn), key="tab", on_change="rerun", bind="query-params")
    for parts, tab in zip(drawn.values(), tabs, strict=True):
        if tab.open:
            with tab:
                for draw in parts:
                    draw(view, facts)
