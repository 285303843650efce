"""Changes: what happened in some months, by the days of the facts, and what the last generation says anew."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.changes import by_month, edition, figure
from benchhealth.dashboard.pages.changes.by_month import EDITION, PERIOD
from benchhealth.dashboard.pages.changes.sections import more
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.happened.changes import CHANGES, changes, dated
from benchhealth.dashboard.published.happened.months import MONTH, changed, known_day, on_record, span_of
from benchhealth.dashboard.published.tables import ParameterError, PublishedTable
from benchhealth.dashboard.widgets import block, empty, links
from benchhealth.dashboard.widgets import changed as lines
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.happened import months as words
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, markdown

BENCHMARK, UNCURATED = "benchmark", "uncurated"
LINES_OF_ONE = 20


def rows_of(view: View, params: Params) -> pl.DataFrame:
    """The dated changes that the address asks for: of one benchmark, else of some months. Raises ParameterError."""
    if wanted := params.get(BENCHMARK):
        return dated(view).filter(pl.col("benchmark_id") == wanted)
    span = span_of(params.get(MONTH, ""), known_day(view))
    every = dated(view).filter(pl.col("on_day").is_between(span.first, span.until, closed="left"))
    is_shown = pl.col("curated") | pl.col("benchmark_id").is_null() | (pl.col("kind") == "benchmark")
    return every if params.get(UNCURATED) == "1" else every.filter(is_shown)


def _listed(view: View, params: Params) -> pl.DataFrame:
    return rows_of(view, params).drop("label", "family")


DATED = PublishedTable("dated-changes", _listed)


def _best(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    uncurated = params.get(UNCURATED) == "1"
    if params.get(PERIOD, "") not in ("", EDITION):
        raise ParameterError(f"{PERIOD} is {EDITION}, or absent")
    if params.get(PERIOD) == EDITION:
        rows, until, since = edition.records(edition.chosen(view, uncurated)), assessed_on(view), ""
    else:
        span = span_of(params.get(MONTH, ""), known_day(view))
        rows, until, since = changed(view, span, uncurated).best, known_day(view), f" {day_of(span.first)}"
    return figure.chart(rows, until, _sources(view, rows), palette, since)


def _sources(view: View, rows: pl.DataFrame) -> list[SourceLine]:
    sql = (
        "SELECT DISTINCT source_id FROM result JOIN snapshot USING (snapshot_id) WHERE benchmark_id IN $ids AND stands"
    )
    ids = figure.drawable(rows).head(figure.CHANGES_SHOWN)["benchmark_id"].to_list()
    named = view.recent(("sources of", tuple(ids)), lambda: view.query(sql, ids=ids)) if ids else pl.DataFrame()
    of = view.table("source").filter(pl.col("source_id").is_in(named["source_id"].to_list() if ids else []))
    ordered = of.sort("known_until", "source_id", descending=[True, False], nulls_last=True)
    return [SourceLine(*row) for row in ordered.select("title", "homepage", "known_until").iter_rows()]


BEST = ChartSpec("best-scores", _best, (MONTH, PERIOD, UNCURATED), method="frontier")


def draw(view: View) -> None:
    """Draw the page."""
    if benchmark_id := st.query_params.get(BENCHMARK, ""):
        _of_one(view, benchmark_id)
        return
    head = st.container()
    span, is_edition = by_month.choose(view)
    uncurated = st.session_state.get(UNCURATED, st.query_params.get(UNCURATED) in {"1", "true"})
    params = {
        name: value
        for name, value in (
            (MONTH, st.query_params.get(MONTH, "") and span.address),
            (PERIOD, EDITION if is_edition else ""),
            (UNCURATED, "1" if uncurated else ""),
        )
        if value
    }
    if is_edition:
        with head:
            st.title(edition.title(edition.chosen(view, bool(uncurated))), anchor=False)
        has_records = edition.show(view, bool(uncurated))
    else:
        of_span = changed(view, span, bool(uncurated))
        with head:
            st.title(markdown(words.title(of_span, on_record(view, span.until))), anchor=False)
            st.markdown(f":gray[{markdown(words.subtitle(of_span))}]")
        has_records = of_span.best.height > 0
        if of_span.total:
            by_month.show(of_span)
    if has_records:
        block.show(view, BEST, params)
    if not is_edition:
        by_month.digest(span)
    _last_line(params, "" if is_edition else _left_out(of_span.uncurated))


def _left_out(uncurated: int) -> str:
    return f"{count(uncurated, 'change')} of benchmarks that nobody curated are left out." if uncurated else ""


def _last_line(params: Params, left_out: str) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        csv = CHANGES.address({}) if params.get(PERIOD) else DATED.address(params)
        st.markdown(f":small[{left_out} [Feed](feed.xml) · {links.csv('All as CSV', csv)}]", width="content")
        st.toggle("Uncurated too", key=UNCURATED, bind="query-params")


def _of_one(view: View, benchmark_id: str) -> None:
    """All that changed of one benchmark, the newest first, and what the last generations said of it."""
    labels = benchmarks(view).filter(pl.col("benchmark_id") == benchmark_id)["label"]
    rows = dated(view).filter(pl.col("benchmark_id") == benchmark_id)
    name = labels[0] if len(labels) else benchmark_id
    st.title(markdown(f"{count(rows.height, 'dated change')} of {name}"), anchor=False)
    with st.container(horizontal=True):
        st.markdown(f":small[[Changes of all benchmarks]({links.address('changes')})]", width="content")
    of_editions = changes(view).filter(pl.col("benchmark_id") == benchmark_id)
    if of_editions.height:
        st.header("In the last generations", anchor="editions")
        st.markdown("\n\n".join(lines.line(row) for row in of_editions.head(LINES_OF_ONE).iter_rows(named=True)))
    if rows.is_empty():
        empty.nothing("Nothing changed.", f"[See what changed elsewhere]({links.address('changes')}).")
        return
    st.header("By the day on which it happened", anchor="dated")
    st.markdown("\n\n".join(lines.line(row) for row in rows.head(LINES_OF_ONE).iter_rows(named=True)))
    more("dated", rows[LINES_OF_ONE:], f"{max(0, rows.height - LINES_OF_ONE):,} more")


PAGE = PageSpec(url_path="changes", title="Changes", draw=draw, tables=(CHANGES, DATED), charts=(BEST,))
