"""What a run has for itself while it writes: all of it, or what it has claimed among others."""

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import duckdb

from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.sql import transaction

Done = TypeVar("Done")
Work = Callable[[duckdb.DuckDBPyConnection], Done]
"""What is done with a cursor within one transaction. It may be done again where another writer came between."""


class LeaseLost(Locked):
    """This run was silent for longer than its lease lasts: another one has gone on with what it held."""


class Claims:
    """What of the facts this run may write, and how it writes where others do so at the same time.

    These are the claims of a run that has the facts for itself, by the lock on its home.
    """

    def each(self, names: Sequence[str]) -> Generator[str, None, None]:
        """Those of the names that this run is the one to work on, one after the other; each is its own until the next.

        What another run works on is waited for: if that run dies, its part comes here. Close it where it is left early.
        Here they are all names, since no other run works on any of them.
        """
        yield from names

    def hold(self, *_names: str, patience: float = 0) -> AbstractContextManager[None]:
        """Hold these names exclusively while the context lasts.

        Raises Locked where another run that lives has one of them after `patience` seconds; what a dead one had is
        waited for. Here nothing is to be done, as the lock on the home already keeps others out.
        """
        return nullcontext()

    def write(self, connection: duckdb.DuckDBPyConnection, work: Work[Done]) -> Done:
        """Do the work in one transaction: all or nothing. Raises LeaseLost where this run has lost what it held.

        Here it is done as it is: the lock of the file keeps all other writers out.
        """
        with transaction(connection) as cursor:
            return work(cursor)

    def numbers(self, cursor: duckdb.DuckDBPyConnection, count: int) -> list[int]:
        """Rising numbers for entries of the ledger that were never given to anybody: here, what follows the last."""
        ((last,),) = cursor.sql("SELECT coalesce(max(seq), 0) FROM ledger").fetchall()
        return list(range(last + 1, last + 1 + count))

    def begin(self, run_id: str) -> None:
        """Show others that this run goes on, until its end or its death; here the lock on the home shows it."""

    def end(self, run_id: str) -> None:
        """Let other processes see that this run has ended; here the lock on the home is released with the run."""


class Opened:
    """Facts that are open for writing; for many threads."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, claims: Claims, tidy: Callable[[], None] = lambda: None
    ) -> None:
        self.connection = connection
        self.claims = claims
        self.tidy = tidy
        """Make less of what many runs left behind, where that is needed."""
        self._mutex = threading.Lock()

    def write(self, work: Work[Done]) -> Done:
        """Do the work in one transaction, one at a time: all or nothing. Raises LeaseLost as `Claims.write`."""
        with self._mutex:
            return self.claims.write(self.connection, work)
