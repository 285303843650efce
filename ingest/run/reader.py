"""From saved bytes to stored facts: parse, resolve, hold back what drifted, write; a refusal is on record."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from benchhealth.ingest.names.identity import with_normalised
from benchhealth.ingest.network import raw
from benchhealth.ingest.rows import PayloadError, UnknownFormError
from benchhealth.ingest.run.context import RunContext
from benchhealth.ingest.run.gate import Gate
from benchhealth.ingest.run.report import SourceReport
from benchhealth.ingest.run.resolve import resolve
from benchhealth.ingest.run.source_state import HELD_PREFIX, Journal, Saved, SourceState, snapshot_id
from benchhealth.ingest.run.walk import board_of, line_of
from benchhealth.ingest.source import Source
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.ledger import LedgerEntry

log = logging.getLogger(__name__)

CLOCK_SKEW = timedelta(days=1)
"""How far the clocks of a committer and of this machine may be apart."""

ROWS_AT_ONCE = 30_000
"""Rows that are stored in one transaction, with the version that passes this number; they fit into memory easily."""

LONGEST_UNWRITTEN = timedelta(seconds=2)
"""How long versions that were read may wait to be stored. The next run reads again what a killed run lost."""


class _Read(NamedTuple):
    """A version that was read and is not stored yet."""

    saved: Saved
    batch: Batch


class Reader:
    """Reads the saved versions of one source, and stores what they say some versions at a time."""

    def __init__(
        self, source: Source, context: RunContext, state: SourceState, journal: Journal, report: SourceReport
    ) -> None:
        self._source = source
        self._context = context
        self._state = state
        self._journal = journal
        self._report = report
        self._read_now: set[tuple[str, str]] = set()
        self._refused_anew: set[tuple[str, str]] = set()
        self._units = dict(context.registry.benchmark.select("benchmark_id", "unit").iter_rows())
        self._aliases = with_normalised(context.registry.aliases())
        self._gate = Gate(source, context.store, state, context.registry)
        self._unwritten: list[_Read] = []
        self._flushed_at = context.fetcher.now()

    def read(self, saved: Saved, board_id: str, body: bytes | None = None) -> None:
        """Parse the saved bytes, to store what they say; a refusal is remembered with its reason.

        `body` is the saved bytes where they are at hand.
        """
        self._read_now.add((saved.url, saved.commit))
        try:
            if refused := self._gate.reason_to_refuse(saved):
                self._keep_out(saved, refused)
                return
            _refuse_future(saved, self._context.fetcher.now())
            batch = self._batch(saved, board_id, raw.load(self._context.home, saved.sha256) if body is None else body)
            reason = self._gate.reason_to_hold(saved, batch)
            if reason:
                # Nothing of it is stored; it is read again the next time, beside the breakpoints of then.
                self._keep_out(saved, reason)
                return
        except UnknownFormError as error:
            self._keep_out(saved, f"{HELD_PREFIX}{error}")
        except PayloadError as error:
            self._keep_out(saved, f"refused: {error}")
        except DatabaseFault as error:
            self._keep_out(saved, f"not stored: {error}")
        except Exception as error:
            # A parser's fault must not take the night with it; it is on record with its kind and its traceback.
            log.exception("%s: %s", self._source.key, saved.url)
            self._keep_out(saved, f"{type(error).__name__}: {error}")
        else:
            self._store_later(_Read(saved, batch))

    def flush(self) -> None:
        """Store what was read, and what the ledger says of it, in one transaction."""
        self._flushed_at = self._context.fetcher.now()
        versions, self._unwritten = self._unwritten, []
        entries = self._journal.take_entries()
        if not versions and not entries:
            return
        try:
            new = self._context.store.write_all([version.batch for version in versions], entries)
        except Exception:
            if not versions:
                raise
            new = self._one_by_one(versions, entries)
        self._gate.written()
        for _, batch in versions:
            if batch.snapshot_id in new:
                self._report.snapshots += 1
                self._report.results += batch.results.height
                self._report.rejections += batch.rejections.height

    def read_waiting(self, *, cut_short: bool = False) -> None:
        """Read what is saved but not stored: a run that was `cut_short`, or a parser that has learnt since."""
        for saved in self._state.waiting():
            if (saved.url, saved.commit) in self._read_now or (cut_short and saved.reason):
                continue
            board_id = board_of(self._source.files, saved.path)
            if board_id is not None:
                self.read(saved, board_id)

    def report_broken(self) -> set[str]:
        """Report what was kept out, and return the boards that have a newer version than the one in service.

        Versions that a later good one supersedes are counted. Of a file (or a line of files) whose newest version is
        kept out, the first version that broke is reported: later ones are compared with the same last good version and
        repeat its reason with other numbers, and a curator must look at where it began.
        """
        broken: dict[str, list[Saved]] = {}
        for saved in self._state.waiting():
            if (saved.url, saved.commit) not in self._read_now:
                continue
            if saved.refused:
                self._report.dismissed += 1
            elif self._gate.is_superseded(saved):
                self._report.refused += 1
                self._note_superseded(saved)
            else:
                broken.setdefault(line_of(self._source.files, saved.path) or saved.file, []).append(saved)
        for versions in broken.values():
            self._name_first(versions)
        boards = (board_of(self._source.files, versions[0].path) for versions in broken.values())
        return {board_id for board_id in boards if board_id is not None}

    def _name_first(self, versions: Sequence[Saved]) -> None:
        """Report the first held and the first failed of the versions of one file, which are given oldest first.

        The newest version's kind is recorded last, because the last entry about a file decides its status, and an entry
        "unchanged" may have followed the refusal.
        """
        for is_held in (not versions[-1].held, versions[-1].held):
            first = next((saved for saved in versions if saved.held is is_held), None)
            if first is not None:
                message = (f"{first.url}: {first.reason}",)
                if is_held:
                    self._report.held += message
                else:
                    self._report.errors += message
                outcome = "held back, the last good version stays in service" if is_held else "failed"
                reason = first.reason.removeprefix(HELD_PREFIX)
                log.warning("%s: %s is %s: %s", self._source.key, first.path, outcome, reason)
                self._journal.record_version(first, "held" if is_held else "failed", detail=first.reason)

    def _batch(self, saved: Saved, board_id: str, body: bytes) -> Batch:
        parsed = self._source.parse(body, saved.path)
        resolved = resolve(
            parsed,
            source_id=self._source.key,
            benchmarks=self._units,
            aliases=self._aliases,
            observed_on=saved.committed_at.date(),
        )
        return Batch(
            snapshot_id=snapshot_id(self._source.key, saved.path, saved.commit),
            source_id=self._source.key,
            board_id=board_id,
            observed_at=saved.committed_at,
            fetched_at=saved.fetched_at,
            url=saved.url,
            ref=saved.commit,
            sha256=saved.sha256,
            **vars(resolved),
        )

    def _store_later(self, parsed: _Read) -> None:
        """Keep a version to be stored soon, in one transaction with its entries in the ledger."""
        self._journal.record_version(parsed.saved, "parsed")
        self._journal.record_version(parsed.saved, "written")
        self._state.note_stored(parsed.saved, parsed.batch.board_id)
        self._gate.remember(parsed.batch)
        self._unwritten.append(parsed)
        is_late = self._context.fetcher.now() - self._flushed_at >= LONGEST_UNWRITTEN
        if is_late or sum(version.batch.rows_in for version in self._unwritten) >= ROWS_AT_ONCE:
            self.flush()

    def _one_by_one(self, versions: Sequence[_Read], entries: Sequence[LedgerEntry]) -> set[str]:
        """Store each version alone, so that one that cannot be stored stops no other; the ids of those that are new."""
        new: set[str] = set()
        failed: dict[tuple[str, str], str] = {}
        for saved, batch in versions:
            try:
                new |= self._context.store.write_all([batch])
            except DatabaseFault as error:
                failed[saved.url, saved.commit] = f"not stored: {error}"
            except Exception as error:
                log.exception("%s: %s", self._source.key, saved.url)
                failed[saved.url, saved.commit] = f"{type(error).__name__}: {error}"
        still_true = [entry for entry in entries if entry.state != "written" or (entry.url, entry.ref) not in failed]
        for saved, batch in versions:
            if (saved.url, saved.commit) in failed:
                self._state.note_unstored(saved, batch.board_id)
                self._keep_out(saved, failed[saved.url, saved.commit])
        self._context.store.ledger.record(*still_true, *self._journal.take_entries())
        return new

    def _keep_out(self, saved: Saved, reason: str) -> None:
        """Remember a version that is refused or held, with the reason."""
        with_reason = replace(saved, reason=reason)
        if reason != saved.reason:
            self._journal.record_version(with_reason, with_reason.state, detail=reason)
            self._refused_anew.add((saved.url, saved.commit))
        self._state.note_saved(with_reason)

    def _note_superseded(self, saved: Saved) -> None:
        """Record once that a later version is in service, or the last entry about the file would be the refusal."""
        if self._state.last(saved.file) is None or (saved.url, saved.commit) in self._refused_anew:
            entry = self._journal.entry(saved.file, saved.path, "unchanged", ref=saved.commit)
            self._journal.record(replace(entry, detail="a later version is in service"))


def _refuse_future(saved: Saved, now: datetime) -> None:
    """Raise PayloadError for a version dated in the future, which would hide every later one until that day."""
    if saved.committed_at > now + CLOCK_SKEW:
        raise PayloadError(f"committed at {saved.committed_at}, and by this machine's clock it is {now:%Y-%m-%d %H:%M}")
