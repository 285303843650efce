"""Answers are handed over as they are read, and what is too much at once is asked to come again."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.guard.hosts import Hosts
from benchhealth.dashboard.guard.pace import MOST_AT_ONCE, PIECE, Paced
from benchhealth.dashboard.guard.turns import RETRY_SECONDS
from benchhealth.dashboard.serving.server import application
from tests.support import asgi_client

LARGE = bytes(range(256)) * 4 * PIECE  # 64 MB


class Slow:
    """A reader that takes pieces when it is told to, as a full socket buffer makes a server wait."""

    def __init__(self, takes: int) -> None:
        self.taken: list[int] = []
        self.status = 0
        self._takes = takes

    async def read(self, app: Starlette, path: str) -> None:
        async def send(message: Mapping[str, object]) -> None:
            if message["type"] == "http.response.start":
                self.status = int(str(message["status"]))
                return
            if len(self.taken) >= self._takes:
                await asyncio.sleep(3600)
            self.taken.append(len(message["body"]))  # type: ignore[arg-type]

        async def receive() -> Mapping[str, object]:
            await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
        await app(scope, receive, send)  # type: ignore[arg-type]


def served(stalled_seconds: float = 30.0, patience_seconds: float = 0.1) -> Starlette:
    def large(_request: Request) -> Response:
        return Response(LARGE)

    async def broken(_request: Request) -> Response:
        raise TimeoutError("of the program itself")

    return Starlette(
        routes=[
            Route("/data/large.csv", large),
            Route("/data/broken.csv", broken),
            Route("/data/small.csv", lambda _request: PlainTextResponse("small")),
            Route("/page", lambda _request: PlainTextResponse("page")),
        ],
        middleware=[
            Middleware(Paced, most={"/data/": 2}, stalled_seconds=stalled_seconds, patience_seconds=patience_seconds)
        ],
    )


def test_no_more_than_a_piece_waits_for_a_reader() -> None:
    full_answer = asgi_client.get(served(), "/data/large.csv")
    assert len(full_answer.body) > 0
    reader = Slow(takes=10**6)
    asgi_client.finished(reader.read(served(), "/data/large.csv"))
    assert sum(reader.taken) == len(LARGE)
    assert max(reader.taken) == PIECE


def test_a_reader_who_stops_is_left_and_his_place_is_free_again() -> None:
    app = served(stalled_seconds=0.05)

    async def some() -> list[int]:
        for _ in range(5):
            await Slow(takes=3).read(app, "/data/large.csv")
        last = Slow(takes=10**6)
        await last.read(app, "/data/large.csv")
        return last.taken

    assert sum(asgi_client.finished(some())) == len(LARGE)


def test_beyond_the_limit_a_reader_is_asked_to_come_again_and_pages_go_on() -> None:
    app = served()

    async def crowd() -> tuple[asgi_client.Answer, asgi_client.Answer, asgi_client.Answer]:
        slow = [asyncio.create_task(Slow(takes=1).read(app, "/data/large.csv")) for _ in range(2)]
        await asyncio.sleep(0.05)
        refused, page = await asgi_client.ask(app, "/data/large.csv"), await asgi_client.ask(app, "/page")
        for one in slow:
            one.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        return refused, page, await asgi_client.ask(app, "/data/large.csv")

    refused, page, after = asgi_client.finished(crowd())
    assert (refused.status, refused.headers["retry-after"]) == (503, str(RETRY_SECONDS))
    assert page.status == after.status == 200


def test_a_crowd_of_quick_readers_waits_and_is_served() -> None:
    app = served(patience_seconds=60)

    async def crowd() -> list[asgi_client.Answer]:
        return await asyncio.gather(*(asgi_client.ask(app, "/data/small.csv") for _ in range(40)))

    assert {answer.status for answer in asgi_client.finished(crowd())} == {200}


def test_a_fault_of_the_program_is_not_taken_for_a_slow_reader() -> None:
    with pytest.raises(TimeoutError, match="of the program"):
        asgi_client.get(served(), "/data/broken.csv")


def test_places_are_named_by_how_addresses_begin() -> None:
    assert all(begins.startswith("/") for begins in MOST_AT_ONCE)


def test_the_dashboard_that_is_served_is_paced(tmp_path: Path) -> None:
    app = application(tmp_path, Hosts.of("", "127.0.0.1"))
    assert any(layer.cls is Paced and layer.kwargs == {} for layer in app._user_middleware)
