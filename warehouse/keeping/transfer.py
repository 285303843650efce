"""Facts put into facts that are empty, and whether what comes from elsewhere can be read and holds tables alone."""

import re
from contextlib import closing, suppress
from pathlib import Path

import duckdb

from benchhealth.warehouse.faults import explain_errors
from benchhealth.warehouse.migrations import edition_of
from benchhealth.warehouse.places.location import location_of
from benchhealth.warehouse.read import Generation, NoGeneration, current_path, generations, open_current
from benchhealth.warehouse.sql import FACTS, FactError, cursor_of, quoted, read_through
from benchhealth.warehouse.store import DATABASE, reading

_FROM = "moved_from"


def fill(home: Path, file: Path) -> dict[str, int]:
    """Append all facts of a DuckDB file of this edition to those of `home`, in one transaction; rows by table.

    None where they are there already, put there by a restore of the same backup that was killed. The caller has the
    lock on the home. Raises FactError as `refuse_facts` does, and where not every row arrived, Locked where a run
    elsewhere is at work on a source that the file has; nothing was stored then.
    """
    with location_of(home).writing() as opened:

        def work(cursor: duckdb.DuckDBPyConnection) -> dict[str, int]:
            ((last,),) = cursor.execute(_LAST_RUN.format(f"{_FROM}.")).fetchall()
            if _is_last(cursor, last) and all(_has_all_rows(cursor, name) for name in FACTS):
                return {}
            _refuse(cursor)
            moved = {name: _copy_table(cursor, name) for name in FACTS}
            opened.claims.numbers(cursor, _newest(cursor))  # entries of the ledger that follow get higher ones
            return moved

        opened.connection.execute(f"ATTACH {quoted(str(file))} AS {_FROM} (READ_ONLY)")
        try:
            with opened.claims.hold(*_sources(opened.connection)):
                return opened.write(work)
        finally:
            opened.connection.execute(f"DETACH {_FROM}")


def refuse_facts(home: Path, *, unless: str) -> bool:
    """Whether the last run that wrote this home's facts is the restore of which the ledger says `unless`.

    Raises FactError where there are any others.
    """
    with suppress(FileNotFoundError), location_of(home).reading() as connection, cursor_of(connection) as cursor:
        if _is_last(cursor, f"restore: {unless}"):
            return True
        _refuse(cursor)
    return False


_LAST_RUN = """
    SELECT command || ': ' || detail FROM {0}run_start LEFT JOIN {0}run_end USING (run_id)
    ORDER BY started_at DESC, run_id DESC LIMIT 1
"""


def _is_last(cursor: duckdb.DuckDBPyConnection, run: str) -> bool:
    return cursor.execute(_LAST_RUN.format("")).fetchall() == [(run,)]


def _refuse(cursor: duckdb.DuckDBPyConnection) -> None:
    if filled_tables := [name for name in FACTS if _count(cursor, f'"{name}"')]:
        raise FactError(f"there are facts already ({', '.join(filled_tables)}); make an empty database for the lake")


def _copy_table(cursor: duckdb.DuckDBPyConnection, name: str) -> int:
    cursor.execute(f'INSERT INTO "{name}" BY NAME SELECT * FROM {_FROM}."{name}"')  # noqa: S608 - own tables
    if not _has_all_rows(cursor, name):
        raise FactError(f"{name}: not as many rows arrived as are in the file; nothing was stored")
    return _count(cursor, f'"{name}"')


def _has_all_rows(cursor: duckdb.DuckDBPyConnection, name: str) -> bool:
    return _count(cursor, f'"{name}"') == _count(cursor, f'{_FROM}."{name}"')


def _count(cursor: duckdb.DuckDBPyConnection, table: str) -> int:
    ((count,),) = cursor.execute(f"SELECT count(*) FROM {table}").fetchall()  # noqa: S608 - own tables
    return int(count)


def _sources(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    rows = cursor.execute(f"SELECT source_id FROM {_FROM}.source ORDER BY source_id").fetchall()  # noqa: S608 - own
    return [source_id for (source_id,) in rows]


def _newest(cursor: duckdb.DuckDBPyConnection) -> int:
    ((newest,),) = cursor.execute(f"SELECT coalesce(max(seq), 0) FROM {_FROM}.ledger").fetchall()  # noqa: S608 - own
    return int(newest)


FACTS_FILES = (DATABASE, f"{DATABASE}.wal")


def edition_of_whole_facts(home: Path) -> int:
    """The edition of the facts, which are read once. Raises what `reading` raises, DamagedError above all."""
    with reading(home) as connection:
        read_through(connection)
        return edition_of(connection)


def whole_generation(home: Path) -> Path | None:
    """The generation in service, which is read once; None where none was ever published.

    Raises NoGeneration where one was and cannot be read.
    """
    try:
        current_path(home)
    except NoGeneration:
        if generations(home):
            raise
        return None
    with closing(open_current(home)) as generation:
        return generation.path


def read_generation(file: Path) -> None:
    """Read a generation of a backup once. Raises DamagedError where it cannot be read."""
    with explain_errors(file, "take another backup"), closing(Generation(file)) as generation:
        generation.read_through()


_TABLE = re.compile(r"[a-z][a-z0-9_]*")
"""The names of tables of this program, in all editions."""

_HELD_SQL = """
    SELECT 'table', table_name FROM duckdb_tables() WHERE database_name = 'held'
    UNION ALL SELECT 'view', view_name FROM duckdb_views() WHERE database_name = 'held' AND NOT internal
    UNION ALL SELECT 'macro', function_name FROM duckdb_functions() WHERE database_name = 'held' AND NOT internal
    UNION ALL SELECT 'default or generated column', column_name FROM duckdb_columns()
        WHERE database_name = 'held' AND column_default IS NOT NULL
    UNION ALL SELECT 'constraint', table_name FROM duckdb_constraints() WHERE database_name = 'held'
    UNION ALL SELECT 'index', index_name FROM duckdb_indexes() WHERE database_name = 'held'
    UNION ALL SELECT 'sequence', sequence_name FROM duckdb_sequences() WHERE database_name = 'held'
    UNION ALL SELECT 'type', type_name FROM duckdb_types() WHERE database_name = 'held' AND NOT internal
    UNION ALL SELECT 'schema', schema_name FROM duckdb_schemas() WHERE database_name = 'held' AND NOT internal
"""


def beside_tables(file: Path) -> list[str]:
    """What a file holds that is no plain table: views, macros, defaults, and tables with names that are SQL.

    Asked from a database in memory that reaches this file alone: what the file defines is neither called nor followed.
    Raises DamagedError where it cannot be read.
    """
    with explain_errors(file, "take another backup"), closing(duckdb.connect(":memory:")) as connection:
        connection.execute(f"SET allowed_paths = [{quoted(str(file))}, {quoted(f'{file}.wal')}]")
        connection.execute("SET enable_external_access = false")
        connection.execute(f"ATTACH {quoted(str(file))} AS held (TYPE duckdb, READ_ONLY)")
        objects = connection.execute(_HELD_SQL).fetchall()
    return [f"the {kind} {name!r}" for kind, name in objects if kind != "table" or not _TABLE.fullmatch(name)]
