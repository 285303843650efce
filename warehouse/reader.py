"""What a process that lives long reads of a home: the generation in service, else another that is whole."""

import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb

from benchhealth.warehouse.read import Generation, NoGeneration, current_path, generations, open_current, opened


class Reader:
    """The current generation of a home, reopened when a new one is published; for use by many threads.

    Where that cannot be read (its link or its file is gone or damaged), the one that was read before stays, else the
    newest that is whole takes its place: a reader of an old generation is better served than one of none.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.unread: str | None = None
        """Why the generation in service is not the one that is read; None where it is."""
        self._mutex = threading.Lock()
        self._generation: Generation | None = None
        self._refused: tuple[_State, str] | None = None

    def current(self) -> Generation:
        """The generation that is current now; costs one readlink unless it changed.

        A generation handed out before stays open while anyone holds it. Raises NoGeneration if none is whole.
        """
        with self._mutex:
            if self._generation is not None and self._generation.is_damaged:
                self._generation = None
            try:
                self._generation = self._in_service()
                self.unread = None
            except NoGeneration as missing:
                self._generation = self._generation or next(self._readable(), None)
                if self._generation is None:
                    raise
                self.unread = str(missing)
            return self._generation

    def _in_service(self) -> Generation:
        path = current_path(self.home)
        if self._generation is not None and self._generation.path == path:
            return self._generation
        state = _state(path)
        if self._refused and self._refused[0] == state:
            raise NoGeneration(self._refused[1])
        try:
            return open_current(self.home)
        except NoGeneration as missing:
            self._refused = state, str(missing)
            raise

    def _readable(self) -> Iterator[Generation]:
        """The generations that can be read, the newest first."""
        for path in reversed(generations(self.home)):
            try:
                yield opened(path)
            except duckdb.Error:
                continue


def _state(path: Path) -> "_State":
    """The attributes of a file that change when it is repaired."""
    try:
        status = path.stat()
    except OSError:
        return path, None, None
    return path, status.st_mtime_ns, status.st_size


_State = tuple[Path, int | None, int | None]
