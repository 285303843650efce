"""Boards of many tasks: whose first place hangs on which task, and how far the order moves."""

from datetime import date

import polars as pl
import streamlit as st

from dashboard.pages.churn import tables as churn_tables
from dashboard.pages.churn.figures import top_ranks
from dashboard.published.generation import View
from dashboard.published.known import known_until, last_known
from dashboard.widgets import chart, empty, filters, links
from dashboard.words.known import known
from dashboard.words.text import markdown


def show(view: View, board_id: str) -> None:
    """The board asked for, or another of the reader's choice, and all boards of many tasks compared."""
    st.header("Boards of many tasks: what first place hangs on", anchor="many-tasks")
    rows = churn_tables.many_tasks(view, {})
    if rows.is_empty():
        empty.nothing(
            "No source of this generation reports a benchmark task by task.",
            "It takes three tasks that at least five models ran; LiveBench and the Open LLM leaderboard have them.",
        )
        return
    names = rows["board_id"].to_list()
    options = [board_id, *(name for name in names if name != board_id)] if board_id in names else names
    chosen = filters.one("tasks", "Board of many tasks", options)
    params = {"tasks": chosen}
    parts = [top_ranks.subset_sentence(row) for row in churn_tables.subsets(view, params).iter_rows(named=True)]
    about = rows.filter(pl.col("board_id") == chosen).row(0, named=True)
    until = known_until(view, [chosen.split("/", 1)[-1]])
    st.markdown("\n".join(f"- {markdown(part)}" for part in [*parts, _measured(about, until)]))
    csv = f"[What to leave out, as CSV](<{churn_tables.SUBSETS.address(params)}>)"
    st.markdown(f"{csv}, generation {view.name}. [How it is found]({links.address('methods')}#first_place)")
    chart.show(
        view,
        chart.Chart(
            key="tasks-chart",
            finding=top_ranks.tasks_finding(rows, last_known(view)),
            alt=top_ranks.tasks_alt(rows),
            figure=top_ranks.tasks_figure(rows, chosen),
            table=churn_tables.MANY_TASKS,
            method="stability",
            column_config={"board_id": st.column_config.TextColumn("board_id", pinned=True, width=200)},
        ),
    )
    st.markdown(
        "Diversity is 1 minus Kendall's W, 0 where all tasks order the models alike; the table has it with ties "
        "corrected and as published, where ties count as disagreement. Sensitivity is (1 - tau) / 2 between the order "
        "of a board and the most different one found: a search finds a lower bound of the worst case."
    )


def _measured(about: dict[str, object], until: date | None) -> str:
    """Diversity by both definitions and both sensitivities of one board."""

    def said(name: str) -> str:
        value = about[name]
        return "unknown" if value is None else f"{float(str(value)):.2f}"

    ties = f"{float(str(about['tied'] or 0)):.0%} of pairs tie"
    return (
        f"Over {about['n_models']} entries and {about['n_tasks']} tasks: diversity {said('tie_corrected')} with ties "
        f"corrected, {said('as_published')} as published ({ties}), sensitivity to task weights "
        f"{said('cardinal_sensitivity')}, to irrelevant models {said('ordinal_sensitivity')}{known(until)}."
    )
