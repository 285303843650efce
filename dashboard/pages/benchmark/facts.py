"""What the page of a benchmark reads about it: its row, its verdict, its indicators, and where results are from."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from benchhealth.dashboard.figures.chart import SourceLine
from benchhealth.dashboard.published.answers import names
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.widgets import provenance

Facts = Mapping[str, Any]
_NO_VERDICT: Facts = {
    "stage": "unknown",
    "case": None,
    "p": None,
    "between": [],
    "flags": [],
    "reasons": [],
    "verdict_reason": [],
    "as_of": None,
    "since": None,
    "known_until": None,
}


@recently
def facts_of(view: View, benchmark_id: str) -> Facts:
    """The row of the table `benchmark` with its `label`: its name is never null, `known_until` that of its verdict."""
    facts = view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)
    until = verdict_of(view, benchmark_id)["known_until"]
    return {
        **facts,
        "name": facts["name"] or benchmark_id,
        "label": names(view).get(benchmark_id),
        "known_until": until,
    }


@recently
def verdict_of(view: View, benchmark_id: str) -> Facts:
    """The verdict with its rows of `verdict_reason` under that name; `unknown` where there is none."""
    verdicts = view.table("verdict").filter(pl.col("benchmark_id") == benchmark_id)
    if verdicts.is_empty():
        return _NO_VERDICT
    reasons = view.rows("verdict_reason", benchmark_id=benchmark_id).sort("place", "part")
    return {**verdicts.row(0, named=True), "verdict_reason": reasons.to_dicts()}


@recently
def indicators_of(view: View, benchmark_id: str) -> Mapping[str, Facts]:
    """The rows of the table `indicator` for the benchmark, by their names."""
    rows = view.rows("indicator", benchmark_id=benchmark_id)
    return {row["indicator"]: row for row in rows.iter_rows(named=True)}


def known_indicator(indicators: Mapping[str, Facts], name: str) -> Facts | None:
    """The row of the indicator of that name; None where its value is not known."""
    row = indicators.get(name)
    return row if row and row["status"] == "ok" and row["value"] is not None else None


def sources_of(view: View, rows: pl.DataFrame) -> list[SourceLine]:
    """The sources of some results, each with the address of its newest file."""
    newest = rows.sort("last_observed_at", maintain_order=True).group_by("source_id", maintain_order=True).last()
    titled = newest.join(view.table("source").select("source_id", "title", "known_until"), on="source_id", how="left")
    return provenance.lines(titled.sort("known_until", descending=True, nulls_last=True), "url")
