"""What rests on every version of every result, some benchmarks at a time to keep memory small: a curve a condition."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.packed import Rows, packed_apart
from benchhealth.analytics.record.conditions.references import in_reference
from benchhealth.analytics.record.current import competitors, leaderboard, newest, ranked_results
from benchhealth.analytics.record.edits import edits
from benchhealth.analytics.record.frames import Frames, benchmark_by_benchmark
from benchhealth.analytics.record.frontier import frontier, history_of, ratings
from benchhealth.analytics.record.origins.copies import counted_once, with_measured_originals
from benchhealth.analytics.record.tables import PUBLISHED

_IN = "\x1f"
"""Joins a benchmark and a condition into one id; it occurs in no id and in no condition."""


def several(rows: pl.DataFrame, reference: pl.DataFrame) -> pl.DataFrame:
    """The rows of benchmarks that have results under more than one condition."""
    mixed = reference.filter(pl.col("n_conditions") > 1)
    return rows.join(mixed, on="benchmark_id", how="semi", maintain_order="left")


def reported(mixed: pl.DataFrame, history: pl.DataFrame, reference: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """The benchmarks and days of the history of results under all conditions: `benchmark_id`, `dated_on`.

    `history` is the history of the conditions that benchmarks are judged by.
    """
    single = history.join(reference.filter(pl.col("n_conditions") <= 1), on="benchmark_id", how="semi")
    return pl.concat([rows.select("benchmark_id", "dated_on") for rows in (single, history_of(mixed, as_of))])


def curves(mixed: Rows, curated_breakpoint: pl.DataFrame, known_until: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """Table `condition_frontier`: the frontier of each condition by itself, in the columns of `frontier`.

    `known_until` has the day `known_until` of each benchmark, at which its curves end; where results under another
    condition than it is judged by are younger, their curve ends at the last of them.
    """
    benchmark = pl.col("benchmark_id").str.splitn(_IN, 2).struct.field("field_0")
    split = mixed.lazy().collect().with_columns(benchmark_id=pl.concat_str("benchmark_id", "condition", separator=_IN))
    ids = split.select("benchmark_id").unique().with_columns(whole=benchmark)
    ends = ids.join(known_until.rename({"benchmark_id": "whole"}), on="whole").select("benchmark_id", "known_until")
    steps = frontier(split, history_of(split, as_of), curated_breakpoint, ends)
    last = pl.when("carried").then(pl.col("dated_on").max().over("benchmark_id")).otherwise("dated_on")
    return (
        steps.with_columns(dated_on=last)
        .with_columns(benchmark_id=benchmark)
        .select(PUBLISHED["condition_frontier"].names())
        .sort("benchmark_id", "condition", "carried", "dated_on")
    )


class Histories(NamedTuple):
    """Tables that later steps read, made of the ranked results (`current.ranked_results`).

    Under all conditions: `edits`, how many results were changed; `reported`, the days in the history of each benchmark;
    `mixed`, the results of those benchmarks that have several conditions. Under the condition that each benchmark is
    judged by: `history` (`frontier.history_of`); `leaderboard`, the newest ranking; `ratings`, every state of ratings;
    `competitors`, which model has a result by which source. All are packed; a step unpacks what it reads.
    """

    edits: pl.LazyFrame
    mixed: pl.LazyFrame
    history: pl.LazyFrame
    reported: pl.LazyFrame
    leaderboard: pl.LazyFrame
    ratings: pl.LazyFrame
    competitors: pl.LazyFrame


def histories(
    frames: Frames, benchmark_facts: pl.DataFrame, reference: pl.DataFrame, as_of: date, copy: pl.DataFrame
) -> Histories:
    """The histories of all benchmarks; the rows of `frames` must be `in_order`.

    `reference` has the condition that each benchmark is judged by. A result that `copy` lists as copied counts once.
    """
    return Histories(*packed_apart(_by_part(frames, benchmark_facts, reference, as_of, copy)))


def _by_part(
    frames: Frames, facts: pl.DataFrame, reference: pl.DataFrame, as_of: date, copy: pl.DataFrame
) -> Iterator[tuple[pl.DataFrame, ...]]:
    """Yield the fields of `Histories` for one group of benchmarks after another."""
    for results in benchmark_by_benchmark(frames.result):
        once = counted_once(results.collect(), copy, frames.snapshot)
        listed = ranked_results(replace(frames, result=once.lazy()), facts)
        rows = with_measured_originals(listed, copy, frames.snapshot)
        mixed = several(rows, reference)
        ranked = in_reference(rows, reference)
        ranked_history = history_of(ranked, as_of)
        yield (
            edits(rows),
            mixed,
            ranked_history,
            reported(mixed, ranked_history, reference, as_of),
            leaderboard(newest(ranked)),
            ratings(ranked),
            competitors(ranked),
        )
