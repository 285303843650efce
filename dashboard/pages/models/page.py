"""Models: one model on every benchmark, two beside each other, or the newest with results."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.models import below, beside, head, listing
from benchhealth.dashboard.pages.models.figures import difference, standing
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import (
    RESULTS,
    called_now,
    exists,
    facts_of,
    known_model,
    models,
    pair,
    positions,
    summary_of,
)
from benchhealth.dashboard.published.tables import ParameterError
from benchhealth.dashboard.widgets import block, empty, filters, links
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.text import code, markdown

MODEL, OTHER, CLOCK = "model", "other", "clock"
CLOCKS = {"then": "Against the best of its day", "now": "Against today's best"}
OFFERED = 700
"""Models in the picker: the search of the menu finds all, and a list of all would be sent with every page."""


def _standing(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    model_id, clock = known_model(view, params), params.get(CLOCK, "then")
    if clock not in CLOCKS:
        raise ParameterError(f"clock is one of {', '.join(CLOCKS)}")
    rows, whole = positions(view, model_id), summary_of(view, model_id, clock)
    if whole is None or rows.is_empty():
        return Nothing("It has no result on a curated benchmark.", "What it has is listed below.")
    return standing.chart(rows, whole, clock, _sources(view, (model_id,), rows["benchmark_id"].to_list()), palette)


def _difference(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    ids = known_model(view, params), known_model(view, params, OTHER)
    rows = pair(view, *ids)
    names = facts_of(view, ids[0])["name"], facts_of(view, ids[1])["name"]
    return difference.chart(rows, names, _sources(view, ids, rows["benchmark_id"].to_list()), palette)


def _sources(view: View, ids: tuple[str, ...], benchmark_ids: list[str]) -> list[SourceLine]:
    sql = (
        "SELECT DISTINCT source_id FROM result JOIN snapshot USING (snapshot_id) "
        "WHERE model_id IN $models AND benchmark_id IN $benchmarks"
    )
    named = view.query(sql, models=list(ids), benchmarks=benchmark_ids)
    rows = view.table("source").join(named, on="source_id", how="semi").sort("known_until", descending=True)
    return [SourceLine(*row) for row in rows.select("title", "homepage", "known_until").iter_rows()]


STANDING = ChartSpec("standing", _standing, (MODEL, CLOCK))
DIFFERENCE = ChartSpec("difference", _difference, (MODEL, OTHER))


def render() -> None:
    """Draw the page."""
    view = generation.current()
    _follow_renamed(view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        model_id = _picked(view, MODEL, "Find a model")
        other_id = _picked(view, OTHER, "Beside another") if model_id else None
    if model_id is None:
        if asked := st.query_params.get(MODEL):
            _unknown(asked)
        else:
            listing.page(view)
    elif other_id is not None:
        links.tab_title(f"{facts_of(view, model_id)['name']} and {facts_of(view, other_id)['name']}")
        beside.page(view, model_id, other_id, DIFFERENCE)
    elif asked := st.query_params.get(OTHER):
        _unknown(asked)
    else:
        _one(view, model_id)


def _follow_renamed(view: View) -> None:
    """Puts the ids of today into the address where it has former ones."""
    for name in (MODEL, OTHER):
        asked = st.query_params.get(name)
        now = called_now(view, asked) if asked else None
        if now is not None and now != asked:
            st.query_params[name] = now


def _picked(view: View, name: str, placeholder: str) -> str | None:
    asked = st.query_params.get(name)
    also = asked if asked and exists(view, asked) else None
    return filters.named(name, placeholder, _offered(view, also), placeholder=placeholder, width=320)


def _offered(view: View, also: str | None) -> Mapping[str, str]:
    """The models on most benchmarks in the order of their names, and the one that is asked for."""

    def build() -> dict[str, str]:
        most = models(view).sort("benchmarks", "model_id", descending=[True, False]).head(OFFERED)
        return dict(most.sort(pl.col("name").str.to_lowercase(), "model_id").select("model_id", "name").iter_rows())

    offered = view.kept("offered models", build)
    return offered if also is None or also in offered else {also: facts_of(view, also)["name"], **offered}


def _one(view: View, model_id: str) -> None:
    facts = facts_of(view, model_id)
    links.tab_title(facts["name"])
    chosen = st.session_state.get(CLOCK) or st.query_params.get(CLOCK)
    clock = chosen if chosen in CLOCKS else "then"
    whole = summary_of(view, model_id, clock)
    st.title(markdown(head.title(facts, whole, clock)), anchor=False)
    rival = head.beside(view, facts, clock)
    st.markdown(markdown(head.about(facts, whole)) + (f" · {rival}" if rival else ""))
    head.flags(view, model_id)
    if whole is None:
        below.uncurated(view, model_id)
        below.several(view, model_id)
        below.numbers(view, model_id)
        return
    head.tiles(view, facts, whole, clock)
    st.segmented_control(
        "Held against", list(CLOCKS), default="then", key=CLOCK, format_func=lambda one: CLOCKS[one],
        label_visibility="collapsed", bind="query-params",
    )  # fmt: skip
    block.show(view, STANDING, {MODEL: model_id, CLOCK: clock})
    below.records(view, model_id)
    below.sides(view, model_id)
    below.twins(view, model_id)
    below.several(view, model_id)
    below.numbers(view, model_id)


def _unknown(asked: str) -> None:
    st.title("No such model", anchor=False)
    empty.nothing(
        f"This generation holds no model {code(asked)}.",
        f"It may have been renamed. Press / to search all models, or [see the newest]({links.address('models')}).",
    )


PAGE = PageSpec(
    url_path="models",
    title="Models",
    render=render,
    tables=(listing.LIST, RESULTS),
    charts=(STANDING, DIFFERENCE),
)
