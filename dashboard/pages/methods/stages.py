"""Two topics of the Methods page: how sure a verdict is, and the errors of ceilings and human lines."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import PublishedTable
from benchhealth.dashboard.words import definitions
from benchhealth.dashboard.words.methods.stages import DRAWN, LINES, calibration_said, saturated_and_apart

CALIBRATION = PublishedTable("stage-calibration", lambda view, _params: view.table("stage_calibration"))


def probability(view: View) -> None:
    """What is drawn, how often such stages were found again, and how many saturated ones are not tied."""
    st.markdown(DRAWN)
    st.markdown(calibration_said(view.table("stage_calibration").iter_rows(named=True)))
    pairs = view.query("SELECT benchmark_id, value FROM indicator WHERE indicator = 'resolution_top5'").drop_nulls()
    known = view.table("verdict").filter(stage="saturated").join(pairs, on="benchmark_id")
    apart = known.filter(pl.col("value") > definitions.LIMITS.crowded_pairs).height
    st.markdown(saturated_and_apart(apart, known.height))
    st.markdown(f"[Download as CSV](<{CALIBRATION.address({})}>), generation {view.name}.")


def lines(_view: View) -> None:
    """What the errors of ceilings and human lines are."""
    st.markdown(LINES)
