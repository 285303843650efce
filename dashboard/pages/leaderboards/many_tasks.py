"""Boards of many tasks: leave out tasks or models, and watch first place change."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.analytics.multi_task.stability import MEAN, WIN_RATE, order_without
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.language import ONLY_NARROW, ONLY_WIDE, Drawing, laid_out, on_hover, write
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.leaderboards import board_tables
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.benchmarks import name_of
from benchhealth.dashboard.published.generation import ParameterError, Params, View, always, one_of, recently, required
from benchhealth.dashboard.published.results import model_names
from benchhealth.dashboard.serving.operating import reruns
from benchhealth.dashboard.widgets import block, empty, filters, folded, provenance
from benchhealth.dashboard.words.numbers import day_of, score_finely
from benchhealth.dashboard.words.text import (
    count,
    known,
    listed,
    markdown,
    model_within,
    one_line,
    plotly,
    without_maker,
    words_within,
)

MODELS_SHOWN, ROW_HEIGHT, NAME_LETTERS, PHONE_NAME_LETTERS, MOST_NAMED = 8, 26, 32, 18, 3


def both_orders(with_all: pl.DataFrame, without: pl.DataFrame) -> pl.DataFrame:
    """The first MODELS_SHOWN of both orders: entry, place, value and row with all; the same without (`..._left`).

    Equals share a place; `row` is the line on which an entry is drawn.
    """
    lines = [ranking.with_columns(row=pl.int_range(1, pl.len() + 1)) for ranking in (with_all, without)]
    joined = lines[0].join(lines[1], on="entry", how="full", coalesce=True, suffix="_left")
    top = (pl.col("row") <= MODELS_SHOWN) | (pl.col("row_left") <= MODELS_SHOWN)
    return joined.filter(top).sort("row", "row_left", "entry", nulls_last=True)


def left_out_title(with_all: pl.DataFrame, left: pl.DataFrame, left_out: Collection[str], noun: str) -> str:
    """The finding: who is first once these are left out, and who was before."""
    first = with_all["entry"][0] if with_all.height else None
    new_first = left["entry"][0] if left.height else None
    if not left_out:
        return f"{_short_model(first, 36)} is first; leaving nothing out"
    without = f"Without {count(len(left_out), noun)}"
    if new_first is None:
        return f"{without} nothing is left to compare"
    if new_first == first:
        return f"{without} {_short_model(first, 36)} is still first"
    return f"{without}, {_short_model(new_first, 28)} is first, not {_short_model(first, 28)}"


def _short_model(model: str | None, limit: int) -> str:
    return model_within(model or "Nobody", limit)


def left_out_names(left: Collection[str], noun: str) -> str:
    """The names of the first that are left out; a task's name is the last part of its id, in words."""
    task = noun == "task"
    named = [
        name.split("/", 1)[-1].replace("-", " ") if task else without_maker(name) for name in list(left)[:MOST_NAMED]
    ]
    n_more = len(left) - len(named)
    return listed([*named, *([f"{n_more} more"] if n_more > 0 else [])])


def left_out_figure(rows: pl.DataFrame, order_by: str, palette: Palette) -> go.Figure:
    """Lines from the place with all to the place without; who is first then in the accent."""
    drawn = Drawing()
    _ends_of_lines(drawn, rows, order_by, palette)
    laid_out(drawn, palette, ROW_HEIGHT * (MODELS_SHOWN + 2) + 44)
    drawn.update_layout(
        yaxis={"range": [MODELS_SHOWN + 2.6, 0.2], "showgrid": False, "showticklabels": False},
        xaxis={
            "range": [-0.75, 1.75],
            "tickvals": [0, 1],
            "ticktext": ["with all", "without"],
            "showline": False,
            "side": "top",
        },
    )
    return drawn


def _ends_of_lines(drawn: go.Figure, rows: pl.DataFrame, order_by: str, palette: Palette) -> None:
    measure = "mean score" if order_by == MEAN else "of the others beaten"
    for row in rows.iter_rows(named=True):
        colour = palette.accent if row["row_left"] == 1 else palette.ink3
        ends = [(0, row["row"], row["place"], row["value"]), (1, row["row_left"], row["place_left"], row["value_left"])]
        shown_ends = [end for end in ends if end[1] is not None and end[1] <= MODELS_SHOWN + 2]
        drawn.add_scatter(
            x=[x for x, *_ in shown_ends],
            y=[height for _, height, *_ in shown_ends],
            mode="lines+markers",
            line={"width": 2.4 if row["row_left"] == 1 else 1.2, "color": colour},
            marker={
                "size": 9,
                "color": [colour if x else palette.paper for x, *_ in shown_ends],
                "line": {"color": colour, "width": 1.5},
            },
            **on_hover(
                f"<b>{plotly(row['entry'])}</b><br>place {place}<br>{score_finely(value, 'fraction')} {measure}"
                for _, _, place, value in shown_ends
            ),
        )
        name, ink = str(row["entry"]), palette.ink if row["row_left"] == 1 else palette.ink2
        for x, height, _, value in shown_ends:
            score_text = score_finely(value, "fraction")
            narrow = score_text if x and len(shown_ends) > 1 else plotly(model_within(name, PHONE_NAME_LETTERS), 40)
            for text, width in (
                (f"{plotly(model_within(name, NAME_LETTERS), 60)} {score_text}", ONLY_WIDE),
                (narrow, ONLY_NARROW),
            ):
                side = {"xanchor": "left" if x else "right", "xshift": 10 if x else -10}
                write(drawn, text, (x, height), ink, opacity=width, **side)


