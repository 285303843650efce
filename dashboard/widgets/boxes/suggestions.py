"""What to open where nothing is chosen: six examples, taken by a rule, what was opened last in this tab, like names."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import polars as pl
import streamlit as st

from benchhealth.dashboard.published.benchmarks import benchmarks, best_known, family
from benchhealth.dashboard.published.generation import View, near_ids, slug
from benchhealth.dashboard.published.models import called_now, models, models_to_choose
from benchhealth.dashboard.widgets import filters
from benchhealth.dashboard.words.text import markdown

EXAMPLES, REMEMBERED = 6, 6
_SESSION_KEY = "_opened_last"

BENCHMARKS, MODELS = "benchmark", "model"
RULES: Mapping[str, str] = {
    BENCHMARKS: "Named by the highest number of makers lately",
    MODELS: "Results on the highest number of benchmarks",
}
"""The rule by which examples of each kind are taken, as the heading over them."""

AddressOf = Callable[[str], str]
"""Gives the address of the page of an id."""


def remember(kind: str, opened_id: str, name: str) -> None:
    """Remember that a benchmark or a model was opened, for as long as the reader's tab is open."""
    before = st.session_state.setdefault(_SESSION_KEY, {}).get(kind, {})
    earlier = [(earlier_id, opened_name) for earlier_id, opened_name in before.items() if earlier_id != opened_id]
    st.session_state[_SESSION_KEY][kind] = dict([(opened_id, name), *earlier][:REMEMBERED])


def examples_and_opened(view: View, kind: str, address_of: AddressOf, among: Iterable[str] | None = None) -> str:
    """The examples and what was opened last, as markdown, limited to the ids `among` where they are given."""
    allowed = None if among is None else set(among)
    opened = {
        entry_id: name
        for entry_id, name in st.session_state.get(_SESSION_KEY, {}).get(kind, {}).items()
        if allowed is None or entry_id in allowed
    }
    headed = {RULES[kind]: _examples(view, kind, allowed), "Opened last": opened}
    return "  \n".join(_entries(heading, names, address_of) for heading, names in headed.items() if names)


def benchmarks_alike(view: View, unknown: str, address_of: AddressOf) -> str:
    """The paragraph of `called_alike` over benchmarks: curated ones, and others where none of these is near."""
    rows = benchmarks(view).select("benchmark_id", "label", "curated")
    scopes = (rows.filter("curated"), rows)
    named = (dict(scope.select("benchmark_id", "label").iter_rows()) for scope in scopes)
    return next(filter(None, (called_alike(unknown, names, address_of) for names in named)), "")


def called_alike(unknown: str, names: Mapping[str, str], address_of: AddressOf) -> str:
    """A paragraph of markdown with what has almost the name of an id that is not known; empty where nothing has.

    Where several have one name, the id stands behind it.
    """
    similar = {entry_id: names[entry_id] for entry_id in near_ids(slug(unknown), list(names), names)}
    bearers = Counter(similar.values())
    titles = {entry_id: name if bearers[name] == 1 else f"{name} ({entry_id})" for entry_id, name in similar.items()}
    return f"\n\n{_entries('Did you mean', titles, address_of)}" if similar else ""


def _entries(heading: str, names: Mapping[str, str], address_of: AddressOf) -> str:
    entries = " · ".join(f"[{markdown(name)}](<{address_of(entry_id)}>)" for entry_id, name in names.items())
    return f"{heading}: {entries}"


def _examples(view: View, kind: str, allowed: set[str] | None) -> dict[str, str]:
    if kind == MODELS:
        rows = models(view).sort("benchmarks", "model_id", descending=[True, False], nulls_last=True)
        candidates = rows.select(pl.col("model_id").alias("id"), "name")
    else:
        rows = best_known(benchmarks(view).filter("curated", "of_curated"))
        candidates = rows.unique(family(), keep="first", maintain_order=True).select(
            pl.col("benchmark_id").alias("id"), pl.col("label").alias("name")
        )
    offered = candidates if allowed is None else candidates.filter(pl.col("id").is_in(list(allowed)))
    return dict(offered.head(EXAMPLES).iter_rows())


def model_box(view: View, name: str, placeholder: str) -> str | None:
    """The box in which a model is chosen, under this parameter; an id that it had before becomes that of today."""
    named_id = st.query_params.get(name)
    current_id = called_now(view, named_id) if named_id else None
    if current_id is not None and current_id != named_id:
        st.query_params[name] = current_id
    return filters.id_picker(name, placeholder, models_to_choose(view, current_id), placeholder=placeholder, width=320)
