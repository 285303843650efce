"""Topics of the Methods page: how sure a verdict is, errors of its limits, verdicts taken back, and the desk."""

import polars as pl
import streamlit as st

from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.published.deciding.question import MONTHS_BACK, USUAL_BACK
from benchhealth.dashboard.published.generation import PublishedTable, View
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words import definitions
from benchhealth.dashboard.words.methods.desk import desk as desk_rules
from benchhealth.dashboard.words.methods.method_list import METHODS
from benchhealth.dashboard.words.methods.stages import DRAWN, calibration_lists, saturated_and_apart
from benchhealth.dashboard.words.prose.judged.known_then import (
    held_sentence,
    published_statements_sentence,
    revision_count_list,
)
from benchhealth.dashboard.words.text import capital

CALIBRATION = PublishedTable("stage-calibration", lambda view, _params: view.table("stage_calibration"))


def probability(view: View) -> None:
    """What is resampled, how often such stages were found again, and how many saturated ones are not tied."""
    st.markdown(DRAWN)
    st.markdown(calibration_lists(view.table("stage_calibration").iter_rows(named=True)))
    pairs = view.query("SELECT benchmark_id, value FROM indicator WHERE indicator = 'resolution_top5'").drop_nulls()
    saturated = view.table("verdict").filter(stage="saturated").join(pairs, on="benchmark_id")
    apart = saturated.filter(pl.col("value") > LIMITS.crowded_pairs).height
    st.markdown(saturated_and_apart(apart, saturated.height))
    st.markdown(f"{links.csv('Download as CSV', CALIBRATION.address({}))}, generation {view.name}.")


COUNTS = PublishedTable("verdict-revision-counts", lambda view, _params: view.table("verdict_revision_count"))
FORECAST_HELD = PublishedTable("forecast-held", lambda view, _params: view.table("forecast_held"))


def desk(_view: View) -> None:
    """Draw the rules of the desk with their limits."""
    st.markdown(desk_rules(MONTHS_BACK[USUAL_BACK]))
    st.markdown(f"[Ask the desk]({links.address('decide')})")


def _text_of(anchor: str) -> None:
    st.markdown(definitions.method_text(next(method for method in METHODS if method.anchor == anchor)))


def taken_back(view: View) -> None:
    """What a verdict that was taken back is, and how many were, on both bases."""
    _text_of("verdict_revision")
    rows = view.table("verdict_revision_count")
    st.markdown(
        revision_count_list(rows.iter_rows(named=True)) or "The ledger of verdicts is empty: `benchhealth backcast`."
    )
    st.markdown(f"{links.csv('All stages, also of benchmarks that are not curated, as CSV', COUNTS.address({}))}.")


def backcast_rules(view: View) -> None:
    """How backcast forecasts are counted, and how many held."""
    _text_of("forecast_held")
    rows = list(view.table("forecast_held").iter_rows(named=True))
    sentences = (
        f"{capital(held_sentence(rows))}. {published_statements_sentence(rows)}"
        if rows
        else "No backcast forecast is due yet."
    )
    st.markdown(f"{sentences} [As CSV](<{FORECAST_HELD.address({})}>).")
