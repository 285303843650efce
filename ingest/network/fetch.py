"""From an address to a payload: conditional, bounded, retried, and the same through a mirror."""

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from secrets import SystemRandom
from typing import BinaryIO, TypeVar
from urllib.parse import urljoin, urlsplit, urlunsplit

import requests
from urllib3.exceptions import HTTPError, InvalidHeader, MaxRetryError
from urllib3.util import Timeout
from urllib3.util.retry import Retry

from benchhealth.ingest.network.addresses import NotPublic, leads_inside
from benchhealth.ingest.network.payload import (
    NO_HEAD_STATUSES,
    RETRY_STATUSES,
    BadRedirect,
    FetchError,
    Head,
    HttpStatus,
    Limits,
    Payload,
    RateLimited,
    TooSlow,
    Unchanged,
    Unreachable,
    WrongMediaType,
    look_of,
)
from benchhealth.ingest.network.transport import Deadline, Monotonic, open_session, plainly, read_body

API_HOST = "api.github.com"
MAX_REDIRECTS = 3
MAX_RETRY_AFTER = 60
FAILED_OFTEN = 4
"""After this many failed requests in a row a host gets one attempt for each further one: a night has an end."""

SILENT_FOR_GOOD = 20
"""After this many requests in a row without any answer a host is left alone until the next run."""


_ETAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e]{0,200}"')

T = TypeVar("T")


def mirror_url(url: str, mirror: str | None) -> str:
    """Where `url` is really asked for: https://HOST/PATH becomes MIRROR/HOST/PATH.

    Raises BadRedirect unless it is https, without credentials, and of a host that may be public.
    """
    split = urlsplit(url)
    if split.scheme != "https" or not split.netloc or "@" in split.netloc:
        raise BadRedirect(url, "only https addresses without credentials are followed")
    if leads_inside(split.hostname or ""):
        raise BadRedirect(url, "it leads to no public address")
    bare = urlunsplit(("https", split.netloc, split.path, split.query, ""))
    return bare if mirror is None else mirror.rstrip("/") + "/" + bare.removeprefix("https://")


class Backoff(Retry):
    """urllib3's Retry as the counter of one loop, waiting before the first repetition too.

    The pause doubles from `backoff_factor`, is drawn between half of that and all of it, and ends at `backoff_max`;
    a Retry-After replaces it and is cut at MAX_RETRY_AFTER.
    """

    def get_backoff_time(self) -> float:
        """Seconds to wait where the host does not say."""
        full: float = min(self.backoff_max, self.backoff_factor * 2 ** max(0, len(self.history) - 1))
        return full * SystemRandom().uniform(0.5, 1.0)

    def pause(self, retry_after: str) -> float:
        """Seconds to wait before the next attempt: what the host asks for, up to a limit, else a growing pause."""
        if retry_after:
            try:
                return min(self.parse_retry_after(retry_after), MAX_RETRY_AFTER)
            except (InvalidHeader, ValueError, OverflowError):
                pass  # a host that says nothing readable is treated as one that says nothing
        return self.get_backoff_time()


@dataclass(frozen=True)
class _Ask:
    method: str
    url: str
    etag: str
    media_types: Sequence[str]
    limits: Limits


@dataclass(frozen=True)
class Pace:
    """How often to ask again, how long to wait in between, and the clock and sleep that are used."""

    limits: Limits = field(default_factory=Limits)
    attempts: int = 5
    backoff_factor: float = 0.5
    sleep: Callable[[float], None] = time.sleep
    monotonic: Monotonic = time.monotonic


@dataclass
class _Trouble:
    """How many requests in a row a host has failed, and how many of the last it has not answered at all."""

    failed: int = 0
    silent: int = 0

    def note(self, error: FetchError | None) -> None:
        """Count the outcome of a request; an error that another attempt would not mend is an answer."""
        self.failed = self.failed + 1 if error is not None and error.retryable else 0
        self.silent = self.silent + 1 if isinstance(error, Unreachable | TooSlow) else 0


