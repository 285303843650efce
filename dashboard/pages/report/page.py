"""Report: two pages on chosen benchmarks or on a domain, to read here or download as HTML or PDF."""

from urllib.parse import quote

import polars as pl
import streamlit as st

from benchhealth.analytics.record.frames import is_whole
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.domains import groups
from benchhealth.dashboard.published.generation import View, did_you_mean, slug
from benchhealth.dashboard.widgets import empty, filters, links
from benchhealth.dashboard.widgets.boxes import suggestions
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.text import code, count, listed, markdown

MOST_BENCHMARKS = 4
"""How many benchmarks can be chosen for one report here; an address may name more."""

FIRST = 2
"""Pages that are shown here: those of one benchmark, of a domain, or on all benchmarks of a choice."""

A_PAGE = 1_130
"""Pixels of a printed page as wide as the frame, until the script `whole.js` knows how high the pages are."""


def draw(view: View) -> None:
    """Draw the page."""
    heading = st.container()
    st.markdown("The verdict in plain words, what it means for a decision, the evidence and what is not known.")
    query, pages, subject = _chosen_report(view)
    with heading:
        st.title(markdown(f"{'Two' if pages == FIRST else pages} pages to print on {subject}"), anchor=False)
    for unknown, advice in _unknown(view):
        empty.nothing(f"No report is made of {code(unknown)}.", markdown(advice))
    if not query:
        examples = suggestions.examples_and_opened(
            view, suggestions.BENCHMARKS, lambda key: links.address("report", benchmark=key)
        )
        empty.nothing("Nothing is chosen.", f"{_of_a_domain(view)}{examples}")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button("Take it as PDF", f"report.pdf?{query}", width="content")
        st.link_button("Open as HTML", f"report.html?{query}", width="content")
        st.markdown(f":small[:gray[{pages} pages A4. What may not be passed on is not in it.]]", width="content")
    with st.container(key="report_frame"):
        st.iframe(f"/report.html?{query}", height=A_PAGE * FIRST, alt="The report")
    if pages > FIRST:
        st.markdown(f":small[:gray[Above: the first {FIRST} of {pages} pages; the PDF and the HTML have all.]]")


def _unknown(view: View) -> list[tuple[str, str]]:
    """The ids in the address that no report can be made for, each with what there is."""
    reportable = benchmarks(view).filter("curated", is_whole())["benchmark_id"].to_list()
    requested_ids = [key for text in st.query_params.get_all("benchmark") for key in text.split(",") if key]
    unknown = [
        (key, f"No curated benchmark has this id{did_you_mean(slug(key), reportable)}; the box above has all.")
        for key in requested_ids
        if key not in reportable
    ]
    domain = st.query_params.get("domain")
    if domain and domain not in groups(view):
        unknown.append((domain, f"No domain has this id; there are {listed(list(groups(view)))}."))
    return unknown


def _of_a_domain(view: View) -> str:
    """A link to the report on a domain, where the generation has one."""
    if "code" not in groups(view):
        return ""
    return f"A domain: [coding benchmarks]({links.address('report', domain='code')}).  \n"


def _chosen_report(view: View) -> tuple[str, int, str]:
    """The query of the report's address, its number of pages and its subject; an empty query without a choice.

    The last choice counts: a domain replaces benchmarks, and benchmarks replace a domain.
    """
    curated = benchmarks(view).filter("curated", is_whole())
    names = dict(curated.sort(pl.col("name").str.to_lowercase()).select("benchmark_id", "name").iter_rows())
    requested_ids = [
        benchmark_id
        for text in st.query_params.get_all("benchmark")
        for benchmark_id in text.split(",")
        if benchmark_id in names
    ]
    left, right = st.columns(2)
    with left:
        domain = filters.id_picker(
            "domain", "Domain", groups(view), placeholder="all benchmarks of a domain", with_id=False
        )
    if domain:
        st.query_params.pop("benchmark", None)
    with right:
        st.session_state["report_box"] = [] if domain else requested_ids[:MOST_BENCHMARKS]

        def write_address() -> None:
            picked = st.session_state["report_box"]
            st.query_params.pop("domain", None)
            if picked:
                st.query_params["benchmark"] = ",".join(picked)
            else:
                st.query_params.pop("benchmark", None)

        chosen = st.multiselect(
            "Benchmarks",
            list(names),
            key="report_box",
            format_func=lambda benchmark_id: names[benchmark_id],
            max_selections=MOST_BENCHMARKS,
            placeholder=f"or up to {MOST_BENCHMARKS} benchmarks",
            on_change=write_address,
        )
    if chosen:
        pages = 2 if len(chosen) == 1 else 2 * len(chosen) + 2
        return f"benchmark={quote(','.join(chosen))}", pages, listed([names[chosen_id] for chosen_id in chosen])
    if domain:
        return f"domain={quote(domain)}", FIRST, f"the benchmarks of {groups(view)[domain].lower()}"
    return "", FIRST, f"any of {count(len(names), 'benchmark')} or on a domain"


PAGE = PageSpec(url_path="report", title="Report", draw=draw, section="Data")
