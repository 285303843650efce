"""What can be wrong with a file of the warehouse, told in one line: which file, why, and what to do about it."""

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars as pl

DatabaseFault = duckdb.OperationalError
"""A database cannot be read or written where it lies: a full disk, a file that is none, too little memory."""

DatabaseError = duckdb.Error
"""Anything that a database refuses; DatabaseFault is one of them."""

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system answers where there is no room to write: no space, over quota, over the limit on a file's size."""

MAKE_ROOM = (
    "what was there before is still in service; make room (or raise the limit on the size of files, `ulimit -f`) "
    "and run the command again"
)

_NO_ROOM = re.compile(
    r"File too large|No space left|quota exceeded|Could not (write|truncate|fsync)|Invalid thrift: transport error",
    re.IGNORECASE,
)
"""The last is said of a Parquet file where its footer found no room."""

_DAMAGE = re.compile(
    r"Corrupt|not a valid DuckDB database|Could not read|read enough bytes|Serialization Error", re.IGNORECASE
)
"""DuckDB has one class of error for all that goes wrong with a file; its words are all that tells them apart."""


_SHUT = re.compile(r"Read-only file system|Permission denied", re.IGNORECASE)
_OPEN: Mapping[str, str] = {
    "read-only file system": "it is on a file system that is read-only here: mount it for writing",
    "permission denied": "run the command as the user to whom it belongs (`benchhealth doctor` says who that is)",
}
"""What to do where the system does not let a file be written, by the system's words."""


def opening_advice(why: str) -> str:
    """Advice for a file that cannot be opened, by the error of the system; empty for an unknown one."""
    match = _SHUT.search(why)
    return f"{_OPEN[match[0].lower()]}; what is published is served meanwhile" if match else ""


class NoRoomError(DatabaseFault):
    """There is no room to write a file: the disk is full, or the file may not grow any further."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be written ({why}); {MAKE_ROOM}")


class ShutError(DatabaseFault):
    """A database may not be opened, or not for writing: its file system is read-only, or it is another user's."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be opened ({why}); {opening_advice(why)}")


class DamagedError(DatabaseFault):
    """A database does not hold what was once written to it."""

    def __init__(self, path: Path, why: str, mend: str) -> None:
        super().__init__(f"{path} is damaged ({why}); {mend}")


@contextmanager
def explain_errors(path: Path, mend: str) -> Iterator[None]:
    """Errors about the database file `path` as NoRoomError, ShutError or DamagedError.

    `mend` says what to do about damage. Any other error passes as it is.
    """
    try:
        yield
    except (NoRoomError, ShutError, DamagedError):
        raise
    except (duckdb.Error, pl.exceptions.ComputeError) as error:
        why = first_line(error)
        if _NO_ROOM.search(why):
            raise NoRoomError(path, why) from error
        if shut := _SHUT.search(why):
            raise ShutError(path, shut[0]) from error
        if _DAMAGE.search(why):
            raise DamagedError(path, why, mend) from error
        raise


def first_line(error: BaseException) -> str:
    """What an error says, without the trace that DuckDB may append, and `masked`."""
    return masked((str(error).splitlines() or [type(error).__name__])[0])


_SECRET = re.compile(
    r"""(password\s*=\s*)(?:''(?:[^'\\]|\\.)+''|'(?:[^'\\]|\\.)*'|'.*|(?:\\.|\S)+)|(://[^\s/:@]*:)[^\s/]*(?=@)""",
    re.IGNORECASE,
)
"""The value after `password=` as libpq reads it, also where SQL doubled its quotes, and that before a URL's `@`."""


def masked(text: str) -> str:
    """The text with all passwords masked, as errors are logged, stored, sent and published."""
    return _SECRET.sub(lambda match: f"{match[1] or match[2]}***", text)
