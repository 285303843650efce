"""What moved at the top of the benchmark's leaderboards, and how much of it noise explains."""

from datetime import date

import polars as pl
import streamlit as st

from dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from dashboard.figures.palette import Palette
from dashboard.pages.benchmark.facts import Facts, facts_of, sources_of, titles_of_sources
from dashboard.pages.benchmark.figures import reign
from dashboard.published import standings
from dashboard.published.generation import View
from dashboard.published.results import boards, known_benchmark, results
from dashboard.widgets import block, links
from dashboard.words.numbers import day_of
from dashboard.words.text import count, markdown, short

CHURN_K = 10

_FIRSTS = """
    WITH instant AS (
        SELECT max(observed_at) AS observed_at FROM rank WHERE board_id = $board GROUP BY observed_at::DATE
    )
    SELECT r.observed_at::DATE AS on_date, coalesce(m.name, r.model_id) AS model, r.model_id, r.rank, r.rank_low,
        r.score
    FROM rank r JOIN instant USING (observed_at) LEFT JOIN model m USING (model_id)
    WHERE r.board_id = $board AND (r.rank = 1 OR r.rank_low = 1)
    ORDER BY on_date, rank, model
"""


def longest(view: View, benchmark_id: str) -> str | None:
    """The board of the benchmark that was seen on most days; of equals the one that the page leads with."""
    known = dict(standings.boards(view).select("board_id", "days").iter_rows())
    found = boards(view, benchmark_id)
    return max(found, key=lambda board: known.get(board, 0)) if found else None


def _firsts(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    facts, board_id = facts_of(view, benchmark_id), longest(view, benchmark_id)
    if board_id is None:
        return Nothing("No leaderboard of it is on record.", "Parts of a benchmark are not ranked.")
    source_id = standings.sources(view, board_id)[0]
    seen = results(view, params).filter(pl.col("source_id") == source_id)
    title = titles_of_sources(view).get(source_id, source_id).split(",")[0].split(":")[0]
    return reign.chart(
        view.query(_FIRSTS, board=board_id),
        sorted(set(_breaks(view, board_id))),
        f"{short(facts['name'])} by {title}",
        sources_of(view, seen),
        palette,
    )


def _breaks(view: View, board_id: str) -> list[date]:
    rows = view.table("breakpoint").filter(pl.col("board_id") == board_id)
    return rows.filter(~pl.col("kind").str.starts_with("proposed"))["on_date"].to_list()


FIRSTS = ChartSpec("firsts", _firsts, ("benchmark",))


def show(view: View, facts: Facts) -> None:
    """Draw the reigns, and of each board what changed against what noise alone would change."""
    drawn = block.show(view, FIRSTS, {"benchmark": facts["benchmark_id"]})
    lines = _moved(view, facts["benchmark_id"])
    if lines:
        st.markdown("\n".join(f"- {line}" for line in lines))
    elif drawn is not None:
        st.markdown(":small[:gray[No two of its dated versions could be compared place by place.]]")


def _moved(view: View, benchmark_id: str) -> list[str]:
    """One sentence a board: places of the top ten that changed hands, and what noise alone would give."""
    steps = view.table("churn").filter(
        pl.col("board_id").str.ends_with(f"/{benchmark_id}"), pl.col("k") == CHURN_K, ~pl.col("spans_breakpoint")
    )
    told = steps.drop_nulls(["turnover", "expected_turnover"]).with_columns(
        moved=pl.col("turnover") * CHURN_K, noise=pl.col("expected_turnover") * CHURN_K
    )
    sums = told.group_by("board_id", maintain_order=True).agg(
        pl.col("moved", "noise").sum(), n=pl.len(), from_on=pl.col("from_on").min(), to_on=pl.col("to_on").max()
    )
    titles = titles_of_sources(view)
    return [
        f"{markdown(titles.get(board_id.split('/')[0], board_id))}: places of the top ten changed hands "
        f"**{moved:.0f}** times in {count(n, 'comparison')} from {day_of(from_on)} to {day_of(to_on)}, scale changes "
        f"left out; noise alone would give {noise:.0f}. "
        f"[See the ranks move]({links.address('leaderboards', board=board_id)})"
        for board_id, moved, noise, n, from_on, to_on in sums.sort(
            "n", "board_id", descending=[True, False]
        ).iter_rows()
    ]
