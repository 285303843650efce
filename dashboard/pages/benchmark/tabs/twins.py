"""Second measurements of a benchmark: the answer, the chosen one as a chart and four facts, the others to choose."""

import polars as pl
import streamlit as st

from benchhealth.analytics.twins.pairs import RERUN
from benchhealth.dashboard.figures.twin import gap_interval, mean_gap_text
from benchhealth.dashboard.pages.benchmark import card
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.answers import answers_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import block, filters, links
from benchhealth.dashboard.widgets.shared import TWIN
from benchhealth.dashboard.words.answers.second import MEANS
from benchhealth.dashboard.words.numbers import UNKNOWN, correlation
from benchhealth.dashboard.words.text import capital, count, markdown, words_within

TWIN_ID = "twin"


def show(view: View, facts: Facts) -> None:
    """Draw the answer about second measurements, the twin that is chosen, and four facts about it."""
    twins = twin_pairs.twins_of(view, facts["benchmark_id"])
    card.draw_answer(view, facts, "second")
    if twins.is_empty():
        st.markdown(
            "It would take a fresh sample of questions, a later split, or a rerun by somebody else. "
            f"[Benchmarks that have one]({links.address('twins')})"
        )
        return
    answer = answers_of(view, facts["benchmark_id"]).get("second")
    if answer and answer["case"] == "none_known":
        st.markdown(MEANS["by_design"])
    answered = card.twin_of(answer)
    twins = twins.sort(pl.col("twin_id") != pl.lit(answered), maintain_order=True)
    chosen: str | None = None
    if twins.height > 1:
        named = {
            row["twin_id"]: f"{words_within(row['original'], 34)} / {words_within(row['other'], 34)}: {row['kind']}"
            for row in twins.iter_rows(named=True)
        }
        chosen = filters.id_picker(TWIN_ID, "Second measurement", named, placeholder=None, width=520, with_id=False)
    row = (twins.filter(pl.col("twin_id") == chosen) if chosen else twins).row(0, named=True)
    picture, facts_column = st.columns([7, 5], gap="large")
    with picture:
        block.show(view, TWIN, {"twin": row["twin_id"]})
    with facts_column:
        _four_facts(row, is_answer=row["twin_id"] == answered)


def _four_facts(row: Facts, *, is_answer: bool) -> None:
    """Draw gap, order, results beyond error and on both; then sentences on the gap, unless the answer has them."""
    st.subheader("What it says", anchor=False)
    gap = UNKNOWN if row["gap"] is None else mean_gap_text(row)
    interval = gap_interval(row)
    meant = ", 95% interval" if interval else ""
    order = correlation(row["kendall_tau"])
    top = "" if row["kendall_tau_top"] is None else f"; at the top {correlation(row['kendall_tau_top'])}"
    beyond_error = f"{row['flagged']} of {row['tested']}" if row["tested"] else UNKNOWN
    cells = [
        (f"Second against first{meant}", f"{gap}{interval}"),
        ("Order agrees (Kendall)", capital(f"{order}{top}")),
        ("Results beyond their error", beyond_error),
        ("Results on both", count(row["n_models"], "result")),
    ]
    lines = "\n".join(f"| {name} | {markdown(value)} |" for name, value in cells)
    st.markdown(f"| What is compared | Value |\n|---|---:|\n{lines}")
    is_rerun = row["kind"] == RERUN
    sentences = (
        [] if is_answer and is_rerun else [MEANS["rerun"]] if is_rerun else [row["sentence"], row["power_sentence"]]
    )
    if text := " ".join(markdown(sentence) for sentence in sentences if sentence):
        st.markdown(f":small[{text}]")
    st.markdown(f":small[[All of this twin]({links.address('twins', twin=row['twin_id'])})]")
