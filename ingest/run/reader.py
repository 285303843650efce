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
from benchhealth.ingest.run.journal import Journal
from benchhealth.ingest.run.report import SourceReport
from benchhealth.ingest.run.resolve import resolve
from benchhealth.ingest.run.source_state import SourceState
from benchhealth.ingest.run.versions import HELD, Saved, snapshot_id
from benchhealth.ingest.run.walk import board_of, line_of
from benchhealth.ingest.source import Source
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.ledger import LedgerEntry

log = logging.getLogger(__name__)

CLOCK_SKEW = timedelta(days=1)
"""How far the clocks of a committer and of this machine may be apart."""

AT_ONCE = 30_000
"""Rows that are stored in one transaction, with the version that passes this number; so many fit into memory easily."""

AT_LEAST_EVERY = timedelta(seconds=2)
"""How much work a kill may cost: versions that were read and not stored are read again by the next run."""


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
        self._tried: set[tuple[str, str]] = set()
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
        self._tried.add((saved.url, saved.commit))
        try:
            if refused := self._gate.reason_to_refuse(saved):
                self._keep_out(saved, refused)
                return
            _refuse_future(saved, self._context.fetcher.now())
            batch = self._batch(saved, board_id, raw.load(self._context.home, saved.sha256) if body is None else body)
            held = self._gate.reason_to_hold(saved, batch)
            if held:
                # Nothing of it is stored; it is read again the next time, beside the breakpoints of then.
                self._keep_out(saved, held)
                return
        except UnknownFormError as error:
            self._keep_out(saved, f"{HELD}{error}")
        except PayloadError as error:
            self._keep_out(saved, f"refused: {error}")
        except DatabaseFault as error:
            self._keep_out(saved, f"not stored: {error}")
        except Exception as error:
            # A parser's fault must not take the night with it; it is on record with its kind and its traceback.
            log.exception("%s: %s", self._source.key, saved.url)
            self._keep_out(saved, f"{type(error).__name__}: {error}")
        else:
            self._pass(_Read(saved, batch))

    def flush(self) -> None:
        """Store what was read, and what the ledger says of it, in one transaction."""
        self._flushed_at = self._context.fetcher.now()
        read, self._unwritten = self._unwritten, []
        entries = self._journal.taken()
        if not read and not entries:
            return
        try:
            new = self._context.store.write_all([one.batch for one in read], entries)
        except Exception:
            if not read:
                raise
            new = self._one_by_one(read, entries)
        self._gate.written()
        for _, batch in read:
            if batch.snapshot_id in new:
                self._report.snapshots += 1
                self._report.results += batch.results.height
                self._report.rejections += batch.rejections.height

    def read_waiting(self, *, cut_short: bool = False) -> None:
        """Read what is saved but not stored: a run that was `cut_short`, or a parser that has learnt since."""
        for saved in self._state.waiting():
            if (saved.url, saved.commit) in self._tried or (cut_short and saved.reason):
                continue
            board_id = board_of(self._source.files, saved.path)
            if board_id is not None:
                self.read(saved, board_id)

    def settle(self) -> set[str]:
        """Name the files (or lines of them) whose newest version is not in service, by the first version that broke.

        Later versions of the file are compared with the same last good one and so repeat the reason, with other
        numbers; what a curator must look at is where it began. Counts the versions kept out that are superseded.
        Returns the boards of which something newer is kept out than what is in service.
        """
        broken: dict[str, list[Saved]] = {}
        for saved in self._state.waiting():
            if (saved.url, saved.commit) not in self._tried:
                continue
            if saved.refused:
                self._report.dismissed += 1
            elif self._gate.is_superseded(saved):
                self._report.refused += 1
                self._pass_over(saved)
            else:
                broken.setdefault(line_of(self._source.files, saved.path) or saved.file, []).append(saved)
        for versions in broken.values():
            self._name_first(versions)
        boards = (board_of(self._source.files, versions[0].path) for versions in broken.values())
        return {board_id for board_id in boards if board_id is not None}

    def _name_first(self, versions: Sequence[Saved]) -> None:
        """Of the versions of one file, oldest first: name the first held and the first failed one.

        The kind of the newest comes last: the last word about a file decides its status, and "unchanged" may have been
        said after the refusal.
        """
        for held in (not versions[-1].held, versions[-1].held):
            first = next((saved for saved in versions if saved.held is held), None)
            if first is not None:
                message = (f"{first.url}: {first.reason}",)
                if held:
                    self._report.held += message
                else:
                    self._report.errors += message
                outcome = "held back, the last good version stays in service" if held else "failed"
                reason = first.reason.removeprefix(HELD)
                log.warning("%s: %s is %s: %s", self._source.key, first.path, outcome, reason)
                self._journal.record_version(first, "held" if held else "failed", detail=first.reason)

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

    def _pass(self, read: _Read) -> None:
        """Keep a version to be stored; what the ledger says of it goes to the disk with its facts, or not at all."""
        self._journal.record_version(read.saved, "parsed")
        self._journal.record_version(read.saved, "written")
        self._state.note_stored(read.saved, read.batch.board_id)
        self._gate.passed(read.batch)
        self._unwritten.append(read)
        late = self._context.fetcher.now() - self._flushed_at >= AT_LEAST_EVERY
        if late or sum(one.batch.rows_in for one in self._unwritten) >= AT_ONCE:
            self.flush()

    def _one_by_one(self, read: Sequence[_Read], entries: Sequence[LedgerEntry]) -> set[str]:
        """Store each version alone, so that one that cannot be stored costs itself; the ids of those that are new."""
        new: set[str] = set()
        failed: dict[tuple[str, str], str] = {}
        for saved, batch in read:
            try:
                new |= self._context.store.write_all([batch])
            except DatabaseFault as error:
                failed[saved.url, saved.commit] = f"not stored: {error}"
            except Exception as error:
                log.exception("%s: %s", self._source.key, saved.url)
                failed[saved.url, saved.commit] = f"{type(error).__name__}: {error}"
        right = [entry for entry in entries if entry.state != "written" or (entry.url, entry.ref) not in failed]
        for saved, batch in read:
            if (saved.url, saved.commit) in failed:
                self._state.note_unstored(saved, batch.board_id)
                self._keep_out(saved, failed[saved.url, saved.commit])
        self._context.store.ledger.record(*right, *self._journal.taken())
        return new

    def _keep_out(self, saved: Saved, reason: str) -> None:
        """A version that is refused or held is remembered with its reason."""
        with_reason = replace(saved, reason=reason)
        if reason != saved.reason:
            self._journal.record_version(with_reason, with_reason.state, detail=reason)
            self._refused_anew.add((saved.url, saved.commit))
        self._state.note_saved(with_reason)

    def _pass_over(self, saved: Saved) -> None:
        """Say once that a later version is in service: else the last word about the file would be the refusal."""
        if self._state.last(saved.file) is None or (saved.url, saved.commit) in self._refused_anew:
            entry = self._journal.entry(saved.file, saved.path, "unchanged", ref=saved.commit)
            self._journal.record(replace(entry, detail="a later version is in service"))


def _refuse_future(saved: Saved, now: datetime) -> None:
    """A version of tomorrow would stand in for every later one until its day comes."""
    if saved.committed_at > now + CLOCK_SKEW:
        raise PayloadError(f"committed at {saved.committed_at}, and by this machine's clock it is {now:%Y-%m-%d %H:%M}")
