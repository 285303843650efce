"""What is not needed of an answer is not read, and the time for connecting is one, however many addresses there are."""

import gzip
import socket
import time
import tracemalloc
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from benchhealth.ingest.network import transport
from benchhealth.ingest.network.fetch import Fetcher, Pace
from benchhealth.ingest.network.payload import Limits, TooSlow, Unchanged, Unreachable
from benchhealth.ingest.network.webhook import WebhookError, post
from tests.ingest.network.test_addresses import named
from tests.ingest.network.test_fetch import BODY, FILE, NOW, OK, Caller
from tests.support.scripted_server import Handler, fixed, serving

UNHURRIED = Limits(wire_bytes=10_000, body_bytes=20_000, attempt_seconds=5, total_seconds=20, stall_seconds=5)
"""A body that drips lasts longer than an attempt."""

BOMB = gzip.compress(b"\0" * 100_000_000, 1)


class Moved:
    """A redirect with a body; `read` is whether somebody took it to its end."""

    def __init__(self, piece: bytes, pieces: int, pause: float = 0.0) -> None:
        self._piece, self._pieces, self._pause = piece, pieces, pause
        self.read = False

    def __call__(self, handler: Handler) -> None:
        handler.head(302, len(self._piece) * self._pieces, Location="/example.org/new")
        for _ in range(self._pieces):
            if self._pause and handler.server_over(self._pause):
                return
            handler.wfile.write(self._piece)
        self.read = True


def dripping() -> Moved:
    return Moved(b"x", 50, 0.2)


def flooding() -> Moved:
    return Moved(b"x" * 2**20, 64)


@pytest.mark.parametrize("moved", [dripping, flooding])
def test_a_redirect_s_body_is_not_read(moved: Callable[[], Moved]) -> None:
    for_fetch, for_hook = moved(), moved()
    with serving(for_fetch, OK) as script:
        assert Caller(script.url, UNHURRIED, attempts=1).body() == BODY
    with serving(for_hook) as script:
        with pytest.raises(WebhookError, match="302"):
            post(script.url, b"{}")
        assert len(script.asked) == 2
    assert (for_fetch.read, for_hook.read) == (False, False)


def test_a_redirect_s_bomb_does_not_go_off() -> None:
    bomb = fixed(302, BOMB, Location="/example.org/new", Content_Encoding="gzip")
    tracemalloc.start()
    try:
        with serving(bomb, OK) as script:
            assert Caller(script.url, attempts=1).body() == BODY
        with serving(bomb) as script, pytest.raises(WebhookError, match="302"):
            post(script.url, b"{}")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def unchanged_for_ever(handler: Handler) -> None:
    handler.head(304, None, Transfer_Encoding="chunked")
    for _ in range(50):
        if handler.server_over(0.2):
            return
        handler.wfile.write(b"1\r\nx\r\n")
    handler.script.answers = [fixed(500)]


def test_what_follows_unchanged_is_not_read() -> None:
    with serving(unchanged_for_ever) as script:
        assert isinstance(Caller(script.url, UNHURRIED).get(etag='"one"'), Unchanged)
        assert script.answers == [unchanged_for_ever]


@pytest.mark.parametrize("status", [200, 302])
def test_no_cookie_is_kept(status: int) -> None:
    cookie = {"Set-Cookie": "a=b; Path=/"} | ({"Location": "/example.org/new"} if status == 302 else {})
    with serving(fixed(status, BODY, **cookie), OK) as script:
        caller = Caller(script.url)
        caller.get()
        caller.get()
    assert [asked.headers.get("Cookie") for asked in script.asked] == [None] * len(script.asked)
    assert len(script.asked) >= 2
    assert list(caller.fetcher._session.cookies) == []


def public_only(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    for variable in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    named(monkeypatch, list(addresses))


def test_all_addresses_of_a_name_have_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    public_only(monkeypatch, *(f"8.8.{number}.8" for number in range(40)))
    waited: list[float] = []

    def silent(connection: socket.socket, _to: object) -> None:
        waited.append(connection.gettimeout() or 1000.0)
        time.sleep(min(waited[-1], 1.0))
        raise TimeoutError

    monkeypatch.setattr(socket.socket, "connect", silent)
    limits = Limits(attempt_seconds=1, total_seconds=1, stall_seconds=1)
    with pytest.raises(TooSlow):
        Fetcher(None, lambda: NOW, pace=Pace(limits, attempts=1)).get(FILE, media_types=("text/plain",))
    assert sum(waited) < 1.5
    assert waited[0] <= 1 / 40


def test_behind_a_silent_address_the_next_one_still_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    public_only(monkeypatch, "8.8.8.8", "8.8.4.4")
    waited: dict[str, float] = {}

    def connect(connection: socket.socket, to: tuple[str, int]) -> None:
        waited[to[0]] = connection.gettimeout() or 1000.0
        if to[0] == "8.8.8.8":
            time.sleep(waited[to[0]])
            raise TimeoutError
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    limits = Limits(attempt_seconds=2, total_seconds=2, stall_seconds=2)
    with pytest.raises(Unreachable):
        Fetcher(None, lambda: NOW, pace=Pace(limits, attempts=1)).get(FILE, media_types=("text/plain",))
    assert waited["8.8.8.8"] <= 1
    assert 0.001 < waited["8.8.4.4"] < 2


def test_a_head_has_what_connecting_left_of_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, cut = socket.socket.connect, transport._cut
    waits: list[float] = []

    def slow(connection: socket.socket, to: tuple[str, int]) -> None:
        time.sleep(0.5)
        connect(connection, to)

    def noted(shutdown: Callable[[], object], seconds: float) -> AbstractContextManager[None]:
        waits.append(seconds)
        return cut(shutdown, seconds)

    monkeypatch.setattr(transport, "_cut", noted)
    monkeypatch.setattr(socket.socket, "connect", slow)
    with serving(OK) as script:
        Caller(script.url, Limits(attempt_seconds=20, total_seconds=20, stall_seconds=20)).get()
    assert waits[0] <= 19.5