TASKS, BY, OUT, WITHOUT = "tasks", "by", "out", "without"
ORDERS = {"score": MEAN, "wins": WIN_RATE}
ORDER_WORDS = {"score": "Mean score: leave out tasks", "wins": "Wins: leave out models"}
FRESH = timedelta(days=120)
NAME_SEPARATOR = "|"
"""Separates names in the chart's parameter; a task or model with it in its name cannot be left out."""


def scores(view: View, board_id: str) -> pl.DataFrame:
    """The rows of `task_score` of one board."""
    sql = "SELECT * FROM task_score WHERE board_id = $board ORDER BY task, entry"
    return view.query(sql, board=board_id)


def looked_at_until(view: View, board_id: str) -> date | None:
    """The last look at the board as its own source lists it, whatever others list of the benchmark."""
    source_id, benchmark_id = board_id.split("/", 1)
    boards = view.table("board")
    return latest(boards.filter(source_id=source_id, benchmark_id=benchmark_id)["known_until"])


def smallest(view: View, board_id: str, order_by: str) -> Row | None:
    """The fewest to leave out for another to be first; None where no choice does it."""
    changes = board_tables.subsets(view, {TASKS: board_id}).filter(
        (pl.col("order_by") == order_by) & pl.col("challenger").is_not_null()
    )
    return changes.row(0, named=True) if changes.height else None


def _chosen_or_smallest(view: View, params: Params) -> tuple[str, str, list[str]]:
    """The board, the order, and what is left out: the reader's choice, else the fewest that change first place."""
    board_id = required(params, TASKS)
    order = one_of(params, BY, tuple(ORDERS))
    chosen = [name for name in params.get(OUT, "").split(NAME_SEPARATOR) if name]
    if chosen:
        return board_id, ORDERS[order], chosen
    fewest = smallest(view, board_id, ORDERS[order])
    return board_id, ORDERS[order], list(fewest["left_out"]) if fewest else []


