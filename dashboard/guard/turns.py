"""Whose turn it is where only one thing can be done at a time: no reader comes before another because he asks more."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count

RETRY_SECONDS = 5
"""After how many seconds a reader who was refused is told to ask again."""
BUSY = f"Others are being answered. Ask again in {RETRY_SECONDS} seconds."


class Busy(Exception):  # noqa: N818 - a state, not a fault
    """Nothing is done for this reader now, with the reason as a sentence: come again in RETRY_SECONDS."""


@dataclass(eq=False)
class _Turn:
    reader: str
    number: int
    begun: "Future[None]" = field(default_factory=Future)


class Turns:
    """A line of `most` wishes at most, `each` of one reader, that wait `seconds` at most; may be shared by threads.

    Next is the reader who had his last turn longest ago, and among those who had none the one who came first. So who
    asks many things at once waits for himself, and another for one thing at most that was begun before.
    """

    def __init__(self, most: int, each: int, seconds: float) -> None:
        self._most, self._each, self._seconds = most, each, seconds
        self._lock, self._numbers = threading.Lock(), count(1)
        self._waiting: list[_Turn] = []
        self._at: _Turn | None = None
        self._last: dict[str, int] = {}

    @contextmanager
    def turn(self, reader: str) -> Iterator[None]:
        """Wait for a turn, which lasts as long as the block. Raises Busy."""
        mine = self._joined(reader)
        try:
            try:
                mine.begun.result(self._seconds)
            except TimeoutError as error:
                raise Busy(BUSY) from error
            yield
        finally:
            self._left(mine)

    @asynccontextmanager
    async def turn_async(self, reader: str) -> AsyncIterator[None]:
        """Wait for the turn of this reader as `turn` does, in a coroutine and without a thread."""
        mine = self._joined(reader)
        try:
            try:
                async with asyncio.timeout(self._seconds):
                    await asyncio.wrap_future(mine.begun)
            except TimeoutError as error:
                raise Busy(BUSY) from error
            yield
        finally:
            self._left(mine)

    def _joined(self, reader: str) -> _Turn:
        with self._lock:
            alike = sum(one.reader == reader for one in self._waiting)
            if len(self._waiting) >= self._most or alike >= self._each:
                raise Busy(BUSY)
            mine = _Turn(reader, next(self._numbers))
            self._waiting.append(mine)
            self._next()
        return mine

    def _left(self, mine: _Turn) -> None:
        with self._lock:
            if self._at is mine:
                self._at = None
            elif mine in self._waiting:
                self._waiting.remove(mine)
            self._next()

    def _next(self) -> None:
        while self._at is None and self._waiting:
            chosen = min(self._waiting, key=lambda one: (self._last.get(one.reader, 0), one.number))
            self._waiting.remove(chosen)
            if chosen.begun.set_running_or_notify_cancel():
                self._at = chosen
                self._last.pop(chosen.reader, None)
                self._last[chosen.reader] = next(self._numbers)
                self._forget()
                chosen.begun.set_result(None)

    def _forget(self) -> None:
        """Of readers who were here before as many others as may wait, nothing is known any more."""
        while len(self._last) > self._most:
            del self._last[next(iter(self._last))]
