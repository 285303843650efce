"""The derived tables as a graph: each is one entry with its function and its inputs.

`python -m analytics.graph` prints it. What can run at the same time follows from the inputs alone.
"""

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

import polars as pl

from analytics.aging.hazards import hazards
from analytics.aging.item_age import item_age
from analytics.aging.lives import lives
from analytics.aging.survival import survival
from analytics.capability.cells import cells
from analytics.capability.table import Stitched, first_seen_of, stitch
from analytics.churn.churn import churn
from analytics.churn.dwell import dwell, volatility
from analytics.churn.rank import ranks
from analytics.contamination.table import ladder, rung_inputs
from analytics.forecast.series import dated_results
from analytics.forecast.table import Forecasts, forecasts
from analytics.goodhart.table import goodhart
from analytics.indicators import indicate
from analytics.multi_task.boards import multi_task_boards
from analytics.multi_task.first_place import diversities, first_places
from analytics.multi_task.stability import stability_of
from analytics.record.boards import boards
from analytics.record.breakpoints import propose, with_proposals
from analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from analytics.record.edits import edits
from analytics.record.evidence import Evidence
from analytics.record.frames import Frames
from analytics.record.frontier import frontier, history
from analytics.record.likely_aliases import likely_aliases
from analytics.record.looks import last_looks
from analytics.record.model_facts.reconcile import conflicts
from analytics.record.names.claimed_aliases import claimed_aliases
from analytics.record.tables import DERIVED, PUBLISHED
from analytics.reproduction import details, reproduction
from analytics.saturation.attention import attention
from analytics.schedule import Entry
from analytics.twins.tables import twin_tables
from analytics.twins.transfer import transfers
from analytics.verdict.hysteresis import sides_before
from analytics.verdict.thresholds import Thresholds
from analytics.verdict.verdict import judge

GIVEN = ("frames", "as_of", "churn_rng", "capability_rng", "forecast_rng", "goodhart_rng")
"""What an assessment starts from: the facts, the day, and a random generator for each entry that draws numbers."""


def _fields(of: str, *names: str) -> tuple[Entry, ...]:
    """Tables that one function computes together, each under its own name."""
    return tuple(Entry(name, attrgetter(name), (of,)) for name in names)


def _marked(frames: Frames, breakpoints: pl.DataFrame) -> Frames:
    return replace(frames, breakpoint=breakpoints)


def _published_frontier(steps: pl.DataFrame) -> pl.DataFrame:
    return steps.select(PUBLISHED["frontier"].names())


def _with_estimates(evidence: Evidence, stitched: Stitched, forecast: Forecasts, risk: pl.DataFrame) -> Evidence:
    return replace(evidence, discrimination=stitched.discrimination, outlook=forecast.outlook, risk=risk)


def _reproduction(
    frames: Frames, twin: pl.DataFrame, residual: pl.DataFrame, stability: pl.DataFrame, indicator: pl.DataFrame
) -> pl.DataFrame:
    known = {"twin": twin, "twin_residual": residual, "stability": stability, "indicator": indicator}
    return reproduction(frames, known)


