"""Steps of the graph that belong to no question: they hand what one room computed to the next, under its name there."""

from dataclasses import replace
from datetime import date

import polars as pl

from benchhealth.analytics.capability.table import Stitched
from benchhealth.analytics.corroboration.running_bests import ByOthers
from benchhealth.analytics.forecast.table import Forecasts
from benchhealth.analytics.record.by_item.clusters import ItemClusters
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.record.conditions.histories import Histories
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.reproduction import reproduction
from benchhealth.analytics.verdict.thresholds import LIMITS, Thresholds


def with_breakpoints(frames: Frames, breakpoint: pl.DataFrame) -> Frames:
    """The facts with all breakpoints: curated, of boards that moved, and proposed."""
    return replace(frames, breakpoint=breakpoint)


def with_curated_breakpoints(frames: Frames, curated_breakpoint: pl.DataFrame) -> Frames:
    """The facts with the breakpoints that stand without any proposal."""
    return replace(frames, breakpoint=curated_breakpoint)


def current_leaderboard(histories: Histories) -> pl.DataFrame:
    """The models of each benchmark, unpacked; marked as sorted, as sums of groups differ in the last bit without it."""
    return histories.leaderboard.collect().set_sorted("benchmark_id")


def evidence_of(  # noqa: PLR0913, PLR0917 - the fields of Evidence
    as_of: date,
    benchmark_facts: pl.DataFrame,
    leaderboard: pl.DataFrame,
    history: pl.LazyFrame,
    frontier_steps: pl.DataFrame,
    known_until: pl.DataFrame,
    edits: pl.LazyFrame,
    contamination_report: pl.DataFrame,
    churn: pl.DataFrame,
    twin: pl.DataFrame,
    twin_residual: pl.DataFrame,
    reported: pl.LazyFrame,
    reference: pl.DataFrame,
    mention: pl.DataFrame,
    rerun: pl.DataFrame,
    items: ItemResults,
    undecided: pl.DataFrame,
    published_top: pl.DataFrame,
    by_others: ByOthers,
    incident: pl.DataFrame,
    item_clusters: ItemClusters,
) -> Evidence:
    """What indicators read before anything is estimated, unpacked, because every indicator reads it."""
    return Evidence(
        as_of=as_of,
        facts=benchmark_facts,
        board=leaderboard,
        history=history.collect(),
        frontier=frontier_steps,
        known_until=known_until,
        edits=edits.collect(),
        report=contamination_report,
        churn=churn,
        twin=twin,
        twin_residual=twin_residual,
        reported=reported.collect(),
        reference=reference,
        mention=mention,
        rerun=rerun,
        incident=incident,
        items=items,
        item_clusters=item_clusters,
        undecided=undecided,
        published_top=published_top,
        frontier_by_others=by_others.frontier,
        board_by_others=by_others.board,
    )


def default_thresholds() -> Thresholds:
    """The thresholds that the rules of verdicts are judged by."""
    return LIMITS


def published_frontier(frontier_steps: pl.DataFrame) -> pl.DataFrame:
    """The steps of each curve, with the columns of the table `frontier`."""
    return frontier_steps.select(PUBLISHED["frontier"].names())


def with_estimates(
    evidence: Evidence, stitched: Stitched, forecasts: Forecasts, contamination_risk: pl.DataFrame
) -> Evidence:
    """The evidence with what was estimated from it."""
    scale, outlook = stitched.discrimination, forecasts.outlook
    return replace(evidence, discrimination=scale, outlook=outlook, risk=contamination_risk)


def reproduced_claims(  # noqa: PLR0913, PLR0917 - the tables that claims are computed from
    frames: Frames,
    twin: pl.DataFrame,
    twin_residual: pl.DataFrame,
    stability: pl.DataFrame,
    indicator: pl.DataFrame,
    capability: pl.DataFrame,
) -> pl.DataFrame:
    """Makes the table `reproduction`: published claims computed again from the tables of this run."""
    tables = {
        "twin": twin,
        "twin_residual": twin_residual,
        "stability": stability,
        "indicator": indicator,
        "capability": capability,
    }
    return reproduction(frames, tables)
