"""How this home stands, with what the catalogue knows of sources: asked by `status`, left by each run for others."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from benchhealth.analytics.change.cadences import every
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.run import walk
from benchhealth.ingest.source import ENDED, BundledFile, Source
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.places.catalogue import LakeError
from benchhealth.warehouse.read import Generation
from benchhealth.warehouse.watch import home_state, mark
from benchhealth.warehouse.watch.home import alarms
from benchhealth.warehouse.watch.home_state import HomeState, Phase
from benchhealth.warehouse.watch.mark import Mark
from benchhealth.warehouse.watch.reasons import Reason, gone, not_reached

LOGGER = logging.getLogger(__name__)

NOT_ASKED = (Locked, FileNotFoundError, LakeError)
"""Why facts are not asked although nothing is wrong with them."""

PROGRAM = version("benchhealth")


def is_live(source: Source) -> bool:
    """Whether a night asks an upstream for the source, and something new may come from there."""
    bundled = all(isinstance(files, BundledFile) for files in source.files)
    return source.default and source.kind not in ENDED and not bundled and every(source.cadence) is not None


def live() -> dict[str, str]:
    """How often each source that is still updated is asked, by its key."""
    return {source.key: source.cadence for source in SOURCES if is_live(source)}


def board_of(source_id: str, path: str) -> str | None:
    """The board that a file of a source feeds; None where the catalogue does not cover it (any more)."""
    source = next((source for source in SOURCES if source.key == source_id), None)
    return walk.board_of(source.files, path) if source else None


def home_state_now(settings: Settings, generation: Generation) -> tuple[HomeState, Exception | None]:
    """The present state of the home, and the error that kept the facts from being read; None without one.

    While a run keeps the facts to itself, where there are none and while a lake cannot be reached, it is what the last
    run left, or else the runs that the generation knows. Raises as `store.reading` does for anything else.
    """
    facts, unread = home_state_if_any(settings)
    return facts or home_state.of_runs(generation.table("run"), now(), PROGRAM), unread


def home_state_if_any(settings: Settings) -> tuple[HomeState | None, Exception | None]:
    """As `home_state_now`, where there may be no generation: None where no run has left anything either."""
    try:
        return home_state.of_facts(settings.home, now(), PROGRAM, live(), board_of), None
    except NOT_ASKED as error:
        return home_state.state_left(settings.home), error


def reasons(
    settings: Settings, facts: HomeState | None, instant: datetime, unread: Exception | None
) -> tuple[Reason, ...]:
    """Every reason for which a hand is needed at an instant; `unread` is why the facts were not asked.

    A home that follows an address of generations has no facts by right: no run was ever at work there.
    """
    needing = alarms(settings.home, facts, instant, trying=True)
    if isinstance(unread, LakeError):
        return (*needing, not_reached(str(unread)))
    if isinstance(unread, FileNotFoundError) and home_state.state_left(settings.home):
        return (*needing, gone())
    return needing


def mark_failed_night(settings: Settings, why: str) -> None:
    """Mark a night that failed before it began, as the facts could not be opened; the next that publishes replaces it.

    Never raises for a home that cannot be written.
    """
    instant = now()
    begun = mark.begin(settings.home, run_id_of(instant), "nightly", PROGRAM, instant)
    mark.end(settings.home, begun, instant, "failed", why)


@contextmanager
def mark_run(home: Path, run_id: str, command: str) -> Iterator[Mark]:
    """Mark that a run begins and how it ends, for a process that cannot read the ledger or does not find it there."""
    begun = mark.begin(home, run_id, command, PROGRAM, now())
    try:
        yield begun
    except BaseException as error:
        mark.end(home, begun, now(), "failed", f"{type(error).__name__}: {error}")
        raise
    mark.end(home, begun, now(), "ok", "")


def write_state(settings: Settings, phases: tuple[Phase, ...]) -> None:
    """Write the state of the home to its file, with the phases of the run that ends, for who cannot read the facts.

    Never raises for a home that cannot be written or read: the run is over, and what it did is in the ledger.
    """
    try:
        current = home_state.of_facts(settings.home, now(), PROGRAM, live(), board_of)
        good = {phase.name: phase for phase in (*current.last_good, *phases) if phase.well}
        runs = {run.run_id for run in current.runs}
        phases_of_runs = tuple(phase for phase in (*current.phases, *phases) if phase.run_id in runs)
        home_state.write(settings.home, replace(current, phases=phases_of_runs, last_good=tuple(good.values())))
    except (OSError, DatabaseFault, Locked) as problem:
        LOGGER.warning("%s could not be written: %s", home_state.FILE, problem)


def run_id_of(started: datetime) -> str:
    """The id of the run that this process began at an instant."""
    return f"{started:%Y%m%dT%H%M%S.%f}-{os.getpid()}"


def duration_text(time: timedelta | float) -> str:
    """A span of time as people say it: `4 min 12 s`."""
    seconds = time.total_seconds() if isinstance(time, timedelta) else time
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"
