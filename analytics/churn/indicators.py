"""How often the top ten changed hands, against what noise alone would do, and what was changed after the fact."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.steps import EDIT_AT_LEAST
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.statistics.errors import Z95

TOP = 10
RECENT_DAYS = 365
LONGEST_DAYS = 366
"""Boards that date their results are compared from one year-end to the next."""


def _last_year(evidence: Evidence) -> pl.DataFrame:
    """What happened to the top ten in the last year, and by noise alone, on the board with most comparisons."""
    since = pl.col("known_until").dt.offset_by(f"-{RECENT_DAYS}d")
    brief = (pl.col("to_on") - pl.col("from_on")).dt.total_days() <= LONGEST_DAYS
    is_recent = (pl.col("k") == TOP) & (pl.col("to_on") > since) & brief & ~pl.col("spans_breakpoint")
    return (
        evidence.churn.with_columns(benchmark_id=pl.col("board_id").str.split_exact("/", 1).struct.field("field_1"))
        .join(evidence.known_until, on="benchmark_id", how="left")
        .filter(is_recent & pl.col("turnover").is_not_null())
        .group_by("benchmark_id", "board_id")
        .agg(
            turnover=pl.col("turnover").sum(),
            exchanged=pl.col("exchanged").sum() / TOP,
            newcomers=pl.col("newcomers").sum().cast(pl.Float64),
            expected=pl.col("expected_turnover").sum(),
            half=Z95 * (pl.col("expected_spread") ** 2).sum().sqrt(),
            with_expectation=pl.col("expected_turnover").count(),
            n=pl.len(),
        )
        .sort(["n", "board_id"], descending=[True, False])
        .unique(subset="benchmark_id", keep="first", maintain_order=True)
    )


def _turnover(evidence: Evidence) -> pl.DataFrame:
    return settle(
        evidence.facts.join(_last_year(evidence), on="benchmark_id", how="left"),
        Unless(pl.col("n").is_null(), "no_comparable_snapshots"),
        value=pl.col("turnover"),
        n=pl.col("n"),
        note=Case("summed_over", other_id="board_id", numbers=("newcomers",)),
    )


def _excess(evidence: Evidence) -> pl.DataFrame:
    excess, half = pl.col("exchanged") - pl.col("expected"), pl.col("half")
    return settle(
        evidence.facts.join(_last_year(evidence), on="benchmark_id", how="left"),
        Unless(pl.col("n").is_null(), "no_comparable_snapshots"),
        Unless(pl.col("with_expectation") < pl.col("n"), "noise_unknown"),
        value=(excess, excess - half, excess + half),
        n=pl.col("n"),
        note=Case("noise_alone", other_id="board_id", numbers=("exchanged", "expected", "newcomers")),
    )


def _edited_share(evidence: Evidence) -> pl.DataFrame:
    return settle(
        evidence.facts.join(evidence.edits, on="benchmark_id", how="left"),
        Unless(pl.col("unit") == "rating", "ratings_recomputed", "not_applicable"),
        Unless(pl.col("continuous"), "scores_move", "not_applicable"),
        Unless(pl.col("seen_again").is_null() | (pl.col("seen_again") == 0), "seen_once"),
        value=pl.col("edited") / pl.col("seen_again"),
        n=pl.col("seen_again"),
    )


TURNOVER = Indicator(
    "turnover_top10_12m",
    "Turnover of the top ten in 12 months",
    "Share of the top ten replaced, summed over the comparisons of the 365 days up to the day until which the "
    "benchmark is known: 1 means ten places changed hands. Newcomers count: it is progress as much as disorder.",
    "churn table; comparisons across a breakpoint are left out",
    _turnover,
    unit=Unit.TURNS,
)
TURNOVER_EXCESS = Indicator(
    "turnover_excess_12m",
    "Exchange within the top ten beyond noise",
    "Share of the top ten that models listed on both days exchanged among themselves in 12 months, less what the noise "
    "of changes alone would exchange; newcomers and departures are no part of it. The interval is what that noise "
    "varies by.",
    "churn table, exchanged and expected_turnover; Hampel 1974, doi:10.1080/01621459.1974.10482962",
    _excess,
    unit=Unit.TURNS,
)
EDITED = Indicator(
    "edited_share",
    "Share of results edited after the fact",
    "Among results seen in at least two snapshots, the share whose score moved by "
    f"{100 * EDIT_AT_LEAST:g} points or more.",
    "stored versions of the same source, model, setting and reporter",
    _edited_share,
    unit=Unit.SHARE,
)
