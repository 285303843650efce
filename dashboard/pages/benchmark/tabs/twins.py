"""Second measurements of a benchmark: the chosen one as a chart and four facts, the others one choice away."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import block, empty, filters, links
from benchhealth.dashboard.widgets.shared import TWIN
from benchhealth.dashboard.words.numbers import UNKNOWN, correlation
from benchhealth.dashboard.words.text import count, markdown, words_within

TWIN_ID = "twin"


def of(view: View, benchmark_id: str) -> pl.DataFrame:
    """The twins that a benchmark is the original or the other of, on the linear scale; same things first."""
    either = (pl.col("original_id") == benchmark_id) | (pl.col("other_id") == benchmark_id)
    return twin_pairs.twins(view, {}).filter(either)


def show(view: View, facts: Facts) -> None:
    """Draw the chosen twin."""
    found = of(view, facts["benchmark_id"])
    if found.is_empty():
        st.header("No second measurement is known", anchor="twins")
        empty.nothing(
            "Nobody has measured the same thing anew.",
            "It would take a fresh sample of questions, a harder variant, or a rerun by somebody else. "
            f"[Benchmarks that have one]({links.address('twins')})",
        )
        return
    st.html('<div id="twins"></div>')
    chosen: str | None = None
    if found.height > 1:
        named = {row["twin_id"]: _named(row) for row in found.iter_rows(named=True)}
        chosen = filters.named(TWIN_ID, "Second measurement", named, placeholder=None, width=520, with_id=False)
    row = (found.filter(pl.col("twin_id") == chosen) if chosen else found).row(0, named=True)
    picture, told = st.columns([7, 5], gap="large")
    with picture:
        block.show(view, TWIN, {"twin": row["twin_id"]})
    with told:
        _four_facts(row)


def _named(row: Facts) -> str:
    return f"{words_within(row['original'], 34)} / {words_within(row['other'], 34)}: {row['kind']}"


def _four_facts(row: Facts) -> None:
    """Gap, order, models beyond their error, and what the gap can be."""
    st.subheader("What it says", anchor=False)
    gap = UNKNOWN if row["gap"] is None else f"{abs(row['gap']):.1f} points {'lower' if row['gap'] >= 0 else 'higher'}"
    error = "" if row["gap_error"] is None else f" ± {1.96 * row['gap_error']:.1f}"
    order = correlation(row["kendall_tau"])
    top = "" if row["kendall_tau_top"] is None else f"; at the top {correlation(row['kendall_tau_top'])}"
    beyond = f"{row['flagged']} of {row['tested']}" if row["tested"] else UNKNOWN
    cells = [
        ("Second against first (± what drawing other items would give)", f"{gap}{error}"),
        ("Order agrees (Kendall)", f"{order}{top}"),
        ("Models beyond their error", beyond),
        ("Models on both", count(row["n_models"], "model")),
    ]
    lines = "\n".join(f"| {name} | {markdown(value)} |" for name, value in cells)
    st.markdown(f"| What is compared | Value |\n|---|---:|\n{lines}")
    said = [row["sentence"], row["power_sentence"]]
    text = " ".join(markdown(one) for one in said if one)
    rerun = "A rerun differs in prompt, effort and harness, so a gap here says nothing about seen items."
    st.markdown(f":small[{rerun if row['kind'] == 'independent rerun' else text}]")
    st.markdown(f":small[[All of this twin]({links.address('twins', twin=row['twin_id'])})]")
