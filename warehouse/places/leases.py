"""Leases in the catalogue of a lake: which run works on what, until when; all times are the database's."""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Literal
from uuid import uuid4

import duckdb

from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.places.catalogue import Catalogue, LakeError, NotBegun, with_retries
from benchhealth.warehouse.places.claims import Claims, Done, LeaseLost, Work
from benchhealth.warehouse.sql import quoted, transaction

LOGGER = logging.getLogger(__name__)
RUN = "run "
"""Before the id of a run that shows it goes on."""
POLL = 0.5
"""Seconds between two looks at what others hold."""

Standing = Literal["mine", "done", "theirs"]

CREATE = """
    CREATE TABLE IF NOT EXISTS lease (
        source_id text PRIMARY KEY, worker text NOT NULL, taken_at timestamptz NOT NULL, until timestamptz NOT NULL,
        done_at timestamptz, after text
    );
    CREATE SEQUENCE IF NOT EXISTS ledger_number
"""
"""`done_at` is when the work was finished, null while it is not; `after` names the run whose lease ran out before.

The worker of one that was given back undone is nobody, ''.
"""

_TAKE = """
    INSERT INTO lease AS l VALUES ($name, $worker, now(), now() + $length, NULL, NULL)
    ON CONFLICT (source_id) DO UPDATE SET worker = $worker, taken_at = now(), until = now() + $length, done_at = NULL,
        after = CASE WHEN l.done_at IS NULL AND l.worker NOT IN ('', $worker) THEN l.worker END
    WHERE l.worker = $worker OR l.until <= now() AND (l.done_at IS NULL OR l.done_at < $since)
"""
_DONE, _UNDONE = "until = now(), done_at = now()", "until = now(), worker = ''"
_RENEW = """
    UPDATE lease SET until = now() + $length
    WHERE worker = $worker AND done_at IS NULL AND (source_id IN ($held) OR starts_with(source_id, 'run '))
"""
"""Also where one has run out and nobody has taken it over."""


