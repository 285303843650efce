"""The tables of the facts database, with SQL made from the polars schemas.

No PRIMARY KEY and no ON CONFLICT: uniqueness is tested, not declared.
"""

import os
import secrets
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import duckdb
import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.tables.stored import STORED
from benchhealth.warehouse.faults import explain_errors

ROW_GROUP = 122_880
"""Rows that DuckDB reads and stores as one piece, so that each core gets pieces of its own."""

NEW_FILES: Mapping[str, str] = {"storage_compatibility_version": "v1.3.0"}
"""For a database that is created: the oldest DuckDB that need read it. With its default, which DuckDB 0.10 reads too, a
generation takes twice as long to open and a fifth more room."""

FACTS: Mapping[str, pl.Schema] = {name: table.schema for name, table in STORED.items()}
"""Every table of the facts database (`analytics.record.tables.stored`): name to schema.

After a change of one add a step to `warehouse.migrations.MIGRATIONS`.
"""
SOURCE, LEDGER = FACTS["source"], FACTS["ledger"]


class FactError(ValueError):
    """Facts or an entry of the ledger that break a rule; nothing of them was stored."""


SNAPSHOT_PARTS = (
    *("result", "rejection", "model_fact", "benchmark_fact"),
    *("report_fact", "mention_fact", "name_fact", "item_run", "price_fact"),
)

_SQL_TYPES: Mapping[type[pl.DataType], str] = {
    pl.String: "VARCHAR",
    pl.Float64: "DOUBLE",
    pl.Int64: "BIGINT",
    pl.Boolean: "BOOLEAN",
    pl.Date: "DATE",
    pl.Datetime: "TIMESTAMP",
}


def sql_type(kind: pl.DataType) -> str:
    """DuckDB's name for a polars type. Raises TypeError for a type that no table here uses."""
    if isinstance(kind, pl.List):
        inner = kind.inner
        return f"{sql_type(inner() if isinstance(inner, type) else inner)}[]"
    if type(kind) not in _SQL_TYPES:
        raise TypeError(f"no SQL type for {kind}")
    return _SQL_TYPES[type(kind)]


def create_table(name: str, schema: pl.Schema) -> str:
    """The statement that creates a table with the columns and types of a polars schema, in its order."""
    columns = ", ".join(f'"{column}" {sql_type(kind)}' for column, kind in schema.items())
    return f'CREATE TABLE IF NOT EXISTS "{name}" ({columns})'


def append(cursor: duckdb.DuckDBPyConnection, table: str, frame: Rows) -> int:
    """Append the rows of a frame to the table, by column name, and return how many they are.

    Raises duckdb.Error where they do not fit.
    """
    if isinstance(frame, pl.DataFrame) and frame.is_empty():
        return 0
    with relation(frame) as incoming:
        sql = f'INSERT INTO "{table}" BY NAME SELECT * FROM {incoming}'  # noqa: S608 - a table of this package
        return int(cursor.execute(sql).fetchall()[0][0])


@contextmanager
def relation(frame: Rows) -> Iterator[str]:
    """The frame as SQL that may follow FROM, for as long as the context lasts.

    Handed over as a Parquet file, which takes half the time of registering it as Arrow, at every size.
    """
    with _handing_over() as path:
        with explain_errors(path, mend="run the command again"):
            frame.lazy().sink_parquet(path, compression="uncompressed", statistics=False, row_group_size=ROW_GROUP)
        yield f"read_parquet({quoted(str(path))})"


_TOKEN = secrets.token_hex(8)
_SERIAL = count(1)
_HANDED: Counter[Path] = Counter()
_HANDING = threading.Lock()


def handover() -> Path:
    """The folder through which rows come to a database: of this process alone, and there only while rows are in it.

    Nobody else can guess its name, so a database that may read there reads nothing that others put anywhere.
    """
    return Path(tempfile.gettempdir()) / f"benchhealth-{os.getpid()}-{_TOKEN}"


@contextmanager
def _handing_over() -> Iterator[Path]:
    """A file of its own in that folder, which goes with the last file in it."""
    folder = handover()
    with _HANDING:
        if not _HANDED[folder]:
            folder.mkdir(mode=0o700)
        _HANDED[folder] += 1
    path = folder / f"rows-{next(_SERIAL)}.parquet"
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        with _HANDING:
            _HANDED[folder] -= 1
            if not _HANDED[folder]:
                shutil.rmtree(folder, ignore_errors=True)


