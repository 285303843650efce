"""The table `goodhart`: steps of running bests within their error, what makers report beside others, and the rest."""

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.generation import Params, View, one_of

NUMBERS = ("value", "low", "high")
ADVANCES = ("year", "benchmark")
PREMIUMS = {"benchmark": "self_report_premium", "organisation": "self_report_difference"}


def rows(view: View, *measures: str) -> pl.DataFrame:
    """The findings of these quantities, known and unknown."""
    return view.table("goodhart").filter(pl.col("measure").is_in(measures))


def with_value(view: View, *measures: str) -> pl.DataFrame:
    """The findings of these quantities that have a value."""
    return rows(view, *measures).filter(pl.col("status") == "ok")


def row(view: View, measure: str, subject: str = "all") -> Row | None:
    """The finding of a quantity about a subject without a year; None where it is not in the table."""
    matching = rows(view, measure).filter(pl.col("subject") == subject, pl.col("year").is_null())
    return matching.row(0, named=True) if matching.height else None


def with_names(view: View, findings: pl.DataFrame) -> pl.DataFrame:
    """The rows with `name`, the benchmark's that is their subject."""
    names = view.table("benchmark").select("benchmark_id", "name")
    joined = findings.join(names, left_on="subject", right_on="benchmark_id", how="left", maintain_order="left")
    return joined.with_columns(name=pl.coalesce("name", "subject"))


def advances(view: View, params: Params) -> pl.DataFrame:
    """The share of steps within their error by year, or by benchmark, largest share first."""
    grouping = one_of(params, "by", ADVANCES)
    steps = with_value(view, "small_advances")
    if grouping == "year":
        return steps.filter(pl.col("year").is_not_null()).select("year", *NUMBERS, "n").sort("year")
    by_benchmark = with_names(view, steps.filter(pl.col("subject_kind") == "benchmark"))
    return by_benchmark.select("name", *NUMBERS, "n", "subject").sort(
        "value", "n", "subject", descending=[True, True, False]
    )


def premiums(view: View, params: Params) -> pl.DataFrame:
    """Self-reported less third-party scores by benchmark, or by organisation what is left after the benchmark."""
    grouping = one_of(params, "reports", tuple(PREMIUMS))
    differences = with_value(view, PREMIUMS[grouping]).filter(pl.col("subject_kind") == grouping)
    differences = with_names(view, differences) if grouping == "benchmark" else differences.with_columns(name="subject")
    return differences.select("name", *NUMBERS, "n", "reason", "subject").sort(
        "value", "subject", descending=[True, False]
    )
