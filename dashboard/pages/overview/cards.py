"""The three cards of the overview: what still measures, what was used up lately, what changed."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import streamlit as st

from dashboard.published.benchmarks import is_alive
from dashboard.published.changes import MOVED_STAGE, NEW, RECORDS, changes
from dashboard.published.generation import View
from dashboard.widgets import links
from dashboard.words.numbers import month_of, percent, score
from dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE, STAGE_WORDS
from dashboard.words.text import markdown, short

NAMED = 3

Line = tuple[str, str, str, str]
"""Stage, benchmark_id, name, and what stands at the right."""


def cards(view: View, whole: pl.DataFrame) -> None:
    """Draw the three cards of these rows of `published.benchmarks`."""
    measuring, used_up, moved = st.columns(3, border=True)
    with measuring:
        rows = whole.filter(is_alive())
        best = rows.filter(~pl.col("at_least")).sort("headroom", "name", descending=[True, False], nulls_last=True)
        _card(
            rows.height,
            "still measuring",
            "blue",
            [(row["stage"], row["benchmark_id"], row["name"], _room(row["headroom"])) for row in _dicts(best)],
            ("overview", {"stage": "discriminating"}, f"all {rows.height}"),
        )
    with used_up:
        rows = whole.filter(pl.col("stage") == "saturated")
        latest = rows.sort("since", "name", descending=[True, False], nulls_last=True)
        _card(
            rows.height,
            "saturated, most recently",
            "red",
            [
                (row["stage"], row["benchmark_id"], row["name"], month_of(row["since"]) if row["since"] else "")
                for row in _dicts(latest)
            ],
            ("overview", {"stage": "saturated"}, f"all {rows.height}"),
        )
    with moved:
        _changed(view, whole)


def _changed(view: View, whole: pl.DataFrame) -> None:
    """The benchmarks of the newest edition that changed their stage; where none did, those with a new best score."""
    told = changes(view).filter("is_newest", pl.col("benchmark_id").is_in(whole["benchmark_id"].implode()))
    stages, best = (told.filter(pl.col("kind").is_in(kinds)) for kinds in ((MOVED_STAGE, NEW), RECORDS))
    lines = [
        (
            row["after"],
            row["benchmark_id"],
            row["name"],
            f"was {STAGE_WORDS[row['before']].lower()}" if row["before"] else "new",
        )
        for row in stages.head(NAMED).iter_rows(named=True)
    ]
    stage_of = dict(whole.select("benchmark_id", "stage").iter_rows())
    lines += [
        (stage_of[row["benchmark_id"]], row["benchmark_id"], row["name"], f"best {score(row['value'], row['unit'])}")
        for row in best.head(max(0, NAMED - len(lines))).iter_rows(named=True)
    ]
    words = "changed stage since the last edition"
    if stages.is_empty():
        words = "new best scores since the last edition" if best.height else "changed since the last edition"
    number = stages.height or best.height
    _card(number, words, "", lines, ("changes", {}, "what changed"))


def _dicts(rows: pl.DataFrame) -> list[dict[str, Any]]:
    return rows.head(NAMED).to_dicts()


def _room(headroom: float | None) -> str:
    return "no ceiling" if headroom is None else f"{percent(headroom)} left"


def _card(number: int, words: str, colour: str, lines: Sequence[Line], more: tuple[str, dict[str, str], str]) -> None:
    counted = f":{colour}[{number}]" if colour else f"{number}"
    with st.container(gap="xsmall"):
        st.markdown(f"## {counted} :small[{words}]")
        for stage, benchmark_id, name, said in lines:
            with st.container(horizontal=True, horizontal_alignment="distribute", gap="xsmall"):
                to = links.address("benchmark", benchmark=benchmark_id)
                mark = f":{STAGE_BADGE[stage]}[{STAGE_SHAPE[stage]}]"
                st.markdown(f":small[{mark} [{markdown(short(name))}]({to})]", width="content")
                st.markdown(f":small[:gray[{said}]]", width="content")
        if not lines:
            st.markdown(":small[:gray[none]]")
        page, params, text = more
        st.markdown(f":small[[{text}]({links.address(page, **params)})]")
