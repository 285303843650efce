"""One run of a command: its beginning and end in the ledger, its phases timed, its progress in a small file."""

import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from benchhealth.analytics.schedule import StepsDone
from benchhealth.ingest.run.progress import Progress, shown_on
from benchhealth.pipeline import watching
from benchhealth.pipeline.settings import Settings, now
from benchhealth.pipeline.watching import duration_text, run_id_of
from benchhealth.warehouse.faults import DatabaseFault, masked
from benchhealth.warehouse.store import Store
from benchhealth.warehouse.watch import mark, notes
from benchhealth.warehouse.watch.home_state import Phase
from benchhealth.warehouse.watch.reasons import PUBLISHING
from benchhealth.warehouse.watch.running import Running, path_of

Done = TypeVar("Done")
LOGGER = logging.getLogger(__name__)
STATUS = {0: "ok", 1: "failed", 2: "partial"}
SECONDS_BETWEEN_NOTES = 1.0
"""The shortest time between two writings of the file on progress where nothing but a count of files changed."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: its exit code, one line for the ledger, and what is left to publish."""

    code: int
    detail: str
    publish: Callable[[], Path] | None = None


class Run:
    """A run at work. It writes its progress to a file in the home for others to read; a full disk does not stop it."""

    def __init__(self, settings: Settings, command: str) -> None:
        started = now()
        self.phases: list[Phase] = []
        self._settings = settings
        self._written_at = 0.0
        self._state = Running(
            run_id=run_id_of(started),
            command=command,
            pid=os.getpid(),
            host=socket.gethostname(),
            version=watching.PROGRAM,
            started_at=started,
            updated_at=started,
        )
        self.note()

    @property
    def run_id(self) -> str:
        """The id of the run in the ledger."""
        return self._state.run_id

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Do a part of the work under this name, timed."""
        began, clock = now(), time.monotonic()
        before = self._state
        self.note(phase=name, phase_started_at=began)
        ended_well = False
        try:
            yield
            ended_well = True
        finally:
            self.phases.append(Phase(self.run_id, name, began, round(time.monotonic() - clock, 3), ended_well))
            self._state = before

    def note(self, *, skippable: bool = False, **changes: object) -> None:
        """Write what the run does now to its file; `skippable` changes are written once a second at most."""
        self._state = replace(self._state, updated_at=now(), **changes)  # type: ignore[arg-type]
        if skippable and time.monotonic() - self._written_at < SECONDS_BETWEEN_NOTES:
            return
        self._written_at = time.monotonic()
        with suppress(OSError):
            notes.write(path_of(self._settings.home), self._state)

    def end(self) -> None:
        """Write the state of the home, and delete the file on progress."""
        watching.write_state(self._settings, tuple(self.phases))
        with suppress(OSError):
            path_of(self._settings.home).unlink(missing_ok=True)

    def summary(self) -> str:
        """How long it took, and its phases: `4 min 12 s (ingest 3 min 10 s, assess 45 s, publish 17 s)`."""
        phases = ", ".join(f"{phase.name} {duration_text(phase.seconds)}" for phase in self.phases)
        return f"{duration_text(now() - self._state.started_at)}{f' ({phases})' if phases else ''}"


class SourceProgress:
    """Shows the progress through the sources, and notes it in the run's file."""

    def __init__(self, bar: Progress, run: Run, sources: int) -> None:
        self._shown = bar
        self._run = run
        self._sources = sources
        self._done = self._files = self._files_done = 0

    def begin(self, title: str, unit: str = "file") -> None:
        """Note that the run has begun to read this source."""
        self._shown.begin(title, unit)
        self._files = self._files_done = 0
        self._run.note(source=title, sources=self._sources, sources_done=self._done, files=0, files_done=0)

    def expect(self, files: int) -> None:
        """Add this many files to those that are still to be read."""
        self._shown.expect(files)
        self._files += files

    def advance(self, file: str) -> None:
        """One file is done; an archive holds more files than were expected."""
        self._shown.advance(file)
        self._files_done += 1
        self._files = max(self._files, self._files_done)
        self._run.note(skippable=True, files=self._files, files_done=self._files_done)

    def end(self, outcome: str) -> None:
        """Note that the run has finished reading this source."""
        self._shown.end(outcome)
        self._done += 1


