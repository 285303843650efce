"""The derived tables as a graph: each is one entry with its function and its inputs.

`python -m benchhealth.analytics.graph` prints it. What can run at the same time follows from the inputs alone.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from operator import attrgetter
from typing import Any

import polars as pl

from benchhealth.analytics.aging.hazards import hazards
from benchhealth.analytics.aging.item_age import item_age
from benchhealth.analytics.aging.lives import lives
from benchhealth.analytics.aging.survival import survival
from benchhealth.analytics.capability.cells import cells
from benchhealth.analytics.capability.table import Stitched, first_seen_of, stitch
from benchhealth.analytics.change.changes import changes
from benchhealth.analytics.change.previous import COMPARED, RESULT_COMPARED, Previous
from benchhealth.analytics.churn.churn import churn
from benchhealth.analytics.churn.dwell import dwell, volatility
from benchhealth.analytics.churn.lead import lead_changes
from benchhealth.analytics.churn.rank import ranks
from benchhealth.analytics.contamination.declared_leakage import declared_leakage
from benchhealth.analytics.contamination.table import ladder, rung_inputs
from benchhealth.analytics.forecast.record import forecast_record
from benchhealth.analytics.forecast.series import known_results
from benchhealth.analytics.forecast.table import Forecasts, forecasts
from benchhealth.analytics.goodhart.table import goodhart
from benchhealth.analytics.indicators import indicate
from benchhealth.analytics.items.design_effects import design_effects
from benchhealth.analytics.models.position import positions
from benchhealth.analytics.models.summary import summaries
from benchhealth.analytics.multi_task.boards import multi_task_boards
from benchhealth.analytics.multi_task.first_place import diversities, first_places
from benchhealth.analytics.multi_task.leave_out import task_scores
from benchhealth.analytics.multi_task.stability import stability_of
from benchhealth.analytics.record.baselines import baselines, with_baselines
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.breakpoints import propose, with_proposals
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.conditions.curves import curves
from benchhealth.analytics.record.conditions.histories import Histories, histories
from benchhealth.analytics.record.conditions.references import references
from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import frontier
from benchhealth.analytics.record.likely_aliases import likely_aliases
from benchhealth.analytics.record.lineages.handovers import breakpoints
from benchhealth.analytics.record.looks import known_benchmarks, known_sources, looks
from benchhealth.analytics.record.model_facts.reconcile import conflicts
from benchhealth.analytics.record.names.claimed_aliases import claimed_aliases
from benchhealth.analytics.record.tables import COMPLETED, DERIVED, PUBLISHED
from benchhealth.analytics.renewal.table import static_dynamic
from benchhealth.analytics.reproduction import details, reproduction
from benchhealth.analytics.saturation.attention import attention
from benchhealth.analytics.saturation.weights import weights_frontier, weights_lag, weights_steps
from benchhealth.analytics.schedule import Entry
from benchhealth.analytics.twins.indicators import reruns
from benchhealth.analytics.twins.tables import twin_tables
from benchhealth.analytics.twins.transfer import transfers
from benchhealth.analytics.verdict.ceilings import condition_headroom, judged_raw, raw_evidence
from benchhealth.analytics.verdict.hysteresis import sides_before
from benchhealth.analytics.verdict.since import with_since
from benchhealth.analytics.verdict.stability import stabilities
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import judge, reasons

GIVEN = (
    *("frames", "as_of", "previous", "issued"),
    *("churn_rng", "capability_rng", "forecast_rng", "goodhart_rng", "leakage_rng", "twin_rng", "stability_rng"),
    "renewal_rng",
)
"""What an assessment starts from: the facts, the day, what the generation before said, the forecasts that were issued,
and a random generator for each entry that draws numbers."""


def _fields(of: str, *names: str) -> tuple[Entry, ...]:
    """Tables that one function computes together, each under its own name."""
    return tuple(Entry(name, attrgetter(name), (of,)) for name in names)


def _marked(frames: Frames, breakpoints: pl.DataFrame) -> Frames:
    return replace(frames, breakpoint=breakpoints)


def _leaderboard(found: Histories) -> pl.DataFrame:
    return found.leaderboard.collect().set_sorted("benchmark_id")  # sums of groups differ in the last bit without


def _evidence(*fields: Any) -> Evidence:  # noqa: ANN401 - what the fields of Evidence are
    """What is packed is unpacked: every indicator reads it."""
    unpacked: list[Any] = [each.collect() if isinstance(each, pl.LazyFrame) else each for each in fields]
    return Evidence(*unpacked)


def _published_frontier(steps: pl.DataFrame) -> pl.DataFrame:
    return steps.select(PUBLISHED["frontier"].names())


def _with_estimates(evidence: Evidence, stitched: Stitched, forecast: Forecasts, risk: pl.DataFrame) -> Evidence:
    return replace(evidence, discrimination=stitched.discrimination, outlook=forecast.outlook, risk=risk)


_REPRODUCED_FROM = ("twin", "twin_residual", "stability", "indicator", "capability")


def _reproduction(frames: Frames, *tables: pl.DataFrame) -> pl.DataFrame:
    return reproduction(frames, dict(zip(_REPRODUCED_FROM, tables, strict=True)))


def _forecast_record(issued: pl.DataFrame, made: Forecasts, as_of: date) -> pl.DataFrame:
    return forecast_record(issued, made.judge, as_of)


def _changes(previous: Previous, as_of: date, result: pl.LazyFrame, *tables: pl.DataFrame) -> pl.DataFrame:
    if previous.name is None:
        result = result.clear()
    return changes(previous, as_of, [*tables, result.select(RESULT_COMPARED).collect()])


ENTRIES: tuple[Entry, ...] = (
    # what takes longest comes first: one thread is at it while the others do what all else waits for
    Entry("design_effect", design_effects, ("frames",)),
    Entry("twins", twin_tables, ("frames", "twin_rng", "design_effect")),
    # the record: what is listed, what was, and where a board's measurement changed
    *_fields("frames", "model", "model_claim", "result", "snapshot", "contamination_report", "mention"),
    Entry("fact_conflict", conflicts, ("model_claim", "result")),
    Entry("known_facts", benchmark_facts, ("frames",)),
    Entry("baseline", baselines, ("frames", "known_facts")),
    Entry("benchmark_facts", with_baselines, ("known_facts", "baseline")),
    Entry("reference", references, ("frames",)),
    Entry("histories", histories, ("frames", "benchmark_facts", "reference", "as_of")),
    *_fields("histories", "edits", "mixed", "past", "reported", "ratings", "competitors"),
    Entry("leaderboard", _leaderboard, ("histories",)),
    Entry("boards", boards, ("frames",)),
    Entry("lineage", attrgetter("lineage"), ("boards",)),
    Entry("curated_breakpoint", breakpoints, ("frames", "lineage")),
    Entry("looks", looks, ("frames", "competitors", "as_of")),
    Entry("board", attrgetter("board"), ("looks",)),
    Entry("known", attrgetter("benchmark"), ("looks",)),
    Entry("benchmark", known_benchmarks, ("frames", "looks")),
    Entry("source", known_sources, ("frames", "looks")),
    Entry("proposals", propose, ("boards", "curated_breakpoint")),
    Entry("breakpoint", with_proposals, ("curated_breakpoint", "proposals")),
    Entry("frontier_steps", frontier, ("ratings", "past", "curated_breakpoint", "known")),
    Entry("frontier", _published_frontier, ("frontier_steps",)),
    Entry("condition_frontier", curves, ("mixed", "curated_breakpoint", "known", "as_of")),
    Entry("weights_steps", weights_steps, ("ratings", "past", "competitors", "model", "curated_breakpoint", "known")),
    Entry("weights_frontier", weights_frontier, ("weights_steps",)),
    Entry("weights_lag", weights_lag, ("weights_steps", "competitors", "model", "known")),
    Entry("items", item_results, ("frames",)),
    Entry("likely_alias", likely_aliases, ("frames",)),
    Entry("claimed_alias", claimed_aliases, ("frames",)),
    # churn
    Entry("rank", ranks, ("boards", "items")),
    Entry("marked_frames", _marked, ("frames", "breakpoint")),
    Entry("churn", churn, ("marked_frames", "boards", "churn_rng", "board")),
    Entry("lead", lead_changes, ("rank", "breakpoint")),
    Entry("dwell", dwell, ("rank", "breakpoint", "board")),
    Entry("volatility", volatility, ("rank", "breakpoint")),
    # twins
    *_fields("twins", "twin", "twin_residual", "twin_gap", "twin_power", "twin_group", "twin_age", "twin_robustness"),
    Entry("rerun", reruns, ("frames",)),
    Entry("transfer", transfers, ("leaderboard", "benchmark_facts")),
    # boards of many tasks
    Entry("multi_task_boards", multi_task_boards, ("frames",)),
    Entry("stability", stability_of, ("multi_task_boards",)),
    Entry("first_place", first_places, ("multi_task_boards",)),
    Entry("task_score", task_scores, ("multi_task_boards",)),
    Entry("diversity", diversities, ("multi_task_boards",)),
    # capability
    Entry("cells", cells, ("leaderboard", "benchmark_facts")),
    Entry("first_seen", first_seen_of, ("past",)),
    Entry("stitched", stitch, ("cells", "first_seen", "capability_rng")),
    *_fields("stitched", "capability", "difficulty"),
    # models
    Entry("position", positions, ("past", "benchmark_facts", "frames", "items")),
    Entry("model_position", summaries, ("position", "benchmark_facts")),
    # forecast
    Entry("dated", known_results, ("past", "snapshot")),
    Entry("forecasts", forecasts, ("dated", "benchmark_facts", "known", "forecast_rng")),
    *_fields("forecasts", "forecast", "forecast_skill", "forecast_reliability"),
    Entry("forecast_record", _forecast_record, ("issued", "forecasts", "as_of")),
    # what indicators read
    Entry(
        "evidence",
        _evidence,
        (
            *("as_of", "benchmark_facts", "leaderboard", "past", "frontier_steps", "known", "edits"),
            *("contamination_report", "churn", "twin", "twin_residual", "reported", "reference", "mention"),
            *("rerun", "items"),
        ),
    ),
    Entry("broken_frames", _marked, ("frames", "curated_breakpoint")),
    Entry("goodhart", goodhart, ("broken_frames", "evidence", "twin", "goodhart_rng")),
    Entry("rung_inputs", rung_inputs, ("frames", "evidence", "cells", "capability", "difficulty")),
    Entry("ladder", ladder, ("rung_inputs",)),
    Entry("contamination_risk", attrgetter("risk"), ("ladder",)),
    Entry("contamination_calibration", attrgetter("calibration"), ("ladder",)),
    Entry("declared_leakage", declared_leakage, ("frames", "leakage_rng")),
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
    Entry("judged", judge, ("indicator", "thresholds", "as_of", "sides_before")),
    Entry("verdict_reason", reasons, ("indicator", "thresholds", "sides_before")),
    Entry("verdict_stability", stabilities, ("indicator", "thresholds", "sides_before", "stability_rng")),
    Entry("verdict", with_since, ("judged", "evidence", "indicator", "curated_breakpoint", "thresholds")),
    Entry(
        "static_dynamic", static_dynamic, ("benchmark_facts", "indicator", "frontier", "twin", "known", "renewal_rng")
    ),
    Entry("raw_evidence", raw_evidence, ("evidence", "mixed", "curated_breakpoint")),
    Entry("raw", judged_raw, ("raw_evidence", "indicator", "thresholds", "as_of", "sides_before")),
    Entry("condition_headroom", condition_headroom, ("frames", "raw", "indicator", "verdict")),
    # reproduction
    Entry("reproduction", _reproduction, ("frames", *_REPRODUCED_FROM)),
    Entry("reproduction_detail", details, ()),
    # against the generation before
    Entry("change", _changes, ("previous", "as_of", COMPARED[-1], *COMPARED[:-1])),
)
"""Every step from the facts to the derived tables; a name that is no published table is computed on the way."""


def described() -> str:
    """The graph in text, a line for each entry: whether it is a published table, its name, its inputs, its function."""
    published = {*DERIVED, *COMPLETED}
    lines = [f"given {', '.join(GIVEN)}"]
    for entry in ENTRIES:
        mark = "table" if entry.name in published else "step "
        lines.append(f"{mark} {entry.name} <- {', '.join(entry.inputs) or 'nothing'} [{_where(entry.function)}]")
    return "\n".join(lines)


def _where(function: Callable[..., object]) -> str:
    if isinstance(function, attrgetter):
        return "a field of it"
    room = "graph" if function.__module__ == __name__ else function.__module__.removeprefix("benchhealth.analytics.")
    return f"{room}.{function.__name__}"


if __name__ == "__main__":
    print(described())
