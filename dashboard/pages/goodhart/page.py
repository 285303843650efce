"""Goodhart: what becomes of a measurement once it is optimised for."""

import polars as pl
import streamlit as st

from analytics.goodhart.pressure import GAPS
from dashboard.pages.goodhart import ceilings, entrants, figures, provenance, proxy_tables, words
from dashboard.pages.goodhart import tables as goodhart_tables
from dashboard.published import generation
from dashboard.published.generation import View
from dashboard.published.known import known_until, last_known
from dashboard.widgets import chart, empty, filters, links
from dashboard.widgets.page import PageSpec
from dashboard.words.text import markdown, plotly

DRAWN_PAIRS = 16
SECTIONS = (
    ("ceilings", "Ceilings"),
    ("proxy", "Proxy and target"),
    ("pressure", "Pressure"),
    ("advances", "Advances"),
    ("reports", "Self-reports"),
    ("selection", "Best of several"),
    ("judges", "Judges"),
    ("cost", "Cost"),
    ("attention", "Attention"),
    ("openness", "Open weights"),
)


def render() -> None:
    """Draw the page."""
    view = generation.current()
    st.title("Goodhart: does a measure survive being a target?", anchor=False)
    if view.table("goodhart").filter(pl.col("status") == "ok").is_empty():
        empty.nothing(
            "Nothing can be said yet about what optimising does.",
            "It takes dated results, results of two parties on one benchmark, or twins with some dozen models.",
        )
        return
    small, premium = (goodhart_tables.one(view, name) for name in ("small_advances", "self_report_premium"))
    st.markdown(f"**{markdown(words.lead(proxy_tables.dates(view, {}), small, premium, last_known(view)))}**")
    st.markdown(
        "When a measure becomes a target, it may cease to be a good measure. Each section asks for one trace of that. "
        "None of them shows why; intervals are 95%, and what is not known is said."
    )
    st.markdown(" · ".join(f"[{title}](#{anchor})" for anchor, title in SECTIONS))
    ceilings.show(view)
    _proxy(view)
    _pressure(view)
    _advances(view)
    entrants.show(view)


def _proxy(view: View) -> None:
    st.header("Does the target still follow its proxy?", anchor="proxy")
    st.markdown(
        "The *proxy* is the original of a twin, its *target* the second measurement. Among the best, scores are alike, "
        "so any correlation falls; the correction takes that off, and what stays missing is something else."
    )
    kinds = proxy_tables.kinds(view)
    if kinds:
        _frontier(view, kinds)
    else:
        empty.nothing(
            "No correlation at the frontier is known.", "It takes forty models on both sides of a twin, with dates."
        )
    named = proxy_tables.choices(view)
    if named:
        _over_time(view, named)
    _dates(view)


def _frontier(view: View, kinds: list[str]) -> None:
    params = {"kind": filters.one("kind", "Kind of pair", kinds)}
    rows = proxy_tables.frontiers(view, params)
    drawn = rows.head(DRAWN_PAIRS)
    said = [
        f"{plotly(row['name'])}, {row['year']}<br>over {row['n_models']:,} models {row['over_all']:.3f}, "
        f"best {row['n_top']} {row['at_top']:.3f}, corrected {row['corrected']:.3f}"
        for row in drawn.iter_rows(named=True)
    ]
    lowest = float(drawn.select(pl.min_horizontal("over_all", "at_top", "corrected").min()).item())
    chart.show(
        view,
        chart.Chart(
            key="frontier",
            finding=words.frontier(rows, last_known(view)),
            alt=words.frontier_alt(rows, drawn),
            figure=figures.rows_of(
                drawn.with_columns(name="label"),
                (figures.OVER_ALL, figures.AT_TOP, figures.CORRECTED),
                said,
                axis="Correlation of proxy and target",
                span=(max(-1.0, lowest - 0.15), 1.03),
            ),
            table=proxy_tables.FRONTIERS,
            params=params,
            method="proxy",
            sources=_sources(view, drawn["pair_id"].to_list()),
        ),
    )


def _over_time(view: View, named: dict[str, str]) -> None:
    pair = filters.named("pair", "Over time", named)
    params = {"pair": pair}
    st.markdown(f"Over time: **{markdown(named[pair])}**.")
    of_pair = proxy_tables.dates(view, {}).filter(pl.col("pair_id") == pair)
    date = of_pair.row(0, named=True) if of_pair.height else None
    short = proxy_tables.shortfalls(view, params)
    until = known_until(view, _sides(view, [pair]))
    unit = (
        "points" if proxy_tables.pairs(view).filter(pl.col("pair_id") == pair)["in_points"].all() else "rating points"
    )
    figure = figures.years_of([(figures.PLAIN, short)], axis=f"Target less expected, {unit}", reference=0.0)
    if date is not None and date["on_date"] is not None:
        figures.mark_date(figure, date["on_date"], date["earliest"], date["latest"])
    chart.show(
        view,
        chart.Chart(
            key="shortfall",
            finding=words.shortfall(date, unit, until),
            alt="For the models that came out in each year, the mean of the target's score less what the line through "
            "the models of all years gives at the proxy's score, with 95% intervals; below zero the target lags.",
            figure=figure,
            table=proxy_tables.SHORTFALLS,
            params=params,
            method="decoupling",
            sources=_sources(view, [pair]),
        ),
    )
    if date is not None and date["on_date"] is not None:
        st.markdown(
            "The step in the title is between models of the same proxy before and after that day. The points are taken "
            "from one line through all years, which itself follows a part of the step, so that they differ by less."
        )
    years = proxy_tables.pair_years(view, params)
    if years.height < 2:
        return
    lines = [(one, years.with_columns(n=n)) for one, n in _with_numbers()]
    chart.show(
        view,
        chart.Chart(
            key="correlation",
            finding=words.pair_years(years, until),
            alt="The correlation of proxy and target over all models that had come out by the end of each year, among "
            "the best quarter of them, and that one corrected for range restriction, with 95% intervals.",
            figure=figures.years_of(lines, axis="Correlation"),
            table=proxy_tables.PAIR_YEARS,
            params=params,
            method="range_restriction",
            sources=_sources(view, [pair]),
        ),
    )


