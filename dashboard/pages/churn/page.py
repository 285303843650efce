"""Rank churn: who was at the top of a leaderboard when, and how much of that noise would explain."""

from datetime import date

import polars as pl
import streamlit as st

from dashboard.figures import turnover
from dashboard.pages.churn import many_tasks
from dashboard.pages.churn import tables as churn_tables
from dashboard.pages.churn.figures import bump, top_ranks
from dashboard.published import generation, standings
from dashboard.published.generation import View
from dashboard.widgets import chart, empty, filters, links, shell, tables
from dashboard.widgets.page import PageSpec
from dashboard.words.text import code, count, day, markdown

DEPTHS = ("10", "5", "20")
OPENS_ON = "lmarena/lmarena-text"
"""The board that is shown where none is asked for: the one with the longest history of a rating that moves daily."""
Chosen = dict[str, str]


def render() -> None:
    """Draw the page."""
    view = generation.current()
    st.title("Rank churn: who is at the top, and would noise alone have moved them?", anchor=False)
    params = _chosen(view)
    if params is None:
        return
    rows, breaks, steps = standings.top(view, params), standings.breaks(view, params), standings.steps(view, params)
    sources = _sources(view, params["board"])
    _bump(view, params, rows, breaks, sources)
    _breakpoints(view, params, breaks)
    _turnover(view, params, steps, sources)
    _stays(view, params, sources)
    _movement(view, params, sources)
    _transitions(view, params, steps)
    many_tasks.show(view, params["board"])


def _chosen(view: View) -> Chosen | None:
    """The board, depth and days asked for; a board that does not exist is said so, not replaced by another."""
    asked = st.query_params.get("board")
    every_board = standings.boards(view)
    if asked and asked not in set(every_board["board_id"]):
        empty.nothing(
            f"This generation holds no leaderboard {code(asked)}.",
            f"A leaderboard is named by source and benchmark, such as `squad/squad-2.0`. "
            f"[Choose one of {every_board.height:,}]({links.address('churn')}).",
        )
        return None
    options = _in_scope(view, every_board, asked)
    if not options:
        empty.nothing(
            "No leaderboard to follow.",
            "No source of this generation ranks models on a curated benchmark. "
            "Pull the sources with `benchhealth nightly`.",
        )
        return None
    boards, depths, starts, ends = st.columns([5, 2, 3, 3])
    with boards:
        board_id = filters.named("board", "Leaderboard", options)
    with depths:
        k = filters.one("k", "Top", DEPTHS)
    known_days = [day(on) for on in standings.days(view, board_id)]
    params: Chosen = {"board": board_id, "k": k}
    if len(known_days) > 1:
        with starts:
            params["from"] = filters.one("from", "From", known_days[:-1])
        with ends:
            params["to"] = filters.one("to", "To", known_days[:0:-1])
    if params.get("from", "") > params.get("to", "9999"):
        empty.nothing("The first day lies after the last.", "Choose an earlier first day or a later last one.")
        return None
    return {**params, **_unless_whole(params, known_days)}


def _unless_whole(params: Chosen, known_days: list[str]) -> Chosen:
    """Days that are the whole history anyway do not restrict: year-ends may lie outside the snapshots."""
    ends = {"from": known_days[:1], "to": known_days[-1:]}
    return {name: "" for name, edge in ends.items() if [params.get(name, "")] == edge}


def _in_scope(view: View, every_board: pl.DataFrame, asked: str | None) -> dict[str, str]:
    """The boards to choose from, by id with the name of their benchmark: OPENS_ON, then the longest followed first."""
    about = view.table("benchmark").select("benchmark_id", "name", "domain", "curated")
    kept = shell.Scope().keep(every_board.join(about, on="benchmark_id", how="left", maintain_order="left"))
    kept = pl.concat([kept.filter(pl.col("board_id") == OPENS_ON), kept.filter(pl.col("board_id") != OPENS_ON)])
    named = dict(kept.select("board_id", pl.coalesce("name", "board_id")).iter_rows())
    return {**named, **({asked: asked} if asked and asked not in named else {})}


