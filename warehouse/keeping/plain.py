"""Whether a DuckDB file that came from elsewhere holds tables and nothing else: SQL that it brings would be run."""

import re
from contextlib import closing
from pathlib import Path

import duckdb

from benchhealth.warehouse.faults import explain_errors
from benchhealth.warehouse.sql import quoted

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
