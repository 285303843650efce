"""A run as everybody sees it: begun and ended in the ledger, its phases timed, what it does in a small file."""

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
from benchhealth.pipeline.watching import lasted, run_id_of
from benchhealth.warehouse.faults import DatabaseFault, masked
from benchhealth.warehouse.store import Store
from benchhealth.warehouse.watch import mark, notes
from benchhealth.warehouse.watch.reasons import PUBLISHING
from benchhealth.warehouse.watch.running import Running, path_of
from benchhealth.warehouse.watch.stands import Phase

Done = TypeVar("Done")
LOGGER = logging.getLogger(__name__)
STATUS = {0: "ok", 1: "failed", 2: "partial"}
OFTEN = 1.0
"""Seconds between two words of a run about its files."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: its exit code, one line for the ledger, and what is left to publish."""

    code: int
    detail: str
    publish: Callable[[], Path] | None = None


class Run:
    """The run at work. What it says in the home is for others to read: a home without room for it stops nothing."""

    def __init__(self, settings: Settings, command: str) -> None:
        started = now()
        self.phases: list[Phase] = []
        self._settings = settings
        self._said_at = 0.0
        self._said = Running(
            run_id=run_id_of(started),
            command=command,
            pid=os.getpid(),
            host=socket.gethostname(),
            version=watching.PROGRAM,
            started_at=started,
            updated_at=started,
        )
        self.say()

    @property
    def run_id(self) -> str:
        """The id of the run in the ledger."""
        return self._said.run_id

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Do a part of the work under this name, timed."""
        began, clock = now(), time.monotonic()
        before = self._said
        self.say(phase=name, phase_started_at=began)
        well = False
        try:
            yield
            well = True
        finally:
            self.phases.append(Phase(self.run_id, name, began, round(time.monotonic() - clock, 3), well))
            self._said = before

    def say(self, *, seldom: bool = False, **news: object) -> None:
        """What the run does now; `seldom` for what may be left out, because more of it comes."""
        self._said = replace(self._said, updated_at=now(), **news)  # type: ignore[arg-type]
        if seldom and time.monotonic() - self._said_at < OFTEN:
            return
        self._said_at = time.monotonic()
        with suppress(OSError):
            notes.write(path_of(self._settings.home), self._said)

    def end(self) -> None:
        """Leave how everything stands, and no word of a run at work."""
        watching.leave(self._settings, tuple(self.phases))
        with suppress(OSError):
            path_of(self._settings.home).unlink(missing_ok=True)

    def summary(self) -> str:
        """How long it took, and its phases: `4 min 12 s (ingest 3 min 10 s, assess 45 s, publish 17 s)`."""
        parts = ", ".join(f"{phase.name} {lasted(phase.seconds)}" for phase in self.phases)
        return f"{lasted(now() - self._said.started_at)}{f' ({parts})' if parts else ''}"


class Told:
    """A progress of sources that also tells the run."""

    def __init__(self, shown: Progress, run: Run, sources: int) -> None:
        self._shown = shown
        self._run = run
        self._sources = sources
        self._done = self._files = self._files_done = 0

    def begin(self, title: str, unit: str = "file") -> None:
        """Note that the run has begun to read this source."""
        self._shown.begin(title, unit)
        self._files = self._files_done = 0
        self._run.say(source=title, sources=self._sources, sources_done=self._done, files=0, files_done=0)

    def expect(self, files: int) -> None:
        """Add this many files to those that are still to be read."""
        self._shown.expect(files)
        self._files += files

    def advance(self, what: str) -> None:
        """One file is done; an archive holds more files than were expected."""
        self._shown.advance(what)
        self._files_done += 1
        self._files = max(self._files, self._files_done)
        self._run.say(seldom=True, files=self._files, files_done=self._files_done)

    def end(self, outcome: str) -> None:
        """Note that the run has finished reading this source."""
        self._shown.end(outcome)
        self._done += 1


class Steps:
    """Is told of the steps of an assessment, and tells them to the run and where they are shown."""

    def __init__(self, shown: Progress, run: Run) -> None:
        self._shown = shown
        self._run = run
        self._done = self._steps = 0

    def __call__(self, position: StepsDone) -> None:
        """Note how far the assessment has come: which steps are computed, and which are at work."""
        names = ", ".join(position.names)
        self._shown.expect(position.steps - self._steps)
        for _ in range(position.done - self._done):
            self._shown.advance(names)
        self._done, self._steps = position.done, position.steps
        self._run.say(steps=position.steps, steps_done=position.done, step=names)


@contextmanager
def stepping(run: Run) -> Iterator[Steps]:
    """What an assessment tells how far it is, while it lasts."""
    with shown_on(sys.stderr) as shown:
        shown.begin("assess", "step")
        yield Steps(shown, run)
        shown.end("computed")


def as_run(settings: Settings, store: Store, command: str, work: Callable[[Run], Outcome]) -> int:
    """Do the work as one run of the ledger and publish what it leaves; a run that raises is on record as failed.

    The run is closed before the generation is whole, so that the generation can say how its own run ended.
    """
    run = Run(settings, command)
    # One that publishes nothing says nothing of the night before it.
    marking = watching.marked(settings.home, run.run_id, command) if command in PUBLISHING else nullcontext()
    try:
        with marking as begun:
            outcome = _outcome(store, command, run, work)
        published = _published(settings, store, run, outcome.publish) if outcome.publish else None
        if begun is not None:
            mark.ended(settings.home, begun, now(), STATUS[outcome.code], outcome.detail)
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


def _published(settings: Settings, store: Store, run: Run, build: Callable[[], Path]) -> Path:
    """Publish; begun on record, as one that is killed cannot say so any more."""
    started = now()
    run_id = run_id_of(started)
    with watching.marked(settings.home, run_id, "publish"):
        store.ledger.start_run(run_id, "publish", started)
        with run.phase("publish"), _failing(store, run_id, "publish"):
            path = build()
        store.ledger.end_run(run_id, now(), "ok", path.name)
    return path


def recorded(settings: Settings, store: Store, command: str, work: Callable[[], Done]) -> Done:
    """What the work returns; only if it raises it is on record as a run of its own."""
    started = now()
    try:
        return work()
    except BaseException:
        run_id = run_id_of(started)
        with watching.marked(settings.home, run_id, command):
            store.ledger.start_run(run_id, command, started)
            with _failing(store, run_id, command):
                raise


@contextmanager
def _failing(store: Store, run_id: str, command: str) -> Iterator[None]:
    """Whatever is raised here ends that run as failed."""
    try:
        yield
    except BaseException as error:
        _end_failed(store, run_id, error)
        LOGGER.error("%s: failed: %s", command, _message(error))
        raise


def _end_failed(store: Store, run_id: str, error: BaseException) -> None:
    """Where the facts cannot say it, as they are what failed, the run has no end and so counts as crashed."""
    with suppress(DatabaseFault):
        store.ledger.end_run(run_id, now(), "failed", _message(error))


def _message(error: BaseException) -> str:
    return masked(f"{type(error).__name__}: {error}")