class StepProgress:
    """Shows the progress through the steps of an assessment, and notes it in the run's file."""

    def __init__(self, bar: Progress, run: Run) -> None:
        self._shown = bar
        self._run = run
        self._done = self._steps = 0

    def __call__(self, position: StepsDone) -> None:
        """Note how far the assessment has come: which steps are computed, and which are at work."""
        names = ", ".join(position.names)
        self._shown.expect(position.steps - self._steps)
        for _ in range(position.done - self._done):
            self._shown.advance(names)
        self._done, self._steps = position.done, position.steps
        self._run.note(steps=position.steps, steps_done=position.done, step=names)


@contextmanager
def step_progress(run: Run) -> Iterator[StepProgress]:
    """The callback for an assessment's progress, which is shown on standard error while the context lasts."""
    with shown_on(sys.stderr) as bar:
        bar.begin("assess", "step")
        yield StepProgress(bar, run)
        bar.end("computed")


def as_run(settings: Settings, store: Store, command: str, work: Callable[[Run], Outcome]) -> int:
    """Do the work as one run of the ledger and publish what it leaves; a run that raises is on record as failed.

    The run is closed before the generation is whole, so that the generation can say how its own run ended.
    """
    run = Run(settings, command)
    # A command that publishes nothing leaves the mark of the last night as it is.
    marking = watching.mark_run(settings.home, run.run_id, command) if command in PUBLISHING else nullcontext()
    try:
        with marking as begun:
            outcome = _outcome(store, command, run, work)
        published = _publish(settings, store, run, outcome.publish) if outcome.publish else None
        if begun is not None:
            mark.end(settings.home, begun, now(), STATUS[outcome.code], outcome.detail)
        level = logging.WARNING if outcome.code else logging.INFO
        ending = f"; published {published.name}" if published else ""
        LOGGER.log(level, "%s: %s in %s: %s%s", command, _ENDED[outcome.code], run.summary(), outcome.detail, ending)
        return outcome.code
    finally:
        run.end()


def _outcome(store: Store, command: str, run: Run, work: Callable[[Run], Outcome]) -> Outcome:
    store.ledger.start_run(run.run_id, command, now())
    LOGGER.info("%s: begun", command)
    try:
        outcome = work(run)
    except BaseException as error:
        _end_failed(store, run.run_id, error)
        LOGGER.error("%s: failed after %s: %s", command, run.summary(), _message(error))
        raise
    store.ledger.end_run(run.run_id, now(), STATUS[outcome.code], outcome.detail)
    return outcome


_ENDED: Mapping[int, str] = {0: "done", 1: "failed", 2: "done in part"}


def _publish(settings: Settings, store: Store, run: Run, build: Callable[[], Path]) -> Path:
    """Publish as a run of its own. It is on record before it begins, as a killed one could not record itself."""
    started = now()
    run_id = run_id_of(started)
    with watching.mark_run(settings.home, run_id, "publish"):
        store.ledger.start_run(run_id, "publish", started)
        with run.phase("publish"), _failure_recorded(store, run_id, "publish"):
            path = build()
        store.ledger.end_run(run_id, now(), "ok", path.name)
    return path


def recorded_if_failed(settings: Settings, store: Store, command: str, work: Callable[[], Done]) -> Done:
    """What the work returns. Where it raises, a failed run is put on record."""
    started = now()
    try:
        return work()
    except BaseException:
        run_id = run_id_of(started)
        with watching.mark_run(settings.home, run_id, command):
            store.ledger.start_run(run_id, command, started)
            with _failure_recorded(store, run_id, command):
                raise


@contextmanager
def _failure_recorded(store: Store, run_id: str, command: str) -> Iterator[None]:
    """Record the run as failed where anything is raised within the context."""
    try:
        yield
    except BaseException as error:
        _end_failed(store, run_id, error)
        LOGGER.error("%s: failed: %s", command, _message(error))
        raise


def _end_failed(store: Store, run_id: str, error: BaseException) -> None:
    """Record the failure. Where the database itself has failed, the run stays without an end and counts as crashed."""
    with suppress(DatabaseFault):
        store.ledger.end_run(run_id, now(), "failed", _message(error))


def _message(error: BaseException) -> str:
    return masked(f"{type(error).__name__}: {error}")
