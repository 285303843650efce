"""The three cards of the overview: what still measures, what was used up lately, what makers still report."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

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


class Card(NamedTuple):
    """A number with its words, the colour of the number, what it names, and where all of them are."""

    number: int
    words: str
    colour: str
    lines: Sequence[Line]
    more: tuple[str, Mapping[str, str], str]


def card_texts(whole: pl.DataFrame) -> tuple[Card, ...]:
    """The three cards of these rows of `published.benchmarks`."""
    measuring = whole.filter(is_alive())
    used_up = whole.filter(pl.col("stage") == "saturated")
    reported = whole.filter(pl.col("makers") > 0)
    best = measuring.filter(~pl.col("at_least")).sort("headroom", "name", descending=[True, False], nulls_last=True)
    latest = used_up.sort("since", "name", descending=[True, False], nulls_last=True)
    most = reported.sort("makers", "name", descending=[True, False])
    return (
        Card(
            measuring.height,
            "still measuring",
            "blue",
            _lines(best, lambda row: _room(row["headroom"])),
            ("overview", {"stage": "discriminating", "recent": "1"}, f"all {measuring.height}"),
        ),
        Card(
            used_up.height,
            "saturated, most recently",
            "red",
            _lines(latest, lambda row: month_of(row["since"]) if row["since"] else ""),
            ("overview", {"stage": "saturated"}, f"all {used_up.height}"),
        ),
        Card(
            reported.height,
            "in makers' reports of the last 12 months",
            "",
            _lines(most, lambda row: f"{row['makers']} of {row['of_makers']} makers"),
            ("overview", {"order": "makers"}, f"all {reported.height}"),
        ),
    )


def cards(texts: Sequence[Card]) -> None:
    """Draw the cards beside one another."""
    for column, card in zip(st.columns(len(texts)), texts, strict=True):
        with column:
            _card(card)


def _lines(rows: pl.DataFrame, said: Callable[[Mapping[str, Any]], str]) -> list[Line]:
    return [(row["stage"], row["benchmark_id"], row["label"], said(row)) for row in rows.head(NAMED).to_dicts()]


def _room(headroom: float | None) -> str:
    return "no ceiling" if headroom is None else f"{percent(headroom)} left"


def _card(card: Card) -> None:
    counted = f":{card.colour}[{card.number}]" if card.colour else f"{card.number}"
    with st.container(border=True, height="stretch", gap="xxsmall", key=f"card_{card.words.split(maxsplit=1)[0]}"):
        st.markdown(f"## {counted} :small[{card.words}]")
        for stage, benchmark_id, name, said in card.lines:
            with st.container(horizontal=True, horizontal_alignment="distribute", gap="xsmall"):
                to = links.address("benchmark", benchmark=benchmark_id)
                mark = f":{STAGE_BADGE[stage]}[{STAGE_SHAPE[stage]}]"
                st.markdown(f":small[{mark} [{markdown(words_within(name, NAME))}]({to})]", width="content")
                st.markdown(f":small[:gray[{said}]]", width="content")
        if not card.lines:
            st.markdown(":small[:gray[none]]")
        page, params, text = card.more
        st.markdown(f":small[[{text}]({links.address(page, **params)})]")
