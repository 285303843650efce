"""Benchmark: everything known about one benchmark, each number with the address it came from."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from dashboard.figures import leaderboard
from dashboard.figures.base import is_bounded
from dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from dashboard.figures.palette import Palette
from dashboard.pages.benchmark import conditions, dossier, head, instead, outlook, tabs
from dashboard.pages.benchmark.figures import curve, top
from dashboard.published import generation, standings
from dashboard.published.benchmarks import assessed_on
from dashboard.published.generation import View
from dashboard.published.results import (
    FRONTIER,
    LEADERS,
    RESULTS,
    boards,
    drawn,
    frontier,
    ids,
    known_benchmark,
    leaders,
    results,
)
from dashboard.widgets import block, empty, filters, links
from dashboard.widgets.page import PageSpec
from dashboard.words.text import code, markdown


def facts_of(view: View, benchmark_id: str) -> Mapping[str, Any]:
    """The row of the benchmark, named."""
    facts = view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)
    return {
        **facts,
        "name": facts["name"] or benchmark_id,
        "known_until": verdict_of(view, benchmark_id)["known_until"],
    }


def verdict_of(view: View, benchmark_id: str) -> Mapping[str, Any]:
    """The verdict, `unknown` where there is none."""
    found = view.table("verdict").filter(pl.col("benchmark_id") == benchmark_id)
    none: dict[str, Any] = {
        "stage": "unknown",
        "flags": [],
        "reasons": [],
        "as_of": None,
        "since": None,
        "known_until": None,
    }
    return found.row(0, named=True) if found.height else none


def indicators_of(view: View, benchmark_id: str) -> Mapping[str, Mapping[str, Any]]:
    """The indicators by name."""
    rows = view.table("indicator").filter(pl.col("benchmark_id") == benchmark_id)
    return {row["indicator"]: row for row in rows.iter_rows(named=True)}


def _sources(view: View, rows: pl.DataFrame) -> list[SourceLine]:
    """The sources of some results, each with the address of its newest file."""
    newest = rows.sort("last_observed_at").group_by("source_id", maintain_order=True).last()
    titled = newest.join(view.table("source").select("source_id", "title", "known_until"), on="source_id", how="left")
    ordered = titled.sort("known_until", descending=True, nulls_last=True)
    return [
        SourceLine(title or source_id, url, known_until)
        for source_id, title, url, known_until in ordered.select("source_id", "title", "url", "known_until").iter_rows()
    ]


def _curve(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    facts, every, steps = facts_of(view, benchmark_id), results(view, params), frontier(view, params)
    counted = drawn(every, facts, steps)
    return curve.chart(
        facts,
        curve.Drawn(
            results=counted,
            steps=steps,
            beside=conditions.beside(view, facts),
            spans=[] if is_bounded(facts["unit"]) else standings.spans(view, benchmark_id),
        ),
        indicators_of(view, benchmark_id),
        _sources(view, counted),
        assessed_on(view),
        palette,
    )


def _top(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    found = boards(view, benchmark_id)
    board_id = params.get("board") or (found[0] if found else "")
    if not board_id:
        return Nothing("No leaderboard of models is on record.", "Parts of a benchmark are not ranked.")
    facts = facts_of(view, benchmark_id)
    listed = leaders(view, {"board": board_id})
    rows = leaderboard.top(listed, facts["unit"], facts["n_items"])
    seen = results(view, params).filter(pl.col("source_id") == standings.sources(view, board_id)[0])
    every = listed.join(rows.select("model_id", "error"), on="model_id", how="left", maintain_order="left")
    return top.chart(facts, every, facts["known_until"], _sources(view, seen), palette)


CURVE = ChartSpec("curve", _curve, ("benchmark",))
TOP = ChartSpec("top", _top, ("benchmark", "board"))


def render() -> None:
    """Draw the page."""
    view = generation.current()
    benchmark_id = _chosen(view)
    if benchmark_id is None:
        return
    facts, verdict = facts_of(view, benchmark_id), verdict_of(view, benchmark_id)
    indicators = indicators_of(view, benchmark_id)
    links.tab_title(facts["name"])
    st.title(markdown(head.title(facts, verdict)), anchor=False)
    head.badges(facts, verdict)
    if said := head.sentence(facts, indicators):
        st.markdown(markdown(said))
    head.tiles(view, facts, verdict, indicators)
    conditions.line(view, facts)
    block.show(view, CURVE, {"benchmark": benchmark_id})
    instead.section(view, facts)
    tabs.show(view, facts, verdict, TOP)


def _chosen(view: View) -> str | None:
    """The benchmark asked for; one that does not exist is said so, not replaced by another."""
    asked = st.query_params.get("benchmark")
    exists = asked in ids(view)
    rows = view.table("benchmark").filter(pl.col("curated") | (pl.col("benchmark_id") == (asked if exists else "")))
    named = rows.select("benchmark_id", name=pl.coalesce("name", "benchmark_id")).sort(
        pl.col("name").str.to_lowercase()
    )
    chosen = filters.named("benchmark", "Benchmark", dict(named.iter_rows()), placeholder="Find a benchmark", width=320)
    if chosen is not None:
        return chosen
    if asked:
        st.title("No such benchmark", anchor=False)
        empty.nothing(
            f"This generation holds no benchmark {code(asked)}.",
            f"It may have been renamed. Type a part of its name above, or [open one on the map]({links.address('.')}).",
        )
        return None
    st.title("Choose a benchmark", anchor=False)
    empty.nothing(
        "Each benchmark has its curve, its leaders, its twins and every source here.",
        f"Type a part of its name above, or open one on the [map]({links.address('.')}).",
    )
    return None


PAGE = PageSpec(
    url_path="benchmark",
    title="Benchmark",
    render=render,
    tables=(RESULTS, FRONTIER, LEADERS, conditions.CURVES, outlook.SKILL, dossier.INDICATORS, dossier.EVIDENCE),
    charts=(CURVE, TOP),
)
