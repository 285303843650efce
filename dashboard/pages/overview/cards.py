"""The three cards of the overview: what still measures, what was used up lately, what changed."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import streamlit as st

from dashboard.published.benchmarks import is_alive
from dashboard.published.generation import View
from dashboard.widgets import links
from dashboard.words.numbers import month_of, percent
from dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE, STAGE_WORDS
from dashboard.words.text import markdown, short

NAMED = 3

Line = tuple[str, str, str, str]
"""Stage, benchmark_id, name, and what stands at the right."""


def cards(view: View, whole: pl.DataFrame) -> None:
    """Draw the three cards of these rows of `published.benchmarks`."""
    measuring, used_up, changed = st.columns(3, border=True)
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
            [(row["stage"], row["benchmark_id"], row["name"], month_of(row["since"])) for row in _dicts(latest)],
            ("overview", {"stage": "saturated"}, f"all {rows.height}"),
        )
    with changed:
        moved = _moved(view)
        _card(
            moved.height,
            "moved since the last generation",
            "",
            [
                (
                    row["after"],
                    row["benchmark_id"],
                    row["name"],
                    f"{STAGE_SHAPE[row['before']]} → {STAGE_WORDS[row['after']].lower()}",
                )
                for row in _dicts(moved)
            ],
            ("changes", {}, "all changes"),
        )


def _moved(view: View) -> pl.DataFrame:
    """The benchmarks whose stage is another than in the generation before, with `before`, `after` and their name."""
    moves = view.table("change").filter(pl.col("kind") == "stage")
    return moves.join(view.table("benchmark").select("benchmark_id", "name"), on="benchmark_id", how="left").sort(
        "name"
    )


def _dicts(rows: pl.DataFrame) -> list[dict[str, Any]]:
    return rows.head(NAMED).to_dicts()


def _room(headroom: float | None) -> str:
    return "no ceiling" if headroom is None else f"{percent(headroom)} left"


def _card(number: int, words: str, colour: str, lines: Sequence[Line], more: tuple[str, dict[str, str], str]) -> None:
    counted = f":{colour}[{number}]" if colour else f"{number}"
    with st.container(gap="xsmall"):
        st.markdown(f"### {counted} :small[{words}]")
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
