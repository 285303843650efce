"""The three cards of the overview: what still measures, what was used up lately, what changed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl
import streamlit as st

from benchhealth.dashboard.published.answers import numbers_to, saturated_of
from benchhealth.dashboard.published.benchmarks import is_alive, is_doubted, is_fresh
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.happened.months import changed, known_day, span_of
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.happened.months import called
from benchhealth.dashboard.words.numbers import month_of, score
from benchhealth.dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE, STAGE_WORDS
from benchhealth.dashboard.words.text import markdown, words_within

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


def card_texts(view: View, whole: pl.DataFrame) -> tuple[Card, ...]:
    """The three cards of these rows of `published.benchmarks`: all curated ones."""
    counted, rooms = saturated_of(view), numbers_to(view, "room")
    measuring = whole.filter(is_alive())
    alive = is_fresh() & ~pl.col("flags").list.contains("dormant")
    doubted = whole.filter(alive, is_doubted(), stage="discriminating").height
    used_up = whole.filter(pl.col("stage") == "saturated")
    best = measuring.filter(~pl.col("at_least")).sort("headroom", "name", descending=[True, False], nulls_last=True)
    latest = used_up.sort("since", "name", descending=[True, False], nulls_last=True)
    return (
        Card(
            measuring.height,
            f"still measuring, of {whole.filter(is_fresh()).height} looked at lately",
            "blue",
            _lines(best, lambda row: rooms.get(row["benchmark_id"], "")),
            ("overview", {"stage": "discriminating", "recent": "1"}, _all_of(measuring.height, doubted)),
        ),
        Card(
            counted.saturated,
            f"saturated, of all {counted.benchmarks}; the latest",
            "red",
            _lines(latest, lambda row: month_of(row["since"]) if row["since"] else ""),
            ("overview", {"stage": "saturated"}, f"all {counted.saturated}"),
        ),
        _changed(view, whole),
    )


def _all_of(sure: int, doubted: int) -> str:
    """What the list behind a card has: those that it counts, and those of which not enough is known."""
    return f"all {sure}, and {doubted} that may be running out" if doubted else f"all {sure}"


def _changed(view: View, whole: pl.DataFrame) -> Card:
    """The benchmarks that changed stage in the months that the page of changes shows by default; else new best scores.

    It is the count of that page and its tiles.
    """
    told = changed(view, span_of("", known_day(view)))
    known = {row["benchmark_id"]: row for row in whole.select("benchmark_id", "stage", "label").iter_rows(named=True)}
    stages = told.stages.filter(pl.col("benchmark_id").is_in(list(known))).reverse()
    best = told.best.filter(pl.col("benchmark_id").is_in(list(known)))
    lines = [
        (
            row["after"],
            row["benchmark_id"],
            known[row["benchmark_id"]]["label"],
            f"was {STAGE_WORDS[row['before']].lower()}" if row["before"] else "first results",
        )
        for row in stages.head(NAMED).iter_rows(named=True)
    ]
    lines += [
        (
            known[row["benchmark_id"]]["stage"],
            row["benchmark_id"],
            known[row["benchmark_id"]]["label"],
            f"best {score(row['value'], row['unit'])}",
        )
        for row in best.head(max(0, NAMED - len(lines))).iter_rows(named=True)
    ]
    moved, when = stages["benchmark_id"].n_unique(), called(told.span)
    words = f"changed stage, {when}" if moved or best.is_empty() else f"new best scores, {when}"
    return Card(moved or best.height, words, "", lines, ("changes", {}, "what changed"))


def cards(texts: Sequence[Card]) -> None:
    """Draw the cards beside one another."""
    for column, card in zip(st.columns(len(texts)), texts, strict=True):
        with column:
            _card(card)


def _lines(rows: pl.DataFrame, said: Callable[[Mapping[str, Any]], str]) -> list[Line]:
    return [(row["stage"], row["benchmark_id"], row["label"], said(row)) for row in rows.head(NAMED).to_dicts()]


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