class Leases(Claims):
    """The claims of one run among others, renewed by a thread until `close`."""

    def __init__(self, catalogue: Catalogue, seconds: float, fence: Callable[[str], None]) -> None:
        """A lease lasts so many seconds after its last renewal.

        `fence` makes every transaction that began before it fail: called after a lease of another run ran out.
        """
        self._catalogue = catalogue
        self._seconds = seconds
        self._fence = fence
        self._worker = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}"
        self._held: set[str] = set()
        self._mutex = threading.Lock()
        ((since,),) = catalogue.ask("SELECT now()::text")
        self._since = str(since)
        self._closed = threading.Event()
        self._renewing = threading.Thread(target=self._keep, name="leases", daemon=True)
        self._renewing.start()

    def close(self) -> None:
        """Stop renewing; leases that this run still holds are free for others at once."""
        self._closed.set()
        self._renewing.join()
        with suppress(DatabaseFault):
            self._do(f"UPDATE lease SET {_UNDONE} WHERE worker = $worker AND done_at IS NULL")  # noqa: S608 - own words

    def each(self, names: Sequence[str]) -> Generator[str, None, None]:
        """See `Claims.each`. What another run has finished since this one began is not worked on again."""
        waiting = list(names)
        reported: set[str] = set()
        while waiting:
            before = len(waiting)
            for name in list(waiting):
                standing = self._take(name, self._since)
                if standing == "theirs":
                    continue
                waiting.remove(name)
                if standing == "mine":
                    yield from self._lent(name)
            if len(waiting) == before:
                if set(waiting) != reported:
                    reported = set(waiting)
                    LOGGER.info("other runs are at work on %s; what they leave is done here", ", ".join(waiting))
                time.sleep(POLL)

    @contextmanager
    def hold(self, *names: str, patience: float = 0) -> Iterator[None]:
        """Hold these names by leases in the catalogue, as `Claims.hold` says."""
        leased: list[str] = []
        try:
            for name in names:
                self._obtain(name, patience)
                leased.append(name)
            yield
            self._free(*leased, done=True)
        finally:
            self._free(*leased, done=False)

    def write(self, connection: duckdb.DuckDBPyConnection, work: Work[Done]) -> Done:
        """See `Claims.write`. Where another run wrote what stands against it, the work is done again.

        What the transaction sees is fixed before the leases are looked at: a run that takes one over afterwards puts
        up a fence, on which this transaction fails.
        """

        def attempt() -> Done:
            begun = False
            try:
                with transaction(connection) as cursor:
                    cursor.execute("SELECT max(edition) FROM edition").fetchall()
                    begun = True
                    self._check()
                    return work(cursor)
            except LakeError as error:
                if begun:
                    raise
                raise NotBegun(str(error)) from None

        return with_retries(attempt)

    def numbers(self, _cursor: duckdb.DuckDBPyConnection, count: int) -> list[int]:
        """See `Claims.numbers`: those of a transaction that fails are not used."""
        rows = self._catalogue.ask(f"SELECT nextval('ledger_number') FROM generate_series(1, {count})")  # noqa: S608 - a number
        return sorted(number for (number,) in rows)

    def begin(self, run_id: str) -> None:
        """See `Claims.begin`; an earlier run of this process that has no end is over."""
        self._do("DELETE FROM lease WHERE worker = $worker AND starts_with(source_id, 'run ')")
        self._do(_TAKE, name=RUN + run_id, since="infinity")

    def end(self, run_id: str) -> None:
        """Give back the lease of the run, as `Claims.end` says."""
        self._do("DELETE FROM lease WHERE source_id = $name", name=RUN + run_id)

    def _obtain(self, name: str, patience: float) -> None:
        """Take a lease, or wait for it while its holder may be dead: one that lives renews it."""
        deadline, first_holder = time.monotonic() + patience, ""
        while self._take(name, "infinity") != "mine":
            holder = self._holder(name)
            if not first_holder:
                first_holder = holder
                LOGGER.info("%r is held by %s; waiting, as that run may be dead", name, holder)
            elif holder != first_holder and time.monotonic() >= deadline:
                raise Locked(f"another run holds {name!r}: {holder}")
            time.sleep(POLL)

    def _lent(self, name: str) -> Iterator[str]:
        done = False
        try:
            yield name
            done = True
        finally:
            self._free(name, done=done)

    def _take(self, name: str, since: str) -> Standing:
        self._do(_TAKE, name=name, since=since)
        ((worker, finished, after),) = self._catalogue.ask(
            f"SELECT worker, done_at IS NOT NULL, after FROM lease WHERE source_id = {quoted(name)}"  # noqa: S608 - own
        )
        if finished:
            return "done"
        if worker != self._worker:
            return "theirs"
        if after is not None:
            LOGGER.warning("%s: the lease of %s ran out, this run goes on with it", name, after)
            self._fence(f"{name} passed from {after} to {self._worker}")
        self._held.add(name)
        return "mine"

    def _free(self, *names: str, done: bool) -> None:
        """Give leases back; one that cannot be given back expires, and its work is done again."""
        for name in self._held & set(names):
            with self._mutex, suppress(DatabaseFault):  # what is free is not renewed
                self._held.discard(name)
                self._do(
                    f"UPDATE lease SET {_DONE if done else _UNDONE} "  # noqa: S608 - own words
                    "WHERE source_id = $name AND worker = $worker AND done_at IS NULL",
                    name=name,
                )

    def _check(self) -> None:
        """Raise LeaseLost where a name that this run holds has been taken over, or may be by the database's clock."""
        if self._lost():
            self._renew()
        if lost := self._lost():
            raise LeaseLost(f"this run was silent for {self._seconds:g} s and lost {', '.join(sorted(lost))}")

    def _lost(self) -> set[str]:
        if not self._held:
            return set()
        own_leases = self._catalogue.ask(
            f"SELECT source_id FROM lease WHERE worker = {quoted(self._worker)} "  # noqa: S608 - own words
            "AND done_at IS NULL AND until > now()"
        )
        return self._held - {name for (name,) in own_leases}

    def _holder(self, name: str) -> str:
        rows = self._catalogue.ask(f"SELECT worker, until::text FROM lease WHERE source_id = {quoted(name)}")  # noqa: S608
        return "; ".join(f"{worker}, until {until}" for worker, until in rows)

    def _keep(self) -> None:
        is_reported = False
        while not self._closed.wait(self._seconds / 3):
            try:
                self._renew()
                is_reported = False
            except DatabaseFault as error:
                if not is_reported:
                    LOGGER.warning("leases are not renewed: %s", error)
                is_reported = True

    def _renew(self) -> None:
        with self._mutex:
            self._do(_RENEW.replace("$held", ", ".join(map(quoted, self._held)) or "NULL"))

    def _do(self, sql: str, *, name: str = "", since: str = "") -> None:
        """Carry out a statement about leases with this run's name and length for their places."""
        for placeholder, text in (("$name", name), ("$worker", self._worker), ("$since", since)):
            sql = sql.replace(placeholder, quoted(text))
        self._catalogue.do(sql.replace("$length", f"interval '{self._seconds} seconds'"))
