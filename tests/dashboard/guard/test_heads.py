"""The head of a request comes within its time, or the connection ends; nothing else is cut short."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
import uvicorn
from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.server import ServerState

from benchhealth.dashboard.guard import heads
from benchhealth.dashboard.guard.heads import TimedHead
from benchhealth.dashboard.serving.server import serve
from tests.support import asgi_client

LIMIT = 0.1
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def app(scope: dict[str, Any], _receive: object, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    if scope["query_string"]:
        await asyncio.sleep(3 * LIMIT)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"said"})


@asynccontextmanager
async def served() -> AsyncIterator[int]:
    config = uvicorn.Config(app, http=TimedHead, log_config=None)  # type: ignore[arg-type]
    config.load()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: TimedHead(config, ServerState(), {}), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


def talked(talk: Talk) -> None:
    async def run() -> None:
        async with served() as port, asyncio.timeout(60):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await talk(reader, writer)
            finally:
                writer.close()

    asgi_client.finished(run())


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", LIMIT)


async def answered(reader: asyncio.StreamReader) -> None:
    assert (await reader.readuntil(b"said")).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\n", REQUEST[:-2]])
def test_half_a_head_is_not_waited_for(begun: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begun)
        assert await reader.read() == b""

    talked(talk)


def test_a_head_that_drips_has_no_more_time() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def drips() -> None:
            writer.write(REQUEST[:-2])
            while not writer.is_closing():
                writer.write(b"X-Drip: 1\r\n")
                await asyncio.sleep(LIMIT / 5)

        dripping = asyncio.create_task(drips())
        try:
            assert await reader.read() == b""
        except ConnectionResetError:
            pass
        finally:
            dripping.cancel()

    talked(talk)


def test_the_next_head_has_its_own_time() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):
            writer.write(REQUEST)
            await answered(reader)
            await asyncio.sleep(2 * LIMIT)
        writer.write(REQUEST[:20])
        assert await reader.read() == b""

    talked(talk)


def test_an_answer_that_takes_long_is_waited_for() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(REQUEST.replace(b"GET /", b"GET /?slow"))
        await answered(reader)

    talked(talk)


def test_the_dashboard_is_served_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HTTP_PROTOCOLS, "auto", HTTP_PROTOCOLS["auto"])
    monkeypatch.setattr(st.App, "run", lambda _self, config: None)
    serve(tmp_path, 0)
    config = uvicorn.Config(app)  # type: ignore[arg-type]
    config.load()
    assert config.http_protocol_class is TimedHead
