"""The composition of analytics: facts in, every derived table of a generation out."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from analytics.aging.hazards import hazards
from analytics.aging.item_age import item_age
from analytics.aging.lives import lives
from analytics.aging.survival import survival
from analytics.apart import Tables, begin, begin_twins
from analytics.capability.table import DISCRIMINATION
from analytics.churn.churn import churn
from analytics.churn.dwell import dwell, volatility
from analytics.churn.rank import ranks
from analytics.contamination.table import contamination
from analytics.forecast.table import OUTLOOK
from analytics.goodhart.table import goodhart
from analytics.indicators import INDICATORS
from analytics.record.boards import Boards, boards
from analytics.record.breakpoints import propose, with_proposals
from analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from analytics.record.evidence import Evidence
from analytics.record.frames import Frames
from analytics.record.frontier import RESULT_KEY, frontier, history
from analytics.record.likely_aliases import likely_aliases
from analytics.record.steps import EDIT_AT_LEAST
from analytics.record.tables import DERIVED, PUBLISHED, empty
from analytics.reproduction import details, reproduction
from analytics.verdict.hysteresis import sides_before
from analytics.verdict.thresholds import Thresholds
from analytics.verdict.verdict import judge


@dataclass(frozen=True)
class Assessment:
    """Every derived table of a generation under its name, each with its published schema.

    `breakpoint` is the table of that name: the curated rows that went in, and after them the proposals.
    """

    tables: Tables
    breakpoint: pl.DataFrame


class IndicatorError(AssertionError):
    """An indicator does not cover every benchmark once, or its value contradicts its status."""


def assess(
    frames: Frames,
    as_of: date,
    rng: np.random.Generator,
    beside: Executor | None = None,
    meanwhile: Callable[[Tables], None] = lambda _: None,
) -> Assessment:
    """All derived tables of `analytics.record.tables.DERIVED`, as known at `as_of`; pure in its first three arguments.

    `frames` must hold only what was observed by `as_of`; dates of results after it are read as `as_of`. What
    `analytics.apart` names is given to `beside`: with a process of its own there it is done at the same time; without,
    in a thread. `meanwhile` is called in a thread once all that is done, so that a processor is idle, with the tables
    that rest neither on forecasts nor on what is concluded from evidence.
    """
    tables = {table: empty(table) for table in DERIVED}
    for_apart, for_facts, for_proxies = rng.spawn(3)
    with threadpool_limits(1), ThreadPoolExecutor(1) as thread:  # matrices too small for threads of their own
        twins = begin_twins(beside or thread, frames)
        evidence = gather(frames, as_of, tables)
        apart = begin(beside or thread, frames, evidence, for_apart)
        every_board = boards(frames)
        marked = with_proposals(frames.breakpoint, propose(every_board, frames.breakpoint))
        early = _of_facts(replace(frames, breakpoint=marked), every_board, as_of, for_facts)
        stitched = apart.scale.result()
        early |= {"capability": stitched.capability, "difficulty": stitched.difficulty, **twins.result()}
        written = thread.submit(_after, apart.orders, lambda: meanwhile(early))
        tables |= early
        evidence = replace(
            evidence,
            churn=tables["churn"],
            twin=tables["twin"],
            twin_residual=tables["twin_residual"],
            told=stitched.discrimination,
        )
        tables["goodhart"] = goodhart(frames, evidence, tables["twin"], for_proxies)
        ahead = apart.ahead.result()
        tables |= {"forecast": ahead.forecast, "forecast_skill": ahead.forecast_skill}
        tables |= _of_evidence(frames, replace(evidence, outlook=ahead.outlook), tables)
        tables |= apart.orders.result()
        tables |= {"reproduction": reproduction(frames, tables), "reproduction_detail": details()}
        written.result()
    return Assessment(tables, marked)


def _after(first: Future[Any], then: Callable[[], None]) -> None:
    first.result()
    then()


def _of_facts(frames: Frames, every_board: Boards, as_of: date, rng: np.random.Generator) -> Tables:
    """The tables that need nothing but the facts."""
    rank = ranks(every_board)
    return {
        "likely_alias": likely_aliases(frames),
        "rank": rank,
        "churn": churn(frames, every_board, rng, as_of),
        "dwell": dwell(rank, frames.breakpoint),
        "volatility": volatility(rank, frames.breakpoint),
    }


def _of_evidence(frames: Frames, evidence: Evidence, known: Tables) -> Tables:
    """The tables that rest on what is `known` by then: risks, lives, indicators, and the verdicts made of them."""
    climbed = contamination(frames, evidence, known)
    evidence = replace(evidence, risk=climbed.risk)
    life = lives(evidence, frames.model)
    indicator, limits = indicate(evidence), Thresholds()
    before = sides_before(frames, evidence, indicator, limits)
    return {
        "contamination_risk": climbed.risk,
        "contamination_calibration": climbed.calibration,
        "frontier": evidence.frontier.select(PUBLISHED["frontier"].names()),
        "survival": survival(life),
        "hazard": hazards(life),
        "item_age": item_age(frames),
        "indicator": indicator,
        "verdict": judge(indicator, limits, evidence.as_of, before),
    }


def gather(frames: Frames, as_of: date, tables: Tables) -> Evidence:
    """What the indicators read: leaderboards, dated results and frontier of the facts, churn and twins of `tables`.

    `told` and `outlook` are empty: what they hold is computed from the rest.
    """
    facts = benchmark_facts(frames)
    rows = ranked_results(frames, facts)
    past = history(rows, as_of)
    return Evidence(
        as_of=as_of,
        facts=facts,
        board=leaderboard(newest(rows)),
        past=past,
        frontier=frontier(rows, past, frames.breakpoint, as_of),
        looked=last_looks(frames, as_of),
        edits=edits(rows),
        report=frames.contamination_report,
        churn=tables["churn"],
        twin=tables["twin"],
        twin_residual=tables["twin_residual"],
        told=pl.DataFrame(schema=DISCRIMINATION),
        outlook=pl.DataFrame(schema=OUTLOOK),
        successor=frames.successor,
    )


def indicate(evidence: Evidence) -> pl.DataFrame:
    """The indicator table: every indicator of every benchmark, sorted by benchmark in the order of INDICATORS."""
    schema = PUBLISHED["indicator"]
    order = {indicator.key: place for place, indicator in enumerate(INDICATORS)}
    computed = [indicator.compute(evidence).with_columns(indicator=pl.lit(indicator.key)) for indicator in INDICATORS]
    table = (
        pl.concat(computed)
        .with_columns(as_of=pl.lit(evidence.as_of))
        .sort("benchmark_id", pl.col("indicator").replace_strict(order, return_dtype=pl.Int64))
        .select(schema.names())
        .cast(schema)
    )
    _check(table, evidence.facts.height * len(INDICATORS))
    return table


def last_looks(frames: Frames, as_of: date) -> pl.DataFrame:
    """For each benchmark `looked_on`: the last day that a source of it was fetched, or said something, up to `as_of`.

    A file that did not change since 2023 and was fetched yesterday was looked at yesterday.
    """
    looks = (
        frames.result.select("benchmark_id", "snapshot_id", "source_id", "observed_at")
        .unique()
        .join(frames.snapshot.select("snapshot_id", "fetched_at"), on="snapshot_id", how="left")
        .join(frames.source.select("source_id", "last_fetched_at"), on="source_id", how="left")
    )
    newest_look = pl.max_horizontal("observed_at", "fetched_at", "last_fetched_at").max().dt.date()
    return looks.group_by("benchmark_id").agg(looked_on=pl.min_horizontal(newest_look, pl.lit(as_of)))


def edits(rows: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark: results `seen_again` in a later snapshot, and `edited`, those whose score moved since.

    A move below `EDIT_AT_LEAST` of the score's unit (of the score itself above 1) is rounding or a rerun of the same.
    """
    versions = rows.group_by(RESULT_KEY).agg(
        snapshots=pl.col("snapshot_id").n_unique(),
        moved=pl.col("score").max() - pl.col("score").min(),
        size=pl.max_horizontal(pl.col("score").abs().max(), pl.lit(1.0)),
    )
    again = versions.filter(pl.col("snapshots") > 1)
    moved = pl.col("moved") >= EDIT_AT_LEAST * pl.col("size")
    return again.group_by("benchmark_id").agg(seen_again=pl.len(), edited=moved.sum())


def _check(table: pl.DataFrame, expected: int) -> None:
    keys = table.select("benchmark_id", "indicator").n_unique()
    if table.height != expected or keys != expected:
        raise IndicatorError(f"{expected} indicators expected, got {table.height} with {keys} keys")
    is_ok = pl.col("status") == "ok"
    usable = pl.col("value").is_finite().fill_null(False)
    wrong = table.filter((is_ok & ~usable) | (~is_ok & (pl.col("value").is_not_null() | pl.col("reason").is_null())))
    if wrong.height:
        raise IndicatorError(f"value and status disagree: {wrong.head(3).to_dicts()}")
