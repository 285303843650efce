"""Published generations for reading: each is an immutable file, opened read-only and shut off from everything else."""

import re
import weakref
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from benchhealth.analytics.change.previous import CARRIED_TABLE, COMPARED, NO_PREVIOUS, RESULT_COMPARED, Previous
from benchhealth.analytics.packed import packed
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.faults import first_line
from benchhealth.warehouse.sql import (
    columns_in_sql,
    columns_of,
    create_table,
    cursors_in,
    quoted,
    read_through,
    select,
)

PUBLISHED_FOLDER = "published"
FILES_FOLDER = "files"
"""Below it, one folder for each generation with what was written of it for downloads; anybody may delete it."""

PIECE = 20_000
"""Rows of a table that are held at once where the whole would be too much."""

CURRENT = "current.duckdb"

NAME = re.compile(r"gen-(\d{8}T\d{6}Z)-(\d{6})")
"""The name of a generation: the instant at which it was published, and its number."""

RETURNS_MEMORY: dict[str, str | bool | int | float | list[str]] = {"allocator_background_threads": "true"}
"""For a process that lives long: memory that a query no longer needs goes back to the system within a second or two."""

_SHUT_OFF: dict[str, str | bool | int | float | list[str]] = {
    **RETURNS_MEMORY,
    "enable_external_access": "false",
    "lock_configuration": "true",
}
"""Given when connecting, not set afterwards: a second reader of the file in one process shares the locked instance."""


_READING = "64MB"
"""The memory with which a file is read through: each of its blocks is needed once."""

_COMPARED_ROWS: Mapping[str, str] = {
    "result": "stands",
    "rank": "observed_at = (SELECT max(observed_at) FROM rank AS newest WHERE newest.board_id = rank.board_id)",
    "indicator": "status = 'ok'",
}
"""Which rows of the longer tables the next generation is compared with."""

UNREADABLE = (duckdb.IOException, duckdb.SerializationException, duckdb.InternalException, duckdb.FatalException)
"""What DuckDB raises where bytes of a file are not those that were written, and from then on."""


class NoGeneration(LookupError):  # noqa: N818 - a state, not a fault
    """No generation can be read in this home: none is published yet, or its file is gone or damaged."""


class Generation:
    """One published generation; it stays readable, and the same, for as long as the object lives.

    May be shared by threads: every query has a cursor of its own.
    """

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection | None = None) -> None:
        """Open a resolved generation file (DuckDB caches by path, so never the symlink).

        `connection` is one that shows the file's tables in another way.
        """
        self.path = path
        self.name = path.stem
        self.is_damaged = False
        """Whether a query could not read its file."""
        self._connection = connection or duckdb.connect(path, read_only=True, config=_SHUT_OFF)
        self._close = weakref.finalize(self, self._connection.close)

    @property
    def number(self) -> int:
        """How many generations this home had published, this one included. Raises ValueError for another name."""
        return int(_parsed_name(self.path)[2])

    @property
    def published_at(self) -> datetime:
        """When it was published, naive UTC. Raises ValueError for another name."""
        return published_at(self.path)

    def table(self, name: str) -> pl.DataFrame:
        """A whole table of the contract. Raises KeyError for a name that the contract does not have."""
        if name not in PUBLISHED:
            raise KeyError(f"no published table {name!r}")
        return self.query(f'SELECT * FROM "{name}"')  # noqa: S608 - a table of the contract

    def pieces(self, name: str, rows: int = PIECE) -> Iterator[pl.DataFrame]:
        """A table of the contract in frames of at most so many rows, in its order; at least one, empty or not."""
        with self._noticing(), closing(self._connection.cursor()) as cursor:
            relation = cursor.sql(f'SELECT * FROM "{name}"')  # noqa: S608 - a table of the contract
            yield relation.limit(0).pl()
            for batch in relation.to_arrow_reader(rows):
                yield pl.DataFrame(batch)

    def query(self, sql: str, params: Mapping[str, Any] | None = None) -> pl.DataFrame:
        """The rows of one query; `$name` in it stands for params["name"]. Raises duckdb.Error for bad SQL."""
        with self._noticing():
            return select(self._connection, sql, params)

    def is_of_this_edition(self) -> bool:
        """Whether it has every table of the contract with the columns of this edition of the program."""
        with self._noticing():
            columns = columns_of(self._connection)
        return all(columns.get(name) == columns_in_sql(schema) for name, schema in PUBLISHED.items())

    def read_through(self) -> None:
        """Read every row once. Raises duckdb.Error where the file is damaged."""
        with self._noticing():
            read_through(self._connection)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Note that the file is damaged where a query within the context cannot read it."""
        try:
            yield
        except UNREADABLE:
            self.is_damaged = True
            raise

    def close(self) -> None:
        """Close the file now; later queries fail. Without it the file closes when the object is no longer used."""
        self._close()


class OlderGeneration(Generation):
    """A generation that an earlier edition of the program published, with all that this edition asks for.

    Views over the file in a database in memory: tables that it lacks are empty, columns that it lacks are null.
    """

    def __init__(self, path: Path) -> None:
        connection = duckdb.connect(":memory:", config=RETURNS_MEMORY)
        super().__init__(path, connection)
        try:
            for name, stored in attached_tables(connection, path).items():
                connection.execute(f'CREATE VIEW "{name}" AS FROM {stored}')
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
        except BaseException:
            self.close()
            raise


def attached_tables(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, str]:
    """The qualified name of each table of the contract after the generation at `path` is attached as `whole`.

    With the columns of this edition: an empty table stands for each that the file is older than, null for a column.
    """
    connection.execute(f"ATTACH {quoted(str(path))} AS whole (READ_ONLY)")
    columns = "SELECT table_name, list(column_name) FROM duckdb_columns() WHERE database_name = 'whole' GROUP BY ALL"
    columns_of = dict(connection.execute(columns).fetchall())
    connection.execute("CREATE SCHEMA absent")
    connection.execute("CREATE SCHEMA older")
    stored = {}
    for name, schema in PUBLISHED.items():
        stored[name] = f'whole."{name}"'
        if set(schema) <= set(columns_of.get(name, ())):
            continue
        connection.execute(create_table(name, schema).replace(f'"{name}"', f'absent."{name}"', 1))
        older_rows = f"FROM {stored[name]} UNION ALL BY NAME " if name in columns_of else ""
        connection.execute(f'CREATE VIEW older."{name}" AS {older_rows}FROM absent."{name}"')
        stored[name] = f'older."{name}"'
    return stored


def lacking_tables(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The tables of the contract that the generation of `attached_tables` does not have, as it is older than they."""
    held = connection.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'whole'").fetchall()
    return frozenset(PUBLISHED) - {name for (name,) in held}


