"""Benchmark: everything known about one benchmark, each number with the address it came from."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from analytics.record.tables import NO_MODEL
from dashboard.figures import curve, leaderboard
from dashboard.figures.base import is_bounded
from dashboard.pages.benchmark import conditions, dossier, outlook
from dashboard.published import generation, standings
from dashboard.published.generation import View
from dashboard.published.results import (
    FRONTIER,
    LEADERS,
    RESULTS,
    boards,
    drawn,
    frontier,
    ids,
    judged_by,
    leaders,
    results,
)
from dashboard.widgets import chart, empty, filters, links, shell
from dashboard.widgets.page import PageSpec
from dashboard.words.sentences import churn_said
from dashboard.words.text import code, day, markdown

CHURN_K = 10


def render() -> None:
    """Draw the page."""
    view = generation.current()
    benchmark_id = _chosen(view)
    if benchmark_id is None:
        return
    facts = view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)
    facts = {**facts, "name": facts["name"] or benchmark_id}
    links.tab_title(facts["name"])
    st.title(markdown(facts["name"]), anchor=False)
    dossier.verdict(view, facts)
    dossier.facts_line(facts)
    conditions.line(view, facts)
    _curve(view, facts)
    _leaderboard(view, facts)
    _churn(view, benchmark_id)
    outlook.section(view, facts)
    dossier.twin_lines(view, facts)
    dossier.evidence_table(view, facts)
    dossier.indicator_table(view, facts)


def _chosen(view: View) -> str | None:
    """The benchmark asked for; one that does not exist is said so, not replaced by another."""
    asked = st.query_params.get("benchmark")
    exists = asked in ids(view)
    options = shell.named_in_scope(view, also=asked if exists else None)
    if not options:
        st.title("No benchmark to choose", anchor=False)
        empty.nothing("No benchmark is left by the filters beside the menu.", "Choose other domains.")
        return None
    chosen = filters.named("benchmark", "Benchmark", options, placeholder="Type a part of its name or id")
    if chosen is not None:
        return chosen
    hidden = len(ids(view)) - len(options)
    more = f" {hidden:,} more are hidden by the filters {shell.WHERE}." if hidden else ""
    if asked:
        st.title("No such benchmark", anchor=False)
        empty.nothing(
            f"This generation holds no benchmark {code(asked)}.",
            f"It may have been renamed. Type a part of its name above, or [choose one from the overview]"
            f"({links.address('.')}).{more}",
        )
        return None
    st.title("Choose a benchmark", anchor=False)
    empty.nothing(
        "Each benchmark has its curve, its leaders, its twins and every source here.",
        f"Type a part of its name above, or open one from the [overview]({links.address('.')}).{more}",
    )
    return None


def _sources(view: View, rows: pl.DataFrame) -> list[chart.SourceLine]:
    """The sources of some results, each with its newest snapshot's address and day."""
    newest = rows.sort("last_observed_at").group_by("source_id", maintain_order=True).last()
    titled = newest.join(view.table("source").select("source_id", "title"), on="source_id", how="left")
    return [
        chart.SourceLine(title or source_id, url, observed_at)
        for source_id, title, url, observed_at in titled.sort("last_observed_at", descending=True)
        .select("source_id", "title", "url", "last_observed_at")
        .iter_rows()
    ]


