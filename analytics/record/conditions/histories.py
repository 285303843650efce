"""All that follows from every version of every result, benchmark by benchmark: no copy of all of them is ever made."""

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
    """Of ranked results (`current.ranked_results`) what later steps read.

    `edits`: how many were changed, under whatever condition; `mixed` those of benchmarks with several conditions. Of
    those in the condition that their benchmark is judged by: `past`, their `frontier.history`; `leaderboard`, who is
    listed now; `ratings`, every state of scales that move as a whole; `competitors`, who has one. `reported` are the
    days of the history under all conditions. All are packed: a step unpacks what it reads, for as long as it works.
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
    """The histories of all benchmarks, which `benchmark_facts` and `reference` are about; `frames` are `in_order`.

    A number that is in `copy` counts once.
    """
    return Histories(*packed_apart(_by_part(frames, benchmark_facts, reference, as_of, copy)))


def _by_part(
    frames: Frames, facts: pl.DataFrame, reference: pl.DataFrame, as_of: date, copy: pl.DataFrame
) -> Iterator[tuple[pl.DataFrame, ...]]:
    """The fields of `Histories`, of some benchmarks after the other."""
    for part in benchmark_by_benchmark(frames.result):
        once = counted_once(part.collect(), copy, frames.snapshot)
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
