"""Closes connections on which the head of a request does not come in time: half a head would keep one open for good.

A proxy before the dashboard has such a limit of its own; this is for a dashboard that readers reach without one.
"""

import asyncio

from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 15.0
"""Seconds within which the head of a request must be complete: the proxy's `client_header_timeout`."""


def limit_heads() -> None:
    """Let the server that is started next in this process use `TimedHead`: Streamlit takes uvicorn's default."""
    HTTP_PROTOCOLS["auto"] = f"{TimedHead.__module__}:{TimedHead.__qualname__}"


class TimedHead(H11Protocol):
    """A connection that is closed where the head of a request is not complete after HEAD_SECONDS, however it comes."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the head of the first request."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Stop the timer where the head is complete; begin it anew with the first byte of the next head."""
        super().data_received(data)
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering or self.transport.is_closing() or self.transport.get_protocol() is not self:
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
