"""What changed at the top of the benchmark's leaderboards, and how much of it noise explains."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import boards
from benchhealth.dashboard.widgets import block, empty, links, provenance
from benchhealth.dashboard.widgets.shared import REIGN
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, markdown

CHURN_K = 10


def most_seen_board(view: View, benchmark_id: str) -> str | None:
    """The board of the benchmark that was seen on most days; where several are equal, the one the page lists first."""
    days_seen = dict(standings.boards(view).select("board_id", "days").iter_rows())
    board_ids = boards(view, benchmark_id)
    return max(board_ids, key=lambda board: days_seen.get(board, 0)) if board_ids else None


def show(view: View, facts: Facts) -> None:
    """Draw the reigns, and of each board what changed against what noise alone would change."""
    board_id = most_seen_board(view, facts["benchmark_id"])
    if board_id is None:
        empty.nothing("No leaderboard of it is on record.", "Parts of a benchmark are not ranked.")
        return
    drawn = block.show(view, REIGN, {"board": board_id})
    lines = exchange_sentences(view, facts["benchmark_id"])
    if lines:
        st.markdown("\n".join(f"- {line}" for line in lines))
    elif drawn is not None:
        st.markdown(":small[:gray[No two of its dated versions could be compared place by place.]]")


def exchange_sentences(view: View, benchmark_id: str) -> list[str]:
    """A sentence for each board: places of its top ten that were exchanged, those noise explains, and newcomers."""
    steps = view.table("churn").filter(
        pl.col("board_id").str.ends_with(f"/{benchmark_id}"), pl.col("k") == CHURN_K, ~pl.col("spans_breakpoint")
    )
    comparable = steps.drop_nulls(["exchanged", "expected_turnover"]).with_columns(
        noise=pl.col("expected_turnover") * CHURN_K
    )
    sums = comparable.group_by("board_id", maintain_order=True).agg(
        pl.col("exchanged", "noise", "newcomers").sum(),
        n=pl.len(),
        from_on=pl.col("from_on").min(),
        to_on=pl.col("to_on").max(),
    )
    titles = provenance.titles(view)
    return [
        f"{markdown(titles.get(board_id.split('/')[0], board_id))}: models on both of two looks exchanged "
        f"{count(exchanged, 'place')} of the top ten in {count(n, 'comparison')} "
        f"from {day_of(from_on)} to {day_of(to_on)}, scale changes left out; noise alone would give {noise:.0f}. "
        f"Beside them {count(n_newcomers, 'newcomer')} came in. "
        f"[See the ranks move]({links.address('leaderboards', board=board_id)})"
        for board_id, exchanged, noise, n_newcomers, n, from_on, to_on in sums.sort(
            "n", "board_id", descending=[True, False]
        ).iter_rows()
    ]
