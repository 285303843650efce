"""Answers SQL questions about a generation by a process of its own, the worker (`warehouse.queries.worker`).

It is started at the first question and again after a failure, and answers one question at a time: other callers wait.
"""

import io
import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from benchhealth.warehouse.queries.grammar import Refused
from benchhealth.warehouse.queries.worker import SECONDS, TOO_LONG, TOO_MUCH

START_SECONDS = 60.0
"""Seconds that a worker may take to start."""
GRACE_SECONDS = 3.0
"""Seconds after its own limit until a worker that does not answer is ended."""
IDLE_SECONDS = 600.0
"""Seconds without a question after which the worker is ended: it holds a third of a gigabyte."""
_PIECE = 256 * 1024
"""Bytes of an answer that are passed on at once."""


@dataclass(frozen=True)
class Answer:
    """An answer without its rows: what its head says.

    `tables` are the published tables that it was read from, `cut` is whether there would be more rows, and `size` are
    its bytes.
    """

    tables: tuple[str, ...]
    cut: bool
    size: int


class QueryRunner:
    """Answers questions about generations, one at a time; may be shared by threads."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None
        self._generation: Path | None = None
        self._idle_timer: threading.Timer | None = None

    def rows(self, generation: Path, sql: str, rows: int) -> tuple[pl.DataFrame, Answer]:
        """At most `rows` rows of the answer for a page: plain cells, texts of what is nested. Raises Refused."""
        body = io.BytesIO()
        answer = self.write(generation, sql, rows, "cells", body)
        return pl.read_ipc(body.getvalue()), answer

    def write(self, generation: Path, sql: str, rows: int, form: str, body: BinaryIO) -> Answer:
        """Write at most `rows` rows of the answer as text: `form` is `csv` or `json`, a list of objects.

        No more than a piece of it is in memory here. Raises Refused with a sentence where there is no answer, and
        OSError where the file cannot be written.
        """
        with self._turn:
            try:
                return self._answer(generation, {"sql": sql, "rows": rows, "form": form}, body)
            finally:
                self._stop_worker_later()

    def close(self) -> None:
        """End the worker, and with it the question that it is answering."""
        worker = self._worker
        if worker is not None:
            worker.kill()
        with self._turn:
            if self._idle_timer is not None:
                self._idle_timer.cancel()
            self._stop_worker()

    def _stop_worker(self) -> None:
        """End the worker; the caller holds the turn, as two threads at once would both read its pipes empty."""
        if self._worker is not None:
            self._worker.kill()
            self._worker.communicate()
        self._worker = self._generation = None

    def _stop_worker_later(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = threading.Timer(IDLE_SECONDS, self._stop_idle_worker)
        self._idle_timer.daemon = True
        self._idle_timer.start()

    def _stop_idle_worker(self) -> None:
        """End the worker; later, where a question is being answered or is just ending."""
        if not self._turn.acquire(blocking=False):
            self._stop_worker_later()
            return
        try:
            self._stop_worker()
        finally:
            self._turn.release()

    def _answer(self, generation: Path, question: dict[str, object], body: BinaryIO) -> Answer:
        fresh = self._generation != generation or self._worker is None or self._worker.poll() is not None
        if fresh:
            self._stop_worker()
            self._worker, self._generation = _start_worker(generation), generation
        assert self._worker is not None
        late = threading.Event()
        timer = threading.Timer(
            SECONDS + GRACE_SECONDS + (START_SECONDS if fresh else 0), _kill_late, (self._worker, late)
        )
        timer.daemon = True
        timer.start()
        try:
            header = _read_answer(self._worker, question, body)
        except _NotWritten as error:
            self._stop_worker()  # what it still has to say is about this question
            raise error.why from error
        except (OSError, ValueError, EOFError):
            header = None
        finally:
            timer.cancel()
        if header is None:
            self._stop_worker()
            raise Refused(TOO_LONG if late.is_set() else TOO_MUCH)
        if header.get("error") == TOO_MUCH:
            self._stop_worker()  # another begins with all of its memory
        if "error" in header:
            raise Refused(header["error"])
        return Answer(tuple(header["tables"]), bool(header["cut"]), int(header["bytes"]))


class _NotWritten(Exception):  # noqa: N818 - of the file that an answer is written into
    """The file that an answer goes into cannot be written; `why` is the error."""

    def __init__(self, why: OSError) -> None:
        self.why = why


def _read_answer(worker: "subprocess.Popen[bytes]", question: dict[str, object], body: BinaryIO) -> dict[str, Any]:
    """What the worker says of the answer, which goes into the file. Raises EOFError where it ended before."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(json.dumps(question).encode() + b"\n")
    worker.stdin.flush()
    header: dict[str, Any] = json.loads(worker.stdout.readline())
    remaining_bytes = int(header["bytes"])
    while remaining_bytes:
        piece = worker.stdout.read(min(remaining_bytes, _PIECE))
        if not piece:
            raise EOFError
        try:
            body.write(piece)
        except OSError as error:
            raise _NotWritten(error) from error
        remaining_bytes -= len(piece)
    return header


def _start_worker(generation: Path) -> "subprocess.Popen[bytes]":
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PATH": os.environ.get("PATH", "")}
    return subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", "benchhealth.warehouse.queries.worker", str(generation)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _kill_late(worker: "subprocess.Popen[bytes]", late: threading.Event) -> None:
    late.set()
    worker.kill()