class Fetcher:
    """Asks public hosts for files. One instance is one session; not for use by several threads.

    `mirror` replaces every host, see `mirror_url`; `token` goes to api.github.com alone and never to a mirror.
    `clock` gives naive UTC.
    """

    def __init__(
        self, mirror: str | None, clock: Callable[[], datetime], token: str | None = None, pace: Pace | None = None
    ) -> None:
        self._mirror = mirror
        self._clock = clock
        self._token = token
        self._pace = pace or Pace()
        self._limits = self._pace.limits
        self._session = open_session(direct=mirror is not None)
        self._trouble: dict[str, _Trouble] = {}
        self._without_head: set[str] = set()
        self._backoff = Backoff(
            total=self._pace.attempts - 1,
            backoff_factor=self._pace.backoff_factor,
            backoff_max=MAX_RETRY_AFTER,
            retry_after_max=MAX_RETRY_AFTER,
            status_forcelist=RETRY_STATUSES,
        )

    def now(self) -> datetime:
        """The present instant by the machine's clock, as naive UTC."""
        return self._clock()

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    def get(
        self, url: str, *, media_types: Sequence[str], ref: str = "", etag: str = "", limits: Limits | None = None
    ) -> Payload | Unchanged:
        """The body at `url`; Unchanged where the server still has the version `etag`. Raises FetchError."""
        ask = _Ask("GET", url, etag, media_types, limits or self._limits)

        def read(response: requests.Response, deadline: Deadline) -> Payload | Unchanged:
            fetched_at = self._clock()
            looked_at = look_of(response.headers.get("Date", ""), fetched_at)
            if response.status_code == 304:
                if "Transfer-Encoding" not in response.headers:  # what is announced there may never end
                    response.raw.drain_conn()  # there is no body: this hands the connection back for reuse
                return Unchanged(etag, fetched_at, looked_at)
            body = b"".join(read_body(url, response, ask.limits, deadline))
            _refuse_page(url, body[:512], media_types)
            return Payload(
                url=url,
                ref=ref,
                fetched_at=fetched_at,
                sha256=hashlib.sha256(body).hexdigest(),
                media_type=_media_type(response),
                body=body,
                etag=_etag(response),
                has_next="next" in response.links,
                looked_at=looked_at,
            )

        return self._retried(ask, read)

    def head(self, url: str, *, media_types: Sequence[str], etag: str = "") -> Head | Unchanged:
        """Whether `url` still is the version `etag`, without its body. Raises FetchError.

        A host that does not know HEAD is asked with GET, of whose answer the body is left unread.
        """
        host = urlsplit(url).netloc

        def read(response: requests.Response, deadline: Deadline) -> Head | Unchanged:
            fetched_at = self._clock()
            looked_at = look_of(response.headers.get("Date", ""), fetched_at)
            if host not in self._without_head:
                response.raw.drain_conn()
            if response.status_code == 304:
                return Unchanged(etag, fetched_at, looked_at)
            return Head(_etag(response), fetched_at, looked_at)

        if host not in self._without_head:
            try:
                return self._retried(_Ask("HEAD", url, etag, media_types, self._limits), read)
            except HttpStatus as error:
                if error.status not in NO_HEAD_STATUSES:
                    raise
                self._without_head.add(host)
        return self._retried(_Ask("GET", url, etag, media_types, self._limits), read)

    def spool(self, url: str, target: BinaryIO, *, media_types: Sequence[str], limits: Limits) -> None:
        """Write the body at `url` into an open file, complete or not at all: bodies too large for memory.

        The file is rewound to where it stood before each attempt. Raises FetchError.
        """
        start = target.tell()
        ask = _Ask("GET", url, "", media_types, limits)

        def read(response: requests.Response, deadline: Deadline) -> None:
            target.seek(start)
            target.truncate()
            first = b""
            for piece in read_body(url, response, limits, deadline):
                first = first or piece[:512]
                target.write(piece)
            _refuse_page(url, first, media_types)

        self._retried(ask, read)

    def _retried(self, ask: _Ask, read_answer: Callable[[requests.Response, Deadline], T]) -> T:
        """The answer to a question, in several attempts; in one where the host has failed often in a row."""
        trouble = self._trouble.setdefault(urlsplit(ask.url).netloc, _Trouble())
        if trouble.silent >= SILENT_FOR_GOOD:
            raise Unreachable(ask.url, f"left for the next run: no answer to {trouble.silent} requests in a row")
        try:
            answer = self._repeated(
                ask, read_answer, self._backoff.new(total=0) if trouble.failed >= FAILED_OFTEN else self._backoff.new()
            )
        except FetchError as error:
            trouble.note(error)
            raise
        trouble.note(None)
        return answer

    def _repeated(self, ask: _Ask, read_answer: Callable[[requests.Response, Deadline], T], retry: Backoff) -> T:
        total = Deadline(self._pace.monotonic, ask.limits.total_seconds)
        while True:
            deadline = Deadline(self._pace.monotonic, min(ask.limits.attempt_seconds, total.left()))
            try:
                with self._answer(ask, deadline) as response:
                    return read_answer(response, deadline)
            except FetchError as error:
                if not error.retryable:
                    raise
                try:
                    retry = retry.increment(ask.method, ask.url, error=error)
                except MaxRetryError:
                    raise error from None
                pause = retry.pause(error.retry_after)
                if pause >= total.left():
                    raise
                self._pace.sleep(pause)

    @contextmanager
    def _answer(self, ask: _Ask, deadline: Deadline) -> Iterator[requests.Response]:
        """The checked answer with its body unread, redirects followed."""
        url = ask.url
        for _hop in range(MAX_REDIRECTS + 1):
            response = self._send(ask, url, deadline)
            try:
                if not response.is_redirect:
                    _check(ask, response)
                    yield response
                    return
                url = self._redirected(url, response)
            finally:
                response.close()
        raise BadRedirect(ask.url, f"more than {MAX_REDIRECTS} redirects")

    def _send(self, ask: _Ask, url: str, deadline: Deadline) -> requests.Response:
        headers: dict[str, str] = {}
        if ask.etag:
            headers["If-None-Match"] = ask.etag
        if self._token and self._mirror is None and urlsplit(url).netloc == API_HOST:
            headers["Authorization"] = f"Bearer {self._token}"
        wait = max(0.001, min(ask.limits.stall_seconds, deadline.left()))
        try:
            return self._session.request(
                ask.method,
                mirror_url(url, self._mirror),
                headers=headers,
                timeout=Timeout(connect=wait, read=wait, total=max(wait, deadline.left())),  # type: ignore[arg-type]
                stream=True,
                allow_redirects=False,
            )
        except requests.exceptions.Timeout as error:
            raise TooSlow(ask.url, f"no answer within {wait:g} s") from error
        except NotPublic as error:
            raise BadRedirect(ask.url, str(error)) from error
        except (requests.exceptions.RequestException, HTTPError, ValueError) as error:
            # ValueError: where a redirect leads may be no address.
            raise Unreachable(ask.url, f"{plainly(error)}, at {_host(self._mirror or url)}") from error

    def _redirected(self, url: str, response: requests.Response) -> str:
        """The original address that a redirect points to; a mirror may redirect within itself."""
        try:
            target = urljoin(mirror_url(url, self._mirror), response.headers["Location"])
            prefix = None if self._mirror is None else self._mirror.rstrip("/") + "/"
            original = "https://" + target.removeprefix(prefix) if prefix and target.startswith(prefix) else target
            mirror_url(original, self._mirror)
        except ValueError as error:
            raise BadRedirect(url, "it leads to what is no address") from error
        return original


