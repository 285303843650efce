"""A mirror that answers for some sources and keeps whoever asks of another one waiting."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.source import GithubFile
from tests.support.scripted_server import Handler, passed_on, serving


def _repositories(key: str) -> set[str]:
    (source,) = (source for source in SOURCES if source.key == key)
    return {file.repo for file in source.files if isinstance(file, GithubFile)}


class Gate:
    """What is asked of a source passes once its gate is open."""

    def __init__(self, upstream: str, keys: tuple[str, ...]) -> None:
        self._upstream = upstream
        self._of = {repo: key for key in keys for repo in _repositories(key)}
        self._open = {key: threading.Event() for key in keys}
        self.url = ""

    def open(self, *keys: str) -> None:
        """From now on what is asked of these sources passes, and who waits for it gets it."""
        for key in keys:
            self._open[key].set()

    def open_all(self) -> None:
        """Everything passes."""
        self.open(*self._open)

    def answer(self, handler: Handler) -> None:
        """Answer as the upstream does, when the gate is open or the test is over."""
        key = next(key for repo, key in self._of.items() if f"/{repo}/" in handler.path)
        self._open[key].wait()
        passed_on(handler, self._upstream)


@contextmanager
def gated(upstream: str, keys: tuple[str, ...]) -> Iterator[Gate]:
    """A mirror of the upstream with a gate for each of the sources, all of them closed."""
    gate = Gate(upstream, keys)
    with serving(gate.answer) as script:
        gate.url = script.url
        try:
            yield gate
        finally:
            gate.open_all()
