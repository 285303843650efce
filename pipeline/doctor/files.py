"""The folder of the home and its file system: room for another night, whose files they are, what a killed run left."""

import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from pwd import getpwuid

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.keeping.restore import STAGING
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.locking import is_held
from benchhealth.warehouse.publish import BUILDING
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, generations
from benchhealth.warehouse.store import DATABASE, LOCK

FREE_BYTES_FOR_NIGHT = 256 * 2**20
"""Bytes for what a night brings: bodies, rows, what DuckDB writes beside them."""

INODES = 2_000
"""Files that a night may add; a first backfill of all sources makes some thousands of bodies."""


def room(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Too little room, or a file system that takes nothing."""
    for folder, need in ((settings.home, _needed(settings.home)), (Path(tempfile.gettempdir()), FREE_BYTES_FOR_NIGHT)):
        file_system = os.statvfs(folder)
        if file_system.f_flag & os.ST_RDONLY:
            yield Finding("room", f"{folder} is on a file system that is mounted read-only", "mount it for writing")
            continue
        free_bytes = file_system.f_bavail * file_system.f_frsize
        if free_bytes < need:
            problem = f"{free_bytes / 2**20:,.0f} MB are free for {folder}, a night may need {need / 2**20:,.0f}"
            yield Finding("room", problem, "make room; the last generation stays in service meanwhile")
        if file_system.f_files and file_system.f_favail < INODES:
            left = f"{file_system.f_favail:,} files may still be made on the file system of {folder}"
            problem = f"{left}, a night may need more"
            yield Finding("room", problem, "remove files that are not needed, or use a file system with more inodes")


def _needed(home: Path) -> int:
    """A new generation beside the old ones, the facts written anew where DuckDB compacts them, and the least."""
    newest = max((path.stat().st_size for path in generations(home)), default=0)
    facts = home / DATABASE
    return newest + (facts.stat().st_size if facts.exists() else 0) + FREE_BYTES_FOR_NIGHT


FILE = stat.S_IRUSR | stat.S_IWUSR
FOLDER = FILE | stat.S_IXUSR
ROOT = 0


def permissions(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Another user's files, and own ones that their owner may not read or write."""
    owner, me = settings.home.stat().st_uid, os.geteuid()
    if me not in (owner, ROOT):
        problem = f"{settings.home} belongs to {_name(owner)} and this is {_name(me)}"
        yield Finding("permissions", problem, f"run benchhealth as {_name(owner)}")
    foreign, shut = [], []
    for path, status in _all(settings.home):
        if status.st_uid != owner:
            foreign.append(path)
        elif _lacking(status.st_mode):
            shut.append(path)
    if foreign:
        problem = f"{_named(foreign)} not of {_name(owner)}, who owns the home (a command was run as another user)"
        yield Finding("permissions", problem, f"chown -R {_name(owner)} {settings.home}")
    if shut:
        problem = f"{_named(shut)} shut to the owner"
        mend = "--repair opens it to the owner (chmod u+rw)"
        yield Finding("permissions", problem, mend, repair=lambda: _open(settings.home, owner), first=True)


def _all(home: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The home and all in it that can be seen, a folder before it is looked into."""
    yield home, home.lstat()
    for folder, folders, files in os.walk(home):
        for path in (Path(folder, name) for name in (*folders, *files)):
            with suppress(OSError):  # it went meanwhile, or its folder is shut
                yield path, path.lstat()


def _lacking(mode: int) -> int:
    if stat.S_ISLNK(mode):
        return 0
    return (FOLDER if stat.S_ISDIR(mode) else FILE) & ~mode


def _open(home: Path, owner: int) -> str:
    """Also what lies in a shut folder, which is seen when that is open."""
    opened = []
    for path, status in _all(home):
        if status.st_uid == owner and (lacking := _lacking(status.st_mode)):
            path.chmod(stat.S_IMODE(status.st_mode) | lacking)
            opened.append(path)
    return f"{_named(opened)} open to the owner now"


def _named(paths: list[Path]) -> str:
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
"""All that is in a temporary folder of this program (`warehouse.facts.relation`)."""


def leftovers(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Files that no run at work is writing: with one at work nothing is left over yet."""
    lock = settings.home / LOCK
    if lock.is_dir() or is_held(lock):
        return  # of a folder `lock` says so
    begun = [path for pattern in PATTERNS for path in sorted(settings.home.glob(pattern))]
    if begun:
        problem = f"a killed run left {_one_or_many(begun)}"
        yield Finding("leftovers", problem, "--repair removes it", repair=lambda: _removed(begun))
    abandoned = list(_abandoned(Path(tempfile.gettempdir())))
    if abandoned:
        problem = f"killed runs left {_one_or_many(abandoned)}, older than a day"
        yield Finding("leftovers", problem, "--repair removes it", repair=lambda: _removed(abandoned))


def _abandoned(folder: Path) -> Iterator[Path]:
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


def _removed(paths: list[Path]) -> str:
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return f"{_one_or_many(paths)} removed"
