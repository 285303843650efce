"""Checks of `benchhealth doctor`: who holds the lock of runs, and whether the small files of runs can be read."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from benchhealth.pipeline import alert
from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.locking import is_held
from benchhealth.warehouse.read import PUBLISHED_FOLDER
from benchhealth.warehouse.store import LOCK
from benchhealth.warehouse.watch import mark, notes, running, stands

STUCK = timedelta(hours=6)
"""A run that wrote nothing for this long hangs. It writes at each file and at each phase, and the longest phase, an
assessment of ten million results, takes an hour."""

NOTES: dict[str, type[notes.Record]] = {
    running.FILE: running.Running,
    stands.FILE: stands.Stands,
    alert.FILE: alert.LastMessage,
}
"""The small files of a home, by their names, with the record that each holds."""


def lock(settings: Settings, instant: datetime) -> Iterator[Finding]:
    """Find a run that is dead or hangs, a lock that no run holds, and small files that are folders or unreadable."""
    home = settings.home
    folders = [path for path in (home / LOCK, home / PUBLISHED_FOLDER / LOCK) if path.is_dir()]
    yield from (_folder_for_file("lock", path) for path in folders)
    unreadable = dict(_unreadable_notes(home))
    yield from unreadable.values()
    if home / LOCK not in folders and running.FILE not in unreadable:
        yield from _findings_of_run(home, instant)


def _unreadable_notes(home: Path) -> Iterator[tuple[str, Finding]]:
    for name in (*NOTES, mark.FILE):
        if (home / name).is_dir():
            yield name, _folder_for_file("notes", home / name)
    for name, kind in NOTES.items():
        path = home / name
        if path.is_dir():
            continue
        try:
            notes.read(path, kind)
        except notes.UnreadableNote as problem:
            yield name, Finding("notes", str(problem), "--repair removes it", repair=partial(_remove_file, path))


def _folder_for_file(check: str, path: Path) -> Finding:
    problem = f"{path} is a folder, where a file should be"
    if any(path.iterdir()):
        return Finding(check, problem, "it is not empty: move it away")
    return Finding(check, problem, "--repair removes it, it is empty", repair=partial(_remove_folder, path), first=True)


def _findings_of_run(home: Path, instant: datetime) -> Iterator[Finding]:
    last = running.read(home)
    if not is_held(home / LOCK):
        if last is not None:
            path = running.path_of(home)
            problem = f"{path.name} speaks of a run that is dead: {last.text()}"
            mend = "--repair removes it; the next night goes on where that one stopped"
            yield Finding("lock", problem, mend, repair=lambda: _remove_file(path))
        return
    if last is None or not running.is_alive(home, last):
        holders = ", ".join(map(_process, holders_of(home / LOCK))) or "a process that cannot be seen here"
        problem = f"{home / LOCK} is held by {holders}, which is no run that says what it does"
        yield Finding("lock", problem, "an export of facts or a child of a dead run: wait, or end that process")
    elif instant - last.updated_at > STUCK:
        problem = f"a run has said nothing since {last.updated_at:%Y-%m-%d %H:%M} UTC: {last.text()}"
        yield Finding("lock", problem, f"`kill {last.pid}` on {last.host}; the next night goes on where it stopped")
    else:
        yield Finding("lock", f"a run is at work: {last.text()}", "", note=True)


def holders_of(path: Path) -> list[int]:
    """The processes that hold a flock on the file, as far as Linux tells this user."""
    inode = path.stat().st_ino
    try:
        locks = Path("/proc/locks").read_text().splitlines()
    except OSError:
        return []
    fields = [line.split() for line in locks]
    pids = {int(field[4]) for field in fields if "FLOCK" in field and field[5].rpartition(":")[2] == str(inode)}
    return sorted(pid for pid in pids if pid > 0)


def _process(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        words = "of another user"
    return f"process {pid} ({words[:80]})"


def _remove_file(path: Path) -> str:
    """Remove the file; the message that says so."""
    path.unlink(missing_ok=True)
    return f"{path} removed"


def _remove_folder(path: Path) -> str:
    """Remove the empty folder; the message that says so."""
    path.rmdir()
    return f"{path} removed"
