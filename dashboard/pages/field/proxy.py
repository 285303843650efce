"""Proxies and their targets: how they go together at the frontier, and over time."""

from datetime import date

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.over_years import over_years
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field import proxy_tables
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import known_until, last_known
from benchhealth.dashboard.widgets import block, empty, filters, links, provenance
from benchhealth.dashboard.words.goodhart import proxies
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import plotly, words_within

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


def _asked(view: View, params: Params) -> str:
    return params.get("pair") or next(iter(proxy_tables.choices(view)), "")


def _date_of(view: View, pair: str) -> dict[str, object] | None:
    of_pair = proxy_tables.dates(view, {}).filter(pl.col("pair_id") == pair)
    return of_pair.row(0, named=True) if of_pair.height else None


def _shortfall(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    if not (pair := _asked(view, params)):
        return Nothing("No pair can be followed over time.", "It takes models of several years on both sides.")
    rows, break_row = proxy_tables.shortfalls(view, {"pair": pair}), _date_of(view, pair)
    until, pairs = known_until(view, _sides(view, [pair])), proxy_tables.pairs(view)
    of_pair = pairs.filter(pl.col("pair_id") == pair)
    unit = "points" if of_pair["in_points"].all() else "rating points"
    figure = over_years([(Mark("target less expected"), rows)], palette, form="+.1f", zero="as expected")
    if break_row is not None and break_row["on_date"] is not None:
        _mark(figure, break_row, palette)
    title = "no date is found from which its target follows less"
    if break_row is not None and break_row["on_date"] is not None:
        title = f"the target follows less from {day_of(break_row['on_date'])}"  # type: ignore[arg-type]
    return Chart(
        title=f"{words_within(of_pair['name'][0], 34)}: {title}",
        subtitle=(
            f"{proxies.shortfall(break_row, unit, until)}. For the models of each year the target's score less what "
            f"the line through all years gives, {unit}, with 95% intervals; below zero the target lags."
        ),
        figure=figure,
        rows=rows,
        alt="For the models of each year the mean of the target's score less what the proxy's score lets expect.",
        sources=_sources(view, [pair]),
        known_until=until,
    )


def _mark(figure: go.Figure, break_row: dict[str, object], palette: Palette) -> None:
    """A line at the date of a break over the band of dates that fit; the ends are years with their fraction."""
    on = break_row["on_date"]
    assert isinstance(on, date)
    year = on.year + (on.timetuple().tm_yday - 1) / 365.25 - 0.5
    first, last = (float(str(break_row[name])) - 0.5 for name in ("earliest", "latest"))
    span = {"type": "rect", "x0": first, "x1": last, "y0": 0, "y1": 1, "yref": "paper", "layer": "below"}
    figure.add_shape(**span, fillcolor=palette.faint(palette.doubt, 0.15), line={"width": 0})
    line = {"color": palette.doubt, "dash": "dot", "width": 2}
    figure.add_shape(type="line", x0=year, x1=year, y0=0, y1=1, yref="paper", line=line)
    figure.add_annotation(x=year, y=1, yref="paper", yanchor="bottom", text=day_of(on), showarrow=False)
    figure.update_layout(margin={"t": 26})


def _correlation(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    if not (pair := _asked(view, params)):
        return Nothing("No pair can be followed over time.", "It takes models of several years on both sides.")
    rows, until = proxy_tables.pair_years(view, {"pair": pair}), known_until(view, _sides(view, [pair]))
    if rows.height < 2:
        return Nothing("The correlation of this pair is known for one year at most.", "It takes forty models by each.")
    name = proxy_tables.pairs(view).filter(pl.col("pair_id") == pair)["name"][0]
    lines = [
        (Mark(*mark[:4], mark.symbol.removesuffix("-open"), mark.role), rows.with_columns(n=n))
        for mark, n in ((OVER_ALL, pl.col("n_models")), (AT_TOP, pl.col("n_top")), (CORRECTED, pl.col("n_top")))
    ]
    return Chart(
        title=f"{words_within(name, 44)}: how proxy and target agree",
        subtitle=f"{proxies.pair_years(rows, until)}. Correlation by the end of each year, with 95% intervals.",
        figure=over_years(lines, palette, form=".2f"),
        rows=rows,
        alt="The correlation of proxy and target over all models, among the best quarter, and that one corrected.",
        sources=_sources(view, [pair]),
        known_until=until,
    )


def _sources(view: View, pair_ids: list[str]) -> list[SourceLine]:
    chosen = proxy_tables.pairs(view).filter(pl.col("pair_id").is_in(pair_ids))
    only = [name for name in (*chosen["source_id"], *chosen["other_source_id"]) if name]
    return provenance.of_benchmarks(view, _sides(view, pair_ids), only)


def _sides(view: View, pair_ids: list[str]) -> list[str]:
    chosen = proxy_tables.pairs(view).filter(pl.col("pair_id").is_in(pair_ids))
    return [*chosen["original_id"], *chosen["other_id"]]


FRONTIER = ChartSpec("proxy-frontier", _frontier, ("kind",), method="proxy")
SHORTFALL = ChartSpec("target-shortfall", _shortfall, ("pair",), method="decoupling")
CORRELATION = ChartSpec("proxy-correlation", _correlation, ("pair",), method="range_restriction")
CHARTS = (FRONTIER, SHORTFALL, CORRELATION)


def show(view: View) -> None:
    """Draw the section about proxies and targets: correlations, one pair over time, and dates of divergence."""
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
    if pairs := proxy_tables.choices(view):
        params = {"pair": filters.named("pair", "Over time", pairs)}
        block.show(view, SHORTFALL, params)
        break_row = _date_of(view, params["pair"])
        if break_row is not None and break_row["on_date"] is not None:
            st.markdown(
                "The step in the title is between models of the same proxy before and after that day. The points are "
                "taken from one line through all years, which itself follows a part of the step, so that they differ "
                "by less."
            )
        if proxy_tables.pair_years(view, params).height > 1:
            block.show(view, CORRELATION, params)
    sentence = proxies.dates(proxy_tables.dates(view, {}), last_known(view))
    st.markdown(
        f"**Dates at which the two diverged.** {sentence} "
        f"{links.csv('All tests as CSV', proxy_tables.DATES.address({}))} · "
        f"[How it is tested]({links.address('methods')}#break_date)"
    )