def _with_numbers() -> list[tuple[figures.Series, pl.Expr]]:
    every, top = pl.col("n_models"), pl.col("n_top")
    return [(figures.OVER_ALL, every), (figures.AT_TOP, top), (figures.CORRECTED, top)]


def _dates(view: View) -> None:
    said = words.dates(proxy_tables.dates(view, {}), last_known(view))
    st.markdown(
        f"**Dates at which the two diverged.** {said} "
        f"[All tests as CSV](<{proxy_tables.DATES.address({})}>) · "
        f"[How it is tested]({links.address('methods')}#break_date)"
    )


def _sources(view: View, pair_ids: list[str]) -> list[chart.SourceLine]:
    chosen = proxy_tables.pairs(view).filter(pl.col("pair_id").is_in(pair_ids))
    only = [name for name in (*chosen["source_id"], *chosen["other_source_id"]) if name]
    return provenance.of_benchmarks(view, _sides(view, pair_ids), only)


def _sides(view: View, pair_ids: list[str]) -> list[str]:
    chosen = proxy_tables.pairs(view).filter(pl.col("pair_id").is_in(pair_ids))
    return [*chosen["original_id"], *chosen["other_id"]]


def _pressure(view: View) -> None:
    st.header("Is the gap wider where more is tried?", anchor="pressure")
    params = {"gap": filters.one("gap", "Gap", list(GAPS))}
    kind = params["gap"]
    rows = goodhart_tables.gaps(view, params)
    by_makers = kind == "self-reports"
    what = "organisations that report it" if by_makers else "models a month with a result on it"
    gap = {
        "twins": "the original's score less that of a second measurement of the same thing",
        "equal preparation": "the published score less that after every model was prepared alike",
        "self-reports": "the median of self-reported less third-party scores",
    }[kind]
    st.markdown(f"Pressure on a benchmark is counted in {what}; the gap is {gap}, in points.")
    if rows.is_empty():
        empty.nothing("No benchmark has both.", "It takes ten models over three months, and a gap of this kind.")
        return
    said = [
        f"{plotly(row['name'])}<br>{row['pressure']:,.1f} {what}<br>gap {row['gap']:+.1f} points"
        for row in rows.iter_rows(named=True)
    ]
    chart.show(
        view,
        chart.Chart(
            key="gaps",
            finding=words.pressure(goodhart_tables.one(view, "pressure_gap", kind), rows, kind, last_known(view)),
            alt=f"A point for each benchmark: {what} across, the gap in points up ({gap}). Above zero the proxy is "
            "higher. Benchmarks differ in age, size and kind, so a link would not say what causes what.",
            figure=figures.scattered(
                rows,
                said,
                across="Organisations that report it" if by_makers else "Models a month, logarithmic",
                up="Gap, points",
                logarithmic=not by_makers,
            ),
            table=goodhart_tables.PRESSURE,
            params=params,
            method="pressure",
        ),
    )


def _advances(view: View) -> None:
    st.header("Are advances larger than their error?", anchor="advances")
    st.markdown(
        "An advance is a step of a benchmark's running best. It counts as small where it is at most 1.96 standard "
        "errors of the difference of the two scores: it may be progress, and is no evidence of it."
    )
    by = filters.one("by", "Advances by", goodhart_tables.ADVANCES)
    params = {"by": by}
    rows = goodhart_tables.advances(view, params)
    if rows.is_empty():
        empty.nothing("No share can be given.", "It takes five steps whose scores both have a known error.")
        return
    whole = goodhart_tables.one(view, "small_advances")
    percent = rows.with_columns(pl.col(*goodhart_tables.NUMBERS) * 100)
    chart.show(
        view,
        chart.Chart(
            key="small-advances",
            finding=words.advances(whole, rows, by, last_known(view)),
            alt=f"The share of advances within their error, by {by}, with 95% intervals. "
            + (str(whole["reason"] or "").capitalize() + "." if whole else ""),
            figure=entrants.by_year_or_name(percent, by, axis="Within error, % of advances"),
            table=goodhart_tables.SMALL_ADVANCES,
            params=params,
            method="small_advances",
        ),
    )


PAGE = PageSpec(
    url_path="goodhart",
    title="Goodhart",
    render=render,
    tables=(ceilings.CEILINGS, *proxy_tables.TABLES, *goodhart_tables.TABLES),
)
