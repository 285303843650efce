"""Who measured models of the benchmark that are not its own, by year."""

import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of
from benchhealth.dashboard.pages.benchmark.figures import measurers
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import sources_known_until
from benchhealth.dashboard.published.results import known_benchmark, of_benchmark
from benchhealth.dashboard.widgets import block, provenance
from benchhealth.dashboard.words.measurers import parties as words

parties = of_benchmark("measuring_party")
"""The rows of `measuring_party` of a benchmark."""


def _measurers(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    facts = facts_of(view, benchmark_id)
    sources = provenance.of_benchmarks(view, [benchmark_id])
    rows, titles = parties(view, params), provenance.titles(view)
    return measurers.chart(rows, facts["name"], titles, sources_known_until(view, benchmark_id), sources, palette)


MEASURERS = ChartSpec("measurers", _measurers, ("benchmark",))


def show(view: View, facts: Facts) -> None:
    """Draw the chart, and the same as a table."""
    params = {"benchmark": facts["benchmark_id"]}
    if block.show(view, MEASURERS, params) is not None:
        st.markdown(words.table(parties(view, params), provenance.titles(view)))
