"""What is compared: the picker, the sets to start from, the clock."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.compare.curves import CHOSEN, CLOCK, CLOCKS, DEFAULT, KINDS, MOST_CURVES, WEIGHTS
from benchhealth.dashboard.published.benchmarks import is_fresh
from benchhealth.dashboard.widgets import filters, links

STARTS = {
    "classics": ("mmlu", "gsm8k", "humaneval", "hellaswag", "imagenet", "superglue"),
    "agents": ("osworld", "osworld-verified", "swe-bench-verified", "terminal-bench-2.0", "gaia", "tau2-bench"),
    "mathematics": ("gsm8k", "math", "aime-2025", "frontiermath", "frontiermath-tier-4"),
}
"""Sets that are offered to start from; those that a generation cannot compare are left out of them."""

LATELY = 6


def picked(rows: pl.DataFrame) -> list[str]:
    """Draw the picker over these rows of `published.benchmarks`; the ids that are chosen, in the order of choice."""
    names = dict(rows.select("benchmark_id", "name").iter_rows())
    asked = [part for part in st.query_params.get(CHOSEN, "").split(",") if part in names]
    default = [benchmark_id for benchmark_id in DEFAULT if benchmark_id in names] or list(names)[:4]
    emptied = st.query_params.get(CHOSEN) == ","
    shown = [] if emptied else list(dict.fromkeys(asked))[:MOST_CURVES] or default
    ids = st.multiselect(
        f"Up to {MOST_CURVES} benchmarks; those without a ceiling have no common scale and cannot be chosen",
        list(names),
        format_func=lambda benchmark_id: names[benchmark_id],
        max_selections=MOST_CURVES,
        **filters.bound(CHOSEN, shown, lambda picked: ",".join(picked) or ","),
    )
    return list(ids)


def clocks() -> dict[str, str]:
    """Draw the switches of the chart; what they say, as parameters."""
    return {
        CLOCK: filters.segments(CLOCK, "Clock", CLOCKS),
        WEIGHTS: filters.segments(WEIGHTS, "Weights", KINDS),
    }


def starts(rows: pl.DataFrame) -> None:
    """Links to sets of benchmarks to start from."""
    here = set(rows["benchmark_id"])
    lately = rows.filter(is_fresh() & (pl.col("stage") == "saturated")).drop_nulls("since").sort("since", "name")
    sets = {**STARTS, "saturated lately": tuple(lately["benchmark_id"].tail(LATELY))}
    offered = {name: [benchmark_id for benchmark_id in ids if benchmark_id in here] for name, ids in sets.items()}
    links_to_sets = " · ".join(
        f"[{name}](<{links.address('compare', **{CHOSEN: ','.join(ids)})}>)"
        for name, ids in offered.items()
        if len(ids) > 1
    )
    if links_to_sets:
        st.markdown(f":small[Start from: {links_to_sets}]", width="content")
