"""The PostgreSQL database that keeps a lake's catalogue, and the DuckDB in which lakes are opened."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from benchhealth.warehouse.faults import DamagedError, DatabaseFault, NoRoomError, first_line, masked
from benchhealth.warehouse.sql import quoted

Done = TypeVar("Done")

EXTENSIONS = ("postgres_scanner", "ducklake", "httpfs")
TRIES = 20
BEGINS = 3
"""Tries of a transaction that did not begin: rarely PostgreSQL refuses one, and a dead one should be told soon."""
_CHANGED_MEANWHILE = re.compile(
    r"could not serialize|deadlock detected|duplicate key|tuple concurrently", re.IGNORECASE
)
_UNREACHED = re.compile(
    r"Unable to connect|server closed the connection|connection to server|terminating", re.IGNORECASE
)
_MISREAD = re.compile(r'connection info string|connection option|in URI|host name "[^"]*@')
"""libpq takes a piece of a password that is not quoted for something else, and repeats it."""
_ANSWERED = re.compile(r"(ERROR|FATAL|PANIC):.*")
"""What PostgreSQL itself says, after the statement that it could not carry out."""
ADVICE = "see DEPLOYMENT.md, what is published stays"
_serial = count(1)


class MissingExtra(DatabaseFault):
    """A lake is asked for, and what opens it is not installed."""


class LakeError(DatabaseFault):
    """The catalogue or the files of a lake cannot be reached, or are not what they should be."""


class NotBegun(LakeError):  # noqa: N818 - a state, not a fault
    """The lake did not answer the first question of a transaction, so that nothing was done."""


@cache
def engine() -> duckdb.DuckDBPyConnection:
    """The DuckDB of this process in which lakes are opened; loading the extensions takes a third of a second.

    They come as packages, so that nothing is fetched. Raises MissingExtra.
    """
    connection = _with(*EXTENSIONS)
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET ducklake_max_retry_count = 100")
    return connection


@cache
def _client() -> duckdb.DuckDBPyConnection:
    """One more for PostgreSQL itself: a list of all tables of a DuckDB asks every database that is attached to it."""
    return _with("postgres_scanner")


def _with(*extensions: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    for name in extensions:
        connection.execute(f"LOAD {quoted(str(_extension(name)))}")
    return connection


def _extension(name: str) -> Path:
    spec = find_spec(f"duckdb_extension_{name}")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra(
            f"BENCHHEALTH_STORE names a lake, which needs the package duckdb-extension-{name.replace('_', '-')}: "
            "install benchhealth with its extra `lake`"
        )
    folder = Path(spec.submodule_search_locations[0])
    return folder / "extensions" / f"v{duckdb.__version__}" / f"{name}.duckdb_extension"


def fresh_name(kind: str) -> str:
    """A name for an attached database that no other of this process has."""
    return f"{kind}_{next(_serial)}"


def without_secrets(libpq: str) -> str:
    """The connection string without secrets: host, port and name of the database, and nothing else."""
    pairs = re.findall(r"(?:^|\s)(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|(?:\\.|\S)+)", libpq)
    named = [f"{key}={value}" for key, value in pairs if key in ("host", "port", "dbname")]
    return "postgres:" + (" ".join(named) or "(as given)")


@contextmanager
def lake_errors(libpq: str) -> Iterator[None]:
    """Errors of a lake in one line that names the catalogue; whatever is raised says no password.

    Conflicts, and what is wrong with a statement, keep their class.
    """
    try:
        yield
    except (LakeError, MissingExtra, NoRoomError, DamagedError):
        raise
    except duckdb.Error as error:
        message = str(error)
        if not _is_of_the_way(error, libpq):
            if (without_password := _without_secrets(message, libpq)) != message:
                raise type(error)(without_password) from None
            raise
        raise LakeError(f"the lake at {without_secrets(libpq)} ({_reason_of(error, libpq)}); {ADVICE}") from None


def _is_of_the_way(error: duckdb.Error, libpq: str) -> bool:
    """Whether the catalogue or a file did not answer, and the statement itself is not at fault."""
    if isinstance(error, duckdb.IOException) or type(error) is duckdb.Error:
        return True
    if isinstance(error, duckdb.TransactionException) and not _is_conflict(error):
        return True
    return libpq in str(error) or _UNREACHED.search(str(error)) is not None


def _is_conflict(error: duckdb.TransactionException) -> bool:
    return "conflict" in str(error).lower()


def _reason_of(error: duckdb.Error, libpq: str) -> str:
    message = str(error)
    if _MISREAD.search(message):
        return "BENCHHEALTH_STORE is not written as libpq has it"
    answered = _ANSWERED.search(message)
    return _without_secrets(answered[0] if answered else first_line(error), libpq)


def _without_secrets(text: str, libpq: str) -> str:
    for secret in (libpq, libpq.replace("'", "''")):
        text = text.replace(secret, without_secrets(libpq))
    return masked(text)


class Catalogue:
    """Questions to the PostgreSQL database itself, beside DuckLake; for many threads."""

    def __init__(self, libpq: str) -> None:
        """Raises LakeError where it cannot be reached."""
        self._libpq = libpq
        self._name = fresh_name("catalogue")
        with lake_errors(libpq):
            _client().execute(f"ATTACH {quoted(libpq)} AS {self._name} (TYPE postgres)")

    def close(self) -> None:
        """Close the connections to the catalogue."""
        _client().execute(f"DETACH {self._name}")

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one query against the catalogue and return its rows."""
        return self._run(f"FROM postgres_query('{self._name}', {quoted(sql)})")

    def do(self, sql: str) -> None:
        """Carry out statements; again where another session changed the same meanwhile."""
        self._run(f"CALL postgres_execute('{self._name}', {quoted(sql)})")

    def _run(self, sql: str) -> list[tuple[Any, ...]]:
        for attempt in count(1):
            cursor = _client().cursor()
            try:
                with lake_errors(self._libpq):
                    return cursor.execute(sql).fetchall()
            except duckdb.Error as error:
                if attempt == TRIES or not _CHANGED_MEANWHILE.search(str(error)):
                    raise
                time.sleep(0.02 * attempt)
            finally:
                cursor.close()
        raise AssertionError("count has no end")


def with_retries(attempt: Callable[[], Done]) -> Done:
    """What the attempt returns; repeated while other writers of the lake come between, TRIES times at most.

    One that did not begin is tried BEGINS times.
    """
    for tried in range(1, TRIES):
        try:
            return attempt()
        except NotBegun:
            if tried >= BEGINS:
                raise
        except duckdb.TransactionException as error:
            if not _is_conflict(error):
                raise
        time.sleep(0.05 * tried)
    return attempt()


@cache
def catalogue(libpq: str) -> Catalogue:
    """The catalogue of a lake, connected once a process."""
    return Catalogue(libpq)
