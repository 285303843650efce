"""What every page shares: its width, the day of its data, the footer."""

import polars as pl
import streamlit as st

from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.published.benchmarks import last_look
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, markdown

WIDTH = 1180
"""The largest width of a page, in pixels."""


def as_of(view: View) -> str:
    """The day that the generation's verdicts hold for, or `not known` where it holds none."""
    days = view.table("verdict")["as_of"]
    return day_of(latest(days))


def last_seen(view: View) -> str:
    """The newest day on which any source of others was seen, or `not known` where none was."""
    return day_of(last_look(view))


def data_to(view: View) -> None:
    """Show the day until which the data go, once a page: a small link to the sources at the top right."""
    with st.container(key="data_to"):
        st.markdown(f":small[:gray[[data to {last_seen(view)}](data)]]")


def footer(view: View) -> None:
    """Show in small print what the page is made of: generation, day, licences, and how to read an inference."""
    with st.container(key="footer"):
        st.markdown(f":small[:gray[{_of_generation(view)}]]")


@always
def _of_generation(view: View) -> str:
    every_source = view.table("source")
    sources = every_source.filter(pl.col("last_observed_at").is_not_null())
    licences = ", ".join(markdown(licence) for licence in sources["licence"].drop_nulls().unique().sort()) or "none"
    of_known = f" (of {every_source.height} known)" if every_source.height > sources.height else ""
    return (
        "Flags and gaps are inferences from published numbers, not accusations. "
        f"Generation `{view.name}`, from {count(sources.height, 'source')}{of_known}, assessed as of {as_of(view)}. "
        f"Facts under the licences of their sources ({licences}); code under Apache-2.0. "
        "[As JSON](meta.json) · [What changed, as a feed](feed.xml)"
    )
