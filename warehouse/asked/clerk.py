"""The process that answers questions: one at a time, from standard input to standard output, within hard limits.

Run as `python -m warehouse.asked.clerk GENERATION`. It can write no file and open no further one; what needs too much
memory fails in here or ends this process, and never the one that serves pages.
"""

import io
import json
import os
import resource
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import polars as pl

from warehouse.asked.grammar import Refused, tables_of
from warehouse.sharing.generation import SharedGeneration

MEMORY = 1_600 * 1024**2
"""Bytes of private memory of the whole process, DuckDB's own limit below it included."""
SECONDS = 6.0
COLUMNS = 60
SIZE = 8 * 1024**2
"""Bytes of the longest answer."""

TOO_LONG = f"The question took longer than {SECONDS:.0f} seconds. A filter, or fewer tables, may help."
TOO_MUCH = "The question needs more memory than one question may have. A filter, or fewer columns, may help."


def main(generation: Path) -> None:
    """Answer until the input ends."""
    shared = SharedGeneration(generation, memory="400MB")
    _confine()
    answers = sys.stdout.buffer
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        head, body = answered(shared, str(asked["sql"]), int(asked["rows"]))
        _send(answers, {**head, "bytes": len(body)}, body)


def _confine() -> None:
    """From here on: little memory, no core dumps, no files written, and the pages go first."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _send(to: BinaryIO, head: dict[str, Any], body: bytes) -> None:
    to.write(json.dumps(head).encode() + b"\n" + body)
    to.flush()


def answered(shared: SharedGeneration, sql: str, rows: int) -> tuple[dict[str, Any], bytes]:
    """What is said about the answer, and the answer as Arrow; `error` where there is none."""
    cursor = shared.cursor()
    timer = threading.Timer(SECONDS, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        tables = tables_of(cursor, sql)
        found = cursor.sql(sql.strip().rstrip(";")).limit(rows + 1)
        if len(found.columns) > COLUMNS:
            raise Refused(f"The answer has more than {COLUMNS} columns.")
        frame = pl.DataFrame(found.to_arrow_table())
        body = io.BytesIO()
        frame.head(rows).write_ipc(body)
    except (Refused, duckdb.Error, MemoryError) as refused:
        return {"error": said(refused)}, b""
    finally:
        timer.cancel()
        cursor.close()
    if body.tell() > SIZE:
        return {"error": f"The answer is larger than {SIZE // 1024**2} MB."}, b""
    return {"tables": tables, "cut": frame.height > rows}, body.getvalue()


def said(refused: Exception) -> str:
    """A sentence for whoever asked."""
    if isinstance(refused, Refused):
        return str(refused)
    if isinstance(refused, duckdb.InterruptException):
        return TOO_LONG
    if isinstance(refused, duckdb.OutOfMemoryException | MemoryError):
        return TOO_MUCH
    first = str(refused).splitlines()[0]
    kind, _, rest = first.partition(": ")
    if isinstance(refused, duckdb.CatalogException | duckdb.BinderException | duckdb.ParserException):
        return f"The SQL cannot be carried out: {rest or kind}"
    return f"The question has no answer: {rest or kind}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
