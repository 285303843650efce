"""What a look at the files themselves finds: editions, damage, the newest instants; nothing is changed."""

from contextlib import closing, suppress
from datetime import date, datetime, time
from pathlib import Path
from typing import NamedTuple

import duckdb

from benchhealth.warehouse.faults import DamagedError, DatabaseFault, explain_errors, first_line
from benchhealth.warehouse.migrations import MIGRATIONS, NewerHome, check_columns, edition_of
from benchhealth.warehouse.read import Generation
from benchhealth.warehouse.sql import cursor_of, select
from benchhealth.warehouse.store import reading


def edition(home: Path) -> int | None:
    """The edition of the facts; None where they are damaged. Raises Locked, and FileNotFoundError without facts."""
    try:
        with reading(home) as connection:
            return edition_of(connection)
    except NewerHome as newer:
        return newer.edition
    except DatabaseFault:
        return None


def check_tables(home: Path) -> None:
    """Raise FactError where facts of this edition lack a table or a column, and what `reading` raises."""
    with reading(home) as connection:
        if edition_of(connection) == len(MIGRATIONS):
            with cursor_of(connection) as cursor:
                check_columns(cursor)


class Damage(NamedTuple):
    """Why a file cannot be read; `is_certain` where its bytes are not those that were written, whoever reads them."""

    why: str
    is_certain: bool


def damage(generation: Path) -> Damage | None:
    """Why a generation cannot be read to its last row; None for one that can."""
    try:
        with explain_errors(generation, ""), closing(Generation(generation)) as opened:
            opened.read_through()
    except DamagedError as error:
        return Damage(first_line(error.__cause__ or error), is_certain=True)
    except duckdb.Error as error:
        return Damage(first_line(error), is_certain=False)
    return None


def is_of_this_edition(generation: Path) -> bool | None:
    """Whether a generation has what this edition of the program publishes; None where it cannot be read."""
    try:
        with closing(Generation(generation)) as opened:
            return opened.is_of_this_edition()
    except duckdb.Error:
        return None


_NEWEST = {
    "a run": "SELECT max(started_at) FROM run_start",
    "an entry of the ledger": 'SELECT max("at") FROM ledger',
    "a look at an upstream": "SELECT max(looked_at) FROM look",
    "a snapshot": "SELECT max(observed_at) FROM snapshot",
    "a result": "SELECT max(dated_on) FROM result",
}


def newest(home: Path) -> dict[str, datetime | None]:
    """The newest instant of each kind in the facts, naive UTC; an older edition has not all kinds.

    Raises as `store.reading` does.
    """
    instants: dict[str, datetime | None] = {}
    with reading(home) as connection:
        for kind, sql in _NEWEST.items():
            with suppress(duckdb.CatalogException):
                instants[kind] = _instant(select(connection, sql).item())
    return instants


def _instant(moment: date | datetime | None) -> datetime | None:
    if moment is None or isinstance(moment, datetime):
        return moment
    return datetime.combine(moment, time.min)
