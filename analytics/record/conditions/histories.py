"""Computes what rests on every version of every result, some benchmarks at a time, to keep memory small."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.packed import packed_apart
from benchhealth.analytics.record.conditions.curves import reported, several
from benchhealth.analytics.record.conditions.references import in_reference
from benchhealth.analytics.record.current import competitors, leaderboard, newest, ranked_results
from benchhealth.analytics.record.edits import edits
from benchhealth.analytics.record.frames import Frames, benchmark_by_benchmark
from benchhealth.analytics.record.frontier import history, ratings
from benchhealth.analytics.record.origins.copies import counted_once, with_measured_originals


class Histories(NamedTuple):
    """Tables that later steps read, made of the ranked results (`current.ranked_results`).

    Under all conditions: `edits`, how many results were changed; `reported`, the days in the history of each benchmark;
    `mixed`, the results of those benchmarks that have several conditions. Under the condition that each benchmark is
    judged by: `past`, its `frontier.history`; `leaderboard`, the newest ranking; `ratings`, every state of ratings;
    `competitors`, which model has a result by which source. All are packed; a step unpacks what it reads.
    """

    edits: pl.LazyFrame
    mixed: pl.LazyFrame
    past: pl.LazyFrame
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
        past = history(ranked, as_of)
        yield (
            edits(rows),
            mixed,
            past,
            reported(mixed, past, reference, as_of),
            leaderboard(newest(ranked)),
            ratings(ranked),
            competitors(ranked),
        )
