"""The three cards of the overview: what still measures, what was used up lately, what makers still report."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import streamlit as st

from dashboard.published.benchmarks import is_alive
from dashboard.widgets import links
from dashboard.words.numbers import month_of, percent
from dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE
from dashboard.words.text import markdown, words_within

NAMED, NAME = 3, 30

Line = tuple[str, str, str, str]
"""Stage, benchmark_id, name, and what stands at the right."""


def cards(whole: pl.DataFrame) -> None:
    """Draw the three cards of these rows of `published.benchmarks`."""
    measuring, used_up, reported = st.columns(3)
    with measuring:
        rows = whole.filter(is_alive())
        best = rows.filter(~pl.col("at_least")).sort("headroom", "name", descending=[True, False], nulls_last=True)
        _card(
            rows.height,
            "still measuring",
            "blue",
            [(row["stage"], row["benchmark_id"], row["label"], _room(row["headroom"])) for row in _dicts(best)],
            ("overview", {"stage": "discriminating", "recent": "1"}, f"all {rows.height}"),
        )
    with used_up:
        rows = whole.filter(pl.col("stage") == "saturated")
        latest = rows.sort("since", "name", descending=[True, False], nulls_last=True)
        _card(
            rows.height,
            "saturated, most recently",
            "red",
            [
                (row["stage"], row["benchmark_id"], row["label"], month_of(row["since"]) if row["since"] else "")
                for row in _dicts(latest)
            ],
            ("overview", {"stage": "saturated"}, f"all {rows.height}"),
        )
    with reported:
        mentioned = whole.filter(pl.col("makers") > 0)
        most = mentioned.sort("makers", "name", descending=[True, False])
        _card(
            mentioned.height,
            "in makers' reports of the last 12 months",
            "",
            [
                (row["stage"], row["benchmark_id"], row["label"], f"{row['makers']} of {row['of_makers']} makers")
                for row in _dicts(most)
            ],
            ("overview", {"order": "makers"}, f"all {mentioned.height}"),
        )


def _dicts(rows: pl.DataFrame) -> list[dict[str, Any]]:
    return rows.head(NAMED).to_dicts()


def _room(headroom: float | None) -> str:
    return "no ceiling" if headroom is None else f"{percent(headroom)} left"


def _card(number: int, words: str, colour: str, lines: Sequence[Line], more: tuple[str, dict[str, str], str]) -> None:
    counted = f":{colour}[{number}]" if colour else f"{number}"
    with st.container(border=True, height="stretch", gap="xxsmall", key=f"card_{words.split(maxsplit=1)[0]}"):
        st.markdown(f"## {counted} :small[{words}]")
        for stage, benchmark_id, name, said in lines:
            with st.container(horizontal=True, horizontal_alignment="distribute", gap="xsmall"):
                to = links.address("benchmark", benchmark=benchmark_id)
                mark = f":{STAGE_BADGE[stage]}[{STAGE_SHAPE[stage]}]"
                st.markdown(f":small[{mark} [{markdown(words_within(name, NAME))}]({to})]", width="content")
                st.markdown(f":small[:gray[{said}]]", width="content")
        if not lines:
            st.markdown(":small[:gray[none]]")
        page, params, text = more
        st.markdown(f":small[[{text}]({links.address(page, **params)})]")
