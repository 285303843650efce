"""Proxies and their targets: how they go together at the frontier, and since when they part."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field import proxy_tables
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import last_known
from benchhealth.dashboard.widgets import block, empty, filters, links, provenance
from benchhealth.dashboard.words.goodhart import proxies
from benchhealth.dashboard.words.text import plotly

DRAWN_PAIRS = 16
OVER_ALL = Mark("over all models", "over_all", "over_all_low", "over_all_high", "circle-open", "ink3")
AT_TOP = Mark("among the best quarter", "at_top", "at_top_low", "at_top_high", "diamond", "compressing")
CORRECTED = Mark("corrected", "corrected", "corrected_low", "corrected_high", "square")


def _frontier(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows, until = proxy_tables.frontiers(view, params), last_known(view)
    if rows.is_empty():
        return Nothing(
            "No correlation at the frontier is known.", "It takes forty models on both sides of a twin, with dates."
        )
    drawn = rows.head(DRAWN_PAIRS)
    hovers = [
        f"<b>{plotly(row['name'])}</b>, {row['year']}<br>over {row['n_models']:,} models {row['over_all']:.2f}, "
        f"best {row['n_top']} {row['at_top']:.2f}, corrected {row['corrected']:.2f}"
        for row in drawn.iter_rows(named=True)
    ]
    lowest = float(drawn.select(pl.min_horizontal("over_all", "at_top", "corrected").min()).item())
    which = "every pair" if drawn.height == rows.height else f"the {drawn.height} pairs of most models"
    lower = rows.filter(pl.col("at_top") < pl.col("over_all")).height
    return Chart(
        title=f"At the frontier {lower} of {rows.height} pairs agree less than over all models",
        subtitle=(
            f"{proxies.frontier(rows, until)}. {which.capitalize()}, with 95% intervals. Open circle: over all models; "
            "diamond: among the best quarter; square: that one corrected for range restriction."
        ),
        figure=forest(
            drawn, (OVER_ALL, AT_TOP, CORRECTED), hovers, palette,
            axis="Correlation of proxy and target", span=(max(-1.0, lowest - 0.15), 1.03),
        ),
        rows=drawn,
        alt=proxies.frontier_alt(rows, drawn),
        sources=_sources(view, drawn["pair_id"].to_list()),
        known_until=until,
    )  # fmt: skip


def _sources(view: View, pair_ids: list[str]) -> list[SourceLine]:
    chosen = proxy_tables.pairs(view).filter(pl.col("pair_id").is_in(pair_ids))
    only = [name for name in (*chosen["source_id"], *chosen["other_source_id"]) if name]
    return provenance.of_benchmarks(view, _sides(view, pair_ids), only)


def _sides(view: View, pair_ids: list[str]) -> list[str]:
    chosen = proxy_tables.pairs(view).filter(pl.col("pair_id").is_in(pair_ids))
    return [*chosen["original_id"], *chosen["other_id"]]


FRONTIER = ChartSpec("proxy-frontier", _frontier, ("kind",), method="proxy")
CHARTS = (FRONTIER,)


def show(view: View) -> None:
    """Draw the section about proxies and targets: correlations, and dates of divergence."""
    st.markdown(
        "The *proxy* is the original of a twin, its *target* the second measurement. Among the best, scores are alike, "
        "so any correlation falls; the correction takes that off, and what stays missing is something else."
    )
    if kinds := proxy_tables.kinds(view):
        params = {"kind": filters.one("kind", "Kind of pair", kinds)}
        block.show(view, FRONTIER, params)
        st.markdown(links.csv("Every pair as CSV", proxy_tables.FRONTIERS.address(params)))
    else:
        empty.nothing(
            "No correlation at the frontier is known.", "It takes forty models on both sides of a twin, with dates."
        )
    sentence = proxies.dates(proxy_tables.dates(view, {}), last_known(view))
    st.markdown(
        f"**Dates at which the two diverged.** {sentence} "
        f"{links.csv('All tests as CSV', proxy_tables.DATES.address({}))} · "
        f"[How it is tested]({links.address('methods')}#break_date) · "
        f"[One pair over time]({links.address('trust', more='closer')}#more)"
    )
