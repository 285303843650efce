"""Benchmark: everything known about one benchmark, each number with its source."""

import streamlit as st

from dashboard import generation
from dashboard.components import filters
from dashboard.page import PageSpec


def render() -> None:
    """Draw the page."""
    view = generation.current()
    ids = view.table("benchmark")["benchmark_id"].sort().to_list()
    chosen = filters.one("benchmark", "Benchmark", ids)
    st.title(chosen)


PAGE = PageSpec(url_path="benchmark", title="Benchmark", icon=":material/show_chart:", render=render)
