"""Who measured models on the benchmark other than their makers: a row a party, a mark a year."""

from collections.abc import Mapping

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.analytics.measurers.parties import NOT_NAMED
from benchhealth.analytics.statistics.summaries.ends import extent
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.language import LABEL, laid_out, named_rows, on_hover
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of
from benchhealth.dashboard.published.benchmarks import sources_known_until
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.published.results import known_benchmark, of_benchmark
from benchhealth.dashboard.widgets import block, provenance
from benchhealth.dashboard.words.measurers import houses as words
from benchhealth.dashboard.words.measurers.houses import house_name
from benchhealth.dashboard.words.text import count, plotly, words_within

ROW, TOP = 26, 76


parties = of_benchmark("measuring_party")
"""The rows of `measuring_party` of a benchmark."""


def _measurers(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id, rows, titles = known_benchmark(view, params), parties(view, params), provenance.titles(view)
    name, known_until = facts_of(view, benchmark_id)["name"], sources_known_until(view, benchmark_id)
    if rows.is_empty():
        return Nothing(words.NOTHING, words.WHAT_IT_TAKES)
    dated = rows.drop_nulls("year")
    if dated.is_empty():
        return Nothing(words.title(rows, name), words.subtitle(rows, known_until))
    houses = _houses(dated)
    figure = go.Figure()
    row_of = {house: len(houses) - index for index, house in enumerate(houses)}
    for named in (True, False):
        trace_rows = dated.filter((pl.col("house") != NOT_NAMED) == named)
        figure.add_scatter(
            x=numbers(trace_rows["year"]),
            y=[row_of[house] for house in trace_rows["house"]],
            mode="markers+text",
            text=[f"{models:,}" for models in trace_rows["models"]],
            textposition="middle right",
            textfont={"size": LABEL, "color": palette.ink},
            marker={
                "size": 9,
                "color": palette.accent if named else palette.paper,
                "line": {"width": 1.4, "color": palette.accent if named else palette.ink3},
            },
            **on_hover(
                f"<b>{plotly(house_name(house, titles))}</b>, {year}<br>{count(models, 'model')}, "
                f"{count(results, 'result')}"
                for house, year, models, results in trace_rows.select("house", "year", "models", "results").iter_rows()
            ),
        )
    _axes(figure, dated, {house_name(house, titles): index for house, index in row_of.items()}, palette)
    return Chart(
        title=words.title(rows, name),
        subtitle=words.subtitle(rows, known_until),
        figure=figure,
        rows=rows,
        alt=words.alt(rows),
        known_until=known_until,
    )


def _houses(dated: pl.DataFrame) -> list[str]:
    """The houses in the order of rows: those that measured last come first, and those without a name last."""
    by_house = dated.group_by("house").agg(pl.col("year").max(), pl.col("models").sum())
    order = by_house.sort(
        pl.col("house") == NOT_NAMED, "year", "models", "house", descending=[False, True, True, False]
    )
    return order["house"].to_list()


def _axes(figure: go.Figure, dated: pl.DataFrame, row_of: Mapping[str, int], palette: Palette) -> None:
    laid_out(figure, palette, ROW * len(row_of) + TOP)
    first, last = extent(dated["year"])
    figure.update_xaxes(
        tick0=first, dtick=1 if last - first < 8 else 2, tickformat="d", range=[first - 0.4, last + 0.6]
    )
    names = [plotly(words_within(name, 26)) for name in row_of]
    named_rows(figure, names, row_of.values(), (0.4, len(row_of) + 0.6), palette)


MEASURERS = ChartSpec(
    "measurers", _measurers, ("benchmark",), method="measuring_parties", sources=provenance.of_parameter("benchmark")
)


def show(view: View, facts: Facts) -> None:
    """Draw the chart, and the same as a table."""
    params = {"benchmark": facts["benchmark_id"]}
    if block.show(view, MEASURERS, params) is not None:
        st.markdown(words.table(parties(view, params), provenance.titles(view)))
