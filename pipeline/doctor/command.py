"""`benchhealth doctor`: every check of the home, a line for each finding, and the safe repairs where asked for."""

import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from pwd import getpwuid

from benchhealth.pipeline import alert
from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.doctor.stored import bodies, clock, facts, generation_in_service, program_edition
from benchhealth.pipeline.errors import line
from benchhealth.pipeline.keeping.restore import STAGING
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.faults import DatabaseError
from benchhealth.warehouse.locking import Locked, exclusive, is_held
from benchhealth.warehouse.publish import BUILDING
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, generations
from benchhealth.warehouse.store import DATABASE, LOCK
from benchhealth.warehouse.watch import home_state, mark, notes, running

STUCK = timedelta(hours=6)
"""A run that wrote nothing for so long hangs. It writes at each file and at each phase, and the longest phase, an
assessment of ten million results, takes an hour."""

NOTES: dict[str, type[notes.Record]] = {
    running.FILE: running.Running,
    home_state.FILE: home_state.HomeState,
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
            yield name, Finding("notes", str(problem), "--repair removes it", repair=partial(_remove_files, [path]))


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
            yield Finding("lock", problem, mend, repair=lambda: _remove_files([path]))
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


def _remove_folder(path: Path) -> str:
    """Remove the empty folder; the message that says so."""
    path.rmdir()
    return f"{path} removed"


FREE_BYTES_FOR_NIGHT = 256 * 2**20
"""Bytes for what a night brings: bodies, rows, what DuckDB writes beside them."""

INODES = 2_000
"""Files that a night may add; a first backfill of all sources makes some thousands of bodies."""


def room(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Find too little free disk space, and a read-only file system."""
    for folder, needed_bytes in (
        (settings.home, _needed_bytes(settings.home)),
        (Path(tempfile.gettempdir()), FREE_BYTES_FOR_NIGHT),
    ):
        disk = os.statvfs(folder)
        if disk.f_flag & os.ST_RDONLY:
            yield Finding("room", f"{folder} is on a file system that is mounted read-only", "mount it for writing")
            continue
        free = disk.f_bavail * disk.f_frsize
        if free < needed_bytes:
            problem = f"{free / 2**20:,.0f} MB are free for {folder}, a night may need {needed_bytes / 2**20:,.0f}"
            yield Finding("room", problem, "make room; the last generation stays in service meanwhile")
        if disk.f_files and disk.f_favail < INODES:
            problem = f"{disk.f_favail:,} files may still be made on the file system of {folder}, a night may need more"
            yield Finding("room", problem, "remove files that are not needed, or use a file system with more inodes")


def _needed_bytes(home: Path) -> int:
    """A new generation beside the old ones, the facts written anew where DuckDB compacts them, and the least."""
    newest = max((path.stat().st_size for path in generations(home)), default=0)
    facts = home / DATABASE
    return newest + (facts.stat().st_size if facts.exists() else 0) + FREE_BYTES_FOR_NIGHT


FILE = stat.S_IRUSR | stat.S_IWUSR
FOLDER = FILE | stat.S_IXUSR
ROOT = 0


def permissions(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Find files of another user, and files that their owner may not read or write."""
    owner, me = settings.home.stat().st_uid, os.geteuid()
    if me not in (owner, ROOT):
        problem = f"{settings.home} belongs to {_name(owner)} and this is {_name(me)}"
        yield Finding("permissions", problem, f"run benchhealth as {_name(owner)}")
    foreign, shut = [], []
    for path, status in _all(settings.home):
        if status.st_uid != owner:
            foreign.append(path)
        elif _missing_bodies(status.st_mode):
            shut.append(path)
    if foreign:
        problem = f"{_paths(foreign)} not of {_name(owner)}, who owns the home (a command was run as another user)"
        yield Finding("permissions", problem, f"chown -R {_name(owner)} {settings.home}")
    if shut:
        problem = f"{_paths(shut)} shut to the owner"
        mend = "--repair opens it to the owner (chmod u+rw)"
        yield Finding("permissions", problem, mend, repair=lambda: _open(settings.home, owner), first=True)


def _all(home: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The home and all in it that can be seen, a folder before it is looked into."""
    yield home, home.lstat()
    for folder, folders, files in os.walk(home):
        for path in (Path(folder, name) for name in (*folders, *files)):
            with suppress(OSError):  # it went meanwhile, or its folder is shut
                yield path, path.lstat()


def _missing_bodies(mode: int) -> int:
    if stat.S_ISLNK(mode):
        return 0
    return (FOLDER if stat.S_ISDIR(mode) else FILE) & ~mode


def _open(home: Path, owner: int) -> str:
    """Also what lies in a shut folder, which is seen when that is open."""
    opened = []
    for path, status in _all(home):
        if status.st_uid == owner and (lacking := _missing_bodies(status.st_mode)):
            path.chmod(stat.S_IMODE(status.st_mode) | lacking)
            opened.append(path)
    return f"{_paths(opened)} open to the owner now"


def _paths(paths: list[Path]) -> str:
    return f"{_one_or_many(paths, 'files and folders')}{' is' if len(paths) == 1 else ', are'}"


def _name(user: int) -> str:
    try:
        return getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


PATTERNS = (
    *(f"{PUBLISHED_FOLDER}/{BUILDING}*", f"{PUBLISHED_FOLDER}/.{CURRENT}.*"),
    *("raw/*/.*.part", ".*.json.*.new", STAGING, ".edition-*", "editions/*.part", "editions/bodies/*/*.part"),
)
"""A link that leads nowhere is found only by a pattern with a `*` in its last part."""
OLD_SECONDS = 86_400.0
ROWS = re.compile(r"rows(-\d+)?\.parquet")
"""All that is in a temporary folder of this program (`warehouse.sql.relation`)."""


def leftovers(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Find files that killed runs left; none while a run is at work, as it may be writing them."""
    lock = settings.home / LOCK
    if lock.is_dir() or is_held(lock):
        return  # of a folder `lock` says so
    begun = [path for pattern in PATTERNS for path in sorted(settings.home.glob(pattern))]
    if begun:
        problem = f"a killed run left {_one_or_many(begun)}"
        yield Finding("leftovers", problem, "--repair removes it", repair=lambda: _remove_files(begun))
    abandoned = list(_abandoned_files(Path(tempfile.gettempdir())))
    if abandoned:
        problem = f"killed runs left {_one_or_many(abandoned)}, older than a day"
        yield Finding("leftovers", problem, "--repair removes it", repair=lambda: _remove_files(abandoned))


def _abandoned_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.glob("benchhealth-*")):
        try:
            status = path.lstat()
            is_ours = status.st_uid == os.geteuid() and path.is_dir() and not path.is_symlink()
            if (
                is_ours
                and time.time() - status.st_mtime > OLD_SECONDS
                and all(ROWS.fullmatch(inside.name) for inside in path.iterdir())
            ):
                yield path
        except OSError:
            continue  # it went meanwhile


def _one_or_many(paths: list[Path], kind: str = "files") -> str:
    return str(paths[0]) if len(paths) == 1 else f"{len(paths)} {kind}, such as {paths[0]}"


def _remove_files(paths: list[Path]) -> str:
    """Remove the files, and folders with all that is in them; the message that says so."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return f"{_one_or_many(paths)} removed"


Check = Callable[[Settings, datetime], Iterator[Finding]]
CHECKS: Mapping[str, Check] = {
    "room": room,
    "permissions": permissions,
    "lock": lock,
    "leftovers": leftovers,
    "editions": program_edition,
    "clock": clock,
    "facts": facts,
    "generations": generation_in_service,
    "bodies": bodies,
}
WELL, WRONG = 0, 3

Outcome = tuple[Finding, str | None]
"""A finding, and what was done about it if anything was."""


def doctor(settings: Settings, *, repair: bool, as_json: bool) -> int:
    """Print what is wrong with the home and how to mend it; 0 where nothing is (any more), 3 where anything is.

    With `repair` what is safe is done, under the lock of runs, and said. A read-only look changes nothing.
    """
    outcomes = _repair_all(settings) if repair and settings.home.is_dir() else _undone(all_findings(settings, now()))
    left = [finding for finding, done in outcomes if not finding.note and done is None]
    if as_json:
        report = {"well": not left, "findings": [_finding_as_dict(finding, done) for finding, done in outcomes]}
        print(json.dumps(report, indent=2))
    else:
        for finding, done in outcomes:
            print(finding.text() if done is None else f"repaired: {finding.check}: {done}")
        print("well" if not left else f"{len(left)} wrong{_hint(left, repair=repair)}")
    return WRONG if left else WELL


def all_findings(settings: Settings, instant: datetime) -> list[Finding]:
    """The findings of every check; a check that cannot be carried out is a finding itself."""
    if not settings.home.is_dir():
        missing = f"there is no folder {settings.home}"
        return [Finding("home", missing, "set BENCHHEALTH_HOME, or `benchhealth init` makes it")]
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        try:
            findings.extend(check(settings, instant))
        except (OSError, ValueError, DatabaseError) as problem:
            findings.append(
                Finding(name, f"could not be checked ({line(problem)})", "mend what it names and ask again")
            )
    return findings


def _repair_all(settings: Settings) -> list[Outcome]:
    """What was found and what was done; all is looked at again after what is first, which may have hidden it."""
    findings = all_findings(settings, now())
    tried = [(finding, _repair(finding)) for finding in findings if finding.first]
    opened = [(finding, done) for finding, done in tried if done is not None]
    if opened:
        findings = all_findings(settings, now())
    try:
        with exclusive(settings.home / LOCK, wait=False):
            return [*opened, *((finding, None if finding.first else _repair(finding)) for finding in findings)]
    except Locked as locked:
        print(f"nothing repaired: {locked}; ask again when it has ended", file=sys.stderr)
    except OSError as problem:
        print(f"not repaired what needs the lock: {line(problem)}", file=sys.stderr)
    return [*opened, *_undone(findings)]


def _undone(findings: Sequence[Finding]) -> list[Outcome]:
    return [(finding, None) for finding in findings]


def _repair(finding: Finding) -> str | None:
    """Repair one finding and return what was done; None where nothing could be."""
    if finding.repair is None:
        return None
    try:
        return finding.repair()
    except OSError as problem:
        print(f"not repaired: {finding.check}: {line(problem)}", file=sys.stderr)
        return None


def _hint(remaining: Sequence[Finding], *, repair: bool) -> str:
    safe = sum(finding.repair is not None for finding in remaining)
    return f"; --repair does what is safe ({safe} of it)" if safe and not repair else ""


def _finding_as_dict(finding: Finding, repair_text: str | None) -> dict[str, object]:
    return {
        "check": finding.check,
        "kind": "note" if finding.note else "wrong",
        "what": finding.what,
        "mend": finding.mend,
        "repairable": finding.repair is not None,
        "repaired": repair_text,
    }
