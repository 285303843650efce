"""Connections and bodies under a clock: no wait is longer than its limit, whatever the server does."""

import socket
import ssl
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import IncompleteRead
from http.cookiejar import DefaultCookiePolicy
from importlib.metadata import version
from threading import Timer
from time import monotonic
from typing import Any, ClassVar

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    ProxyError,
    ReadTimeoutError,
)
from urllib3.response import HTTPResponse
from urllib3.util.retry import Retry

from benchhealth.ingest.network.addresses import public_addresses
from benchhealth.ingest.network.payload import Limits, TooLarge, TooSlow, Truncated

USER_AGENT = f"benchhealth/{version('benchhealth')} (benchmark-health dashboard; nightly, conditional requests)"
_CHUNK = 64 * 2**10
_MOMENT = 0.001  # no time at all would mean to wait for ever
_LATE_HEAD = "the head of the answer did not arrive in time"

Monotonic = Callable[[], float]


class Deadline:
    """The instant on a monotonic clock by which an answer has to be there."""

    def __init__(self, monotonic: Monotonic, seconds: float) -> None:
        self._monotonic = monotonic
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Seconds that remain, never negative."""
        return max(0.0, self._end - self._monotonic())

    @property
    def passed(self) -> bool:
        """Whether the time of the deadline is used up."""
        return self.left() <= 0.0


@contextmanager
def _cut(shutdown: Callable[[], object], seconds: float) -> Iterator[None]:
    """Close the reading side of a connection after `seconds`, so that a blocked read of this thread comes back.

    A socket's own timeout is for one `recv` and starts anew with every byte that drips in.
    """

    def fire() -> None:
        # The answer may have ended at this very moment, and its socket gone back to the pool.
        with suppress(OSError, ValueError, RuntimeError):
            shutdown()

    timer = Timer(seconds, fire)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _acknowledge_at_once(connection: socket.socket) -> None:
    """A server that writes head and body apart waits for the word that the head came: 40 ms where that is delayed.

    The system forgets the option with each request that is sent.
    """
    if hasattr(socket, "TCP_QUICKACK"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


class _HeadInTime(HTTPConnection):
    """A connection whose whole head must arrive within the read timeout, not merely each byte of it."""

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3's own
        _acknowledge_at_once(self.sock)
        timeout = self.timeout
        if not isinstance(timeout, int | float):
            return super().getresponse()
        late: list[bool] = []

        def shutdown() -> None:
            late.append(True)
            self.sock.shutdown(socket.SHUT_RD)

        try:
            with _cut(shutdown, timeout):
                response = super().getresponse()
        except Exception as error:
            if late:
                raise TimeoutError(_LATE_HEAD) from error
            raise
        # The standard library takes the end of the stream for the end of the head.
        if late:
            response.close()
            raise TimeoutError(_LATE_HEAD)
        return response


class _SecureHeadInTime(_HeadInTime, HTTPSConnection):
    pass


class _Public(_SecureHeadInTime):
    """A connection to a public address alone: the one that is connected to is the one that was looked at.

    The connect timeout is for all addresses of a name and the handshake together; each address has its part of what is
    left.
    """

    def _new_conn(self) -> socket.socket:
        named = self._dns_host
        try:
            *alternatives, last = public_addresses(named, self.port)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        timeout = self.timeout
        assert isinstance(timeout, int | float), "a request says how long it waits"
        deadline = Deadline(monotonic, timeout)
        try:
            for tried, address in enumerate(alternatives):
                if deadline.passed:
                    break
                self._dns_host, self.timeout = address, max(_MOMENT, deadline.left() / (1 + len(alternatives) - tried))
                with suppress(NewConnectionError, ConnectTimeoutError):
                    return self._connection_until(deadline)
            self._dns_host, self.timeout = last, max(_MOMENT, deadline.left())
            return self._connection_until(deadline)
        finally:
            self._dns_host, self.timeout = named, timeout  # the name whose certificate is asked for

    def _connection_until(self, deadline: Deadline) -> socket.socket:
        """A connection whose handshake has the rest of the time."""
        connection = super()._new_conn()
        connection.settimeout(max(_MOMENT, deadline.left()))
        return connection


class _Pool(HTTPConnectionPool):
    ConnectionCls = _HeadInTime


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureHeadInTime


class _PublicPool(HTTPSConnectionPool):
    ConnectionCls = _Public


class _Adapter(HTTPAdapter):
    """Retries nothing by itself: the fetcher's one loop counts every kind of failure."""

    pools: ClassVar[Mapping[str, type[HTTPConnectionPool]]] = {"http": _Pool, "https": _SecurePool}

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  requests' own signature
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = dict(self.pools)


class _PublicAdapter(_Adapter):
    """As `_Adapter`, to public addresses. A proxy of the environment is asked as it is: it decides what it reaches."""

    pools = {"http": _Pool, "https": _PublicPool}  # noqa: RUF012