def _curve(view: View, facts: Mapping[str, Any]) -> None:
    params = {"benchmark": facts["benchmark_id"]}
    every, steps = results(view, params), frontier(view, params)
    if every.is_empty():
        st.header("Curve", anchor="curve")
        empty.nothing(
            "No result of this benchmark is on record.",
            "No source that we follow reports it. Sources and their coverage are on the Data page.",
        )
        return
    beside = conditions.beside(view, facts)
    ranked = drawn(every, facts, steps)
    spans = [] if is_bounded(facts["unit"]) else standings.spans(view, facts["benchmark_id"])
    chart.show(
        view,
        chart.Chart(
            key="curve",
            finding=curve.finding(facts, steps, spans),
            alt=curve.alt_text(facts, ranked, steps, beside),
            figure=curve.figure(facts, ranked, steps, beside, spans),
            table=RESULTS,
            params=params,
            method="frontier",
            sources=_sources(view, every),
            column_config={
                "model": st.column_config.TextColumn("model", pinned=True, width=180),
                "url": st.column_config.LinkColumn("source file", display_text="open"),
                **{name: st.column_config.NumberColumn(name, format="%.4g") for name in ("score", "std_error")},
            },
        ),
    )
    st.markdown(f"[The running best as CSV](<{FRONTIER.address(params)}>)")


def _baselines(seen: pl.DataFrame) -> None:
    """What the board lists and nobody should take for a model: shown with its score, never ranked."""
    for row in (
        seen.filter(~pl.col("ranked")).unique("model_id", keep="first", maintain_order=True).iter_rows(named=True)
    ):
        kind = row["setting"].removeprefix(NO_MODEL)
        st.markdown(
            f"- Listed but not ranked, {markdown(kind)}: {markdown(row['model'])}, {row['score_published']:.4g}."
        )


def _leaderboard(view: View, facts: Mapping[str, Any]) -> None:
    condition = judged_by(view, facts["benchmark_id"])
    found = boards(view, facts["benchmark_id"])
    if not found:
        st.header("Top models", anchor="leaderboard")
        parts = "/" in facts["benchmark_id"]
        st.markdown("Parts of a benchmark are not ranked." if parts else "No leaderboard of models is on record.")
        return
    board_id = filters.one("board", "Leaderboard", found) if len(found) > 1 else found[0]
    listed = leaders(view, {"board": board_id})
    rows = leaderboard.top(listed, facts["unit"], facts["n_items"])
    source_id = standings.sources(view, board_id)[0]
    seen = results(view, {"benchmark": facts["benchmark_id"]}).filter(pl.col("source_id") == source_id)
    _baselines(seen)
    if condition is not None and listed["condition"][0] not in (condition, None):
        st.markdown(
            f"{code(source_id)} has no result under **{markdown(condition)}**; its models are ranked by their results "
            f"under **{markdown(listed['condition'][0])}**, which the curve above does not count."
        )
    chart.show(
        view,
        chart.Chart(
            key="leaderboard",
            finding=leaderboard.finding(rows, listed, facts["unit"]),
            alt=leaderboard.alt_text(rows, listed),
            figure=leaderboard.figure(rows, facts["unit"], facts["metric"]),
            table=LEADERS,
            params={"board": board_id},
            method="rank",
            sources=_sources(view, seen),
        ),
    )


def _churn(view: View, benchmark_id: str) -> None:
    """What changed at the top between the last snapshots, in a sentence for each leaderboard."""
    st.header("Rank churn", anchor="churn")
    steps = (
        view.table("churn")
        .filter(pl.col("board_id").str.ends_with(f"/{benchmark_id}") & (pl.col("k") == CHURN_K))
        .sort("board_id", "to_on")
    )
    if steps.is_empty():
        st.markdown("No leaderboard of it was seen at two instants, so nothing can be said about churn.")
        return
    for (board_id,), rows in steps.group_by("board_id", maintain_order=True):
        st.markdown(f"- {_churn_sentence(str(board_id), rows.row(-1, named=True))}")
        links.page_link("churn", "See the ranks move", board=str(board_id))


def _churn_sentence(board_id: str, step: Mapping[str, Any]) -> str:
    return f"{code(board_id)}, {day(step['from_on'])} to {day(step['to_on'])}: {markdown(churn_said(step))}"


PAGE = PageSpec(
    url_path="benchmark",
    title="Benchmark",
    icon=":material/show_chart:",
    render=render,
    tables=(RESULTS, FRONTIER, LEADERS, conditions.CURVES, outlook.SKILL, dossier.INDICATORS, dossier.EVIDENCE),
)