def _check(ask: _Ask, response: requests.Response) -> None:
    status = response.status_code
    if status in (403, 429) and response.headers.get("X-RateLimit-Remaining") == "0":
        raise RateLimited(ask.url, "the API limit is reached")
    if status == 304 and ask.etag:
        return
    if status != 200:
        raise HttpStatus(ask.url, status, response.headers.get("Retry-After", ""))
    if _media_type(response) not in ask.media_types:
        raise WrongMediaType(ask.url, f"{_media_type(response) or 'no media type'} where {ask.media_types} is expected")


def _host(address: str) -> str:
    """The host of an address with its port and without credentials; also of a malformed address."""
    return address.partition("://")[2].partition("/")[0].rpartition("@")[2]


def _etag(response: requests.Response) -> str:
    """The version that the server names, empty where it cannot be sent back to it as it came."""
    etag: str = response.headers.get("ETag", "")
    return etag if _ETAG.fullmatch(etag) else ""


def _media_type(response: requests.Response) -> str:
    return response.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def _refuse_page(url: str, start: bytes, media_types: Sequence[str]) -> None:
    """Hosts answer with an error page under any media type: look at the body as well as at its label."""
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if "text/html" not in media_types and text.startswith((b"<!doctype html", b"<html")):
        raise WrongMediaType(url, "a web page where a file is expected")
