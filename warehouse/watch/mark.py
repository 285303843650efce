"""The mark of the last run that publishes: that it began, and how it ended, also where the disk is full.

The ledger and `watch.json` need room to say so. The mark is a file of one size that is written over where it lies,
which needs none; where even that is refused it is emptied: an empty mark says that a run could not say how it went.
"""

import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from benchhealth.warehouse.faults import masked
from benchhealth.warehouse.watch import notes

FILE = "night.mark"
SIZE = 2048
"""Bytes of the file: a block of every file system holds them, so none is added when they change."""
LONGEST_REASON = 250
"""Characters of the reason that are kept: with every one of them escaped the mark still fits."""
LOOKS, PAUSE = 3, 0.02
"""Who reads while it is written over may see half of each: this many looks, this many seconds apart."""

UNSAID = "it could not say how it went: nothing more could be written in the home"


@dataclass(frozen=True)
class Mark:
    """One run; instants are naive UTC. `status` is empty until it ended, then ok, partial or failed."""

    run_id: str
    command: str
    version: str
    started_at: datetime
    pid: int
    host: str
    ended_at: datetime | None = None
    status: str = ""
    detail: str = ""


def begin(home: Path, run_id: str, command: str, version: str, started_at: datetime) -> Mark:
    """Mark that this process begins a run. Never raises: a home that cannot be written to stops nothing here."""
    mark = Mark(run_id, command, version, started_at, os.getpid(), socket.gethostname())
    _write_mark(home / FILE, mark)
    return mark


def end(home: Path, mark: Mark, ended_at: datetime, status: str, detail: str) -> None:
    """Write into the mark how the run ended; a failure to write is ignored."""
    first = (masked(detail).splitlines() or [""])[0]
    shortened = first if len(first) <= LONGEST_REASON else f"{first[: LONGEST_REASON - 1]}…"
    _write_mark(home / FILE, replace(mark, ended_at=ended_at, status=status, detail=shortened))


def read(home: Path) -> Mark | None:
    """The mark; None where no run ever left one, or it may not be read here.

    One that holds nothing is of a run that failed, when that was.
    """
    path = home / FILE
    for look in range(LOOKS):
        try:
            return notes.read(path, Mark)
        except notes.UnreadableNote:
            time.sleep(PAUSE if look < LOOKS - 1 else 0)
        except OSError:
            return None
    with suppress(OSError):
        written_at = datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(tzinfo=None)
        return Mark("unsaid", "nightly", "", written_at, 0, "", written_at, "failed", UNSAID)
    return None


def _write_mark(path: Path, mark: Mark) -> None:
    try:
        notes.write_over(path, mark, SIZE)
    except OSError:
        with suppress(OSError):
            os.truncate(path, 0)
