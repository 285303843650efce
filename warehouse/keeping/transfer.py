"""Facts of a file put into facts that are empty: the way from one machine to a lake."""

from contextlib import suppress
from pathlib import Path

import duckdb

from benchhealth.warehouse.places.location import location_of
from benchhealth.warehouse.sql import FACTS, FactError, cursor_of, quoted

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
