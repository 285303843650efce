"""The process that answers questions: one at a time, from standard input to standard output, within hard limits.

Run as `python -m benchhealth.warehouse.queries.worker GENERATION`. A question writes no file and reads only this one. A
question that needs too much memory fails in here or ends this process, and never the one that serves pages. What goes
out is a line of JSON about the answer, then the answer itself, written out in full.
"""

import json
import os
import resource
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import polars as pl
import pyarrow as pa

from benchhealth.warehouse.queries.formats import FORMATS, ROWS
from benchhealth.warehouse.queries.grammar import Refused, tables_of
from benchhealth.warehouse.sharing.generation import LackingTable, SharedGeneration

MEMORY = 800 * 1024**2
"""Bytes of private memory that questions may take beyond what the process has reserved before the first of them.

DuckDB's own limit (see `main`) is lower and stops most of what is too large; single values (of `repeat`, `range`) are
stopped by this one alone. Together with the third of a gigabyte that the process holds without a question, and with
what a server holds, it stays below 2 GiB.
"""
SECONDS = 6.0
COLUMNS = 60
_BATCH = 2_048
"""Rows that DuckDB hands over at a time: the size of its own vectors."""

NO_TYPE = "A column of this answer has a type that cannot be passed on: CAST it AS VARCHAR."
TOO_LONG = f"The question took longer than {SECONDS:.0f} seconds. A filter, or fewer tables, may help."
TOO_MUCH = "The question needs more memory than one question may have. A filter, or fewer columns, may help."


def main(generation: Path) -> None:
    """Read questions from the standard input and answer each, until the input ends."""
    shared = SharedGeneration(generation, memory="400MB")
    _confine()
    answers = sys.stdout.buffer
    for line in sys.stdin.buffer:
        question = json.loads(line)
        head, body = answer_of(shared, str(question["sql"]), int(question["rows"]), str(question["form"]))
        _send(answers, {**head, "bytes": len(body)}, body)


def _confine() -> None:
    """Limit this process from here on: little memory, no core dumps, no files written, and the server has priority.

    Where the machine runs out of memory, the kernel ends this process and not the server.
    """
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(10)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    most = _reserved_bytes() + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _reserved_bytes() -> int:
    """Bytes that the process has reserved for data, most of which it never touches; a guess without `/proc`."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 1_500 * 1024**2
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmData"))


def _send(stream: BinaryIO, head: dict[str, Any], body: bytes) -> None:
    stream.write(json.dumps(head).encode() + b"\n" + body)
    stream.flush()


def answer_of(shared: SharedGeneration, sql: str, rows: int, form: str) -> tuple[dict[str, Any], bytes]:
    """The head of the answer, and its bytes in this form; a head with `error` alone, and no bytes, on failure."""
    cursor = shared.cursor()
    timer = threading.Timer(SECONDS, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        tables = tables_of(cursor, sql)
        if absent := [name for name in tables if name in shared.lacking]:
            raise LackingTable(absent[0])
        relation = cursor.sql(sql.strip().rstrip(";")).limit(rows + 1)
        if len(relation.columns) > COLUMNS:
            raise Refused(f"The answer has more than {COLUMNS} columns.")
        first = _FirstRows(relation.to_arrow_reader(_BATCH), rows, time.monotonic() + SECONDS)
        body = FORMATS[form].body(first.frames())
    except Exception as refused:
        return {"error": sentence(refused)}, b""
    finally:
        timer.cancel()
        cursor.close()
    return {"tables": tables, "cut": first.is_cut}, body


class _FirstRows:
    """The first `rows` rows of an answer, a few at a time until `end`; then `is_cut` says whether there are more."""

    def __init__(self, batches: pa.RecordBatchReader, rows: int, end: float) -> None:
        self._batches, self._rows, self._end = batches, rows, end
        self.is_cut = False

    def frames(self) -> Iterator[pl.DataFrame]:
        """Frames of the same columns, an empty one before them all. Raises Refused where time is over."""
        yield self._frame(pa.Table.from_batches([], self._batches.schema))
        left = self._rows
        for batch in self._batches:
            frame = self._frame(pa.Table.from_batches([batch]))
            self.is_cut = frame.height > left
            for piece in frame.head(left).iter_slices(ROWS):
                if time.monotonic() > self._end:
                    raise Refused(TOO_LONG)
                yield piece
            left -= min(frame.height, left)

    def _frame(self, table: pa.Table) -> pl.DataFrame:
        try:
            return pl.DataFrame(table.rename_columns(_distinct_names(table.column_names)))
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # a column of intervals
            raise Refused(NO_TYPE) from error


def _distinct_names(names: list[str]) -> list[str]:
    """The names of columns, made distinct where two are alike: the second `name` becomes `name_2`."""
    distinct: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in distinct:
            number += 1
            candidate = f"{name}_{number}"
        distinct.append(candidate)
    return distinct


def sentence(refused: Exception) -> str:
    """The failure as one sentence for the reader who asked."""
    if isinstance(refused, Refused | LackingTable):
        return str(refused)
    if isinstance(refused, pa.ArrowNotImplementedError):  # a column of unions
        return NO_TYPE
    first = (str(refused).splitlines() or [""])[0]
    if isinstance(refused, duckdb.InterruptException) or (isinstance(refused, OSError) and "Interrupt" in first):
        return TOO_LONG  # an OSError where the time ran out while rows were handed over
    no_room = "failed to allocate" in first.lower()  # what DuckDB and Arrow say where the limit of the process is met
    if no_room or isinstance(refused, duckdb.OutOfMemoryException | MemoryError):
        return TOO_MUCH
    kind, _, detail = first.partition(": ")
    if isinstance(refused, duckdb.CatalogException | duckdb.BinderException | duckdb.ParserException):
        return f"The SQL cannot be carried out: {detail or kind}"
    return f"The question has no answer: {detail or kind}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
