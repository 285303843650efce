"""How sources, files and runs stand: asked of the facts where they can be read, else of what the last run left."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.tables import REFUSED
from benchhealth.warehouse.status import kept_out_table, reached_table, run_table
from benchhealth.warehouse.watch import mark, notes, running

FILE = "watch.json"
RUNS_KEPT = 30

SLACK = timedelta(days=1)
"""Clocks of upstreams and of this machine may be so far apart, and days begin earlier in the east."""


@dataclass(frozen=True)
class WatchedSource:
    """One source, with instants of this home. `live`: a night asks an upstream for it, and something new may come.

    `asked_at` is the first time it was asked for here, `reached_at` the last time that it answered; null for never.
    """

    source_id: str
    cadence: str
    live: bool
    asked_at: datetime | None
    reached_at: datetime | None


@dataclass(frozen=True)
class KeptOut:
    """A version of a file that is not in service: the newest one, whose `state` is held or failed, `since` when that
    began here; or one that a curator refused for good (`state` refused), however many came later.

    `version_at` is when it was committed, None where it was never fetched or an earlier edition did not say it.
    """

    source_id: str
    path: str
    state: str
    ref: str
    reason: str
    since: datetime
    board_id: str | None = None
    version_at: datetime | None = None


@dataclass(frozen=True)
class Phase:
    """One part of a run: `ingest`, `assess`, `publish` (`restore` of `init`)."""

    run_id: str
    name: str
    started_at: datetime
    seconds: float
    well: bool


@dataclass(frozen=True)
class RunRecord:
    """One run as the ledger of runs records it."""

    run_id: str
    started_at: datetime
    ended_at: datetime | None
    command: str
    status: str
    detail: str


@dataclass(frozen=True)
class HomeState:
    """How everything stood at an instant. `version` is the program's that said so.

    `kept_out` are files whose newest version is not in service, `refused` versions that a curator refused for good.
    `runs` and `phases` are the newest, oldest first; `last_good` is the last phase of each name that went well.
    """

    at: datetime
    version: str
    sources: tuple[WatchedSource, ...]
    kept_out: tuple[KeptOut, ...]
    runs: tuple[RunRecord, ...]
    phases: tuple[Phase, ...]
    last_good: tuple[Phase, ...]
    refused: tuple[KeptOut, ...] = ()


def of_facts(
    home: Path,
    instant: datetime,
    version: str,
    live: Mapping[str, str],
    board_of: Callable[[str, str], str | None] = lambda _source_id, _path: None,
) -> HomeState:
    """The state of the home by the ledger; `live` has the cadence of each live source, `board_of` the board of a path.

    Raises as `store.reading` does.
    """
    reached = {row["source_id"]: row for row in reached_table(home, instant + SLACK).iter_rows(named=True)}
    before, runs = state_left(home), _runs(run_table(home), instant)
    versions = [KeptOut(**row) for row in kept_out_table(home, board_of).iter_rows(named=True)]
    nobody = {"asked_at": None, "reached_at": None}
    return HomeState(
        at=instant,
        version=version,
        sources=tuple(
            WatchedSource(
                source_id=key,
                cadence=live.get(key, ""),
                live=key in live,
                asked_at=reached.get(key, nobody)["asked_at"],
                reached_at=reached.get(key, nobody)["reached_at"],
            )
            for key in sorted({*live, *reached})
        ),
        kept_out=tuple(version for version in versions if version.state != REFUSED),
        runs=_with(_unwell(home, instant), runs),
        phases=before.phases if before else (),
        last_good=before.last_good if before else (),
        refused=tuple(version for version in versions if version.state == REFUSED),
    )


def of_runs(runs: pl.DataFrame, instant: datetime, version: str) -> HomeState:
    """How the home stands, by the table `run` alone: nothing is known of sources and versions."""
    return HomeState(instant, version, sources=(), kept_out=(), runs=_runs(runs, instant), phases=(), last_good=())


def _runs(table: pl.DataFrame, instant: datetime) -> tuple[RunRecord, ...]:
    """The newest, oldest first; runs of the future, begun by a clock that was ahead, are older than all others."""
    newest = (
        table.sort(pl.col("started_at") <= instant + SLACK, "started_at", "run_id")
        .tail(RUNS_KEPT)
        .iter_rows(named=True)
    )
    return tuple(RunRecord(**{**row, "detail": row["detail"] or ""}) for row in newest)


def state_left(home: Path) -> HomeState | None:
    """The state that the last run of this home left, its mark included; None where nothing can be read.

    `doctor` names what cannot.
    """
    try:
        record = notes.read(home / FILE, HomeState)
    except (notes.UnreadableNote, OSError):
        record = None
    unwell = _unwell(home)
    if unwell is None:
        return record
    if record is None:
        record = HomeState(unwell.started_at, "", sources=(), kept_out=(), runs=(), phases=(), last_good=())
    return replace(record, runs=_with(unwell, record.runs))


def _unwell(home: Path, latest: datetime | None = None) -> RunRecord | None:
    """The last run that publishes, by its mark, where it failed or was killed.

    `at` is an instant that it cannot be later than, whatever the clock was.
    """
    last = mark.read(home)
    if last is None or last.status in ("ok", "partial") or (not last.status and _may_be_alive(home, last)):
        return None
    started = min(last.started_at, latest) if latest else last.started_at
    status = last.status or "crashed"
    return RunRecord(last.run_id, started, last.ended_at, last.command, status, last.detail)


def _may_be_alive(home: Path, last: mark.Mark) -> bool:
    """Whether the run may be alive; also where its lock cannot be read."""
    try:
        return running.is_alive(home, last)
    except OSError:
        return True


def _with(unwell: RunRecord | None, runs: tuple[RunRecord, ...]) -> tuple[RunRecord, ...]:
    """The runs with one that the ledger may lack; where both have it, the record with an end counts."""
    ended = {run.run_id for run in runs if run.status not in ("crashed", "running")}
    if unwell is None or unwell.run_id in ended:
        return runs
    other_runs = (run for run in runs if run.run_id != unwell.run_id)
    return tuple(sorted((*other_runs, unwell), key=lambda run: run.started_at))


def write(home: Path, home_state: HomeState) -> None:
    """Write the state for who cannot read the facts. Raises OSError where the home cannot be written to."""
    notes.write(home / FILE, home_state)
