"""Questions in SQL over what may leave of a generation, handed to a process of their own."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import polars as pl
from starlette.concurrency import run_in_threadpool

from benchhealth.dashboard.guard.turns import Busy, Turns
from benchhealth.dashboard.published.generation import SharedView, View
from benchhealth.warehouse.queries.grammar import Refused
from benchhealth.warehouse.queries.runner import Answer, QueryRunner
from benchhealth.warehouse.queries.worker import SECONDS

__all__ = ["FILE_ROWS", "SHOWN_ROWS", "Answered", "Busy", "Refused", "Written", "ask", "frame", "write"]

SHOWN_ROWS, FILE_ROWS = 500, 10_000
"""The most rows of an answer on a page, and in a file."""

ANSWERS_KEPT = 12
"""Answers that are kept: pages are drawn anew for every change in a browser."""

MOST_WAITING, MOST_OF_ONE = 16, 4
"""Questions that wait, and those of one reader among them."""
MOST_SECONDS = 2 * SECONDS + 1
"""A question waits for two that take all their time, and no longer."""

_RUNNER, _LOCK, _TURNS = QueryRunner(), threading.Lock(), Turns(MOST_WAITING, MOST_OF_ONE, MOST_SECONDS)


@dataclass(frozen=True)
class Answered:
    """The rows of an answer, whether there would be more, and how many rows of the tables it read may not leave."""

    rows: pl.DataFrame
    cut: bool
    withheld: dict[str, int]


@dataclass(frozen=True)
class Written:
    """An answer as text in a file without a name, which whoever reads it closes; the rest as in `Answered`."""

    file: BinaryIO
    size: int
    cut: bool
    withheld: dict[str, int]


_ANSWERS: OrderedDict[tuple[str, str], Answered] = OrderedDict()


def ask(view: View, sql: str, reader: str) -> Answered:
    """At most SHOWN_ROWS rows of the answer as plain cells; kept for whoever asks the same again.

    Raises Refused with a sentence where there is no answer, Busy where others are before this reader for too long, and
    NotShareable where nothing may leave.
    """
    shared = view.shared()
    with _LOCK:
        earlier = _ANSWERS.get((view.name, sql))
    if earlier is not None:
        return earlier
    with _TURNS.turn(reader):
        rows, about = _RUNNER.rows(view.published.path, sql, SHOWN_ROWS)
    answer = Answered(rows, about.cut, _withheld(shared, about))
    with _LOCK:
        _ANSWERS[view.name, sql] = answer
        while len(_ANSWERS) > ANSWERS_KEPT:
            _ANSWERS.popitem(last=False)
    return answer


def frame(view: View, sql: str, reader: str) -> pl.DataFrame:
    """At most FILE_ROWS rows of the answer as plain cells, for a program. Raises as `ask`."""
    view.shared()
    body = BytesIO()
    with _TURNS.turn(reader):
        _RUNNER.write(view.published.path, sql, FILE_ROWS, "arrow", body)
    return pl.read_ipc(body.getvalue())


async def write(view: View, sql: str, form: str, reader: str, room: Path) -> Written:
    """At most FILE_ROWS rows of the answer as `csv`, `json` (a list of objects) or `arrow`, in a file in `room`.

    No thread waits for the turn. Raises as `ask`, and OSError where the file cannot be written.
    """
    shared = await run_in_threadpool(view.shared)
    file = TemporaryFile(dir=room)  # noqa: SIM115 - closed when it has been read
    try:
        async with _TURNS.turn_async(reader):
            about = await run_in_threadpool(_RUNNER.write, view.published.path, sql, FILE_ROWS, form, file)
        file.seek(0)
        return Written(file, about.size, about.cut, await run_in_threadpool(_withheld, shared, about))
    except BaseException:  # also where the reader left meanwhile
        file.close()
        raise


def _withheld(shared: SharedView, about: Answer) -> dict[str, int]:
    counted = {name: shared.withheld(name) for name in about.tables}
    return {name: number for name, number in counted.items() if number}
