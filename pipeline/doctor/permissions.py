"""Whether whoever runs the night may read and write all of the home."""

import os
import stat
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from pwd import getpwuid

from pipeline.doctor.findings import Finding
from pipeline.settings import Settings

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
    for path in (settings.home, *_below(settings.home)):
        found = path.lstat()
        if found.st_uid != owner:
            foreign.append(path)
        elif not stat.S_ISLNK(found.st_mode) and _lacking(found.st_mode):
            shut.append(path)
    if foreign:
        what = f"{_named(foreign)} not of {_name(owner)}, who owns the home (a command was run as another user)"
        yield Finding("permissions", what, f"chown -R {_name(owner)} {settings.home}")
    if shut:
        what = f"{_named(shut)} shut to the owner"
        yield Finding("permissions", what, "--repair opens it to the owner (chmod u+rw)", repair=lambda: _open(shut))


def _below(home: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(home):
        yield from (Path(folder, name) for name in (*folders, *files))


def _lacking(mode: int) -> int:
    return (FOLDER if stat.S_ISDIR(mode) else FILE) & ~mode


def _open(paths: list[Path]) -> str:
    for path in paths:
        mode = path.stat().st_mode
        path.chmod(stat.S_IMODE(mode) | (FOLDER if stat.S_ISDIR(mode) else FILE))
    return f"{_named(paths)} open to the owner now"


def _named(paths: list[Path]) -> str:
    return f"{paths[0]} is" if len(paths) == 1 else f"{len(paths)} files and folders, such as {paths[0]}, are"


def _name(user: int) -> str:
    try:
        return getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"
