"""The condition under which a benchmark is judged, and what was reported under others."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.benchmark.facts import facts_of
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.published.results import judged_by, of_benchmark
from benchhealth.dashboard.published.tables import PublishedTable
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.numbers import month_of, score
from benchhealth.dashboard.words.text import listed, markdown

CURVES_DRAWN = 4
"""More curves beside one another hide each other."""
WIDTH = 720
"""Pixels of the line, so that the choice of a curve has room at its right."""
CONDITIONS_NAMED = 2
"""How many other conditions are named above the curve."""


CURVES = PublishedTable(
    "conditions", of_benchmark("condition_frontier", "condition", "carried", "dated_on", model="name")
)
"""The running best of a benchmark under each condition, if it has several."""


def beside(view: View, facts: Mapping[str, Any]) -> pl.DataFrame:
    """The curves of the other conditions that reach furthest: as many as can be drawn beside the benchmark's own."""
    rows = CURVES.build(view, {"benchmark": facts["benchmark_id"]})
    others = rows.filter(pl.col("condition") != (judged_by(view, facts["benchmark_id"]) or ""))
    ends = others.filter("carried").sort("score", descending=facts["higher_is_better"] is not False)
    return others.filter(pl.col("condition").is_in(ends["condition"].head(CURVES_DRAWN).implode()))


def line(view: View, facts: Mapping[str, Any]) -> None:
    """Draw the condition that counts here, and the best score under each other one."""
    if sentence := _line(view, facts["benchmark_id"]):
        st.markdown(f":small[{sentence}]", width=WIDTH)


@recently
def _line(view: View, benchmark_id: str) -> str:
    facts, condition = facts_of(view, benchmark_id), judged_by(view, benchmark_id)
    if condition is None:
        return ""
    ends = beside(view, facts).filter("carried")
    others = ends.sort("score", descending=facts["higher_is_better"] is not False)
    best_of_others = [
        f"{markdown(name)} {score(best, facts['unit'])}"
        for name, best in others.head(CONDITIONS_NAMED).select("condition", "score").iter_rows()
    ]
    sentence = f"[Condition]({links.address('methods')}#conditions): **{markdown(condition)}**."
    if best_of_others:
        address = CURVES.address({"benchmark": benchmark_id})
        among = f"{len(best_of_others)} of {others.height} other conditions until {month_of(facts['known_until'])}"
        sentence += f" Not counted here, best in {among}: {listed(best_of_others)} ([CSV](<{address}>))."
    return sentence
