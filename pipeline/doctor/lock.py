"""Who holds the lock of runs, and whether the small files speak the truth."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from pipeline import alert
from pipeline.doctor.findings import Finding
from pipeline.settings import Settings
from warehouse.locking import is_held
from warehouse.store import LOCK
from warehouse.watch import notes, running, stands

STUCK = timedelta(hours=6)
"""A run speaks at each file and at each phase; the longest phase, an assessment of ten million results, is an hour."""


def check(settings: Settings, at: datetime) -> Iterator[Finding]:
    """A run that is dead, one that hangs, a lock that no run holds, a small file that is none."""
    for name, kind in ((running.FILE, running.Running), (stands.FILE, stands.Stands), (alert.FILE, alert.Told)):
        try:
            notes.read(settings.home / name, kind)
        except notes.UnreadableNote as problem:
            path = settings.home / name
            yield Finding("notes", str(problem), "--repair removes it", repair=partial(_removed, path))
            if name == running.FILE:
                return
    last = running.read(settings.home)
    if not is_held(settings.home / LOCK):
        if last is not None:
            path = running.path_of(settings.home)
            what = f"{path.name} speaks of a run that is dead: {last.text()}"
            mend = "--repair removes it; the next night goes on where that one stopped"
            yield Finding("lock", what, mend, repair=lambda: _removed(path))
        return
    if last is None or not running.is_alive(settings.home, last):
        holders = ", ".join(map(_process, holders_of(settings.home / LOCK))) or "a process that cannot be seen here"
        what = f"{settings.home / LOCK} is held by {holders}, which is no run that says what it does"
        yield Finding("lock", what, "an export of facts or a child of a dead run: wait, or end that process")
    elif at - last.updated_at > STUCK:
        what = f"a run has said nothing since {last.updated_at:%Y-%m-%d %H:%M} UTC: {last.text()}"
        yield Finding("lock", what, f"`kill {last.pid}` on {last.host}; the next night goes on where it stopped")
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
    found = {int(field[4]) for field in fields if "FLOCK" in field and field[5].rpartition(":")[2] == str(inode)}
    return sorted(pid for pid in found if pid > 0)


def _process(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        words = "of another user"
    return f"process {pid} ({words[:80]})"


def _removed(path: Path) -> str:
    path.unlink(missing_ok=True)
    return f"{path} removed"
