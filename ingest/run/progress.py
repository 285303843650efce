"""How long work tells where it is: a bar on a terminal, plain log lines elsewhere."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, Protocol, TextIO

from tqdm import tqdm

log = logging.getLogger(__name__)


class Progress(Protocol):
    """Receives the beginning and end of each source, the number of files to expect, and each file done."""

    def begin(self, title: str, unit: str = "file") -> None:
        """A source is taken up, or other work of as many units."""

    def expect(self, files: int) -> None:
        """Add this many files to those that are still to be read."""

    def advance(self, file: str) -> None:
        """Count one file as read."""

    def end(self, outcome: str) -> None:
        """The source is done; `outcome` is one line."""


class Lines:
    """One log line when a source begins, one for every hundred files, one when it ends."""

    EVERY = 100

    def __init__(self) -> None:
        self._title = self._unit = ""
        self._done = 0
        self._expected = 0

    def begin(self, title: str, unit: str = "file") -> None:
        """Begin to count the files of a source, and log it."""
        self._title, self._unit, self._done, self._expected = title, unit, 0, 0
        log.info("%s: begun", title)

    def expect(self, files: int) -> None:
        """Add this many files to those that are expected."""
        self._expected += files

    def advance(self, file: str) -> None:
        """Count one file as done, and log where a hundred are."""
        self._done += 1
        if self._done % self.EVERY == 0:
            expected = max(self._expected, self._done)
            log.info("%s: %d of %d %ss, now %s", self._title, self._done, expected, self._unit, file)

    def end(self, outcome: str) -> None:
        """Print or log how the run of the source ended."""
        log.info("%s: %s", self._title, outcome)


class Bar:
    """One bar for each source; log lines appear above it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: tqdm[NoReturn] | None = None
        self._title = ""
        self._expected = 0

    def begin(self, title: str, unit: str = "file") -> None:
        """Draw the bar of a source."""
        self._title, self._expected = title, 0
        self._bar = tqdm(total=0, desc=title, unit=unit, file=self._stream, leave=False, dynamic_ncols=True)

    def expect(self, files: int) -> None:
        """Lengthen the bar by files that are still to be read."""
        self._expected += files
        if self._bar is not None:
            self._bar.total = self._expected
            self._bar.refresh()

    def advance(self, file: str) -> None:
        """Move the bar by one file; an archive holds more files than were expected."""
        if self._bar is not None:
            self._expected = max(self._expected, int(self._bar.n) + 1)
            self._bar.total = self._expected
            self._bar.set_postfix_str(file[-40:], refresh=False)
            self._bar.update()

    def end(self, outcome: str) -> None:
        """Take the bar away and leave one line."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        log.info("%s: %s", self._title, outcome)


@contextmanager
def shown_on(stream: TextIO) -> Iterator[Progress]:
    """The progress for a stream: a bar if it is a terminal, with log lines kept clear of it."""
    if not stream.isatty():
        yield Lines()
        return
    from tqdm.contrib.logging import logging_redirect_tqdm  # noqa: PLC0415 - in a notebook it warns as it is imported

    with logging_redirect_tqdm():
        yield Bar(stream)
