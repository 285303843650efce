"""Aging: how long benchmarks last before nothing is left to measure."""

import streamlit as st

from dashboard import ages, generation
from dashboard.components import chart, empty, filters, tables
from dashboard.components.text import count
from dashboard.figures import survival
from dashboard.generation import View
from dashboard.page import PageSpec


def render() -> None:
    """Draw the page."""
    view = generation.current()
    st.title("Aging: how long do benchmarks last?", anchor=False)
    ways = ages.parts(view)
    if not ways:
        empty.nothing(
            "No survival curve can be drawn yet.",
            "It takes five benchmarks with a day of release, a chance level and dated results.",
        )
        return
    st.markdown(
        "A benchmark is **saturated** on the first day on which its best result leaves less than a tenth of the way "
        "from chance to the ceiling. One that nobody reports any more is not counted as dead: it leaves the count at "
        "its last result. One whose first result came late is counted only from that result on."
    )
    by = filters.one("by", "Compared by", ways)
    params = {"by": by}
    rows = ages.curves(view, params)
    chart.show(
        view,
        chart.Chart(
            key="survival",
            finding=survival.finding(rows),
            alt=survival.alt_text(rows),
            figure=survival.figure(rows),
            table=ages.CURVES,
            params=params,
            method="survival",
        ),
    )
    said = survival.contrast(view.table("survival"))
    if said is not None:
        st.markdown(f"**Why not just count the dead?** {said}")
    _every(view)


def _every(view: View) -> None:
    rows = ages.half_lives(view, {})
    st.header("Half-lives", anchor="half-lives")
    st.markdown(
        f"{count(rows.height, 'cohort')} of at least five benchmarks. Where the half-life is empty, more than half "
        "live on; where only its upper end is empty, the data do not bound it. Cohorts overlap, differ in more than "
        "their name, and are small: an interval that holds another cohort's half-life is no difference."
    )
    config = st.column_config
    tables.show(
        view,
        rows,
        ages.HALF_LIVES,
        {},
        key="half-lives",
        alt="Every cohort with its deaths, half-life, 95% interval and how many were watched at some ages",
        config={
            "cohort": config.TextColumn("Cohort", pinned=True, width=190),
            "deaths": config.NumberColumn("Saturated", width=90),
            "half_life": config.NumberColumn("Half-life, months", format="%.0f", width=130),
            "low": config.NumberColumn("95% from", format="%.0f", width=90),
            "high": config.NumberColumn("to", format="%.0f", width=70),
            **{f"at_{m}": config.NumberColumn(f"Watched at month {m}", width=150) for m in ages.AT},
        },
    )


PAGE = PageSpec(
    url_path="aging",
    title="Aging",
    icon=":material/hourglass_bottom:",
    render=render,
    tables=(ages.CURVES, ages.HALF_LIVES),
)
