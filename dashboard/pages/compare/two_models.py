"""Two models over all benchmarks that both have, behind a line; open where the address names a model."""

import streamlit as st

from benchhealth.dashboard.figures.by_benchmark import two_models
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import called_now, facts_of, pair
from benchhealth.dashboard.widgets import block, empty, folded, links
from benchhealth.dashboard.widgets.boxes import doors
from benchhealth.dashboard.widgets.shared import TWO_MODELS
from benchhealth.dashboard.words.text import code, markdown

LINE = "Two models, benchmark by benchmark"
MODEL, OTHER = "model", "other"


def show(view: View) -> None:
    """The choice of two models and, where both are chosen, on which benchmarks they differ beyond error."""
    folded.opened(LINE, "two_models_box", lambda: _asked(view), expanded=MODEL in st.query_params)


def _asked(view: View) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = [doors.model_box(view, name, line) for name, line in ((MODEL, "One model"), (OTHER, "And another"))]
    named = [st.query_params.get(name) for name in (MODEL, OTHER)]
    unknown = [model_id for model_id in named if model_id and called_now(view, model_id) is None]
    if unknown:
        empty.nothing(f"This generation holds no model {code(unknown[0])}.", "It may have been renamed.")
    elif None in chosen:
        empty.nothing("Two models are compared.", "Choose both above: their benchmarks in common follow.")
    else:
        one, other = (str(each) for each in chosen)
        sentence = two_models.sentence(
            pair(view, one, other), (facts_of(view, one)["name"], facts_of(view, other)["name"])
        )
        if sentence:
            st.markdown(f"{markdown(sentence)}.")
        params = {MODEL: one, OTHER: other}
        block.show(view, TWO_MODELS, params)
        st.markdown(f":small[[The two on a page of their own]({links.address('models', **params)})]")
