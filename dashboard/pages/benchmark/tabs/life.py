"""The life of a benchmark: the events in order, each with its source and the day since when it is known here."""

import streamlit as st

from benchhealth.dashboard.pages.benchmark import incidents
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.happened.lives import EVENTS, events, told_saturated_on
from benchhealth.dashboard.widgets import empty, links
from benchhealth.dashboard.words.happened import lives as words
from benchhealth.dashboard.words.text import markdown


def show(view: View, facts: Facts) -> None:
    """Draw the list, and below it the incidents."""
    params = {"benchmark": facts["benchmark_id"]}
    rows = events(view, params).to_dicts()
    if not rows:
        empty.nothing("No dated event yet.", "It takes a release or a result that has a day.")
    else:
        st.header(words.title(rows, told_saturated_on(view, facts["benchmark_id"])), anchor="life")
        with st.container(key="life_list"):
            st.markdown("\n".join(f"{row['place']}. {_line(row, facts)}" for row in rows))
        st.markdown(f":small[[As CSV]({EVENTS.address(params)})]")
    incidents.section(view, facts)


def _line(row: dict[str, object], facts: Facts) -> str:
    sentence = words.what_happened(row, facts)
    texts = [f"{words.day_of_event(row)} {words.mark(row)} **{words.HEADS[str(row['kind'])]}**"]
    if sentence:
        texts.append(markdown(sentence))
    line = ": ".join(texts) if sentence else texts[0]
    if source_link := links.outside("row" if row["snapshot_id"] else "source", str(row["address"] or "")):
        line += f" · {source_link}"
    late = words.known_since(row)
    return f":small[{line}{f' :gray[· {late}]' if late else ''}]"