def _left_out(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    board_id, order_by, left_out = _chosen_or_smallest(view, params)
    rows = scores(view, board_id)
    if rows.is_empty():
        raise ParameterError(f"no board of many tasks {board_id!r}")
    noun = "task" if order_by == MEAN else "model"
    with_all = order_without(rows, order_by)
    left = order_without(rows, order_by, **{"without_tasks" if order_by == MEAN else WITHOUT: left_out})
    if with_all.is_empty():
        return Nothing(
            "No mean score orders this board.",
            "Its tasks have no common scale, or no model ran all of them. Order it by wins instead.",
        )
    names = pl.col("entry").replace(model_names(view))
    joined = both_orders(with_all, left).with_columns(names)
    title = left_out_title(with_all.with_columns(names), left.with_columns(names), left_out, noun)
    until = looked_at_until(view, board_id)
    total = rows["task"].n_unique() if order_by == MEAN else with_all.height
    chosen = bool(params.get(OUT))
    named = [model_names(view).get(name, name) for name in left_out]
    left_out_text = f"left out: {left_out_names(named, noun)}" if left_out else "no choice puts another first"
    smallest_words = "" if chosen or not left_out else "the smallest change that does it, "
    return Chart(
        title=title,
        subtitle=(
            f"{_name(view, board_id)}, the first {MODELS_SHOWN} of {count(with_all.height, 'model')} by "
            f"{order_by} over {count(total, noun)}; {smallest_words}{left_out_text}; data to {day_of(until)}."
        ),
        figure=left_out_figure(joined, order_by, palette),
        rows=joined.with_columns(left_out=pl.lit(", ".join(left_out))),
        alt=title,
        known_until=until,
    )


LEFT_OUT = ChartSpec(
    "left-out", _left_out, (TASKS, BY, OUT), method="first_place", sources=provenance.of_board_in(TASKS)
)


def _name(view: View, board_id: str) -> str:
    return name_of(view, board_id.split("/", 1)[-1])


def show(view: View, board_id: str) -> None:
    """Draw the board that the address names, or another of the reader's choice."""
    st.header("Boards of many tasks: what first place depends on", anchor="many-tasks")
    rows = board_tables.many_tasks(view)
    if rows.is_empty():
        empty.nothing(
            "No source of this generation reports a benchmark task by task.",
            "It takes three tasks that at least five models ran; LiveBench and the Open LLM leaderboard have them.",
        )
        return
    names = _freshest_first(view)
    options = {board_id: names[board_id], **names} if board_id in names else names
    requested = st.query_params.get(TASKS, "")
    chosen = requested if requested in options else next(iter(options))
    st.markdown(f"**{markdown(_name(view, chosen))}.** {markdown(first_place_text(view, chosen))}")
    expanded = board_id in names or any(name in st.query_params for name in (TASKS, BY, OUT, WITHOUT))
    line = "Leave out tasks or models, and watch first place change"
    folded.draw_folded(line, "more_tasks", lambda: _panel(view, options), expanded=expanded)


@reruns.fragment("leaderboards")
def _panel(view: View, options: Mapping[str, str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = filters.id_picker(TASKS, "Board of many tasks", options)
        order = filters.segments(BY, "Order", ORDER_WORDS)
    params = {TASKS: chosen, BY: order}
    left_out = _choice(view, chosen, ORDERS[order])
    block.show(view, LEFT_OUT, {**params, **({OUT: NAME_SEPARATOR.join(left_out)} if left_out else {})}, level=3)


@always
def _freshest_first(view: View) -> dict[str, str]:
    """The boards by id with their names: those read lately first, of these the ones with most tasks."""
    names = view.table("benchmark").select("benchmark_id", "name", "curated")
    key = pl.col("board_id").str.splitn("/", 2).struct.field("field_1").alias("benchmark_id")
    looks = standings.boards(view).select("board_id", "last_observed_at")
    rows = board_tables.many_tasks(view)
    joined = rows.with_columns(key).join(names, on="benchmark_id", how="left").join(looks, on="board_id", how="left")
    fresh = pl.col("last_observed_at") >= pl.col("last_observed_at").max() - FRESH
    sort_keys = ["curated", fresh, "n_tasks", "n_models", "board_id"]
    ordered = joined.sort(sort_keys, descending=[True] * 4 + [False], nulls_last=True)
    return dict(ordered.select("board_id", pl.coalesce("name", "board_id")).iter_rows())


def _choice(view: View, board_id: str, order_by: str) -> list[str]:
    """Draw the choice of what is left out; returns the names of the chosen tasks or models."""
    rows = scores(view, board_id)
    column, label, key = (
        ("task", "Leave out tasks", OUT) if order_by == MEAN else ("entry", "Leave out models", WITHOUT)
    )
    choices = [name for name in rows[column].unique().sort() if NAME_SEPARATOR not in name]
    options = {one_line(name.split("/", 1)[-1]): name for name in choices}
    picked: Sequence[str] = st.multiselect(
        label,
        list(options),
        key=key,
        placeholder="None chosen: the smallest change that puts another first is shown",
        bind="query-params",
    )
    return [options[name] for name in picked if name in options]


@recently
def first_place_text(view: View, board_id: str) -> str:
    """What first place of the board depends on, and how much its order changes, in words."""
    about = board_tables.many_tasks(view).filter(pl.col("board_id") == board_id).row(0, named=True)
    named = board_tables.subsets(view, {TASKS: board_id}).with_columns(
        pl.col("first", "challenger").replace(model_names(view)),
        pl.col("left_out").list.eval(pl.element().replace(model_names(view))),
    )
    sentences = [_fewest(row) for row in named.iter_rows(named=True)]

    def number(name: str) -> str:
        return "unknown" if about[name] is None else f"{float(about[name]):.2f}"

    measured = (
        f"Over {count(about['n_models'], 'model')} and {count(about['n_tasks'], 'task')}{extent(about)}: disagreement "
        f"of tasks {number('as_published')} as published, {number('tie_corrected')} without ties (0: none); change of "
        f"the order {number('cardinal_sensitivity')} under other task weights, {number('ordinal_sensitivity')} with "
        f"other models left in or out"
    )
    until = looked_at_until(view, board_id)
    cut = ""
    if about["as_defined"] and about["cut_diversity"] is not None and about["cut"] is not None:
        cut = (
            f" Our own cut ({about['cut']}) gives {number('cut_diversity')} as published, "
            f"{number('cut_cardinal_sensitivity')} and {number('cut_ordinal_sensitivity')}."
        )
    return " ".join([*sentences, f"{measured}{known(until)}.{cut}"])


def extent(about: Row) -> str:
    """Whether that is the whole board or what is left out of it."""
    if about["as_defined"]:
        return ", the whole board as its authors define it"
    return f" ({about['cut']})" if about["cut"] else ""


def _fewest(row: Row) -> str:
    by_mean = row["order_by"] == MEAN
    noun, measure = ("task", "mean score") if by_mean else ("other model", "wins")
    first = words_within(str(row["first"]), 40)
    if row["challenger"] is None:
        return f"No choice of {noun}s takes first place by {measure} from {first}."
    left: list[str] = list(row["left_out"])
    named = left_out_names(left, noun)
    fewer = "" if len(left) == 1 else ", and no smaller choice does"
    # `of` is how many can go at most: one task has to stay, and the two models in question.
    n_others = row["of"]
    of_all = count(n_others + 1, "task") if by_mean else f"the {count(n_others, 'model')} besides these two"
    return (
        f"By {measure}, leaving out {len(left)} of {of_all} ({named}) puts "
        f"{words_within(str(row['challenger']), 40)} above {first}{fewer}."
    )
