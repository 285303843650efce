"""What an assessment can have done apart, in a process of its own: parts that need little of the facts.

In the order in which they are begun. What is sent to another process is copied: each part gets what it reads.
"""

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from datetime import date
from typing import NamedTuple

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from analytics.capability.cells import Cells, cells
from analytics.capability.table import Stitched, first_seen_of, stitch
from analytics.forecast.series import dated_results
from analytics.forecast.table import Forecasts, forecasts
from analytics.multi_task.boards import Board, multi_task_boards
from analytics.multi_task.first_place import many_tasks
from analytics.record.evidence import Evidence
from analytics.record.frames import Frames
from analytics.twins.tables import twin_tables
from analytics.twins.transfer import transfers
from analytics.twins.twin import of_twins

OF_ORDERS = ("benchmark_id", "model_id", "merit")

Tables = dict[str, pl.DataFrame]


class Apart(NamedTuple):
    """The scale of capability, what is forecast, and the tables about orders."""

    scale: Future[Stitched]
    ahead: Future[Forecasts]
    orders: Future[Tables]


def begin_twins(executor: Executor, frames: Frames) -> Future[Tables]:
    """Give the tables about twins, which need the facts alone, to the executor."""
    return executor.submit(_twins, replace(frames, result=of_twins(frames)))


def begin(executor: Executor, frames: Frames, evidence: Evidence, rng: np.random.Generator) -> Apart:
    """Give the other parts to the executor; each is deterministic in the facts and `rng`, whoever does it."""
    for_scale, for_forecasts = rng.spawn(2)
    facts, whole = evidence.facts, ~pl.col("benchmark_id").str.contains("/", literal=True)
    dated = dated_results(evidence.past, frames.snapshot)
    return Apart(
        scale=executor.submit(_scale, cells(evidence.board, facts), first_seen_of(evidence.past), for_scale),
        ahead=executor.submit(_ahead, dated, facts, evidence.as_of, for_forecasts),
        orders=executor.submit(
            _orders, evidence.board.filter(whole).select(OF_ORDERS), facts, multi_task_boards(frames)
        ),
    )


def _twins(frames: Frames) -> Tables:
    with threadpool_limits(1):  # matrices too small for threads of their own, here and below
        return twin_tables(frames)._asdict()


def _scale(found: Cells, first_seen: pl.DataFrame, rng: np.random.Generator) -> Stitched:
    with threadpool_limits(1):
        return stitch(found, first_seen, rng)


def _ahead(dated: pl.DataFrame, facts: pl.DataFrame, as_of: date, rng: np.random.Generator) -> Forecasts:
    with threadpool_limits(1):
        return forecasts(dated, facts, as_of, rng)


def _orders(board: pl.DataFrame, facts: pl.DataFrame, boards: Sequence[Board]) -> Tables:
    with threadpool_limits(1):
        return {"transfer": transfers(board, facts), **many_tasks(boards)._asdict()}
