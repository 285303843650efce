"""The verdict card on the page: nine cells, each with a link to the tab that has its evidence."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

import streamlit as st

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.answers import answers_of, card_of, words_of
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.card.cells import UNTIL, Cell
from benchhealth.dashboard.words.text import markdown


class Place(NamedTuple):
    """Where on the page an answer has its evidence: the tab (empty: above the tabs) and the anchor."""

    tab: str
    anchor: str


PLACES: Mapping[str, Place] = {
    "room": Place("All indicators", "room"),
    "order": Place("Top models", "order"),
    "second": Place("Twins", "twins"),
    "seen": Place("Contamination", "contamination"),
    "labels": Place("Sources", "labels"),
    "reporters": Place("Who reports", "reporters"),
    "looked": Place("Sources", "looked"),
    "stage": Place("All indicators", "why"),
    "outlook": Place("Outlook", "forecast"),
    "instead": Place("", "instead"),
}
"""The tab and the anchor that have the evidence, by the key of the question."""

_COLOURS = {"yes": "blue", "partly": "orange", "no": "red", "unknown": "gray"}


def card(view: View, facts: Facts) -> None:
    """Draw the card in three columns, on a phone in one."""
    with st.container(border=True, key="answers"):
        for cell in cells(view, facts["benchmark_id"]):
            st.markdown(cell)


@recently
def cells(view: View, benchmark_id: str) -> list[str]:
    """The cells of a benchmark's card in markdown, each with the address of its evidence."""
    return [_cell(cell, url) for cell, url in cells_with_addresses(view, benchmark_id)]


def cells_with_addresses(view: View, benchmark_id: str) -> list[tuple[Cell, str]]:
    """The cells of the card, each with the address of its evidence, relative to any page."""
    rows = answers_of(view, benchmark_id)
    return [
        (cell, address_of(benchmark_id, rows["looked" if cell.key == UNTIL else cell.key]))
        for cell in card_of(view, benchmark_id)
    ]


def passed_on(benchmark_id: str) -> str:
    """Links that share the card, in markdown: a script of the document turns them into texts to copy."""
    named = quote(benchmark_id, safe="")
    named_urls = (
        ("Link", links.permalink()),
        ("Embed", f"embed/card?benchmark={named}"),
        ("Picture", f"share/benchmark/{quote(benchmark_id)}.png"),
    )
    return f":small[:gray[This card] {'&ensp;'.join(f'[{name}](<{url}>)' for name, url in named_urls)}]"


def draw_answer(view: View, facts: Facts, key: str) -> None:
    """Draw an answer as the head of its tab: question, word and number, and below it the whole paragraph."""
    answer = words_of(view, facts["benchmark_id"]).get(key)
    if answer is not None:
        st.header(markdown(f"{answer.question} {answer.tile}"), anchor=PLACES[key].anchor)
        st.markdown(markdown(answer.paragraph))


def twin_of(row: Row | None) -> str | None:
    """The id of the twin that the answer to `second` is about."""
    keys = [] if row is None else row["evidence"]
    return next((key.removeprefix("twin/") for key in keys if key.startswith("twin/")), None)


def address_of(benchmark_id: str, row: Row) -> str:
    """The address of the evidence for an answer, relative to any page."""
    tab, anchor = PLACES[row["question"]]
    params = {"benchmark": benchmark_id} | ({"tab": tab} if tab else {})
    if twin_id := twin_of(row):
        params["twin"] = twin_id
    return f"{links.address('benchmark', **params)}#{anchor}"


def _cell(cell: Cell, url: str) -> str:
    value = f" ({markdown(cell.number)})" if cell.number else ""
    word = f":{_COLOURS[cell.kind]}[{cell.word}]" if cell.kind in _COLOURS else markdown(cell.word)
    return f":small[[{markdown(cell.question)}](<{url}>)]\n\n**{word}**{value}\n\n:small[:gray[{markdown(cell.brief)}]]"
