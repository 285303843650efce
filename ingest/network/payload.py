"""What a request ends in: a payload, "unchanged", or one of the typed errors."""
# ruff: noqa: N818  the errors say what happened; all are a FetchError

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True)
class Payload:
    """The body of one address at one instant. `sha256` is of `body`, which is decoded (no transfer compression).

    `fetched_at` is when it came here, `looked_at` the look: until when the answer speaks for the upstream, see
    `look_of` (None: the bytes are no host's answer). `url` is always the original address, also behind a mirror; `ref`
    is the version the caller asked for (a commit). `has_next` says that the answer named a next page.
    """

    url: str
    ref: str
    fetched_at: datetime
    sha256: str
    media_type: str
    body: bytes
    etag: str = ""
    has_next: bool = False
    looked_at: datetime | None = None


@dataclass(frozen=True)
class Unchanged:
    """The server said 304: what was stored under `etag` is still what it serves. Instants as in Payload."""

    etag: str
    fetched_at: datetime
    looked_at: datetime


@dataclass(frozen=True)
class Head:
    """The server has another version than the one asked about; nothing of it has been read yet.

    Instants as in Payload.
    """

    etag: str
    fetched_at: datetime
    looked_at: datetime


def look_of(date_header: str, now: datetime) -> datetime:
    """The instant, naive UTC, until which an answer speaks for its upstream: its `Date` where that lies before `now`.

    A cache and a mirror send on the `Date` of the answer that they hold. Without a readable one it is `now`.
    """
    try:
        header_date = parsedate_to_datetime(date_header)
    except (TypeError, ValueError, OverflowError):
        return now
    try:
        answered_at = (header_date if header_date.tzinfo is None else header_date.astimezone(UTC)).replace(tzinfo=None)
    except OverflowError:  # a year that an hour's shift leads out of the calendar
        return now
    return min(answered_at, now)


@dataclass(frozen=True)
class Limits:
    """The most bytes and seconds that one request may take.

    `wire_bytes` bounds what is read from the connection, `body_bytes` what it unpacks to (a gzip bomb is small on the
    wire). `attempt_seconds` bounds one attempt from connecting to the last byte, `total_seconds` all attempts together
    with the pauses between them. `stall_seconds` is the longest silence, and the longest wait for a whole head.
    """

    wire_bytes: int = 32 * 2**20
    body_bytes: int = 64 * 2**20
    attempt_seconds: float = 30.0
    total_seconds: float = 150.0
    stall_seconds: float = 10.0


class FetchError(Exception):
    """A request that gave no usable body. `retryable` says whether another attempt may help."""

    retryable = True

    def __init__(self, url: str, detail: str, retry_after: str = "") -> None:
        super().__init__(f"{url}: {detail}")
        self.url = url
        self.detail = detail
        self.retry_after = retry_after


class Unreachable(FetchError):
    """No connection, or it broke before an answer."""


class TooSlow(FetchError):
    """The deadline passed, or the server went silent."""


class Truncated(FetchError):
    """The body is shorter than announced, or its compression ends early or is corrupt."""


class WrongMediaType(FetchError):
    """Something else than the expected kind of file, such as a web page with status 200."""


class TooLarge(FetchError):
    """The body passes its cap, on the wire or unpacked."""

    retryable = False


class BadRedirect(FetchError):
    """Too many redirects, or one that leaves https."""

    retryable = False


class RateLimited(FetchError):
    """The host's hourly budget of requests is used up; asking again before it is renewed is pointless."""

    retryable = False


class HttpStatus(FetchError):
    """The host answered with another status than 200 and 304."""

    def __init__(self, url: str, status: int, retry_after: str = "") -> None:
        super().__init__(url, f"HTTP status {status}", retry_after)
        self.status = status
        self.retryable = status in RETRY_STATUSES


RETRY_STATUSES = frozenset({429, 500, 502, 503, 504})
NO_HEAD_STATUSES = frozenset({405, 501})
"""Answers to HEAD that say nothing of the file: the method is not allowed, or not known."""


class UnexpectedAnswer(FetchError):
    """A well-formed answer that does not say what was asked for."""

    retryable = False