def generations(home: Path) -> list[Path]:
    """The generation files of a home, oldest first."""
    folder = home / PUBLISHED_FOLDER
    return sorted((path for path in folder.glob("gen-*.duckdb") if NAME.fullmatch(path.stem)), key=number_of)


def number_of(generation: Path) -> int:
    """The running number that ends a generation's file name."""
    return int(generation.stem.rpartition("-")[2])


def published_at(generation: Path) -> datetime:
    """The instant in a generation's name, naive UTC. Raises ValueError for another name."""
    return datetime.strptime(_parsed_name(generation)[1], "%Y%m%dT%H%M%SZ")  # noqa: DTZ007  naive UTC, as everywhere


def _parsed_name(generation: Path) -> re.Match[str]:
    match = NAME.fullmatch(generation.stem)
    if match is None:
        raise ValueError(f"{generation.stem} is no name of a generation")
    return match


def files_of(generation: Path) -> Path:
    """Where files made of a generation lie; they go when it goes."""
    return generation.parent / FILES_FOLDER / generation.stem


def remedy(home: Path) -> str:
    """What an operator can do in a home without a generation that can be read, as a clause of a message."""
    from benchhealth.warehouse.places.location import location_of  # noqa: PLC0415  (facts in a file know where generations lie)

    return location_of(home).anew


def current_path(home: Path) -> Path:
    """The file that the current generation should be in. Raises NoGeneration if none is named."""
    link = home / PUBLISHED_FOLDER / CURRENT
    try:
        return link.parent.resolve() / link.readlink().name
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoGeneration(f"nothing is published in {home}; {remedy(home)}") from error
    except OSError as error:
        raise NoGeneration(f"{link} is no link to a generation; {remedy(home)}") from error


def open_current(home: Path) -> Generation:
    """Open the current generation and read it once. Raises NoGeneration if there is none, or not the whole of it."""
    while True:
        path = current_path(home)
        try:
            return opened(path)
        except duckdb.Error as error:
            if current_path(home) != path:
                continue
            if not path.exists():
                link = home / PUBLISHED_FOLDER / CURRENT
                raise NoGeneration(f"{link} names {path.name}, which is not there; {remedy(home)}") from error
            raise NoGeneration(f"{path} cannot be read ({first_line(error)}); {remedy(home)}") from error


def opened(path: Path) -> Generation:
    """The generation of this file, read once. Raises duckdb.Error where it cannot be read, or not the whole of it."""
    # Read by a connection that holds little and goes: one that stays would keep every block of the file.
    with closing(duckdb.connect(":memory:", config={"memory_limit": _READING, "threads": 1})) as connection:
        connection.execute(f"ATTACH {quoted(str(path))} AS whole (READ_ONLY)")
        with cursors_in(connection, "whole"):
            read_through(connection)
    generation = Generation(path)
    if generation.is_of_this_edition():
        return generation
    generation.close()
    return OlderGeneration(path)


def previous(home: Path) -> Previous:
    """The tables of the generation in service that the next one is compared with; none where it cannot be read.

    Tables and columns that a generation of an earlier edition of the program lacks are empty.
    """
    try:
        generation = Generation(current_path(home))
    except (NoGeneration, duckdb.Error):
        return NO_PREVIOUS
    with closing(generation):
        try:
            return Previous(
                generation.name,
                {name: packed([_with_schema_of_today(generation, name)]) for name in (*COMPARED, CARRIED_TABLE)},
            )
        except duckdb.Error:
            return NO_PREVIOUS


def _with_schema_of_today(generation: Generation, name: str) -> pl.DataFrame:
    """The rows of a table that are compared, with the columns of this edition; empty where the generation lacks it."""
    schema = PUBLISHED[name]
    if name == "result":
        schema = pl.Schema({column: schema[column] for column in RESULT_COMPARED})
    columns = ", ".join(RESULT_COMPARED) if name == "result" else "*"
    try:
        rows = generation.query(f'SELECT {columns} FROM "{name}" WHERE {_COMPARED_ROWS.get(name, "true")}')  # noqa: S608
    except (duckdb.CatalogException, duckdb.BinderException):
        return pl.DataFrame(schema=schema)
    return rows.select(
        (pl.col(column) if column in rows.columns else pl.lit(None)).cast(kind).alias(column)
        for column, kind in schema.items()
    )
