"""Proxies and their targets: how they correlate at the frontier, and since when they diverge."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.analytics.goodhart.pressure import GAPS
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.language import LABEL, OPENS_BENCHMARK, laid_out, on_hover, reference
from benchhealth.dashboard.figures.lettering.axes import log_ticks
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field import goodhart_tables, proxy_tables
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.field import goodhart
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.widgets import block, empty, filters, links, provenance
from benchhealth.dashboard.widgets.provenance import of_column
from benchhealth.dashboard.words.goodhart import proxies
from benchhealth.dashboard.words.numbers import signed
from benchhealth.dashboard.words.text import plotly, short, words_within

NAMED_POINTS = 5
"""Points with a name beside them: more names would overlap on a narrow screen. All names show at the pointer."""


def pressure_figure(
    rows: pl.DataFrame, hovers: Sequence[str], palette: Palette, *, x_title: str, logarithmic: bool
) -> go.Figure:
    """A point for each row, those of the widest gaps with their names, and a line at no gap.

    `rows` has `name`, `subject` (the benchmark's id), `pressure` (on the axis that `x_title` names) and `gap` in
    points; `hovers` are the texts at the pointer, in the order of the rows.
    """
    widest_gaps = set(rows.sort(pl.col("gap").abs(), descending=True).head(NAMED_POINTS)["name"])
    figure = go.Figure(
        go.Scatter(
            x=numbers(rows["pressure"]),
            y=numbers(rows["gap"]),
            mode="markers+text",
            text=[plotly(words_within(short(name), 22)) if name in widest_gaps else "" for name in rows["name"]],
            textposition="top center",
            textfont={"size": LABEL, "color": palette.ink2},
            cliponaxis=False,
            marker={"color": palette.accent, "size": 9},
            **on_hover(hovers, OPENS_BENCHMARK, rows["subject"]),
        )
    )
    laid_out(figure, palette, 380)
    ticks = log_ticks(rows.select("pressure")) if logarithmic else {"nticks": 6}
    figure.update_xaxes(title={"text": x_title, "standoff": 4, "font": {"size": LABEL}}, showgrid=True, **ticks)
    figure.update_yaxes(ticksuffix=" pts")
    figure.update_layout(margin={"r": 56})
    reference(figure, 0.0, "no gap", palette)
    return figure


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
    drawn_note = "every pair" if drawn.height == rows.height else f"the {drawn.height} pairs of most models"
    lower = rows.filter(pl.col("at_top") < pl.col("over_all")).height
    return Chart(
        title=f"At the frontier {lower} of {rows.height} pairs agree less than over all models",
        subtitle=(
            f"{proxies.frontier(rows, until)}. {drawn_note.capitalize()}, with 95% intervals. Open circle: over all "
            "models; diamond: among the best quarter; square: that one corrected for range restriction."
        ),
        figure=forest(
            drawn, (OVER_ALL, AT_TOP, CORRECTED), hovers, palette,
            axis="Correlation of proxy and target", span=(max(-1.0, lowest - 0.15), 1.03),
        ),
        rows=drawn,
        alt=proxies.frontier_alt(rows, drawn),
        known_until=until,
    )  # fmt: skip


def _sources(view: View, _params: Params, chart: Chart) -> list[SourceLine]:
    chosen = proxy_tables.proxy_pairs(view).filter(pl.col("pair_id").is_in(chart.rows["pair_id"].to_list()))
    only = [name for name in (*chosen["source_id"], *chosen["other_source_id"]) if name]
    return provenance.of_benchmarks(view, [*chosen["original_id"], *chosen["other_id"]], only)


PRESSED = {
    "twins": "models a month with a result on it",
    "equal preparation": "models a month with a result on it",
    "self-reports": "organisations that report it",
}


def _pressure(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    kind = params.get("gap") or next(iter(GAPS))
    rows = goodhart_tables.gaps(view, {"gap": kind})
    if rows.is_empty():
        return Nothing("No benchmark has both.", "It takes ten models over three months, and a gap of this kind.")
    unit = PRESSED[kind]
    hovers = [
        f"<b>{plotly(row['name'])}</b><br>{row['pressure']:,.1f} {unit}<br>gap {signed(row['gap'])} points"
        for row in rows.iter_rows(named=True)
    ]
    is_logarithmic = kind != "self-reports"
    until = last_known(view)
    relation = goodhart.row(view, "pressure_gap", kind)
    axis = unit.split(" with")[0] + (", logarithmic" if is_logarithmic else "")
    return Chart(
        title=proxies.pressure_title(relation),
        subtitle=f"{proxies.pressure(relation, rows, kind, until)}. A point is a benchmark: {unit} across, "
        f"its gap up ({proxies.gap_of(kind)}).",
        figure=pressure_figure(rows, hovers, palette, x_title=axis, logarithmic=is_logarithmic),
        rows=rows,
        alt=f"A point for each benchmark: {unit} across, the gap in points up. Above zero the proxy is higher.",
        known_until=until,
    )


FRONTIER = ChartSpec("proxy-frontier", _frontier, ("kind",), method="proxy", sources=_sources)
PRESSURE = ChartSpec("pressure", _pressure, ("gap",), method="pressure", sources=of_column("subject"))
CHARTS = (FRONTIER, PRESSURE)


def show(view: View) -> None:
    """Draw the section about proxies and targets: correlations, and dates of divergence."""
    st.markdown(
        "The *proxy* is the original of a twin, its *target* the second measurement. Among the best, scores are alike, "
        "so any correlation falls; the correction takes that off, and what stays missing is something else."
    )
    if kinds := proxy_tables.kinds(view):
        params = {"kind": filters.pick_one("kind", "Kind of pair", kinds)}
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