def _sources(view: View, board_id: str) -> list[chart.SourceLine]:
    """Where the board is from, the source that leads now first, with the last state of the board or of the source."""
    said = standings.sources(view, board_id)
    board = standings.boards(view).filter(pl.col("board_id") == board_id)
    newest = board.select(source_id=pl.lit(said[0]), newest="last_observed_at")
    source = (
        pl.DataFrame({"source_id": said})
        .join(view.table("source"), on="source_id", how="left", maintain_order="left")
        .join(newest, on="source_id", how="left", maintain_order="left")
        .select("source_id", "title", "homepage", pl.coalesce("newest", "last_observed_at"))
    )
    return [
        chart.SourceLine(title or source_id, homepage or "", observed)
        for source_id, title, homepage, observed in source.iter_rows()
    ]


def _bump(
    view: View, params: Chosen, rows: pl.DataFrame, breaks: pl.DataFrame, sources: list[chart.SourceLine]
) -> None:
    k = int(params["k"])
    shown = rows["observed_on"].n_unique()
    if shown < 2:
        st.header("Ranks through time", anchor="bump")
        empty.nothing(
            f"This board was seen on {count(shown, 'day')} of the time asked for, so no rank can be followed.",
            "A source with history fills this with `benchhealth ingest --history`; otherwise every nightly run adds a "
            "day on which the board changed.",
        )
        return
    chart.show(
        view,
        chart.Chart(
            key="bump",
            finding=bump.finding(rows, breaks, k),
            alt=bump.alt_text(rows, breaks, k),
            figure=bump.figure(rows, breaks, k),
            table=standings.TOP,
            params=_set(params),
            method="rank",
            sources=sources,
            column_config={"model": st.column_config.TextColumn("model", width=200)},
        ),
    )
    everywhere = len(standings.days(view, params["board"]))
    thinned = f" {shown} of {everywhere} days are drawn, at even distances." if everywhere > shown else ""
    st.markdown(
        "● could be first within its errors, ○ could not, × no error is known. The shaded places are as many as the "
        f"models that could be first. Grey lines have left the top {k}.{thinned}"
    )


def _breakpoints(view: View, params: Chosen, breaks: pl.DataFrame) -> None:
    if breaks.is_empty():
        return
    st.markdown(f"**{count(breaks.height, 'breakpoint')}**, across which nothing is compared:")
    lines = [f"{number}. {_break_text(row['on_date'], row)}" for number, row in enumerate(breaks.to_dicts(), start=1)]
    st.markdown("\n".join(lines))


def _break_text(on: date, row: dict[str, str]) -> str:
    url = row["source_url"] or ""
    where = f" [where it was found](<{url}>)" if url.startswith(("https://", "http://")) else ""
    return f"{day(on)}, {markdown(row['kind'] or 'unknown kind')}: {markdown(row['note'] or 'no note')}.{where}"


def _turnover(view: View, params: Chosen, steps: pl.DataFrame, sources: list[chart.SourceLine]) -> None:
    k = int(params["k"])
    if steps.is_empty():
        st.header("Turnover against noise", anchor="turnover")
        empty.nothing(
            f"No two states of this board can be compared at the top {k}.",
            "The board may have been seen once only, or be shorter than that: try a smaller top.",
        )
        return
    for key, finding, alt, figure in (
        ("turnover", turnover.finding(steps, k), turnover.alt_text(steps, k), turnover.figure(steps)),
        (
            "agreement",
            turnover.agreement_finding(steps, k),
            turnover.agreement_alt(steps, k),
            turnover.agreement(steps),
        ),
    ):
        chart.show(
            view,
            chart.Chart(
                key=key,
                finding=finding,
                alt=alt,
                figure=figure,
                table=standings.STEPS,
                params=_set(params),
                method="churn" if key == "turnover" else "kendall_tau",
                sources=sources,
            ),
        )


