"""What nights leave in a lake: many small files, old states, and files of runs that were killed."""

import logging
from functools import partial
from typing import Any

import duckdb

from benchhealth.warehouse.facts import cursor_of, quoted
from benchhealth.warehouse.places.catalogue import again

LOGGER = logging.getLogger(__name__)
KEPT = "INTERVAL '1 day'"
"""How long an older state can be read and a file without an owner stays: reading and writing take minutes or hours."""
SMALL = 64 * 10**6
"""Bytes up to which files are put together: what is larger is not written again each night."""


def tidy(connection: duckdb.DuckDBPyConnection, lake: str, period: str = KEPT) -> None:
    """Put small files of each table together and delete what no state of the last `period` needs.

    DuckLake does it; rows in the catalogue itself (`lake.INLINED`) become files first. Readers and writers go on
    meanwhile: what is replaced stays on the disk for `period`, and so does what a run at work has not committed yet.
    """
    name, past = quoted(lake), f"older_than => now() - {period}"
    calls = (
        f"ducklake_flush_inlined_data({name})",
        f"ducklake_merge_adjacent_files({name}, max_file_size => {SMALL})",
        f"ducklake_expire_snapshots({name}, {past})",
        f"ducklake_cleanup_old_files({name}, {past})",
        f"ducklake_delete_orphaned_files({name}, {past})",
    )
    _, merged, _, *deleted = (again(partial(_called, connection, call)) for call in calls)
    before, after = (sum(row[place] for row in merged) for place in (2, 3))
    LOGGER.info(
        "lake: %d small files put together in %d, %d deleted that nothing needs", before, after, sum(map(len, deleted))
    )


def _called(connection: duckdb.DuckDBPyConnection, call: str) -> list[tuple[Any, ...]]:
    with cursor_of(connection) as cursor:
        return cursor.execute(f"CALL {call}").fetchall()
