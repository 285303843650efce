"""Commands over a few real sources, each in a process of its own that can be killed: from outside, or at a named point.

The processes are forked from a server that has imported the program, so that a night begins at once.
"""

import functools
import importlib
import multiprocessing
import os
import random
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from benchhealth.pipeline import cli, night
from benchhealth.pipeline.settings import Settings

BEFORE, AFTER, AMID = "before", "after", "amid"


@dataclass(frozen=True)
class Point:
    """A place in a night: what is called there (`module:name` or `module:class.name`), and when the kill comes.

    `calls` is among how many calls of it one is drawn; `within` how many seconds after its beginning a kill amid it
    comes at the latest.
    """

    phase: str
    where: str
    when: str
    calls: int = 1
    within: float = 0.0


@dataclass(frozen=True)
class Kill:
    """A point, the call of it that is the last, and the seconds from its beginning for one amid it."""

    point: Point
    call: int
    seconds: float

    @classmethod
    def drawn(cls, point: Point, chance: random.Random) -> "Kill":
        return cls(point, chance.randint(1, point.calls), chance.uniform(0, point.within))

    def __str__(self) -> str:
        return f"{self.point.when} {self.point.where}, call {self.call}"


@dataclass(frozen=True)
class Job:
    """One command over some sources, in a home; `environment` says which store. `log` gets what it says."""

    home: Path
    command: str
    sources: Sequence[str]
    mirror: str | None = None
    bundle: Path | None = None
    path: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    kill: Kill | None = None
    patient: bool = True
    as_of: date | None = None

    @property
    def log(self) -> Path:
        return self.home / "log"


_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload([__name__])


def start(job: Job) -> ForkServerProcess:
    """Begin the command; whoever begins it waits for it."""
    job.home.mkdir(parents=True, exist_ok=True)
    process = _server.Process(target=_work, args=(job,))
    with _without_a_script():
        process.start()
    return process


@contextmanager
def _without_a_script() -> Iterator[None]:
    """A process that is begun runs the script of this one first, and Streamlit's tests leave a page in its place."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def finished(job: Job, seconds: float = 600) -> int:
    """The exit code of the command: minus the signal that ended it."""
    process = start(job)
    process.join(seconds)
    assert process.exitcode is not None, f"{job.command} did not end: {job.log.read_text()[-3000:]}"
    return process.exitcode


def _work(job: Job) -> None:
    os.environ.update(job.environment, BENCHHEALTH_HOME=str(job.home))
    with job.log.open("a") as log:
        os.dup2(log.fileno(), 2)
    _only(job.sources)
    if not job.patient:
        _impatient()
    if job.kill:
        _arm(job.kill)
    if job.bundle:
        settings = replace(Settings.from_environment(), bundle=job.bundle)
        cli.Settings.from_environment = lambda: settings  # type: ignore[method-assign]
    sys.exit(cli.main(_arguments(job)))


def _arguments(job: Job) -> list[str]:
    """What a user would type."""
    given = {"--mirror": job.mirror, "--as-of": job.as_of}
    typed = [job.command, *(str(word) for pair in given.items() if pair[1] is not None for word in pair)]
    return [*typed, str(job.path)] if job.path is not None else typed


def _only(keys: Sequence[str]) -> None:
    night.SOURCES = tuple(source for source in night.SOURCES if source.key in keys)


def _impatient() -> None:
    from tests.support.replay import LIKE_A_HOST

    night.Fetcher = functools.partial(night.Fetcher, pace=LIKE_A_HOST)  # type: ignore[assignment,misc]


def _arm(kill: Kill) -> None:
    module, _, name = kill.point.where.partition(":")
    *owners, last = name.split(".")
    owner: Any = functools.reduce(getattr, owners, importlib.import_module(module))
    called, left = getattr(owner, last), iter(range(kill.call, 0, -1))

    @functools.wraps(called)
    def watched(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever is called
        is_last = next(left, 0) == 1
        if is_last and kill.point.when == BEFORE:
            _die()
        if is_last and kill.point.when == AMID:
            threading.Timer(kill.seconds, _die).start()
        answer = called(*arguments, **options)
        if is_last and kill.point.when == AFTER:
            _die()
        return answer

    setattr(owner, last, watched)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