def _stays(view: View, params: Chosen, sources: list[chart.SourceLine]) -> None:
    board = {"board": params["board"]}
    rows = churn_tables.stays(view, board)
    if rows.is_empty():
        st.header("How long models stay at the top", anchor="stays")
        empty.nothing(
            "Too few stays at the top of this board were seen to begin.",
            "It takes five, on a board at least twice as long as the top: a source with history has more days.",
        )
        return
    chart.show(
        view,
        chart.Chart(
            key="stays",
            finding=top_ranks.stays_finding(rows, _watch(view, params)),
            alt=top_ranks.stays_alt(rows),
            figure=top_ranks.stays_figure(rows),
            table=churn_tables.STAYS,
            params=board,
            method="dwell",
            sources=sources,
        ),
    )
    st.markdown(
        "A stay that goes on, or that runs into a breakpoint, is counted as lasting at least so long. One that was "
        "under way when the board was first seen is left out. Changes are dated by the first snapshot that shows them."
    )


def _movement(view: View, params: Chosen, sources: list[chart.SourceLine]) -> None:
    board = {"board": params["board"]}
    rows = churn_tables.movement(view, board)
    if rows.is_empty():
        st.header("Movement by rank", anchor="movement")
        empty.nothing(
            "No two months of this board in a row can be compared.",
            "It takes the ends of two consecutive calendar months without a breakpoint between them.",
        )
        return
    chart.show(
        view,
        chart.Chart(
            key="movement",
            finding=top_ranks.movement_finding(rows, _watch(view, params)),
            alt=top_ranks.movement_alt(rows),
            figure=top_ranks.movement_figure(rows),
            table=churn_tables.MOVEMENT,
            params=board,
            method="volatility",
            sources=sources,
        ),
    )
    st.markdown(
        "All movement counts the places that entrants take from everybody below them; among those that stay only who "
        "passed whom counts. An interval needs three pairs of months; each pair counts once, as models move together."
    )


def _transitions(view: View, params: Chosen, steps: pl.DataFrame) -> None:
    if steps.is_empty():
        return
    st.header("Every comparison", anchor="comparisons")
    st.markdown(
        "Entered and left count models of one top that are not in the other; a model under a new name is renamed, "
        "neither entered nor left. Where a breakpoint lies in between nothing is counted. The newest comes first."
    )
    tables.show(
        view,
        tables.percents(steps.drop("board_id", "k").sort("from_on", descending=True), "turnover", "expected_turnover"),
        standings.STEPS,
        _set(params),
        key="comparisons",
        alt="Each comparison of two days with who entered, left or was renamed",
        config={
            "from_on": st.column_config.DateColumn("from"),
            "to_on": st.column_config.DateColumn("to", pinned=True),
            "turnover": st.column_config.NumberColumn("turnover", format=tables.PERCENT),
            "expected_turnover": st.column_config.NumberColumn("by noise alone", format=tables.PERCENT),
            "kendall_tau": st.column_config.NumberColumn("tau", format="%.2f"),
            "rbo": st.column_config.NumberColumn("overlap (RBO)", format="%.2f"),
            "spans_breakpoint": st.column_config.CheckboxColumn("breakpoint", width=90),
        },
    )


def _watch(view: View, params: Chosen) -> top_ranks.Watch:
    """The first and the last day of the board chosen; stays and movement are of its whole history."""
    days = standings.days(view, params["board"])
    return days[0], days[-1]


def _set(params: Chosen) -> Chosen:
    """The parameters that say something, for addresses."""
    return {name: value for name, value in params.items() if value}


PAGE = PageSpec(
    url_path="churn",
    title="Leaderboards",
    render=render,
    tables=(
        standings.TOP,
        standings.STEPS,
        standings.BREAKS,
        churn_tables.STAYS,
        churn_tables.MOVEMENT,
        churn_tables.MANY_TASKS,
        churn_tables.SUBSETS,
    ),
)
