"""The ledger: what happened to each file that was fetched, and when each run began and ended. Append-only."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from datetime import datetime

import duckdb
import polars as pl

from benchhealth.warehouse.places.claims import Opened
from benchhealth.warehouse.sql import FACTS, LEDGER, FactError, append, quoted, relation, select

STATES = (
    "started",
    "fetched",
    "parsed",
    "written",
    "published",
    "failed",
    "held",
    "refused",
    "listed",
    "unchanged",
    "pruned",
)


@dataclass(frozen=True)
class LedgerEntry:
    """One step in the life of one fetched file. `at` is naive UTC; empty text means that the step has no such thing."""

    source_id: str
    url: str
    path: str
    ref: str
    etag: str
    sha256: str
    state: str
    detail: str
    at: datetime

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise FactError(f"ledger: unknown state {self.state!r}")


_ENTRY_COLUMNS = ", ".join(f'"{field.name}"' for field in fields(LedgerEntry))


class Ledger:
    """The ledger of a store that is open for writing (`Store.ledger`); may be called from several threads."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._connection = opened.connection

    def record(self, *entries: LedgerEntry) -> None:
        """Append entries, in one transaction; they are on disk when this returns."""
        self._opened.write(lambda cursor: self.append(cursor, entries))

    def append(self, cursor: duckdb.DuckDBPyConnection, entries: Sequence[LedgerEntry]) -> None:
        """Append entries within a transaction of the store."""
        if not entries:
            return
        numbers = self._opened.claims.numbers(cursor, len(entries))
        rows = [(number, *astuple(entry)) for number, entry in zip(numbers, entries, strict=True)]
        append(cursor, "ledger", pl.DataFrame(rows, schema=LEDGER, orient="row"))

    def last(self, url: str) -> LedgerEntry | None:
        """The newest entry of the ledger about a URL; None where it has none."""
        return self.last_of([url]).get(url)

    def last_of(self, urls: Sequence[str]) -> dict[str, LedgerEntry]:
        """The newest entry about each of the URLs that have one."""
        with relation(pl.DataFrame({"url": urls}, schema={"url": pl.String})) as wanted:
            rows = select(
                self._connection,
                f"""
                SELECT {_ENTRY_COLUMNS} FROM ledger SEMI JOIN {wanted} USING (url)
                QUALIFY row_number() OVER (PARTITION BY url ORDER BY seq DESC) = 1
                """,  # noqa: S608 - own
            ).rows()
        return {entry.url: entry for entry in (LedgerEntry(*row) for row in rows)}

    def entries(self, source_id: str) -> pl.DataFrame:
        """All entries of one source, oldest first; schema `facts.LEDGER`, `seq` counts up in the order of recording."""
        return select(
            self._connection,
            f"SELECT * FROM ledger WHERE source_id = {quoted(source_id)} ORDER BY seq",  # noqa: S608 - own
        )

    def start_run(self, run_id: str, command: str, started_at: datetime) -> None:
        """Note that a run began. One without an end stays visible: running while the lock is held, else crashed."""
        started = pl.DataFrame([(run_id, started_at, command)], schema=FACTS["run_start"], orient="row")

        def work(cursor: duckdb.DuckDBPyConnection) -> None:
            if (run_id,) in cursor.sql("SELECT run_id FROM run_start").fetchall():
                raise FactError(f"run {run_id} was already started")
            append(cursor, "run_start", started)

        self._opened.write(work)
        self._opened.claims.begin(run_id)

    def end_run(self, run_id: str, ended_at: datetime, status: str, detail: str) -> None:
        """Note how a run ended. Raises FactError for a run that is not open."""
        ended = pl.DataFrame([(run_id, ended_at, status, detail)], schema=FACTS["run_end"], orient="row")

        def work(cursor: duckdb.DuckDBPyConnection) -> None:
            if (run_id,) not in cursor.sql("SELECT run_id FROM run_start ANTI JOIN run_end USING (run_id)").fetchall():
                raise FactError(f"run {run_id} is not open")
            append(cursor, "run_end", ended)

        self._opened.write(work)
        self._opened.claims.end(run_id)
