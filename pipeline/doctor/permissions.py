"""Whether whoever runs the night may read and write all of the home."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from pwd import getpwuid

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings

FILE = stat.S_IRUSR | stat.S_IWUSR
FOLDER = FILE | stat.S_IXUSR
ROOT = 0


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Another user's files, and own ones that their owner may not read or write."""
    owner, me = settings.home.stat().st_uid, os.geteuid()
    if me not in (owner, ROOT):
        what = f"{settings.home} belongs to {_name(owner)} and this is {_name(me)}"
        yield Finding("permissions", what, f"run benchhealth as {_name(owner)}")
    foreign, shut = [], []
    for path, found in _all(settings.home):
        if found.st_uid != owner:
            foreign.append(path)
        elif _lacking(found.st_mode):
            shut.append(path)
    if foreign:
        what = f"{_named(foreign)} not of {_name(owner)}, who owns the home (a command was run as another user)"
        yield Finding("permissions", what, f"chown -R {_name(owner)} {settings.home}")
    if shut:
        what = f"{_named(shut)} shut to the owner"
        mend = "--repair opens it to the owner (chmod u+rw)"
        yield Finding("permissions", what, mend, repair=lambda: _open(settings.home, owner), first=True)


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
    for path, found in _all(home):
        if found.st_uid == owner and (lacking := _lacking(found.st_mode)):
            path.chmod(stat.S_IMODE(found.st_mode) | lacking)
            opened.append(path)
    return f"{_named(opened)} open to the owner now"


def _named(paths: list[Path]) -> str:
    return f"{paths[0]} is" if len(paths) == 1 else f"{len(paths)} files and folders, such as {paths[0]}, are"


def _name(user: int) -> str:
    try:
        return getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"
