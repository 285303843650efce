"""Limits of answers: each is sent only as fast as its reader takes it, and few large ones are under way at once."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from benchhealth.dashboard.guard.headers import AGAIN
from benchhealth.dashboard.guard.turns import RETRY_SECONDS

PIECE = 64 * 2**10
"""Bytes that are sent at a time: about as many wait in memory for a slow reader, however long the answer is."""

STALLED_SECONDS = 30.0
"""A reader who takes no further piece for this long is cut off."""

PATIENCE_SECONDS = 5.0
"""How long a request waits for a free place, which costs a few kilobytes, before it is refused with a 503."""

MOST_AT_ONCE: Mapping[str, int] = MappingProxyType(
    {
        "/data/": 16,
        "/csv/": 16,
        "/chart/": 32,
        "/embed/": 32,
        "/report.": 8,
        "/query.": 16,
        "/reply/": 16,
        "/mcp": 16,
        "/edition/": 16,
    }
)
"""For each beginning of a path: how many answers may be under way at once, being made or being read."""


class Paced:
    """Sends a body piece by piece, each when the one before has gone, and answers 503 where too many are under way."""

    def __init__(
        self,
        app: ASGIApp,
        most: Mapping[str, int] = MOST_AT_ONCE,
        stalled_seconds: float = STALLED_SECONDS,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self.app = app
        self._stalled_seconds = stalled_seconds
        self._patience_seconds = patience_seconds
        self._places = {begins: asyncio.Semaphore(slots) for begins, slots in most.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at a reader's pace; with status 503 where too many answers of this kind are under way."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", "")))
        slots = next((slots for begins, slots in self._places.items() if path.startswith(begins)), None)
        if slots is None:
            await self._answered(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._patience_seconds):
                await slots.acquire()
        except TimeoutError:
            message = f"too many such answers are under way: ask again in {RETRY_SECONDS} seconds\n"
            await PlainTextResponse(message, status_code=503, headers=AGAIN)(scope, receive, send)
            return
        try:
            await self._answered(scope, receive, send)
        finally:
            slots.release()

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_stalled = False

        async def in_time(message: Message) -> None:
            nonlocal is_stalled
            try:
                async with asyncio.timeout(self._stalled_seconds):
                    await send(message)
            except TimeoutError:
                is_stalled = True
                raise

        async def in_pieces(message: Message) -> None:
            body: bytes = message.get("body", b"")
            if len(body) <= PIECE:
                await in_time(message)
                return
            last = (len(body) - 1) // PIECE
            for index in range(last + 1):
                piece = body[index * PIECE : (index + 1) * PIECE]
                await in_time({**message, "body": piece, "more_body": index < last or message.get("more_body", False)})

        try:
            await self.app(scope, receive, in_pieces)
        except Exception:
            # A stalled reader is no error: the server closes the connection of an answer that is not complete.
            if not is_stalled:
                raise
