"""What stands below the first screen of a benchmark, each part in a tab that is drawn when it is opened."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from analytics.record.tables import NO_MODEL
from dashboard.figures.chart import ChartSpec
from dashboard.pages.benchmark import dossier, outlook
from dashboard.published.generation import View
from dashboard.published.results import FRONTIER, RESULTS, boards, judged_by, leaders, results
from dashboard.widgets import block, filters, links, tables
from dashboard.words.sentences import churn_said
from dashboard.words.text import code, day, markdown

Facts = Mapping[str, Any]
CHURN_K = 10


def show(view: View, facts: Facts, verdict: Facts, top: ChartSpec) -> None:
    """Draw the open tab; `top` is the chart of the leading models."""
    drawn = {
        "Top models": lambda: _top_models(view, facts, top),
        "Churn": lambda: _churn(view, facts["benchmark_id"]),
        "Twins": lambda: dossier.twin_lines(view, facts),
        "Contamination": lambda: dossier.evidence_table(view, facts),
        "Why this verdict": lambda: _why(view, facts, verdict),
        "Outlook": lambda: outlook.section(view, facts),
        "Sources": lambda: _sources(view, facts),
    }
    for (_, draw), tab in zip(
        drawn.items(), st.tabs(list(drawn), key="tab", on_change="rerun", bind="query-params"), strict=True
    ):
        if tab.open:
            with tab:
                draw()


def _top_models(view: View, facts: Facts, top: ChartSpec) -> None:
    benchmark_id = facts["benchmark_id"]
    found = boards(view, benchmark_id)
    params = {"benchmark": benchmark_id}
    if len(found) > 1:
        params["board"] = filters.one("board", "Leaderboard", found)
    if found:
        _not_ranked(view, benchmark_id, params.get("board", found[0]))
    block.show(view, top, params)


def _not_ranked(view: View, benchmark_id: str, board_id: str) -> None:
    """What the board lists and nobody should take for a model, and the condition that it is ranked under."""
    source_id = board_id.split("/", maxsplit=1)[0]
    listed = results(view, {"benchmark": benchmark_id}).filter(pl.col("source_id") == source_id, ~pl.col("ranked"))
    for row in listed.unique("model_id", keep="first", maintain_order=True).iter_rows(named=True):
        kind = row["setting"].removeprefix(NO_MODEL)
        st.markdown(
            f"- Listed but not ranked, {markdown(kind)}: {markdown(row['model'])}, {row['score_published']:.4g}."
        )
    condition, ranked = judged_by(view, benchmark_id), leaders(view, {"board": board_id})["condition"]
    if condition is not None and len(ranked) and ranked[0] not in (condition, None):
        st.markdown(
            f"{code(source_id)} has no result under **{markdown(condition)}**; its models are ranked by their results "
            f"under **{markdown(ranked[0])}**, which the curve above does not count."
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
        last = rows.row(-1, named=True)
        st.markdown(
            f"- {code(str(board_id))}, {day(last['from_on'])} to {day(last['to_on'])}: {markdown(churn_said(last))} "
            f"[See the ranks move]({links.address('leaderboards', board=str(board_id))})"
        )


def _why(view: View, facts: Facts, verdict: Facts) -> None:
    """The rules that applied, what is missing for others, and every indicator."""
    dossier.reasons(view, facts, verdict)
    dossier.indicator_table(view, facts)


def _sources(view: View, facts: Facts) -> None:
    """What the benchmark is, and every number with the address it came from."""
    dossier.facts_line(facts)
    params = {"benchmark": facts["benchmark_id"]}
    rows = results(view, params)
    if rows.is_empty():
        st.markdown("No result of this benchmark is on record: no source that we follow reports it.")
        return
    st.header("Every published number", anchor="results")
    tables.show(
        view,
        rows.select("model", "score", "std_error", "dated_on", "reporter", "setting", "source_id", "url"),
        RESULTS,
        params,
        key="results",
        alt="Every published number of this benchmark with its model, day, setting and address",
        config={
            "model": st.column_config.TextColumn("model", pinned=True, width=180),
            "source_id": "source",
            "dated_on": "day",
            "std_error": st.column_config.NumberColumn("standard error", format="%.4g"),
            "score": st.column_config.NumberColumn("score", format="%.4g"),
            "url": st.column_config.LinkColumn("source file", display_text="open"),
        },
    )
    st.markdown(f"[The running best as CSV](<{FRONTIER.address(params)}>)")
