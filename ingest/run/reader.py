"""From saved bytes to stored facts: parse, resolve, hold back what drifted, write; a refusal is on record."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ingest.network import raw
from ingest.rows import PayloadError
from ingest.run.context import RunContext
from ingest.run.gate import Gate
from ingest.run.journal import Journal
from ingest.run.report import Tally
from ingest.run.resolve import resolve
from ingest.run.source_state import SourceState
from ingest.run.versions import Saved, snapshot_id
from ingest.run.walk import board_of
from ingest.source import Source
from warehouse.batch import Batch
from warehouse.faults import DatabaseFault

log = logging.getLogger(__name__)

CLOCK_SKEW = timedelta(days=1)
"""How far the clocks of a committer and of this machine may be apart."""


class Reader:
    """Reads the saved versions of one source."""

    def __init__(self, source: Source, context: RunContext, state: SourceState, journal: Journal, tally: Tally) -> None:
        self._source = source
        self._context = context
        self._state = state
        self._journal = journal
        self._tally = tally
        self._tried: set[tuple[str, str]] = set()
        self._refused_anew: set[tuple[str, str]] = set()
        self._units = dict(context.registry.benchmark.select("benchmark_id", "unit").iter_rows())
        self._aliases = context.registry.aliases()
        self._gate = Gate(source, context.store, state, self._units, context.registry.breakpoint)

    def read(self, saved: Saved, board_id: str) -> None:
        """Parse the saved bytes and store what they say; a refusal is remembered with its reason."""
        self._tried.add((saved.url, saved.commit))
        try:
            _refuse_future(saved, self._context.fetcher.now())
            batch = self._batch(saved, board_id)
            held = self._gate.reason_to_hold(saved, batch)
            if held:
                # Nothing of it is stored; it is read again the next time, beside the breakpoints of then.
                self._keep_out(saved, held)
                return
            self._journal.record_version(saved, "parsed")
            new = self._context.store.write(batch)
        except PayloadError as error:
            self._keep_out(saved, f"refused: {error}")
        except DatabaseFault as error:
            self._keep_out(saved, f"not stored: {error}")
        except Exception as error:
            # A parser's fault must not take the night with it; it is on record with its kind and its traceback.
            log.exception("%s: %s", self._source.key, saved.url)
            self._keep_out(saved, f"{type(error).__name__}: {error}")
        else:
            self._stored(saved, batch, new=new)

    def read_waiting(self, *, cut_short: bool = False) -> None:
        """Read what is saved but not stored: a run that was `cut_short`, or a parser that has learnt since."""
        for saved in self._state.waiting():
            if (saved.url, saved.commit) in self._tried or (cut_short and saved.reason):
                continue
            board_id = board_of(self._source.files, saved.path)
            if board_id is not None:
                self.read(saved, board_id)

    def settle(self) -> None:
        """Name the files whose newest version is not in service, each by the first version that broke.

        Later versions of the file are compared with the same last good one and so repeat the reason, with other
        numbers; what a curator must look at is where it began. Counts the versions kept out that are superseded.
        """
        broken: dict[str, list[Saved]] = {}
        for saved in self._state.waiting():
            if (saved.url, saved.commit) not in self._tried:
                continue
            if self._gate.is_superseded(saved):
                self._tally.refused += 1
                self._pass_over(saved)
            else:
                broken.setdefault(saved.file, []).append(saved)
        for versions in broken.values():
            self._name_first(versions)

    def _name_first(self, versions: Sequence[Saved]) -> None:
        """Of the versions of one file, oldest first: name the first held and the first failed one.

        The kind of the newest comes last: the last word about a file decides its status, and "unchanged" may have been
        said after the refusal.
        """
        for held in (not versions[-1].held, versions[-1].held):
            first = next((saved for saved in versions if saved.held is held), None)
            if first is not None:
                (self._tally.held if held else self._tally.errors).append(f"{first.url}: {first.reason}")
                self._journal.record_version(first, "held" if held else "failed", detail=first.reason)

    def _batch(self, saved: Saved, board_id: str) -> Batch:
        parsed = self._source.parse(raw.load(self._context.home, saved.sha256), saved.path)
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
            rows_in=resolved.rows_in,
            results=resolved.results,
            rejections=resolved.rejections,
            models=resolved.models,
            benchmarks=resolved.benchmarks,
            reports=resolved.reports,
            mentions=resolved.mentions,
            names=resolved.names,
        )

    def _stored(self, saved: Saved, batch: Batch, *, new: bool) -> None:
        self._journal.record_version(saved, "written")
        self._state.note_stored(saved, batch.board_id)
        self._gate.stored(batch)
        self._tally.snapshots += new
        self._tally.results += batch.results.height if new else 0
        self._tally.rejections += batch.rejections.height if new else 0

    def _keep_out(self, saved: Saved, reason: str) -> None:
        """A version that is refused or held is remembered with its reason."""
        kept = replace(saved, reason=reason)
        if reason != saved.reason:
            self._journal.record_version(kept, "held" if kept.held else "failed", detail=reason)
            self._refused_anew.add((saved.url, saved.commit))
        self._state.note_saved(kept)

    def _pass_over(self, saved: Saved) -> None:
        """Say once that a later version is in service: else the last word about the file would be the refusal."""
        if self._state.last(saved.file) is None or (saved.url, saved.commit) in self._refused_anew:
            entry = self._journal.entry(saved.file, saved.path, "unchanged", ref=saved.commit)
            self._journal.record(replace(entry, detail="a later version is in service"))


def _refuse_future(saved: Saved, now: datetime) -> None:
    """A version of tomorrow would stand in for every later one until its day comes."""
    if saved.committed_at > now + CLOCK_SKEW:
        raise PayloadError(f"committed at {saved.committed_at}, and by this machine's clock it is {now:%Y-%m-%d %H:%M}")
