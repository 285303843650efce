"""Results item by item, held against the results that they add up to."""

import math
from collections.abc import Sequence
from zlib import crc32

import polars as pl

from benchhealth.analytics.record.by_item.packing import OPTION_BITS, NamedRun, packed_runs
from benchhealth.ingest.rows import ItemOutcomes
from benchhealth.ingest.run.records import Rejection, Result, frame
from benchhealth.warehouse.batch import ITEM, ITEM_RUN


def packed_items(
    outcomes: Sequence[ItemOutcomes], results: Sequence[Result], source_id: str
) -> tuple[pl.DataFrame, pl.DataFrame, list[Rejection]]:
    """ITEM_RUN and ITEM of the lists that `listed_items` keeps, and those that it does not."""
    runs_named, unfit = listed_items(outcomes, results)
    runs, items = packed_runs(source_id, runs_named)
    return frame(runs, ITEM_RUN), frame(items, ITEM), unfit


def listed_items(outcomes: Sequence[ItemOutcomes], results: Sequence[Result]) -> tuple[list[NamedRun], list[Rejection]]:
    """The lists that belong to a stored result and add up to its score, to within one item.

    A list that does not is of another run than the score, or was cut: the score is stored and the list is not.
    """
    of_row = {result.source_row: result for result in results}
    matched: list[NamedRun] = []
    unfit: list[Rejection] = []
    for raw in outcomes:
        problem = raw.reject or _problem(raw, of_row.get(raw.row))
        if problem:
            unfit.append(Rejection(f"{raw.row}, item by item", problem, f"{len(raw.items)} items"))
        else:
            matched.append(_named_run(raw, of_row[raw.row]))
    return matched, unfit


def option_hash(option: str) -> int:
    """A hash of OPTION_BITS of an option that was chosen, above 0; 0 where none could be read."""
    return (crc32(option.encode()) >> (32 - OPTION_BITS) or 1) if option else 0


def _named_run(raw: ItemOutcomes, result: Result) -> NamedRun:
    return NamedRun(
        source_row=raw.row,
        benchmark_id=result.benchmark_id,
        n_items=result.n_items,
        items=raw.items,
        outcomes=raw.outcomes,
        clusters=raw.clusters,
        chosen=[option_hash(option) for option in raw.chosen],
        missing=raw.missing,
    )


def _problem(raw: ItemOutcomes, result: Result | None) -> str:
    """Why this list is not stored with that result, empty where it is."""
    if result is None:
        return "excluded: what it is about is no result"
    if problem := _list_problem(raw):
        return problem
    n_items = result.n_items or len(raw.items)
    if len(raw.items) > n_items or n_items == 0:
        return f"{len(raw.items)} items of a test of {n_items}"
    mean = math.fsum(raw.outcomes) / n_items
    if abs(mean - result.score) * n_items > 1:
        return f"the items add up to {100 * mean:.2f}% and the score is {100 * result.score:.2f}%"
    return ""


def _list_problem(raw: ItemOutcomes) -> str:
    """What is wrong with the list itself, empty where nothing is."""
    if len(raw.items) != len(raw.outcomes) or len(set(raw.items)) < len(raw.items) or not all(raw.items):
        return "not one outcome for each item"
    if any(listed and len(listed) != len(raw.items) for listed in (raw.clusters, raw.chosen)):
        return "not one cluster or option an item"
    if len({*raw.items, *raw.missing}) < len(raw.items) + len(raw.missing) or not all(raw.missing):
        return "a missing item that is not one, or that is there"
    if not all(0 <= outcome <= 1 for outcome in raw.outcomes):
        return "an outcome outside 0 to 1"
    return ""
