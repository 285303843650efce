"""Names that lead to this machine and are not its own: refused, for pages, files and the websocket."""

import socket
from collections.abc import Mapping

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from benchhealth.dashboard.guard.hosts import Hosts, HostsError, KnownHosts
from tests.support import asgi_client

FOREIGN = ("evil.example", "evil.example:8501", "localhost.evil.example", "evil.example.", "8.8.8.8", "", "127.0.0.1@e")
MALFORMED = ("localhost:port", "localhost:1:2", "local host", "localhost/x", "[::1", "a\x00b", "\u2024", "localhost#")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8501", "127.0.0.1:9", "[::1]:8501", "[::1]", "localhost."])
def test_loopback_is_always_answered(host: str) -> None:
    assert Hosts.of(None, "127.0.0.1").allows(host)
    assert Hosts.of("bench.example.org", "0.0.0.0").allows(host)


@pytest.mark.parametrize("host", [*FOREIGN, *MALFORMED])
def test_what_nobody_named_is_not(host: str) -> None:
    assert not Hosts.of(None, "127.0.0.1").allows(host)
    assert not Hosts.of("bench.example.org, *.bench.example", "127.0.0.1").allows(host)


def test_names_are_said_and_any_must_be_chosen() -> None:
    named = Hosts.of("bench.example.org, *.bench.example", "10.0.0.7")
    for host in ("bench.example.org", "Bench.Example.Org:443", "a.bench.example", "a.b.bench.example", "10.0.0.7:1"):
        assert named.allows(host), host
    for host in ("bench.example", "xbench.example", "bench.example.org.evil.example", "10.0.0.8"):
        assert not named.allows(host), host
    assert Hosts.of("*", "127.0.0.1").allows("evil.example")
    assert not Hosts.of("*", "127.0.0.1").allows("evil.example/")


def test_bound_to_all_addresses_it_answers_to_each_and_to_no_name() -> None:
    everywhere = Hosts.of(None, "0.0.0.0")
    assert everywhere.allows("10.1.2.3:8501")
    assert everywhere.allows("[fe80::1]:8501")
    assert not everywhere.allows("evil.example")


@pytest.mark.parametrize("setting", ["https://bench.example.org", "bench.example.org:8501", "a b", "**", "*.", "a/b"])
def test_what_is_no_name_is_refused_at_the_start(setting: str) -> None:
    with pytest.raises(HostsError, match="BENCHHEALTH_HOSTS"):
        Hosts.of(setting, "127.0.0.1")


async def _stream(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.close()


APP = Starlette(
    routes=[Route("/", lambda _request: PlainTextResponse("page")), WebSocketRoute("/stream", _stream)],
    middleware=[Middleware(KnownHosts, hosts=Hosts.of("bench.example.org", "127.0.0.1"))],
)


def test_a_foreign_host_is_misdirected_whatever_its_origin() -> None:
    assert asgi_client.get(APP, "/", Host="localhost:8501").status == 200
    assert asgi_client.get(APP, "/", Host="bench.example.org").status == 200
    answer = asgi_client.get(APP, "/", Host="evil.example", Origin="http://evil.example")
    assert answer.status == 421
    assert "BENCHHEALTH_HOSTS" in answer.body
    assert "evil" not in answer.body
    assert asgi_client.get(APP, "/").status == 421, "no host at all"


def opened(headers: Mapping[str, str], scheme: str = "ws") -> str:
    """What becomes of a websocket that is asked for with these headers."""
    sent: list[str] = []

    async def receive() -> Mapping[str, object]:
        return {"type": "websocket.connect"}

    async def send(message: Mapping[str, object]) -> None:
        sent.append(str(message["type"]))

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "websocket", "path": "/stream", "headers": pairs, "query_string": b"", "subprotocols": []}
    asgi_client.finished(APP(scope | {"scheme": scheme}, receive, send))  # type: ignore[arg-type]
    return sent[0].removeprefix("websocket.")


@pytest.mark.parametrize(
    ("host", "origin", "becomes"),
    [
        ("localhost:8501", "http://localhost:8501", "accept"),
        ("bench.example.org", "https://bench.example.org", "accept"),
        ("localhost:8501", None, "accept"),
        ("evil.example:8501", "http://evil.example:8501", "close"),
        ("evil.example:8501", None, "close"),
        ("localhost:8501", "http://localhost:3000", "close"),
        ("localhost:8501", "http://evil.example", "close"),
        ("localhost:8501", "null", "close"),
        ("bench.example.org", "https://[", "close"),
    ],
)
def test_a_websocket_is_opened_by_pages_of_this_very_host(host: str, origin: str | None, becomes: str) -> None:
    assert opened({"host": host, **({"origin": origin} if origin else {})}) == becomes


def test_where_tls_is_spoken_a_page_without_it_opens_none() -> None:
    host = "bench.example.org"
    assert opened({"host": host, "origin": f"https://{host}"}, "wss") == "accept"
    assert opened({"host": host, "origin": f"http://{host}"}, "wss") == "close"
    assert opened({"host": host, "origin": f"https://{host}"}, "ws") == "accept", "TLS ended before"


def asked_of(server: str, head: str) -> str:
    """The first line that the running server answers to these lines."""
    host, _, port = server.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n")
        return connection.recv(4096).decode(errors="replace").split("\r\n", 1)[0]


WEBSOCKET = (
    "GET /_stcore/stream HTTP/1.1\nHost: {host}\nOrigin: http://{origin}\nUpgrade: websocket\nConnection: Upgrade\n"
    "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
)


def test_the_running_dashboard_is_not_rebound(server: str) -> None:
    address = server.removeprefix("http://")
    for path in ("/", "/readyz", "/csv/benchmarks", "/_stcore/health", "/static/x.js", "/_stcore/agent/openapi.json"):
        refused = asked_of(server, f"GET {path} HTTP/1.1\nHost: evil.example\nOrigin: http://evil.example")
        assert " 421 " in refused, path
    assert " 421 " in asked_of(server, f"GET / HTTP/1.1\nHost: evil.example\nX-Forwarded-Host: {address}")
    assert " 101 " in asked_of(server, WEBSOCKET.format(host=address, origin=address))
    assert " 403 " in asked_of(server, WEBSOCKET.format(host="evil.example", origin="evil.example"))
    assert " 403 " in asked_of(server, WEBSOCKET.format(host=address, origin="localhost:3000"))
    assert " 400 " in asked_of(server, f"GET / HTTP/1.1\nHost: {address}\nHost: evil.example"), "two names"
