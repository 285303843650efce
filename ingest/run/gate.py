"""Between what was read and what is stored: a version too far from the last good one waits for a curator."""

from typing import NamedTuple

import polars as pl

from benchhealth.analytics.record.current import CONTINUOUS
from benchhealth.ingest.run.drift import Scales, drift, held_message, released_between
from benchhealth.ingest.run.records import BOUNDED
from benchhealth.ingest.run.source_state import HELD_PREFIX, REFUSED, Saved, SourceState
from benchhealth.ingest.run.walk import board_of, line_of
from benchhealth.ingest.source import DatedTable, Source
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store


class _LastStored(NamedTuple):
    snapshot_id: str
    results: pl.DataFrame


class Gate:
    """Compares each version with the one stored just before it, by the date of the versions, not of the looking.

    So a night and a backfill decide alike, and a curator's breakpoint releases a held version the next time.
    """

    def __init__(self, source: Source, store: Store, state: SourceState, registry: Registry) -> None:
        self._source = source
        self._store = store
        self._state = state
        units = dict(registry.benchmark.select("benchmark_id", "unit").iter_rows())
        self._registered = frozenset(units)
        self._bounded_registered = {benchmark_id for benchmark_id, unit in units.items() if unit in BOUNDED}
        self._continuous = set(registry.benchmark.filter(pl.col("refresh") == CONTINUOUS)["benchmark_id"])
        self._breakpoints = registry.breakpoint
        of_source = registry.refused.filter(pl.col("source_id") == source.key)
        self._refused = {(row["path"], row["version"]): row["reason"] for row in of_source.iter_rows(named=True)}
        self._last_stored = _LastStored("", pl.DataFrame())
        self._unwritten: dict[str, pl.DataFrame] = {}

    def reason_to_refuse(self, saved: Saved) -> str:
        """Why a curator refused this version for good; empty if nobody did."""
        names = (saved.path, board_of(self._source.files, saved.path))
        committed_at = saved.committed_at.replace(microsecond=0)
        versions = (saved.commit, committed_at.isoformat(), committed_at.date().isoformat())
        reasons = (self._refused.get((name, version)) for name in names if name for version in versions)
        reason = next(filter(None, reasons), "")
        return f"{REFUSED}{reason}" if reason else ""

    def reason_to_hold(self, saved: Saved, batch: Batch) -> str:
        """Why the facts of a version must not be stored yet, with what a curator can do; empty if they may be."""
        line = line_of(self._source.files, saved.path)
        if self._is_dated(saved) and self._state.is_said_otherwise(saved, line):
            return f"{HELD_PREFIX}{line}: the edition of {saved.committed_at.date()} is in service with other rows"
        before = self._state.version_before(saved, line)
        if before is None:
            return ""
        since, on = before.observed_at.date(), saved.committed_at.date()
        findings = drift(
            self._results(before.snapshot_id),
            batch.results,
            source_id=self._source.key,
            scales=Scales(self._bounded(batch.benchmarks), self._continuous),
            released=released_between(self._breakpoints, since, on),
        )
        return HELD_PREFIX + held_message(findings, since, on) if findings else ""

    def _is_dated(self, saved: Saved) -> bool:
        """Whether the version is one edition of a table that holds them all, so that its day can come twice."""
        return any(isinstance(file, DatedTable) and file.path == saved.path for file in self._source.files)

    def remember(self, batch: Batch) -> None:
        """Keep what is about to be stored: the next version of a file is compared with it."""
        self._unwritten[batch.snapshot_id] = batch.results
        self._last_stored = _LastStored(batch.snapshot_id, batch.results)

    def written(self) -> None:
        """All that passed is stored; the last of it is still what the next version is most often compared with."""
        self._unwritten.clear()

    def is_superseded(self, saved: Saved) -> bool:
        """Whether a later version of the file, or of the line of dated files that it is part of, is stored."""
        return not self._state.is_newest(saved, line_of(self._source.files, saved.path))

    def _results(self, snapshot_id: str) -> pl.DataFrame:
        if snapshot_id in self._unwritten:
            return self._unwritten[snapshot_id]
        if self._last_stored.snapshot_id != snapshot_id:
            self._last_stored = _LastStored(snapshot_id, self._store.results(snapshot_id))
        return self._last_stored.results

    def _bounded(self, own_benchmarks: pl.DataFrame) -> set[str]:
        """The benchmarks whose scores are fractions; what the registry says of one goes before what the file says."""
        units = own_benchmarks.select("benchmark_id", "unit").iter_rows()
        of_file = {benchmark_id for benchmark_id, unit in units if unit in BOUNDED}
        return self._bounded_registered | (of_file - self._registered)
