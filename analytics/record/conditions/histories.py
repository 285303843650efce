"""All that follows from every version of every result, benchmark by benchmark: no copy of all of them is ever made."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple

import polars as pl

from analytics.record.conditions.curves import reported, several
from analytics.record.conditions.references import in_reference
from analytics.record.current import competitors, newest, ranked_results
from analytics.record.edits import edits
from analytics.record.frames import Frames, benchmark_by_benchmark
from analytics.record.frontier import history, ratings


class Histories(NamedTuple):
    """Of ranked results (`current.ranked_results`) what later steps read.

    `edits`: how many were changed, under whatever condition; `mixed` those of benchmarks with several conditions. Of
    those in the condition that their benchmark is judged by: `past`, their `frontier.history`; `newest`, what is listed
    now; `ratings`, every state of scales that move as a whole; `competitors`, who has one. `reported` is the history
    under all conditions.
    """

    edits: pl.DataFrame
    mixed: pl.DataFrame
    past: pl.DataFrame
    reported: pl.DataFrame
    newest: pl.DataFrame
    ratings: pl.DataFrame
    competitors: pl.DataFrame


def histories(frames: Frames, facts: pl.DataFrame, reference: pl.DataFrame, as_of: date) -> Histories:
    """The histories of all benchmarks; `frames` are `in_order`, `facts` and `reference` are about all benchmarks."""
    found = list(_by_part(frames, facts, reference, as_of))
    return Histories(*(pl.concat(part) for part in zip(*found, strict=True)))


def _by_part(frames: Frames, facts: pl.DataFrame, reference: pl.DataFrame, as_of: date) -> Iterator[Histories]:
    for part in benchmark_by_benchmark(frames.result):
        rows = ranked_results(replace(frames, result=part), facts)
        mixed = several(rows, reference)
        ranked = in_reference(rows, reference)
        past = history(ranked, as_of)
        yield Histories(
            edits=edits(rows),
            mixed=mixed,
            past=past,
            reported=reported(mixed, past, reference, as_of),
            newest=newest(ranked),
            ratings=ratings(ranked),
            competitors=competitors(ranked),
        )
