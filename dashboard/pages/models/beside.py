"""Two models beside each other: on which benchmarks they differ beyond error."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.by_benchmark import two_models
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import facts_of, pair
from benchhealth.dashboard.widgets import block, links, tiles
from benchhealth.dashboard.widgets.shared import TWO_MODELS
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.models import pair_title
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import count, markdown, model_within


def page(view: View, model_id: str, other_id: str) -> None:
    """Draw the comparison; the models are known."""
    facts = [facts_of(view, model) for model in (model_id, other_id)]
    names = (facts[0]["name"], facts[1]["name"])
    rows = pair(view, model_id, other_id)
    st.title(markdown(pair_title(rows, names)), anchor=False)
    sentence = two_models.sentence(rows, names)
    if sentence:
        st.markdown(f"{markdown(sentence)}.")
    if rows.height:
        _tiles(rows, [model_within(name, 26) for name in names])
    block.show(view, TWO_MODELS, {"model": model_id, "other": other_id})
    model_links = " · ".join(
        f"[{markdown(model['name'])}]({links.address('models', model=model['model_id'])}) "
        f"({month_of(model['released_on']) if model['released_on'] else 'release not known'})"
        for model in facts
    )
    turned = links.address("models", model=other_id, other=model_id)
    st.markdown(f":small[Each alone: {model_links} · [The other way round]({turned})]")


def _tiles(rows: pl.DataFrame, names: list[str]) -> None:
    counts = dict(rows.group_by("ahead").len().iter_rows())
    questions = [
        ("first", f"{markdown(names[0])} ahead", "beyond error"),
        ("other", f"{markdown(names[1])} ahead", "beyond error"),
        ("neither", "Within error", two_models.why_within_error(rows)),
        ("unknown", "No error known", "so nothing can be said"),
    ]
    basis = f"of {count(rows.height, 'benchmark')}"
    tiles.show([Tile(key, question, f"{counts.get(key, 0)}", f"{basis}, {note}") for key, question, note in questions])