def quoted(text: str) -> str:
    """The text as SQL has it. For `$parameters` DuckDB imports pandas, a second a command."""
    return "'" + text.replace("'", "''") + "'"


Telling = Callable[[], AbstractContextManager[None]]
"""Makes a context that words the errors of an attached database as its place wants them."""
_DATABASES: WeakKeyDictionary[duckdb.DuckDBPyConnection, tuple[str, Telling]] = WeakKeyDictionary()
"""Connections whose cursors work in a database that is attached under this name, not in the one they were opened on."""


@contextmanager
def cursors_in(connection: duckdb.DuckDBPyConnection, database: str, telling: Telling = nullcontext) -> Iterator[None]:
    """Let the connection, and the cursors that `cursor_of` makes of it, work in an attached database."""
    connection.execute(f'USE "{database}"')
    _DATABASES[connection] = database, telling
    try:
        yield
    finally:
        _DATABASES.pop(connection)


def database_of(connection: duckdb.DuckDBPyConnection) -> str:
    """The name of the attached database in which the connection's cursors work. Raises KeyError for its own one."""
    return _DATABASES[connection][0]


@contextmanager
def cursor_of(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor of its own; DuckDB does not hand down which database its connection works in.

    The one way by which facts are read and written: what goes wrong is told as `cursors_in` was told to.
    """
    database, telling = _DATABASES.get(connection, ("", nullcontext))
    with telling(), closing(connection.cursor()) as cursor:
        if database:
            cursor.execute(f'USE "{database}"')
        yield cursor


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor of its own in one transaction: committed at the end, rolled back by any exception."""
    with cursor_of(connection) as cursor:
        cursor.begin()
        try:
            yield cursor
        except BaseException:
            with suppress(duckdb.Error):  # of a database that is gone; what it was raised by says more
                cursor.rollback()
            raise
        cursor.commit()


def as_known(sql: str, as_of: datetime) -> str:
    """The SQL with `as_of` for its `$as_of`, without a parameter (see `quoted`)."""
    return sql.replace("$as_of", f"TIMESTAMP '{as_of.isoformat(sep=' ')}'")


def select(connection: duckdb.DuckDBPyConnection, sql: str, params: Mapping[str, Any] | None = None) -> pl.DataFrame:
    """Run one query on a cursor of its own: a connection shared by threads returns silently wrong rows.

    With parameters `sql` would copy the whole answer row by row (ten times slower, duckdb-python issue 238), which
    `execute` does not.
    """
    with cursor_of(connection) as cursor:
        return cursor.execute(sql, dict(params)).pl() if params else cursor.sql(sql).pl()


def tables_of(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The names of the tables of the database that the connection works in, sorted."""
    sql = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY table_name"
    return select(connection, sql)["table_name"].to_list()


def columns_of(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[str, str]]]:
    """The columns of each table and view where the connection works: name and SQL type, in the table's order."""
    sql = """
        SELECT table_name, column_name, data_type FROM duckdb_columns()
        WHERE database_name = current_database() AND schema_name = current_schema() ORDER BY table_name, column_index
    """
    columns: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in select(connection, sql).iter_rows():
        columns.setdefault(table, []).append((column, kind))
    return columns


def columns_in_sql(schema: pl.Schema) -> list[tuple[str, str]]:
    """The columns of a polars schema as `columns_of` says them."""
    return [(column, sql_type(kind)) for column, kind in schema.items()]


def read_through(connection: duckdb.DuckDBPyConnection) -> None:
    """Read every row of every table, so that damage anywhere in the file is met now; 50 MB take a tenth of a second.

    DuckDB compares the checksum of a block when it reads it, and a query reads only the blocks that it needs. One query
    asks all tables, as each query has its price; as a relation (`select`) it would be planned twice.
    """
    names = [name.replace('"', '""') for name in tables_of(connection)]  # of a file from elsewhere it may be anything
    hashes = [f'SELECT bit_xor(hash(each_row)) FROM "{name}" AS each_row' for name in names]  # noqa: S608 - see above
    if hashes:
        with cursor_of(connection) as cursor:
            cursor.execute(" UNION ALL ".join(hashes)).fetchall()
