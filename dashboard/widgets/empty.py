"""What a page shows where there is nothing to show: what is missing, and what to do about it."""

import streamlit as st


def nothing(title: str, advice: str) -> None:
    """An empty state: a sentence on what is missing and one on what to do. Both are markdown."""
    with st.container(border=True):
        st.markdown(f"**{title}**")
        st.markdown(advice)


def no_generation() -> None:
    """Draw the page of a home in which no generation is published yet."""
    st.title("Nothing is published yet")
    nothing(
        "The dashboard reads a published generation, and there is none.",
        "Run `benchhealth init` for the bundled snapshot, or `benchhealth nightly` to pull the sources. "
        "This page works as soon as one is published.",
    )
