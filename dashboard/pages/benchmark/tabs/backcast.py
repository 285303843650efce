"""The record that forecasts would have had: those of past months beside what came, and how often such held."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of, sources_of
from benchhealth.dashboard.pages.benchmark.figures import past_forecasts
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import last_known
from benchhealth.dashboard.published.results import frontier, known_benchmark, results
from benchhealth.dashboard.published.tables import PublishedTable
from benchhealth.dashboard.widgets import block, links, provenance
from benchhealth.dashboard.words.prose.judged.known_then import held_said, shown_said
from benchhealth.dashboard.words.text import capital, markdown

MONTHS_AHEAD, EVERY = 6, 3
"""Of the backcast forecasts those half a year ahead are drawn, of every third month: fans of each would overlap."""


def backcast(view: View, params: Params) -> pl.DataFrame:
    """The backcast forecasts of a benchmark, and what came of them."""
    rows = view.table("forecast_backcast").filter(pl.col("benchmark_id") == known_benchmark(view, params))
    return rows.sort("issued_on", "horizon_months")


BACKCAST = PublishedTable("forecasts-backcast", backcast)


def _fans(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    drawn = pl.col("horizon_months").eq(MONTHS_AHEAD) & (pl.col("issued_on").dt.month() % EVERY == 0)
    facts = facts_of(view, known_benchmark(view, params))
    sources = sources_of(view, results(view, params))
    return past_forecasts.fans(facts, backcast(view, params).filter(drawn), frontier(view, params), sources, palette)


def _held(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    rows = view.table("forecast_held").filter(pl.col("shown").is_null(), pl.col("horizon_months") == MONTHS_AHEAD)
    return past_forecasts.held(rows, last_known(view), provenance.every_source(view), palette)


PAST_FORECASTS = ChartSpec("past-forecasts", _fans, ("benchmark",))
HELD = ChartSpec("forecast-held", _held)


def show(view: View, facts: Facts) -> None:
    """Draw what past forecasts of the benchmark said, and on request how often those of all benchmarks held."""
    rows = list(view.table("forecast_held").iter_rows(named=True))
    if not (held := held_said(rows)):
        return
    block.show(view, PAST_FORECASTS, {"benchmark": facts["benchmark_id"]}, level=3)
    st.markdown(
        f"**Backcast, on all benchmarks.** {markdown(capital(held))}. {markdown(shown_said(rows))} "
        f"[How]({links.address('methods', topic='forecast_held')}#forecast_held)"
    )
    details = st.expander("What was said against what came", key="details_held", on_change="rerun")
    if details.open:
        with details:
            block.show(view, HELD, {}, level=3)
