"""A fair queue for work that is done one piece at a time: no reader is served first for asking more often."""

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
    """The queue is full or the wait was too long; the message tells the reader to ask again in RETRY_SECONDS."""


@dataclass(eq=False)
class _Turn:
    reader: str
    number: int
    begun: "Future[None]" = field(default_factory=Future)


class Turns:
    """A queue of at most `most` requests, `per_reader` of one reader, which wait `seconds` at most; safe for threads.

    The next turn goes to the reader whose last turn was longest ago; a reader without one comes before, first come,
    first served. So the requests of a reader who sends many wait for one another, and others wait for one at most.
    """

    def __init__(self, most: int, per_reader: int, seconds: float) -> None:
        self._most, self._per_reader, self._seconds = most, per_reader, seconds
        self._lock, self._numbers = threading.Lock(), count(1)
        self._waiting: list[_Turn] = []
        self._current: _Turn | None = None
        self._last: dict[str, int] = {}

    @contextmanager
    def turn(self, reader: str) -> Iterator[None]:
        """Wait for a turn, which lasts as long as the block. Raises Busy."""
        turn = self._join(reader)
        try:
            try:
                turn.begun.result(self._seconds)
            except TimeoutError as error:
                raise Busy(BUSY) from error
            yield
        finally:
            self._leave(turn)

    @asynccontextmanager
    async def turn_async(self, reader: str) -> AsyncIterator[None]:
        """Wait for the turn of this reader as `turn` does, in a coroutine and without a thread."""
        turn = self._join(reader)
        try:
            try:
                async with asyncio.timeout(self._seconds):
                    await asyncio.wrap_future(turn.begun)
            except TimeoutError as error:
                raise Busy(BUSY) from error
            yield
        finally:
            self._leave(turn)

    def _join(self, reader: str) -> _Turn:
        with self._lock:
            waiting_of_reader = sum(waiting.reader == reader for waiting in self._waiting)
            if len(self._waiting) >= self._most or waiting_of_reader >= self._per_reader:
                raise Busy(BUSY)
            turn = _Turn(reader, next(self._numbers))
            self._waiting.append(turn)
            self._next()
        return turn

    def _leave(self, turn: _Turn) -> None:
        with self._lock:
            if self._current is turn:
                self._current = None
            elif turn in self._waiting:
                self._waiting.remove(turn)
            self._next()

    def _next(self) -> None:
        while self._current is None and self._waiting:
            chosen = min(self._waiting, key=lambda turn: (self._last.get(turn.reader, 0), turn.number))
            self._waiting.remove(chosen)
            if chosen.begun.set_running_or_notify_cancel():
                self._current = chosen
                self._last.pop(chosen.reader, None)
                self._last[chosen.reader] = next(self._numbers)
                self._forget()
                chosen.begun.set_result(None)

    def _forget(self) -> None:
        """Forget the last turn of all but the `most` readers who had theirs most recently."""
        while len(self._last) > self._most:
            del self._last[next(iter(self._last))]
