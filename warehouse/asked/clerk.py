"""The process that answers questions: one at a time, from standard input to standard output, within hard limits.

Run as `python -m benchhealth.warehouse.asked.clerk GENERATION`. It can write no file and open no further one; what
needs too much memory fails in here or ends this process, and never the one that serves pages.
"""

import io
import json
import os
import resource
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import polars as pl

from benchhealth.warehouse.asked.grammar import Refused, tables_of
from benchhealth.warehouse.sharing.generation import SharedGeneration

MEMORY = 1_200 * 1024**2
"""Bytes of private memory that questions may add to what the process has reserved before the first of them.

DuckDB's own limit is lower and holds for most; single values (`repeat`, `range`) heed this one alone.
"""
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
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(10)
    most = _reserved() + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _reserved() -> int:
    """Bytes that the process has reserved for data, most of which it never touches; a guess where none can tell."""
    try:
        said = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 1_500 * 1024**2
    return next(int(line.split()[1]) * 1024 for line in said.splitlines() if line.startswith("VmData"))


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
        table = found.to_arrow_table()
        frame = pl.DataFrame(table.rename_columns(_told_apart(table.column_names)))
        body = io.BytesIO()
        frame.head(rows).write_ipc(body)
    except Exception as refused:
        return {"error": said(refused)}, b""
    finally:
        timer.cancel()
        cursor.close()
    if body.tell() > SIZE:
        return {"error": f"The answer is larger than {SIZE // 1024**2} MB."}, b""
    return {"tables": tables, "cut": frame.height > rows}, body.getvalue()


def _told_apart(names: list[str]) -> list[str]:
    """Names of columns, of which two may be alike: the second `name` is `name_2`."""
    found: list[str] = []
    for name in names:
        at, told = 1, name
        while told in found:
            at += 1
            told = f"{name}_{at}"
        found.append(told)
    return found


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
