"""What happened to benchmarks: audits, leaks, breaks, retirements and exploits, from the tables that have them."""

import polars as pl

from benchhealth.analytics.record.breakpoints import NO_BREAK, PROPOSED
from benchhealth.analytics.record.frames import Frames, benchmark_of_board
from benchhealth.analytics.record.tables import PUBLISHED

CONSTANT_ANSWER = "constant answer"
"""The kind of an exploit that gives every item the same answer: its score is what an answer without content gets."""

CURATED_KINDS = (
    *("retired", "exploit", CONSTANT_ANSWER, "withdrawn", "access", "selection"),
    *("audit", "relabelled", "regraded"),
)
"""The kinds of incident that incident.csv may name."""

KINDS = (*CURATED_KINDS, "contamination", "break")
"""Every kind of incident: contamination and breaks are in tables of their own, and so are audits with a share."""

_SCHEMA = PUBLISHED["incident"]
_ORDER = ["benchmark_id", "on_date", "kind", "subject", "source_url"]
_MONTH_OF_ARXIV = r"arxiv\.org/(?:abs|pdf|html)/(\d\d)(\d\d)\."


def incidents(frames: Frames, breakpoint: pl.DataFrame) -> pl.DataFrame:
    """Table `incident`: the facts of incident.csv, label_error.csv, contamination reports and curated breakpoints.

    `on_date` of a fact without a day is the first of the month in an arXiv address, else null. Each fact is recorded in
    one place: `home` says which table or file that is, and columns that it does not have are null.
    """
    settled = breakpoint.filter(~pl.col("kind").str.starts_with(PROPOSED) & (pl.col("kind") != NO_BREAK))
    tables = (
        frames.incident.with_columns(home=pl.lit("incident")),
        frames.label_error.select(
            "benchmark_id",
            "part",
            "source_url",
            subject="method",
            n="n_checked",
            share="share_flawed",
            kind=pl.lit("audit"),
            home=pl.lit("label_error"),
        ),
        frames.contamination_report.select(
            "benchmark_id",
            "subject",
            "share",
            part="split",
            said="method",
            source_url="reference_url",
            kind=pl.lit("contamination"),
            home=pl.lit("contamination_report"),
        ),
        settled.select(
            "board_id",
            "on_date",
            "source_url",
            benchmark_id=benchmark_of_board(),
            subject="kind",
            said="note",
            kind=pl.lit("break"),
            home=pl.lit("breakpoint"),
        ),
    )
    all_incidents = pl.concat([table.match_to_schema(_SCHEMA, missing_columns="insert") for table in tables])
    return all_incidents.with_columns(on_date=pl.coalesce("on_date", _month_of_paper())).sort(_ORDER, nulls_last=True)


def constant_answers(incident: pl.DataFrame) -> pl.DataFrame:
    """Benchmarks on which an answer without content has a published score: `benchmark_id`, `constant` (the best)."""
    scored = incident.filter(kind=CONSTANT_ANSWER).drop_nulls("score")
    return scored.group_by("benchmark_id").agg(constant=pl.col("score").max())


def _month_of_paper() -> pl.Expr:
    """The first day of the month in the address of an arXiv paper."""
    groups = pl.col("source_url").str.extract_groups(_MONTH_OF_ARXIV).struct
    year, month = (groups.field(name).cast(pl.Int32) for name in ("1", "2"))
    return pl.date(2000 + year, month, 1)
