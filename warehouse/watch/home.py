"""What the home itself shows, whatever facts and runs say: whether it can be written to, and when it published."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from benchhealth.warehouse.faults import FULL
from benchhealth.warehouse.read import NoGeneration, current_path, published_at
from benchhealth.warehouse.watch.home_state import SLACK, HomeState
from benchhealth.warehouse.watch.reasons import AHEAD, NOT_WRITABLE, Reason, reasons

NO_ROOM_BYTES = 2**20
"""Bytes and less of room that are none: the first page of anything is larger."""
TRIED = 2**16
"""Bytes that are written to see whether any are taken: quotas and limits on files are seen in no other way."""
MOUNTS = Path("/proc/self/mountinfo")


def alarms(home: Path, home_state: HomeState | None, instant: datetime, *, trying: bool) -> tuple[Reason, ...]:
    """Every reason for which a hand is needed at an instant, by what runs left (`stands`) and by the home itself.

    This is the one decision: `status`, the webhook, `/metrics` and `/readyz` repeat it. `trying` is as in `reasons_of`.
    """
    return (*(reasons(home_state, instant) if home_state else ()), *reasons_of(home, instant, trying=trying))


def reasons_of(home: Path, instant: datetime, *, trying: bool) -> tuple[Reason, ...]:
    """Why a hand is needed at an instant by the home alone; `trying` writes a little that is gone again at once.

    A home that is not there has none.
    """
    return (*_not_writable(home, trying=trying), *_ahead(home, instant))


def _not_writable(home: Path, *, trying: bool) -> Iterator[Reason]:
    try:
        why, do = _refusal(home, trying=trying)
    except OSError:
        return  # not there, or shut to who asks: that says nothing of its room
    if why:
        problem = f"nothing can be written in {home}: {why}"
        yield Reason(NOT_WRITABLE, "home", None, problem, f"{do}; what is published is served meanwhile")


def _refusal(home: Path, *, trying: bool) -> tuple[str, str]:
    """Why nothing can be written to the home and what to do; both empty where it can be."""
    file_system = os.statvfs(home)
    if _is_frozen(home):
        return "its file system is mounted read-only", "see why (the system's log), and mount it for writing"
    free_bytes = file_system.f_bavail * file_system.f_frsize
    if free_bytes < NO_ROOM_BYTES:
        return f"{free_bytes:,} bytes are free on its file system", _ROOM
    if file_system.f_files and not file_system.f_favail:
        return "its file system takes no more files", _ROOM
    return (_write_problem(home), _ROOM) if trying else ("", "")


_ROOM = "make room (`benchhealth doctor` says how much a night may need), then `benchhealth nightly`"


def _write_problem(home: Path) -> str:
    try:
        with tempfile.TemporaryFile(dir=home, buffering=0) as file:
            for _ in range(2):  # of the first it may take a part and say nothing
                file.write(bytes(TRIED))
            os.fsync(file.fileno())
    except OSError as problem:
        return (problem.strerror or str(problem)) if problem.errno in FULL else ""
    return ""


def _is_frozen(home: Path) -> bool:
    """Whether its file system itself is read-only; one that is only shown so here, as to a replica, is right."""
    device = home.stat().st_dev
    name = f"{os.major(device)}:{os.minor(device)}"
    with suppress(OSError):
        fields = [line.split() for line in MOUNTS.read_text().splitlines()]
        return any("ro" in field[-1].split(",") for field in fields if field[2] == name)
    return False


def _ahead(home: Path, instant: datetime) -> Iterator[Reason]:
    try:
        path = current_path(home)
        published = published_at(path)
    except (NoGeneration, ValueError):
        return
    if published > instant + SLACK:
        problem = f"{path.stem} is in service and was published later than now, {instant:%Y-%m-%d %H:%M} UTC"
        do = "set the clock; where it was ahead and is right again, `benchhealth assess` publishes one of today"
        yield Reason(AHEAD, path.stem, published, problem, do)
