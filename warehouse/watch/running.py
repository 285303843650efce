"""What the run at work does, in a small file: nobody else can read the facts while it lasts."""

import os
import socket
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchhealth.warehouse.locking import is_held
from benchhealth.warehouse.store import LOCK
from benchhealth.warehouse.watch import mark, notes

FILE = "running.json"


@dataclass(frozen=True)
class Running:
    """One run as it stands at `updated_at`: which process it is, on which machine; all instants are naive UTC.

    `source` is the title of the source at work, the `sources_done`+1st of `sources`, of whose `files` so many are
    done; empty and 0 outside of the phase that asks sources. Of the `steps` of an assessment `steps_done` are computed
    and those named by `step` are at work, with commas between them; the facts are loaded before the first.
    """

    run_id: str
    command: str
    pid: int
    host: str
    version: str
    started_at: datetime
    updated_at: datetime
    phase: str = ""
    phase_started_at: datetime | None = None
    source: str = ""
    sources: int = 0
    sources_done: int = 0
    files: int = 0
    files_done: int = 0
    steps: int = 0
    steps_done: int = 0
    step: str = ""

    @property
    def share(self) -> float | None:
        """How much of the phase is done, from 0 to 1, by its sources or steps; None where it counts neither."""
        if self.steps:
            return self.steps_done / self.steps
        return self.sources_done / self.sources if self.sources else None

    def text(self) -> str:
        """What it does, in a line: `nightly since 03:17 UTC: ingest since 03:18, source 12 of 40 (LiveBench)`."""
        line = f"{self.command} since {self.started_at:%Y-%m-%d %H:%M} UTC (process {self.pid})"
        if self.phase and self.phase_started_at:
            line += f": {self.phase} since {self.phase_started_at:%H:%M}"
        if self.source:
            line += f", source {min(self.sources_done + 1, self.sources)} of {self.sources} ({self.source})"
        if self.files:
            line += f", {self.files_done} of {self.files} files"
        if self.steps:
            line += f", {self.steps_done} of {self.steps} steps{f', now {self.step}' if self.step else ''}"
        return line


def path_of(home: Path) -> Path:
    """The path of the file in which the run of this home says what it does."""
    return home / FILE


def read(home: Path) -> Running | None:
    """What the last run of this home that left a word said, alive or dead.

    Raises UnreadableNote and OSError as `notes.read` does.
    """
    return notes.read(path_of(home), Running)


def is_alive(home: Path, running: Running | mark.Mark) -> bool:
    """Whether that run is still at work: somebody holds the lock, and where it ran here, its process is there."""
    return is_held(home / LOCK) and (running.host != socket.gethostname() or _exists(running.pid))


def at_work(home: Path) -> Running | None:
    """The run that is at work in this home now; None without one, and where what it says cannot be read."""
    try:
        running = read(home)
        return running if running is not None and is_alive(home, running) else None
    except (notes.UnreadableNote, OSError):
        return None


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
