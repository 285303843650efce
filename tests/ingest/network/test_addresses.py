"""What leads to machines that only this one can reach is not asked for anything, however it is spelt."""

import socket
import struct

import pytest

from benchhealth.ingest.network.addresses import NotPublic, is_public, leads_inside, public_addresses
from benchhealth.ingest.network.fetch import Fetcher, Pace
from benchhealth.ingest.network.payload import BadRedirect, FetchError, Limits, TooLarge, TooSlow, Unreachable
from tests.ingest.network.test_fetch import NOW, OK, Caller
from tests.support.scripted_server import Answer, Handler, fixed, serving

PRIVATE = (
    *("127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254"),
    *("192.0.0.192", "224.0.0.1", "240.0.0.1", "255.255.255.255", "168.63.129.16", "100.100.100.200", "192.0.2.1"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1"),
    *("::7f00:1", "::127.0.0.1", "::ffff:0:7f00:1", "64:ff9b:1::7f00:1", "fec0::1", "3fff::1", "5f00::1", "4000::1"),
    *("2001:db8::1", "2001:20::1", "100::1", "::ffff:a9fe:a9fe", "2002:a9fe:a9fe::"),
    *("::ffff:10.0.0.1", "2002:7f00:1::", "2002:a00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2001:0:1::1"),
)
PUBLIC = (
    "8.8.8.8",
    "::ffff:8.8.8.8",
    "2a00:1450:4001::1",
    "140.82.121.4",
    "2606:50c0:8000::153",
    "64:ff9b::808:808",
    "2002:808:808::1",
)
LITERAL = (
    *("https://127.0.0.1/", "https://localhost/", "https://LOCALHOST./", "https://a.localhost:8443/", "https://[::1]/"),
    *("https://169.254.169.254/latest/meta-data/", "https://metadata.google.internal/", "https://printer.local/"),
    *("https://[::ffff:127.0.0.1]/", "https://10.0.0.1:22/", "https://[fd00:ec2::254]/latest/"),
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_known_as_such(address: str) -> None:
    assert not is_public(address)
    assert leads_inside(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_ones_too(address: str) -> None:
    assert is_public(address)
    assert not leads_inside(address)


@pytest.mark.parametrize("location", LITERAL)
def test_a_redirect_inside_is_refused_through_a_mirror_and_without(location: str) -> None:
    with serving(fixed(302, Location=location), OK) as script:
        caller = Caller(script.url)
        with pytest.raises(BadRedirect):
            caller.get()
        assert len(script.asked) == 1
        assert caller.pauses == []
    with pytest.raises(BadRedirect):
        Fetcher(None, lambda: NOW).get(location, media_types=("text/plain",))


def named(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names resolve to these addresses, one list a question, the last for ever; what was asked for."""
    asked: list[str] = []
    left = list(answers)

    def getaddrinfo(host: str, port: int, *_rest: object, **_named: object) -> list[tuple[object, ...]]:
        asked.append(host)
        addresses = [host] if host[0].isdigit() else left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["169.254.169.254"]])
def test_a_name_that_leads_inside_is_refused_before_anything_is_sent(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    named(monkeypatch, addresses)
    connected: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _self, to: connected.append(to))
    with pytest.raises(NotPublic):
        public_addresses("upstream.example", 443)
    pauses: list[float] = []
    with pytest.raises(BadRedirect, match="not public"):
        Fetcher(None, lambda: NOW, pace=Pace(sleep=pauses.append)).get(
            "https://upstream.example/board.csv", media_types=("text/plain",)
        )
    assert connected == pauses == []


def test_a_name_that_changes_between_look_and_connection_gains_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address that was looked at is connected to: the name is not asked for again."""
    for variable in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    asked = named(monkeypatch, ["8.8.8.8", "8.8.4.4"], ["127.0.0.1"])
    connected: list[tuple[str, int]] = []

    def connect(_self: socket.socket, to: tuple[str, int]) -> None:
        connected.append(to)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(Unreachable):
        Fetcher(None, lambda: NOW, pace=Pace(attempts=1)).get(
            "https://upstream.example/board.csv", media_types=("text/plain",)
        )
    assert connected == [("8.8.8.8", 443), ("8.8.4.4", 443)]
    assert asked.count("upstream.example") == 1


def refused(mirror: str | None) -> str:
    """What is said of one attempt that gets no connection."""
    with pytest.raises(Unreachable) as raised:
        Fetcher(mirror, lambda: NOW, pace=Pace(attempts=1)).get(
            "https://upstream.example/board.csv", media_types=("text/plain",)
        )
    return str(raised.value)


def test_a_connection_that_is_refused_is_said_in_words_and_by_whom() -> None:
    message = refused("http://name:password@127.0.0.1:9")
    assert message == "https://upstream.example/board.csv: Connection refused (errno 111), at 127.0.0.1:9"


def test_a_name_that_is_not_known_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_rest: object, **_named: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    for variable in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    end = "name not found (Name or service not known), at"
    assert refused(None) == f"https://upstream.example/board.csv: {end} upstream.example"
    assert refused("https://mirror.example/of") == f"https://upstream.example/board.csv: {end} mirror.example"


def test_a_proxy_that_is_not_there_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    end = "no way through the proxy: Connection refused (errno 111), at upstream.example"
    assert refused(None) == f"https://upstream.example/board.csv: {end}"


def test_a_server_without_tls_is_said_in_words() -> None:
    with serving(OK) as script:
        message = refused(script.url.replace("http://", "https://"))
    assert message.startswith("https://upstream.example/board.csv: TLS failed (")
    assert message.endswith(f", at {script.url.removeprefix('http://')}")
    assert "_" not in message


def test_a_mirror_on_loopback_is_the_user_s_own_choice() -> None:
    with serving(OK) as script:
        assert script.url.startswith("http://127.0.0.1")
        Caller(script.url).get()


def many_headers(handler: Handler) -> None:
    handler.head(200, 2, **{f"X_{number}": "1" for number in range(500)})


def long_header(handler: Handler) -> None:
    handler.head(200, 2, X_Long="x" * 200_000)


def endless_head(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server_over(0):
        handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def endless_continue(handler: Handler) -> None:
    while not handler.server_over(0.001):
        handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def dripping(handler: Handler) -> None:
    handler.head(200, 9_000)
    while not handler.server_over(0.02):
        handler.wfile.write(b"x")


def endless_trailer(handler: Handler) -> None:
    handler.head(200, None, Transfer_Encoding="chunked")
    handler.wfile.write(b"2\r\nab\r\n0\r\n")
    while not handler.server_over(0):
        handler.wfile.write(b"X: 1\r\n" * 1000)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (many_headers, Unreachable),
        (long_header, Unreachable),
        (endless_head, FetchError),
        (endless_continue, FetchError),
        (dripping, TooSlow),
        (endless_trailer, FetchError),
        (fixed(200, struct.pack("<I", 7) * 5000), TooLarge),
    ],
)
def test_heads_and_bodies_made_to_fill_memory_or_time_end_soon(answer: Answer, error: type[FetchError]) -> None:
    with serving(answer) as script, pytest.raises(error):
        limits = Limits(wire_bytes=10_000, attempt_seconds=0.5, total_seconds=1, stall_seconds=0.4)
        Caller(script.url, limits, attempts=1).get()
