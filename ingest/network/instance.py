"""One question to a dashboard that somebody serves: bounded in bytes and time, led nowhere else, asked once."""

from collections.abc import Mapping
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import HTTPError

from benchhealth.ingest.network.payload import FetchError, Limits
from benchhealth.ingest.network.transport import Deadline, open_session, plainly, read_body

LIMITS = Limits(
    wire_bytes=256 * 2**20, body_bytes=512 * 2**20, attempt_seconds=300.0, total_seconds=300.0, stall_seconds=60.0
)


class InstanceError(Exception):
    """The dashboard did not answer, or not whole; the text says why."""


class DashboardAnswer(NamedTuple):
    """An answer of the dashboard: its status, its body, and its media type without parameters."""

    status: int
    body: bytes
    media_type: str


def base_of(address: str) -> str:
    """The address with a slash at its end. Raises InstanceError for one that is no http(s)://HOST/PATH."""
    try:
        url = urlsplit(address)
        sound = url.scheme in ("http", "https") and url.hostname and "@" not in url.netloc and url.port != 0
    except ValueError:
        sound = False
    if not sound or any(letter in address for letter in " \t\r\n?#"):
        raise InstanceError(f"{address[:80]!r} is no address of the form https://HOST/PATH")
    return f"{address.rstrip('/')}/"


def ask(base: str, path: str, params: Mapping[str, str], limits: Limits = LIMITS) -> DashboardAnswer:
    """What the dashboard at `base` answers to GET `path` with these parameters. Raises InstanceError.

    Through no proxy, to the host that was named and to no other.
    """
    url = base + path
    deadline = Deadline(monotonic, limits.attempt_seconds)
    try:
        with (
            open_session(direct=True) as session,
            session.get(
                url, params=dict(params), timeout=limits.stall_seconds, allow_redirects=False, stream=True
            ) as answer,
        ):
            body = b"".join(read_body(url, answer, limits, deadline))
            media_type = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            return DashboardAnswer(answer.status_code, body, media_type)
    except FetchError as error:
        raise InstanceError(str(error)) from error
    except (requests.RequestException, HTTPError, OSError, ValueError) as error:
        raise InstanceError(f"{base}: {plainly(error)}") from error
