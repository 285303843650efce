"""The curves of benchmarks whose results were measured under several conditions: one for each."""

from datetime import date

import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.frontier import frontier, history
from benchhealth.analytics.record.tables import PUBLISHED

_IN = "\x1f"
"""Joins a benchmark and a condition into one id; it occurs in no id and in no condition."""


def several(rows: pl.DataFrame, reference: pl.DataFrame) -> pl.DataFrame:
    """The rows of benchmarks that have results under more than one condition."""
    mixed = reference.filter(pl.col("n_conditions") > 1)
    return rows.join(mixed, on="benchmark_id", how="semi", maintain_order="left")


def reported(mixed: pl.DataFrame, past: pl.DataFrame, reference: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """The benchmarks and days of the history of results under all conditions: `benchmark_id`, `dated_on`.

    `past` is the history of the conditions that benchmarks are judged by.
    """
    single = past.join(reference.filter(pl.col("n_conditions") <= 1), on="benchmark_id", how="semi")
    return pl.concat([rows.select("benchmark_id", "dated_on") for rows in (single, history(mixed, as_of))])


def curves(mixed: Rows, curated_breakpoint: pl.DataFrame, known_until: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """Table `condition_frontier`: the frontier of each condition by itself, in the columns of `frontier`.

    `known_until` has the day `known_until` of each benchmark, at which its curves end; where results under another
    condition than it is judged by are younger, their curve ends at the last of them.
    """
    benchmark = pl.col("benchmark_id").str.splitn(_IN, 2).struct.field("field_0")
    split = mixed.lazy().collect().with_columns(benchmark_id=pl.concat_str("benchmark_id", "condition", separator=_IN))
    ids = split.select("benchmark_id").unique().with_columns(whole=benchmark)
    ends = ids.join(known_until.rename({"benchmark_id": "whole"}), on="whole").select("benchmark_id", "known_until")
    steps = frontier(split, history(split, as_of), curated_breakpoint, ends)
    last = pl.when("carried").then(pl.col("dated_on").max().over("benchmark_id")).otherwise("dated_on")
    return (
        steps.with_columns(dated_on=last)
        .with_columns(benchmark_id=benchmark)
        .select(PUBLISHED["condition_frontier"].names())
        .sort("benchmark_id", "condition", "carried", "dated_on")
    )