ENTRIES: tuple[Entry, ...] = (
    # the record: what is listed, what was, and where a board's measurement changed
    *_fields("frames", "model", "model_claim", "result", "snapshot", "contamination_report", "mention", "successor"),
    Entry("fact_conflict", conflicts, ("model_claim", "result")),
    Entry("curated_breakpoint", attrgetter("breakpoint"), ("frames",)),
    Entry("benchmark_facts", benchmark_facts, ("frames",)),
    Entry("ranked", ranked_results, ("frames", "benchmark_facts")),
    Entry("past", history, ("ranked", "as_of")),
    Entry("newest", newest, ("ranked",)),
    Entry("leaderboard", leaderboard, ("newest",)),
    Entry("looks", last_looks, ("frames", "as_of")),
    Entry("edits", edits, ("ranked",)),
    Entry("boards", boards, ("frames",)),
    Entry("proposals", propose, ("boards", "curated_breakpoint")),
    Entry("breakpoint", with_proposals, ("curated_breakpoint", "proposals")),
    Entry("frontier_steps", frontier, ("ranked", "past", "curated_breakpoint", "as_of")),
    Entry("frontier", _published_frontier, ("frontier_steps",)),
    Entry("likely_alias", likely_aliases, ("frames",)),
    Entry("claimed_alias", claimed_aliases, ("frames",)),
    # churn
    Entry("rank", ranks, ("boards",)),
    Entry("marked_frames", _marked, ("frames", "breakpoint")),
    Entry("churn", churn, ("marked_frames", "boards", "churn_rng", "as_of")),
    Entry("dwell", dwell, ("rank", "breakpoint")),
    Entry("volatility", volatility, ("rank", "breakpoint")),
    # twins
    Entry("twins", twin_tables, ("frames",)),
    *_fields("twins", "twin", "twin_residual", "twin_gap", "twin_group", "twin_age", "twin_robustness"),
    Entry("transfer", transfers, ("leaderboard", "benchmark_facts")),
    # boards of many tasks
    Entry("multi_task_boards", multi_task_boards, ("frames",)),
    Entry("stability", stability_of, ("multi_task_boards",)),
    Entry("first_place", first_places, ("multi_task_boards",)),
    Entry("diversity", diversities, ("multi_task_boards",)),
    # capability
    Entry("cells", cells, ("leaderboard", "benchmark_facts")),
    Entry("first_seen", first_seen_of, ("past",)),
    Entry("stitched", stitch, ("cells", "first_seen", "capability_rng")),
    *_fields("stitched", "capability", "difficulty"),
    # forecast
    Entry("dated", dated_results, ("past", "snapshot")),
    Entry("forecasts", forecasts, ("dated", "benchmark_facts", "as_of", "forecast_rng")),
    *_fields("forecasts", "forecast", "forecast_skill"),
    # what indicators read
    Entry(
        "evidence",
        Evidence,
        (
            *("as_of", "benchmark_facts", "leaderboard", "past", "frontier_steps", "looks", "edits"),
            *("contamination_report", "churn", "twin", "twin_residual", "mention", "successor"),
        ),
    ),
    Entry("goodhart", goodhart, ("frames", "evidence", "twin", "goodhart_rng")),
    Entry("rung_inputs", rung_inputs, ("frames", "evidence", "cells", "capability", "difficulty")),
    Entry("ladder", ladder, ("rung_inputs",)),
    Entry("contamination_risk", attrgetter("risk"), ("ladder",)),
    Entry("contamination_calibration", attrgetter("calibration"), ("ladder",)),
    # aging
    Entry("lives", lives, ("evidence", "model")),
    Entry("survival", survival, ("lives",)),
    Entry("hazard", hazards, ("lives",)),
    Entry("item_age", item_age, ("frames",)),
    # indicators and verdicts
    Entry("attention", attention, ("mention",)),
    Entry("full_evidence", _with_estimates, ("evidence", "stitched", "forecasts", "contamination_risk")),
    Entry("indicator", indicate, ("full_evidence",)),
    Entry("thresholds", Thresholds, ()),
    Entry("sides_before", sides_before, ("frames", "evidence", "indicator", "thresholds")),
    Entry("verdict", judge, ("indicator", "thresholds", "as_of", "sides_before")),
    # reproduction
    Entry("reproduction", _reproduction, ("frames", "twin", "twin_residual", "stability", "indicator")),
    Entry("reproduction_detail", details, ()),
)
"""Every step from the facts to the derived tables; a name that is no published table is computed on the way."""


def described() -> str:
    """The graph in text, a line for each entry: whether it is a published table, its name, its inputs, its function."""
    published = {*DERIVED, "breakpoint"}
    lines = [f"given {', '.join(GIVEN)}"]
    for entry in ENTRIES:
        mark = "table" if entry.name in published else "step "
        lines.append(f"{mark} {entry.name} <- {', '.join(entry.inputs) or 'nothing'} [{_where(entry.function)}]")
    return "\n".join(lines)


def _where(function: Callable[..., object]) -> str:
    if isinstance(function, attrgetter):
        return "a field of it"
    room = "graph" if function.__module__ == __name__ else function.__module__.removeprefix("analytics.")
    return f"{room}.{function.__name__}"


if __name__ == "__main__":
    print(described())
