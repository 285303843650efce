"""Facts in a lake: Parquet files on a disk or in S3, their catalogue in PostgreSQL, opened by DuckLake.

What nights leave in it (many small files, old states, files of runs that were killed) is put in order at their end.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import check_edition, edition_of, migrate
from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.places.catalogue import (
    catalogue,
    engine,
    fresh_name,
    lake_errors,
    with_retries,
    without_secrets,
)
from benchhealth.warehouse.places.claims import Opened
from benchhealth.warehouse.places.leases import CREATE, RUN, Leases
from benchhealth.warehouse.sql import cursor_of, cursors_in, database_of, quoted, transaction

LOGGER = logging.getLogger(__name__)
STATES_READABLE_FOR = "INTERVAL '1 day'"
"""How long an older state can be read and a file without an owner stays: reading and writing take minutes or hours."""
SMALL_FILE_BYTES = 64 * 10**6
"""Bytes up to which files are put together: what is larger is not written again each night."""


def tidy(connection: duckdb.DuckDBPyConnection, lake: str, period: str = STATES_READABLE_FOR) -> None:
    """Put small files of each table together and delete what no state of the last `period` needs.

    DuckLake does it; rows in the catalogue itself (`lake.INLINED`) become files first. Readers and writers go on
    meanwhile: what is replaced stays on the disk for `period`, and so does what a run at work has not committed yet.
    """
    name, older_than = quoted(lake), f"older_than => now() - {period}"
    calls = (
        f"ducklake_flush_inlined_data({name})",
        f"ducklake_merge_adjacent_files({name}, max_file_size => {SMALL_FILE_BYTES})",
        f"ducklake_expire_snapshots({name}, {older_than})",
        f"ducklake_cleanup_old_files({name}, {older_than})",
        f"ducklake_delete_orphaned_files({name}, {older_than})",
    )
    _, merged, _, *deleted = (with_retries(partial(_call, connection, call)) for call in calls)
    before, after = (sum(row[column] for row in merged) for column in (2, 3))
    LOGGER.info(
        "lake: %d small files put together in %d, %d deleted that nothing needs", before, after, sum(map(len, deleted))
    )


def _call(connection: duckdb.DuckDBPyConnection, call: str) -> list[tuple[Any, ...]]:
    with cursor_of(connection) as cursor:
        return cursor.execute(f"CALL {call}").fetchall()


INLINED = 100
"""Rows up to which an insert stays in the catalogue: a Parquet file for each entry of the ledger would be dear."""
WAIT_SECONDS = 60.0
"""Seconds that a run waits while another one makes or migrates the tables."""
LEASE_SECONDS = 120.0
"""How long a run may be silent before others take its work over."""
_FENCED = ("snapshot", "ledger")
"""Each writing of a source's facts or of its ledger appends to one of these."""


@dataclass(frozen=True)
class Lake:
    """A lake by its catalogue (a libpq connection string) and the folder or s3:// address of its files.

    `data` may be left out where the lake is made already: its catalogue knows.
    """

    libpq: str
    data: str | None = None
    access: Access | None = None
    lease_seconds: float = LEASE_SECONDS
    anew = "`benchhealth assess` publishes one of the lake's facts; `benchhealth init` is for a lake that is empty"

    def __repr__(self) -> str:
        return f"Lake({without_secrets(self.libpq)})"

    @contextmanager
    def writing(self, *, anew: bool = False) -> Iterator[Opened]:
        """Open the lake for writing beside others, made if missing and migrated if older, by one run at a time.

        Raises NewerHome, FactError and LakeError.
        """
        opened_catalogue = catalogue(self.libpq)
        opened_catalogue.do(CREATE)
        with closing(Leases(opened_catalogue, self.lease_seconds, self._fence)) as leases, ExitStack() as opened:
            with leases.hold("setup", patience=WAIT_SECONDS):
                connection = opened.enter_context(self._attached(self._making()))
                migrate(connection)
            yield Opened(connection, leases, partial(_tidy, connection, leases))

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to the lake as it is now; it stays so, whatever others write meanwhile.

        Raises FileNotFoundError if there are no facts yet, NewerHome if a later edition wrote them, LakeError.
        """
        opened_catalogue = catalogue(self.libpq)
        if opened_catalogue.ask("SELECT to_regclass('ducklake_snapshot')::text") == [(None,)]:
            raise self._no_facts()
        ((newest,),) = opened_catalogue.ask("SELECT max(snapshot_id) FROM ducklake_snapshot")
        with self._attached({"SNAPSHOT_VERSION": str(newest)}) as connection:
            if check_edition(connection) == 0:
                raise self._no_facts()
            yield connection

    def running(self, newest: str, *, is_locked: bool) -> set[str]:
        """The ids of the runs whose lease has not expired: they are still at work."""
        rows = catalogue(self.libpq).ask("SELECT source_id FROM lease WHERE until > now() AND done_at IS NULL")
        return {name.removeprefix(RUN) for (name,) in rows if name.startswith(RUN)}

    def _no_facts(self) -> FileNotFoundError:
        return FileNotFoundError(f"no facts in {self!r}; `benchhealth init` stores the bundled ones")

    def _making(self) -> Mapping[str, str]:
        if self.data is None:
            return {}
        folder = self.data if self.data.startswith("s3://") else f"{Path(self.data).absolute()}/"
        return {"DATA_PATH": quoted(folder)}

    @contextmanager
    def _attached(self, options: Mapping[str, str]) -> Iterator[duckdb.DuckDBPyConnection]:
        name = fresh_name("lake")
        clauses = ", ".join(f"{key} {value}" for key, value in {"DATA_INLINING_ROW_LIMIT": INLINED, **options}.items())
        telling = partial(lake_errors, self.libpq)
        with closing(engine().cursor()) as connection:
            with telling():
                if self.access is not None:
                    connection.execute(self.access.secret())
                connection.execute(f"ATTACH {quoted(f'ducklake:postgres:{self.libpq}')} AS {name} ({clauses})")
            try:
                with cursors_in(connection, name, telling):
                    yield connection
            finally:
                engine().execute(f"DETACH {name}")

    def _fence(self, why: str) -> None:
        """Alter the tables that every writer of a source appends to: what others have begun cannot be committed."""
        with self._attached({}) as connection:
            if edition_of(connection):
                with_retries(lambda: _comment(connection, why))


def _tidy(connection: duckdb.DuckDBPyConnection, leases: Leases) -> None:
    """One run at a time does it; what another one is at is not done twice."""
    with suppress(Locked), leases.hold("tidying"):
        tidy(connection, database_of(connection))


def _comment(connection: duckdb.DuckDBPyConnection, why: str) -> None:
    with transaction(connection) as cursor:
        for table in _FENCED:
            cursor.execute(f"COMMENT ON TABLE {table} IS {quoted(why)}")
