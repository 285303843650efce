"""Search: what the box in the menu finds, as a page with an address, in full."""

import streamlit as st

from benchhealth.dashboard.published.finding.search import KINDS, FoundGroup, index, meant, search
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import empty, links
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.text import count, listed, markdown

QUERY = "q"
RESULTS_OF_KIND = 25
EXAMPLES = ("claude", "mmlu", "arena", "epoch")


def draw(view: View) -> None:
    """Draw the page."""
    heading = st.container()
    query = st.text_input(
        "Search benchmarks, models, leaderboards and sources",
        key=QUERY,
        placeholder="A part of a name",
        bind="query-params",
        width=420,
    )
    groups = search(view, query or "", RESULTS_OF_KIND)
    with heading:
        st.title(markdown(title(query or "", groups, index(view).height)), anchor=False)
    if not (query or "").strip():
        tried = " · ".join(f"[{word}]({links.address('search', q=word)})" for word in EXAMPLES)
        empty.nothing("Type a part of a name above.", f"For example {tried}. The key / opens a search on every page.")
    elif not groups:
        empty.nothing(
            "Nothing has this in its name.",
            f"Fewer or shorter words find more. See [all benchmarks]({links.address('.')}), "
            f"[models]({links.address('models')}) or [sources]({links.address('data')}#sources).",
        )
    if suggestions := meant(view, query or "", groups):
        suggested_links = [f"[{markdown(words)}]({links.address('search', q=words)})" for words in suggestions]
        st.markdown(f"Did you mean {listed(suggested_links, 'or')}?")
    for group in groups:
        _group(group)


def title(query: str, groups: list[FoundGroup], names: int) -> str:
    """The title: how many names match the query; without one how many `names` there are."""
    if not query.strip():
        return f"Search {count(names, 'name')}"
    total = sum(group.total for group in groups)
    return f"{count(total, 'name') if total else 'Nothing'} for {query.strip()}"


def _group(group: FoundGroup) -> None:
    st.header(f"{KINDS[group.kind]}: {group.total:,}", anchor=group.kind)
    st.markdown(
        "\n".join(
            f"- [{markdown(name)}](<{address}>) :small[:gray[{markdown(detail)}]]"
            for name, detail, address in group.rows
        )
    )
    if group.total > len(group.rows):
        st.markdown(f":small[:gray[The first {len(group.rows)} of {group.total:,}; add a word for a shorter list.]]")


PAGE = PageSpec(url_path="search", title="Search", draw=draw, hidden=True)
