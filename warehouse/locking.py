"""Exclusive file locks between processes and between threads of one."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LOOKS = 10
PAUSE = 0.02
"""Tries for a lock, and seconds between: `is_held` takes the lock for an instant when it asks."""


class Locked(RuntimeError):  # noqa: N818 - a state, not a fault
    """Another run holds what this one needs; trying again later may help."""


@contextmanager
def exclusive(path: Path, *, wait: bool) -> Iterator[None]:
    """Hold the exclusive flock on `path` (created if missing); it ends with the block or with the process.

    Raises Locked where another run holds it and `wait` is false.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _open_lock_file(path) as file:
        if wait:
            fcntl.flock(file, fcntl.LOCK_EX)
        else:
            _take(file, path)
        yield


def _take(file: IO[bytes], path: Path) -> None:
    for left in reversed(range(LOOKS)):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not left:
                raise Locked(f"another run holds {path}") from error
            time.sleep(PAUSE)
        else:
            return


def _open_lock_file(path: Path) -> IO[bytes]:
    """The lock's file, opened for reading alone on a disk that is read-only: a backup is still possible then."""
    try:
        return path.open("ab")
    except OSError:
        if not path.exists():
            raise
        return path.open("rb")


def is_held(path: Path) -> bool:
    """Whether anyone, this process included, holds the exclusive flock on `path` right now."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
