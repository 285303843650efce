"""How sources, files and runs stand: asked of the facts where they can be read, else of what the last run left."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import polars as pl

from benchhealth.warehouse.status import reached_table, run_table, trouble_table
from benchhealth.warehouse.watch import notes

FILE = "watch.json"
RUNS_KEPT = 30


@dataclass(frozen=True)
class SourceStands:
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
    """A file whose newest version is not in service: `state` is held or failed, `since` when that began here."""

    source_id: str
    path: str
    state: str
    ref: str
    reason: str
    since: datetime


@dataclass(frozen=True)
class Phase:
    """One part of a run: `ingest`, `assess`, `publish` (`restore` of `init`)."""

    run_id: str
    name: str
    started_at: datetime
    seconds: float
    well: bool


@dataclass(frozen=True)
class RunStands:
    """One run of the ledger."""

    run_id: str
    started_at: datetime
    ended_at: datetime | None
    command: str
    status: str
    detail: str


@dataclass(frozen=True)
class Stands:
    """How everything stood at an instant. `version` is the program's that said so.

    `runs` and `phases` are the newest, oldest first; `last_good` is the last phase of each name that went well.
    """

    at: datetime
    version: str
    sources: tuple[SourceStands, ...]
    kept_out: tuple[KeptOut, ...]
    runs: tuple[RunStands, ...]
    phases: tuple[Phase, ...]
    last_good: tuple[Phase, ...]


def of_facts(home: Path, at: datetime, version: str, live: Mapping[str, str]) -> Stands:
    """How everything stands by the ledger; `live` has the cadence of each live source.

    Raises as `store.reading` does.
    """
    reached = {row["source_id"]: row for row in reached_table(home).iter_rows(named=True)}
    before, runs = left(home), _runs(run_table(home))
    nobody = {"asked_at": None, "reached_at": None}
    return Stands(
        at=at,
        version=version,
        sources=tuple(
            SourceStands(
                source_id=key,
                cadence=live.get(key, ""),
                live=key in live,
                asked_at=reached.get(key, nobody)["asked_at"],
                reached_at=reached.get(key, nobody)["reached_at"],
            )
            for key in sorted({*live, *reached})
        ),
        kept_out=tuple(KeptOut(**row) for row in trouble_table(home).iter_rows(named=True)),
        runs=(*runs, *_off_record(before.runs if before else (), runs)),
        phases=before.phases if before else (),
        last_good=before.last_good if before else (),
    )


def of_runs(runs: pl.DataFrame, at: datetime, version: str) -> Stands:
    """As much as a table `run` alone tells."""
    return Stands(at, version, sources=(), kept_out=(), runs=_runs(runs), phases=(), last_good=())


def _runs(table: pl.DataFrame) -> tuple[RunStands, ...]:
    newest = table.sort("started_at", "run_id").tail(RUNS_KEPT).iter_rows(named=True)
    return tuple(RunStands(**{**row, "detail": row["detail"] or ""}) for row in newest)


def _off_record(left: tuple[RunStands, ...], runs: tuple[RunStands, ...]) -> list[RunStands]:
    """Runs that failed before they could be entered in the ledger, since the last one that was."""
    return [run for run in left if run.status == "failed" and (not runs or run.started_at > runs[-1].started_at)]


def left(home: Path) -> Stands | None:
    """What the last run of this home left; None where none did, and where it cannot be read (`doctor` names that)."""
    try:
        return notes.read(home / FILE, Stands)
    except (notes.UnreadableNote, OSError):
        return None


def leave_failed(home: Path, known: Stands, run: RunStands) -> None:
    """Keep of a run that it failed, where the facts could not be opened to say so. Raises OSError as `leave` does."""
    leave(home, replace(known, runs=(*known.runs, run)[-RUNS_KEPT:]))


def leave(home: Path, stands: Stands) -> None:
    """Keep this for those who cannot ask the facts. Raises OSError where the home cannot be written to."""
    notes.write(home / FILE, stands)
