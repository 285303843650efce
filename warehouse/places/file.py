"""Facts in a DuckDB file of the home: one process writes, and nobody else reads meanwhile."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchhealth.warehouse.faults import DamagedError, explain_errors
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import check_edition, migrate
from benchhealth.warehouse.places.claims import Claims, Opened
from benchhealth.warehouse.read import PUBLISHED_FOLDER
from benchhealth.warehouse.sql import NEW_FILES, handover, quoted, read_through

READER_PATIENCE = 10.0
"""Seconds that a writer waits for short readers (a status query) to let go of the database."""

MEND = (
    "`benchhealth restore --replace --from BACKUP` puts back what was backed up; without a backup move it and its .wal "
    "away, then `benchhealth init` and `benchhealth ingest --history` store the facts anew (imports are to be "
    "repeated); what is published stays in service"
)
_writers: dict[Path, duckdb.DuckDBPyConnection] = {}
"""Databases that this process has open for writing: DuckDB refuses a second, read-only handle beside them."""


@dataclass(frozen=True)
class FileFacts:
    """Facts that are stored in one DuckDB file, at `path`."""

    path: Path
    anew = "`benchhealth init` publishes one of the facts that are there, and else of the bundled ones"
    """How a generation is made of the facts, for a home that has none."""

    @contextmanager
    def writing(self, *, anew: bool = False) -> Iterator[Opened]:
        """Open the facts, made if missing and migrated if older; the caller has the lock on the home.

        Where something was published from facts that are gone, new ones are made only if `anew` is set.
        Raises Locked if another process keeps the database open, NewerHome if a later edition wrote it, FactError if it
        has other columns than these, DamagedError if any of it cannot be read.
        """
        path = self.path.resolve()
        if not anew and _is_lost(path):
            raise DamagedError(path, "it is gone or empty, and something was published from it", MEND)
        with explain_errors(path, MEND), closing(_connect_to_write(path)) as connection:
            read_through(connection)
            migrate(connection)
            _writers[path] = connection
            try:
                yield Opened(connection, Claims())
            finally:
                _writers.pop(path)

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to read: the one by which this process writes, else a read-only one.

        Raises Locked if another process has the facts open, FileNotFoundError if there are none, NewerHome if a later
        edition wrote them, DamagedError where what is read is damaged.
        """
        path = self.path.resolve()
        if path in _writers:
            yield _writers[path]
            return
        if not path.exists():
            raise FileNotFoundError(f"no facts at {path}; `benchhealth init` stores the bundled ones")
        with explain_errors(path, MEND), closing(connect_to_read(path)) as connection:
            check_edition(connection)
            yield connection

    def running(self, newest: str, *, is_locked: bool) -> set[str]:
        """The runs that go on now: `newest`, which was started last, where somebody holds the lock on the home."""
        return {newest} if is_locked else set()


def _is_lost(path: Path) -> bool:
    published = path.parent / PUBLISHED_FOLDER
    return (not path.exists() or not path.stat().st_size) and any(published.glob("gen-*.duckdb"))


def connect_to_read(path: Path) -> duckdb.DuckDBPyConnection:
    """A read-only connection to a facts database of any edition. Raises Locked where another process has it open."""
    try:
        return duckdb.connect(path, read_only=True, config={"enable_external_access": False})
    except duckdb.IOException as error:
        if _is_locked(error):
            raise Locked(f"another process has {path} open") from error
        raise


def _connect_to_write(path: Path) -> duckdb.DuckDBPyConnection:
    """The facts are a set: without an order of rows to keep, all cores write, and the file is a third smaller.

    Of other files the database reads those alone by which this process hands rows over to it (`facts.relation`).
    """
    deadline = time.monotonic() + READER_PATIENCE
    while True:
        try:
            connection = duckdb.connect(path, config=dict(NEW_FILES))
        except duckdb.IOException as error:
            if not _is_locked(error):
                raise
            if time.monotonic() > deadline:
                raise Locked(f"another process has {path} open") from error
            time.sleep(0.1)
        else:
            connection.execute("SET preserve_insertion_order = false")
            connection.execute(f"SET allowed_directories = [{quoted(str(handover()))}]")
            connection.execute("SET enable_external_access = false")
            return connection


def _is_locked(error: duckdb.IOException) -> bool:
    return "Could not set lock" in str(error)
