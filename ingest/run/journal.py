"""The ledger as one source's run writes it: what happened to which version of which file, and when."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from benchhealth.ingest.run.source_state import SourceState
from benchhealth.ingest.run.versions import Saved
from benchhealth.warehouse.ledger import Ledger, LedgerEntry

_OF_BYTES = ("started", "fetched")
"""States that speak of bytes alone: they may be on disk before the facts of an earlier version are."""


class Journal:
    """Makes the ledger entries of one source, dated by the clock, and keeps them until they are stored."""

    def __init__(self, source_id: str, state: SourceState, ledger: Ledger, now: Callable[[], datetime]) -> None:
        self._source_id = source_id
        self._state = state
        self._ledger = ledger
        self._now = now
        self._of_bytes: list[LedgerEntry] = []
        self._waiting: list[LedgerEntry] = []

    def entry(self, url: str, path: str, state: str, *, ref: str = "", etag: str = "") -> LedgerEntry:
        """Make an entry of the ledger about an address, without recording it."""
        return LedgerEntry(
            source_id=self._source_id,
            url=url,
            path=path,
            ref=ref,
            etag=etag,
            sha256="",
            state=state,
            detail="",
            at=self._now(),
        )

    def record(self, entry: LedgerEntry) -> None:
        """Append an entry as it is: known to this run at once, on disk with the facts that are stored next."""
        self._state.note(entry)
        (self._of_bytes if entry.state in _OF_BYTES else self._waiting).append(entry)

    def save(self) -> None:
        """Put on disk what bytes came: a run that is killed from here on does not fetch them again."""
        of_bytes, self._of_bytes = self._of_bytes, []
        self._ledger.record(*of_bytes)

    def take_entries(self) -> list[LedgerEntry]:
        """Hand over the entries that are not on disk yet; the caller stores them."""
        unwritten = [*self._of_bytes, *self._waiting]
        self._of_bytes, self._waiting = [], []
        return unwritten

    def record_version(self, saved: Saved, state: str, *, detail: str = "", etag: str = "") -> None:
        """Record how the parsing or storing of a version ended whose bytes are saved."""
        entry = self.entry(saved.url, saved.path, state, ref=saved.commit, etag=etag)
        self.record(replace(entry, sha256=saved.sha256, detail=detail))

    def record_failure(self, url: str, path: str, detail: str, *, ref: str = "") -> None:
        """A failure keeps what the ledger knows of an address: what is stored is still that version."""
        last = self._state.last(url)
        entry = self.entry(url, path, "failed", ref=ref) if last is None else replace(last, path=path, state="failed")
        self.record(replace(entry, detail=detail, at=self._now()))