class _Session(requests.Session):
    """Looks for no redirect: to tell where one leads, requests reads all of its body, without cap or deadline."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


def open_session(*, direct: bool) -> requests.Session:
    """A session in the program's name: no cookies kept, no credentials of its own and no redirect followed.

    `direct`: to the one host that the user named, wherever it is and through no proxy. Otherwise to public addresses.
    """
    adapter = _Adapter if direct else _PublicAdapter
    session = _Session()
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
    session.auth = lambda request: request  # without one, requests looks up a password for the host in ~/.netrc
    session.trust_env = not direct
    session.headers.clear()
    session.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "gzip", "Accept": "*/*"})
    for scheme in ("https://", "http://"):
        session.mount(scheme, adapter(max_retries=Retry(total=0, read=False)))
    return session


def plainly(error: Exception) -> str:
    """The failure in words: the system's own report within all that requests and urllib3 wrap around it."""
    causes = list(_causes(error))
    reports = [
        cause for cause in causes if isinstance(cause, OSError) and not isinstance(cause, requests.RequestException)
    ]
    words = _words(reports[0] if reports else causes[-1])
    return f"no way through the proxy: {words}" if any(isinstance(cause, ProxyError) for cause in causes) else words


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it is about, from the outside in."""
    while error is not None:
        yield error
        candidates = (getattr(error, "reason", None), *reversed(error.args), error.__cause__)
        error = next((cause for cause in candidates if isinstance(cause, BaseException)), None)


def _words(report: BaseException) -> str:
    words = str(report) or type(report).__name__
    match report:
        case socket.gaierror():
            words = f"name not found ({report.strerror})"
        case ssl.SSLCertVerificationError():
            words = f"TLS: its certificate is not accepted ({report.verify_message})"
        case ssl.SSLError(reason=str(reason)):
            words = f"TLS failed ({reason.replace('_', ' ').lower()})"
        case IncompleteRead():
            words = "it ended early"
        case TimeoutError():
            words = "timed out"
        case OSError(strerror=str(strerror), errno=int(number)):
            words = f"{strerror} (errno {number})"
    return words


def read_body(url: str, response: requests.Response, limits: Limits, deadline: Deadline) -> Iterator[bytes]:
    """Yield the decoded body piece by piece, each piece at most 64 KiB.

    Reads with `read1`, which returns what has arrived: `read` and `iter_content` wait for a full buffer, and a server
    that sends a byte now and then holds them for ever.
    Raises TooSlow, TooLarge and Truncated.
    """
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        raise Truncated(url, f"content encoding {encoding} was not asked for")
    if encoding == "identity" and not {"content-length", "transfer-encoding"} & {*map(str.lower, response.headers)}:
        raise Truncated(url, "nothing says where the body ends: it may be cut anywhere")
    decode = _Gunzip(url) if encoding != "identity" else None
    size = 0
    for piece in _wire(url, response, limits, deadline):
        for chunk in decode.feed(piece) if decode else (piece,):
            size += len(chunk)
            if size > limits.body_bytes:
                raise TooLarge(url, f"unpacks to more than {limits.body_bytes} bytes")
            yield chunk
    if decode and not decode.complete:
        raise Truncated(url, "the compressed body ends early")


def _wire(url: str, response: requests.Response, limits: Limits, deadline: Deadline) -> Iterator[bytes]:
    announced = response.headers.get("Content-Length", "")
    expected = int(announced) if announced.isascii() and announced.isdigit() else None
    if expected is not None and expected > limits.wire_bytes:
        raise TooLarge(url, f"announces {expected} bytes, the cap is {limits.wire_bytes}")
    received = 0
    with _cut(response.raw.shutdown, deadline.left()):
        while True:
            piece = _read1(url, response, limits, deadline)
            if not piece:
                break
            received += len(piece)
            if received > limits.wire_bytes:
                raise TooLarge(url, f"sends more than {limits.wire_bytes} bytes")
            yield piece
    if expected is not None and received < expected:
        raise Truncated(url, f"{received} of {expected} bytes arrived")


def _read1(url: str, response: requests.Response, limits: Limits, deadline: Deadline) -> bytes:
    late = TooSlow(url, f"not complete within {limits.attempt_seconds:g} s")
    if deadline.passed:
        raise late
    try:
        piece: bytes = response.raw.read1(_CHUNK, decode_content=False)
    except ReadTimeoutError as error:
        raise TooSlow(url, f"silent for {limits.stall_seconds:g} s") from error
    except (HTTPError, OSError, ValueError, AttributeError) as error:
        raise (late if deadline.passed else Truncated(url, f"the connection broke: {plainly(error)}")) from error
    if deadline.passed:
        raise late
    return piece


class _Gunzip:
    """Unpacks gzip members in pieces of at most 64 KiB, so that a bomb is seen before it has gone off."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._member = zlib.decompressobj(wbits=31)

    @property
    def complete(self) -> bool:
        """Whether the last member ended with its checksum."""
        return self._member.eof

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Yield the bytes that `piece` unpacks to."""
        while True:
            if self._member.eof:
                self._member = zlib.decompressobj(wbits=31)
            try:
                chunk = self._member.decompress(piece, _CHUNK)
            except zlib.error as error:
                raise Truncated(self._url, f"corrupt compression: {error}") from error
            if chunk:
                yield chunk
            piece = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            # A full buffer may hide more output even when all input is taken.
            if not piece and len(chunk) < _CHUNK:
                return
