"""Findings worth repeating beside the map: a card each, with its estimate, its interval, and where it is from."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.overview.figures.interval import strip
from benchhealth.dashboard.published.benchmarks import benchmarks, best_known, family
from benchhealth.dashboard.published.field.findings import Finding, worth_repeating
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.widgets import block, links, replay
from benchhealth.dashboard.words.numbers import score
from benchhealth.dashboard.words.text import count, listed, markdown, shorten

BEST_KNOWN, NAME = 2, 26


def show(view: View) -> None:
    """Draw a card for each finding, and below them what has no place on the map."""
    findings = worth_repeating(view)
    if findings:
        st.markdown("## Worth repeating")
    palette = block.palette()
    replay.once(view, ("worth repeating", palette.dark), lambda: _cards(findings))
    if without_ceiling := _without_ceiling(view):
        st.markdown(f":small[{without_ceiling}]")


def _cards(findings: list[Finding]) -> None:
    for finding in findings:
        _card(finding)


def _card(finding: Finding) -> None:
    page, params, chart = finding.to
    to = f"{links.address(page, **params)}{f'#{chart}' if chart else ''}"
    name = page.capitalize() if page == "field" else "The benchmark"
    with st.container(border=True, gap="xxsmall", key=f"card_{finding.kind}"):
        st.subheader(markdown(finding.title), anchor=False)
        st.html(strip(finding, block.palette()))
        st.markdown(f":small[:gray[{markdown(finding.line)}] [{name}](<{to}>)]")


@always
def _without_ceiling(view: View) -> str:
    """How many curated scales have no ceiling, the best known of them with the best on each, and where all are."""
    scaled = pl.col("unit").is_in(["percent", "fraction"])
    rows = benchmarks(view).filter("of_curated", "curated", ~scaled & pl.col("best").is_not_null())
    if rows.is_empty():
        return ""
    first = best_known(rows).unique(family(), keep="first", maintain_order=True).head(BEST_KNOWN)
    named = [
        f"[{markdown(shorten(label.rpartition(' / ')[2], NAME))}]({links.address('benchmark', benchmark=key)}) "
        f"({score(best, unit).replace(' minutes', ' min')})"
        for key, label, best, unit in first.select("benchmark_id", "label", "best", "unit").iter_rows()
    ]
    return (
        f"{count(rows.height, 'scale has', 'scales have')} no ceiling and no place on the map, such as "
        f"{listed(named)}. [See them]({links.address('overview', open='1')})"
    )
