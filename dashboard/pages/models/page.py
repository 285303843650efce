"""Models: one model on every benchmark, two beside each other, or the newest with results."""

import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.figures.picture import Line, Picture
from benchhealth.dashboard.pages.models import below, beside, head, listing
from benchhealth.dashboard.pages.models.figures import behind_best
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import Params, View, one_of
from benchhealth.dashboard.published.models import (
    RESULTS,
    facts_of,
    known_model,
    models,
    positions,
    summary_of,
)
from benchhealth.dashboard.widgets import block, empty, links, provenance, replay
from benchhealth.dashboard.widgets.boxes import suggestions
from benchhealth.dashboard.widgets.page import PageSpec, Shared
from benchhealth.dashboard.widgets.shared import TWO_MODELS
from benchhealth.dashboard.words import models as words
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import code, markdown

MODEL, OTHER, CLOCK = "model", "other", "clock"
CLOCKS = {"then": "Against the best of its day", "now": "Against today's best"}


def _standing(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    model_id, clock = known_model(view, params), one_of(params, CLOCK, tuple(CLOCKS))
    rows, summary = positions(view, model_id), summary_of(view, model_id, clock)
    if summary is None or rows.is_empty():
        return Nothing("It has no result on a curated benchmark.", "What it has is listed below.")
    return behind_best.chart(rows, summary, clock, palette)


STANDING = ChartSpec(
    "standing", _standing, (MODEL, CLOCK), method="position", sources=provenance.of_named_models(MODEL)
)


def draw(view: View) -> None:
    """Draw the page."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        model_id = suggestions.model_box(view, MODEL, "Find a model")
        other_id = suggestions.model_box(view, OTHER, "Beside another") if model_id else None
    if model_id is None:
        if requested_id := st.query_params.get(MODEL):
            _no_such_model(view, requested_id)
        else:
            listing.page(view)
            st.markdown(f":small[{_recent_models(view)}]")
    elif other_id is not None:
        links.tab_title(f"{facts_of(view, model_id)['name']} and {facts_of(view, other_id)['name']}")
        beside.page(view, model_id, other_id)
    elif requested_id := st.query_params.get(OTHER):
        _no_such_model(view, requested_id)
    else:
        _one_model(view, model_id)


def _one_model(view: View, model_id: str) -> None:
    facts = facts_of(view, model_id)
    links.tab_title(facts["name"])
    suggestions.remember(suggestions.MODELS, model_id, facts["name"])
    chosen = st.session_state.get(CLOCK) or st.query_params.get(CLOCK)
    clock = chosen if chosen in CLOCKS else "then"
    replay.once(view, ("head of a model", model_id, clock), lambda: _head(view, model_id, clock))
    if summary_of(view, model_id, clock) is not None:
        st.segmented_control(
            "Held against", list(CLOCKS), default="then", key=CLOCK, format_func=lambda key: CLOCKS[key],
            label_visibility="collapsed", bind="query-params",
        )  # fmt: skip
        block.show(view, STANDING, {MODEL: model_id, CLOCK: clock})
    replay.once(view, ("rest of a model", model_id), lambda: _below_chart(view, model_id))


def _head(view: View, model_id: str, clock: str) -> None:
    """Title, what it leads and who measured that, flags, and four tiles."""
    facts, summary = facts_of(view, model_id), summary_of(view, model_id, clock)
    st.title(markdown(words.title(facts, summary, clock)), anchor=False)
    if summary is not None:
        st.markdown(markdown(words.lead(positions(view, model_id), head.fates_of(view, model_id), clock)))
    rival = head.rival_link(view, facts, clock)
    line = words.model_line(facts, has_day=clock == "then" and summary is not None and summary["n"] > 0)
    st.markdown(f":small[{markdown(line)}{f' · {rival}' if rival else ''}]")
    head.flags(view, model_id)
    if summary is not None:
        head.tiles(view, facts, summary, clock)


def _below_chart(view: View, model_id: str) -> None:
    """Draw what comes below the chart, or in its place."""
    if summary_of(view, model_id, "then") is None:
        below.draw_uncurated(view, model_id)
    else:
        below.maker_and_others(view, model_id)
        below.twins(view, model_id)
    below.benchmarks_with_several_numbers(view, model_id)
    below.numbers(view, model_id, head.overall(view, facts_of(view, model_id)))


def _recent_models(view: View) -> str:
    return suggestions.examples_and_opened(view, suggestions.MODELS, _address)


def _address(model_id: str) -> str:
    return links.address("models", model=model_id)


def _no_such_model(view: View, requested_id: str) -> None:
    st.title("No such model", anchor=False)
    similar_names = suggestions.called_alike(
        requested_id, dict(models(view).select("model_id", "name").iter_rows()), _address
    )
    empty.nothing(
        f"This generation holds no model {code(requested_id)}.",
        "It may have been renamed. Press / to search all models, or "
        f"[see the newest]({links.address('models')}).{similar_names}\n\n{_recent_models(view)}",
    )


def _shared_picture(view: View, params: Params) -> Picture | None:
    """The title of a model with who it is and who measured it; None where the address names no model."""
    if not params.get(MODEL):
        return None
    model_id = known_model(view, params)
    facts, summary = facts_of(view, model_id), summary_of(view, model_id, "then")
    source = f"benchhealth · as of {day_of(assessed_on(view))}"
    tiles = () if summary is None else head.answer_tiles(view, facts, summary, "then")
    lines = tuple(
        Line(tile.question, tile.answer.removeprefix(":gray[").removesuffix("]"), "", "") for tile in tiles[1:]
    )
    return Picture(words.title(facts, summary, "then"), words.model_line(facts), lines=lines, source=source)


PAGE = PageSpec(
    url_path="models",
    title="Models",
    draw=draw,
    tables=(listing.LIST, RESULTS),
    charts=(STANDING, TWO_MODELS),
    shared=Shared((MODEL,), _shared_picture),
)
