"""Exclusive file locks between processes and between threads of one."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


class Locked(RuntimeError):  # noqa: N818 - a state, not a fault
    """Another run holds what this one needs; trying again later may help."""


@contextmanager
def exclusive(path: Path, *, wait: bool) -> Iterator[None]:
    """Hold the exclusive flock on `path` (created if missing); it ends with the block or with the process.

    Raises Locked at once where another holds it and `wait` is false.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Locked(f"another run holds {path}") from error
        yield


def _opened(path: Path) -> IO[bytes]:
    """The lock's file; on a disk that has become read-only as it is, so that what is there can still be backed up."""
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
