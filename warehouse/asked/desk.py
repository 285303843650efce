"""Where questions are handed in: one clerk a generation, started at the first question and again after a failure."""

import io
import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from benchhealth.warehouse.asked.clerk import SECONDS, TOO_LONG, TOO_MUCH
from benchhealth.warehouse.asked.grammar import Refused

START_SECONDS = 60.0
PATIENCE = 3.0
"""Seconds after its own limit until a clerk that does not answer is ended."""
WAIT = 15.0
"""Seconds that a question waits for those before it."""
IDLE_SECONDS = 600.0
"""After so long without a question the clerk goes: it holds a quarter of a gigabyte."""
BUSY = "Other questions are being answered. Ask again in a moment."


@dataclass(frozen=True)
class Answer:
    """The rows, the published tables they were read from, and whether there would be more."""

    rows: pl.DataFrame
    tables: tuple[str, ...]
    cut: bool


class Desk:
    """Answers questions about generations, one at a time; may be shared by threads."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._clerk: subprocess.Popen[bytes] | None = None
        self._about: Path | None = None
        self._leaving: threading.Timer | None = None

    def ask(self, generation: Path, sql: str, rows: int) -> Answer:
        """At most `rows` rows of the answer. Raises Refused with a sentence where there is none."""
        if not self._turn.acquire(timeout=WAIT):
            raise Refused(BUSY)
        try:
            return self._asked(generation, sql, rows)
        finally:
            self._leave_later()
            self._turn.release()

    def close(self) -> None:
        """End the clerk, and with it the question that it is answering."""
        clerk = self._clerk
        if clerk is not None:
            clerk.kill()
        with self._turn:
            if self._leaving is not None:
                self._leaving.cancel()
            self._dismiss()

    def _dismiss(self) -> None:
        """End the clerk; only whoever has the turn may, for two at once would both empty its pipes."""
        if self._clerk is not None:
            self._clerk.kill()
            self._clerk.communicate()
        self._clerk = self._about = None

    def _leave_later(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        self._leaving = threading.Timer(IDLE_SECONDS, self._leave)
        self._leaving.daemon = True
        self._leaving.start()

    def _leave(self) -> None:
        """End the clerk, unless a question is being answered: that one will set the time anew."""
        if self._turn.acquire(blocking=False):
            try:
                self._dismiss()
            finally:
                self._turn.release()

    def _asked(self, generation: Path, sql: str, rows: int) -> Answer:
        fresh = self._about != generation or self._clerk is None or self._clerk.poll() is not None
        if fresh:
            self._dismiss()
            self._clerk, self._about = _started(generation), generation
        clerk = self._clerk
        assert clerk is not None
        assert clerk.stdin is not None
        assert clerk.stdout is not None
        late = threading.Event()
        timer = threading.Timer(SECONDS + PATIENCE + (START_SECONDS if fresh else 0), _end, (clerk, late))
        timer.daemon = True
        timer.start()
        try:
            clerk.stdin.write(json.dumps({"sql": sql, "rows": rows}).encode() + b"\n")
            clerk.stdin.flush()
            head = json.loads(clerk.stdout.readline() or b"null")
            body = clerk.stdout.read(head["bytes"]) if head else b""
        except (OSError, ValueError):
            head = None
        finally:
            timer.cancel()
        if head is None:
            self._dismiss()
            raise Refused(TOO_LONG if late.is_set() else TOO_MUCH)
        if head.get("error") == TOO_MUCH:
            self._dismiss()  # another begins with all of its memory
        if "error" in head:
            raise Refused(head["error"])
        return Answer(pl.read_ipc(io.BytesIO(body)), tuple(head["tables"]), bool(head["cut"]))


def _started(generation: Path) -> "subprocess.Popen[bytes]":
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PATH": os.environ.get("PATH", "")}
    return subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", "benchhealth.warehouse.asked.clerk", str(generation)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _end(clerk: "subprocess.Popen[bytes]", late: threading.Event) -> None:
    late.set()
    clerk.kill()
