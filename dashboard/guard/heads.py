"""The head of a request must come within a time: a half-sent one would keep its connection open for good.

The proxy has such a limit of its own; this is for a dashboard that readers reach without one.
"""

import asyncio

from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 15.0
"""Seconds within which the head of a request must be complete: the proxy's `client_header_timeout`."""


def use() -> None:
    """Let the server that is started next in this process read requests so; Streamlit leaves it the choice."""
    HTTP_PROTOCOLS["auto"] = f"{InTime.__module__}:{InTime.__qualname__}"


class InTime(H11Protocol):
    """A connection that is closed where the head of a request is not complete after HEAD_SECONDS, even if it drips."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the head of the first request."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """The limit ends with the head, and begins anew with the first byte of the next."""
        super().data_received(data)
        at_work = self.cycle is not None and not self.cycle.response_complete
        if at_work or self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._stop()
        elif self._limit is None:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of a connection that has ended."""
        self._stop()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._limit = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
