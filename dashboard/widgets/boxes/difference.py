"""The box "is this difference real?": two scores, two models, or one and the best; all of it in the address."""

from collections.abc import Mapping

import streamlit as st

from benchhealth.dashboard.published.boards.difference import (
    BENCHMARK,
    BEST,
    FIRST,
    ITEMS,
    MODEL,
    OTHER,
    PARAMS,
    SECOND,
    SHOTS,
    models_with_results,
    score_pair,
)
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.widgets import block, empty, filters, folded, links
from benchhealth.dashboard.widgets.shared import TWO_SCORES
from benchhealth.dashboard.words.boards import difference as words
from benchhealth.dashboard.words.text import markdown, model_within, one_line

QUESTION = "Is this difference real?"
SCORES, MODELS, ONE = "scores", "models", "best"
WAYS: Mapping[str, str] = {SCORES: "Two scores", MODELS: "Two models", ONE: "One and the best"}
WAY = "difference"

FIELDS: Mapping[str, tuple[str, str]] = {
    FIRST: ("First score, in %", "71.2"),
    SECOND: ("Second score, in %", "72.4"),
    ITEMS: ("Items each", "those of the test"),
    SHOTS: ("Examples in the prompt", "not stated"),
}
"""What is typed: its label, and what stands in an empty field."""

HELP: Mapping[str, str] = {
    ITEMS: "One number for both, or two with a comma between them.",
    SHOTS: "One number for both, or two with a comma between them.",
}
NAME = 44


def is_asked() -> bool:
    """Whether the address asks for a difference."""
    return any(st.query_params.get(name) for name in (FIRST, SECOND, MODEL, WAY))


def box(view: View, benchmark_id: str) -> None:
    """The question about one benchmark behind a line, open where the address asks for it."""
    folded.draw_folded(QUESTION, "two_scores_box", lambda: ask(view, benchmark_id), expanded=is_asked())


def ask(view: View, benchmark_id: str) -> None:
    """The fields and, where they are filled in, the answer."""
    kind = filters.segments(WAY, "What is compared", WAYS)
    params = {BENCHMARK: benchmark_id, **(_score_form() if kind == SCORES else _model_picker(view, benchmark_id, kind))}
    with st.container(key="live_difference"):
        if (FIRST in params and SECOND in params) or (MODEL in params and OTHER in params):
            _answer(view, params)


def _score_form() -> dict[str, str]:
    """Draw a form for two scores and their numbers of items, and return what the address has of it."""
    for name in FIELDS:
        key = f"two_scores_{name}"
        if st.session_state.get(f"{key}_of") != st.query_params.get(name, ""):
            st.session_state[key] = st.session_state[f"{key}_of"] = st.query_params.get(name, "")
    with st.form("two_scores", border=False):
        for column, (name, (label, placeholder)) in zip(st.columns(len(FIELDS)), FIELDS.items(), strict=True):
            column.text_input(label, key=f"two_scores_{name}", placeholder=placeholder, help=HELP.get(name))
        st.form_submit_button("Answer", on_click=_send)
    return {name: st.query_params[name] for name in FIELDS if st.query_params.get(name)}


def _send() -> None:
    for name in FIELDS:
        typed = one_line(str(st.session_state[f"two_scores_{name}"]))[:40]
        st.session_state[f"two_scores_{name}_of"] = typed
        if typed:
            st.query_params[name] = typed
        else:
            st.query_params.pop(name, None)


def _model_picker(view: View, benchmark_id: str, kind: str) -> dict[str, str]:
    """Models that have a standing result on the benchmark."""
    rows = models_with_results(view, benchmark_id)
    if rows.height < 2:
        empty.nothing("No two models can be compared.", "Fewer than two have a standing result on it.")
        return {}
    named = {key: model_within(name, NAME) for key, name in rows.select("model_id", "model").iter_rows()}
    left, right = st.columns(2)
    with left:
        first = filters.id_picker(
            MODEL, "First model" if kind == MODELS else "Model", named, placeholder="Find a model"
        )
    if kind == ONE:
        return {} if first is None else {MODEL: first, OTHER: BEST}
    with right:
        second = filters.id_picker(OTHER, "Second model", named, placeholder="Find a model")
    return {} if first is None or second is None else {MODEL: first, OTHER: second}


def _answer(view: View, params: dict[str, str]) -> None:
    try:
        comparison = view.recent(
            ("two scores", *(params.get(name, "") for name in PARAMS)), lambda: score_pair(view, params)
        )
    except ParameterError as refused:
        empty.nothing("There is no answer.", markdown(f"{str(refused)[:1].upper()}{str(refused)[1:]}."))
        return
    block.show(view, TWO_SCORES, params, level=3)
    _nearest(comparison)
    facts = words.facts(comparison)
    with st.container(key="difference_facts"):
        for column, fact in zip(st.columns(len(facts)), facts, strict=True):
            question, reply, detail = (markdown(text) for text in (fact.question, fact.reply, fact.detail))
            column.markdown(f":small[:gray[{question}]]\n\n**{reply}**\n\n:small[{detail}]")


def _nearest(comparison: words.ScorePair) -> None:
    """What can be answered in place of what was asked, with the address that asks it."""
    if not (sentence := words.nearest(comparison)):
        return
    link = ""
    if comparison.instead is not None and comparison.first.model_id and comparison.second.model_id:
        pair = {MODEL: comparison.first.model_id, OTHER: comparison.second.model_id}
        address = links.address("benchmark", benchmark=comparison.instead.benchmark_id, **{WAY: MODELS}, **pair)
        link = f" [Compare them there]({address})"
    st.markdown(f"{markdown(sentence)}{link}")
