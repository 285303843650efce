"""Every way in which a host is known to misbehave, served by a real server on this machine."""

import gzip
import hashlib
import io
import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.ingest.network.fetch import MAX_RETRY_AFTER, Backoff, Fetcher, Pace, mirror_url
from benchhealth.ingest.network.payload import (
    BadRedirect,
    FetchError,
    Head,
    HttpStatus,
    Limits,
    Payload,
    RateLimited,
    TooLarge,
    TooSlow,
    Truncated,
    Unchanged,
    Unreachable,
    WrongMediaType,
)
from tests.support.scripted_server import Answer, Handler, Scripted, fixed, serving

FILE = "https://raw.githubusercontent.com/owner/repo/main/board.csv"
NOW = datetime(2025, 3, 1, 2, 30)
BODY = b"model,score\nalpha,61.5\n"
OK = fixed(200, BODY, ETag='W/"one"')
PAGE = b"<!DOCTYPE html><html><body>Unicorn!</body></html>"
INTERNALS = re.compile(r"\w\(|\(host=|Errno|Max retries|\b_")
QUICK = Limits(attempt_seconds=0.6, total_seconds=60, stall_seconds=0.3)


class Caller:
    """A fetcher through the mirror at a scripted server, whose pauses are noted instead of slept."""

    def __init__(self, url: str, limits: Limits = QUICK, attempts: int = 2, token: str | None = None) -> None:
        self.pauses: list[float] = []
        pace = Pace(limits=limits, attempts=attempts, sleep=self.pauses.append)
        self.fetcher = Fetcher(url, lambda: NOW, token, pace)

    def get(self, url: str = FILE, **options: str) -> Payload | Unchanged:
        return self.fetcher.get(url, media_types=("text/plain", "text/csv"), **options)

    def body(self) -> bytes:
        payload = self.get()
        assert isinstance(payload, Payload)
        return payload.body


def dripping(handler: Handler) -> None:
    handler.head(200, 10_000)
    while not handler.server_over(0.05):
        handler.wfile.write(b".")


def dripping_head(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Drip: ")
    while not handler.server_over(0.05):
        handler.wfile.write(b".")


def dripping_chunk_size(handler: Handler) -> None:
    handler.head(200, None, Transfer_Encoding="chunked")
    handler.wfile.write(b"4;")
    while not handler.server_over(0.05):
        handler.wfile.write(b"x")


def stalling(handler: Handler) -> None:
    handler.head(200, len(BODY))
    handler.wfile.write(BODY[:5])
    handler.server_over(10)


def cut_short(handler: Handler) -> None:
    handler.head(200, len(BODY))
    handler.wfile.write(BODY[:5])
    handler.close_connection = True


def cut_chunks(handler: Handler) -> None:
    handler.head(200, None, Transfer_Encoding="chunked")
    handler.wfile.write(b"20\r\nabc")
    handler.close_connection = True


def slammed(handler: Handler) -> None:
    handler.close_connection = True


@pytest.fixture
def served() -> Iterator[Scripted]:
    with serving(OK) as script:
        yield script


def test_a_payload_says_what_it_is_and_where_from(served: Scripted) -> None:
    payload = Caller(served.url).get(ref="abc")
    assert payload == Payload(
        url=FILE,
        ref="abc",
        fetched_at=NOW,
        sha256=hashlib.sha256(BODY).hexdigest(),
        media_type="text/plain",
        body=BODY,
        etag='W/"one"',
        looked_at=NOW,
    )
    assert served.asked[0].path == "/raw.githubusercontent.com/owner/repo/main/board.csv"
    assert served.asked[0].headers["User-Agent"].startswith("benchhealth/")


def test_what_has_not_changed_is_not_sent_again() -> None:
    with serving(fixed(304)) as script:
        caller = Caller(script.url)
        assert caller.get(etag='W/"one"') == Unchanged('W/"one"', NOW, NOW)
        head = caller.fetcher.head(FILE, media_types=("text/plain",), etag='W/"one"')
        assert head == Unchanged('W/"one"', NOW, NOW)
        assert [asked.headers["If-None-Match"] for asked in script.asked] == ['W/"one"', 'W/"one"']


@pytest.mark.parametrize("status", [405, 501])
def test_a_host_without_head_is_asked_with_get_and_its_body_is_not_read(status: int) -> None:
    def flood(handler: Handler) -> None:
        handler.head(200, 10**12, ETag='"two"')
        while not handler.server_over(0):
            handler.wfile.write(bytes(2**16))

    with serving(fixed(status), flood, fixed(304)) as script:
        fetcher = Caller(script.url).fetcher
        assert fetcher.head(FILE, media_types=("text/plain",), etag='"one"') == Head('"two"', NOW, NOW)
        assert fetcher.head(FILE, media_types=("text/plain",), etag='"two"') == Unchanged('"two"', NOW, NOW)
        assert [asked.method for asked in script.asked] == ["HEAD", "GET", "GET"]


def test_what_head_says_of_a_file_is_believed() -> None:
    with serving(fixed(404)) as script, pytest.raises(HttpStatus):
        Caller(script.url).fetcher.head(FILE, media_types=("text/plain",))
    assert [asked.method for asked in script.asked] == ["HEAD"]


def said_on(day: str, status: int = 200, **headers: str) -> Answer:
    """An answer with this Date and no other."""

    def answer(handler: Handler) -> None:
        handler.send_response_only(status)
        body = BODY if status == 200 else b""
        for name, value in {"Date": day, "Content-Type": "text/plain", **headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(body)

    return answer


@pytest.mark.parametrize(
    ("day", "look"),
    [
        ("Sun, 02 Feb 2025 10:11:12 GMT", datetime(2025, 2, 2, 10, 11, 12)),
        ("Sun, 02 Feb 2025 10:11:12 +0200", datetime(2025, 2, 2, 8, 11, 12)),
        ("Sun, 02 Feb 2025 10:11:12 -0000", datetime(2025, 2, 2, 10, 11, 12)),
        ("Sun, 02 Feb 2025", NOW),
        ("Fri, 01 Mar 2030 00:00:00 GMT", NOW),
        ("yesterday", NOW),
        ("", NOW),
        ("Mon, 31 Feb 2025 10:11:12 GMT", NOW),
        ("Fri, 31 Dec 9999 23:00:00 -0500", NOW),
    ],
)
def test_the_look_of_an_answer_is_its_date_where_that_lies_before_now(day: str, look: datetime) -> None:
    with serving(said_on(day), said_on(day, 304), said_on(day, 304), said_on(day)) as script:
        caller = Caller(script.url)
        answers = [
            caller.get(),
            caller.get(etag='W/"one"'),
            caller.fetcher.head(FILE, media_types=("text/plain",), etag='W/"one"'),
            caller.fetcher.head(FILE, media_types=("text/plain",)),
        ]
    assert [answer.looked_at for answer in answers] == [look] * 4
    assert [answer.fetched_at for answer in answers] == [NOW] * 4


def test_behind_a_redirect_the_last_answer_is_the_look() -> None:
    moved = {"Location": "/raw.githubusercontent.com/owner/repo/main/moved.csv"}
    first = said_on("Sun, 02 Feb 2025 10:11:12 GMT", 302, **moved)
    with serving(first, said_on("Fri, 03 Jan 2025 00:00:00 GMT")) as script:
        assert Caller(script.url).get().looked_at == datetime(2025, 1, 3)


def test_a_304_nobody_asked_for_is_an_error() -> None:
    with serving(fixed(304)) as script, pytest.raises(HttpStatus):
        Caller(script.url).get()


def test_head_reads_the_version_alone(served: Scripted) -> None:
    assert Caller(served.url).fetcher.head(FILE, media_types=("text/plain",)) == Head('W/"one"', NOW, NOW)
    assert served.asked[0].method == "HEAD"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (dripping, TooSlow),
        (dripping_head, TooSlow),
        (dripping_chunk_size, TooSlow),
        (stalling, TooSlow),
        (cut_short, Truncated),
        (cut_chunks, Truncated),
        (slammed, Unreachable),
        (fixed(200, gzip.compress(BODY)[:-9], Content_Encoding="gzip"), Truncated),
        (fixed(200, b"not gzip", Content_Encoding="gzip"), Truncated),
        (fixed(200, BODY, Content_Encoding="br"), Truncated),
        (fixed(200, PAGE, Content_Type="text/html"), WrongMediaType),
        (fixed(200, b"\xef\xbb\xbf\n" + PAGE), WrongMediaType),
        (fixed(500), HttpStatus),
        (fixed(503, Retry_After="soon"), HttpStatus),
        (fixed(429), HttpStatus),
    ],
)
def test_a_passing_fault_is_retried_and_a_lasting_one_is_named(fault: Answer, error: type[FetchError]) -> None:
    with serving(fault, OK) as script:
        caller = Caller(script.url)
        assert caller.body() == BODY
        assert len(caller.pauses) == 1
        assert 0.25 <= caller.pauses[0] <= 0.5
    with serving(fault) as script:
        with pytest.raises(error) as raised:
            Caller(script.url).get()
        assert raised.value.url == FILE
        assert INTERNALS.search(raised.value.detail) is None, raised.value.detail
        assert len(script.asked) == 2


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (fixed(404), HttpStatus),
        (fixed(401), HttpStatus),
        (fixed(403, X_RateLimit_Remaining="0"), RateLimited),
        (fixed(429, X_RateLimit_Remaining="0", Retry_After="1"), RateLimited),
        (fixed(302, Location="http://example.org/plain"), BadRedirect),
        (fixed(302, Location="file:///etc/passwd"), BadRedirect),
        (fixed(302, Location="https://example.org/again"), BadRedirect),
    ],
)
def test_what_cannot_get_better_is_not_asked_again(fault: Answer, error: type[FetchError]) -> None:
    with serving(fault) as script:
        caller = Caller(script.url)
        with pytest.raises(error):
            caller.get()
        assert caller.pauses == []
        assert len(script.asked) <= 1 + 3


def test_a_retry_after_of_an_hour_is_cut_to_a_minute() -> None:
    with serving(fixed(429, Retry_After="3600"), fixed(503, Retry_After="7"), OK) as script:
        caller = Caller(script.url, Limits(total_seconds=300), attempts=3)
        assert caller.body() == BODY
        assert caller.pauses == [MAX_RETRY_AFTER, 7]


def test_a_pause_never_passes_the_total_deadline() -> None:
    with serving(fixed(503, Retry_After="30"), OK) as script:
        caller = Caller(script.url, Limits(total_seconds=20))
        with pytest.raises(HttpStatus):
            caller.get()
        assert caller.pauses == []


def test_pauses_double_with_jitter_and_end_at_a_minute() -> None:
    retry = Backoff(total=20, backoff_factor=0.5, backoff_max=MAX_RETRY_AFTER)
    for attempt in range(15):
        retry = retry.increment("GET", FILE, error=FetchError(FILE, "no"))
        full = min(0.5 * 2**attempt, MAX_RETRY_AFTER)
        assert full / 2 <= retry.pause("") <= full


@pytest.mark.parametrize(
    "oversized",
    [
        fixed(200, b"x" * 5000),
        fixed(200, gzip.compress(b"\0" * 2_000_000), Content_Encoding="gzip"),
    ],
)
def test_a_body_past_its_cap_is_left_unread(oversized: Answer) -> None:
    with serving(oversized) as script, pytest.raises(TooLarge):
        Caller(script.url, Limits(wire_bytes=4000, body_bytes=100_000)).get()


def test_an_unannounced_flood_is_cut_at_the_cap() -> None:
    def flood(handler: Handler) -> None:
        handler.head(200, None, Transfer_Encoding="chunked")
        while not handler.server_over(0):
            handler.wfile.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")

    with serving(flood) as script, pytest.raises(TooLarge):
        Caller(script.url, Limits(wire_bytes=100_000)).get()


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 200_000])
def test_compressed_bodies_come_out_whole(size: int) -> None:
    body = bytes(range(256)) * (size // 256) + b"z" * (size % 256)
    packed = gzip.compress(body[: size // 2]) + gzip.compress(body[size // 2 :])
    with serving(fixed(200, packed, Content_Encoding="gzip")) as script:
        assert Caller(script.url).body() == body


def test_a_redirect_to_another_host_is_followed_through_the_mirror() -> None:
    with serving(fixed(302, Location="https://example.org/new?x=1"), OK) as script:
        assert Caller(script.url).body() == BODY
        assert script.asked[1].path == "/example.org/new?x=1"


def test_a_mirror_may_redirect_within_itself() -> None:
    with serving(fixed(302, Location="/example.org/new"), OK) as script:
        assert Caller(script.url).body() == BODY
        assert script.asked[1].path == "/example.org/new"


def test_the_token_never_reaches_a_mirror() -> None:
    with serving(OK) as script:
        caller = Caller(script.url, token="secret")
        caller.get("https://api.github.com/repos/owner/repo/commits")
        caller.get()
        assert all("Authorization" not in asked.headers for asked in script.asked)


def test_the_token_goes_to_the_api_and_to_no_other_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a mirror the addresses are https: the requests are taken off at the session, before the network."""
    fetcher = Fetcher(None, lambda: NOW, "secret")
    sent: dict[str, str | None] = {}
    with serving(OK) as script:
        import requests

        plain = requests.Session()

        def send(_method: str, url: str, headers: dict[str, str], **_options: object) -> requests.Response:
            sent[url.split("/")[2]] = headers.get("Authorization")
            if "api.github.com" in url:
                answer = plain.get(script.url, stream=True)
                answer.status_code = 302
                answer.headers["Location"] = "https://codeload.github.com/owner/repo"
                return answer
            return plain.get(script.url, stream=True)

        monkeypatch.setattr(fetcher._session, "request", send)
        for host in ("api.github.com", "raw.githubusercontent.com", "api.github.com.example.org"):
            fetcher.get(f"https://{host}/x", media_types=("text/plain",))
        plain.close()
    assert sent.pop("api.github.com") == "Bearer secret"
    assert set(sent) == {"codeload.github.com", "raw.githubusercontent.com", "api.github.com.example.org"}
    assert set(sent.values()) == {None}


def test_a_connection_is_used_again(served: Scripted) -> None:
    caller = Caller(served.url)
    caller.get()
    caller.fetcher.head(FILE, media_types=("text/plain",))
    caller.get()
    assert len({asked.client_port for asked in served.asked}) == 1


def test_spooling_starts_over_after_a_broken_attempt() -> None:
    into = io.BytesIO(b"kept:")
    into.seek(5)
    with serving(cut_short, OK) as script:
        Caller(script.url).fetcher.spool(FILE, into, media_types=("text/plain",), limits=QUICK)
    assert into.getvalue() == b"kept:" + BODY


host = st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){1,3}", fullmatch=True)
path = st.from_regex(r"(/[A-Za-z0-9._%-]{1,9}){0,4}", fullmatch=True)
query = st.from_regex(r"(\?[a-z]{1,4}=[a-z0-9%]{0,5})?", fullmatch=True)


@given(host, path, query, st.sampled_from(["http://127.0.0.1:8765", "https://mirror.example/base/"]))
def test_mirroring_keeps_host_path_and_query(host: str, path: str, query: str, mirror: str) -> None:
    url = f"https://{host}{path}{query}"
    assert mirror_url(url, None) == url
    assert mirror_url(url, mirror) == f"{mirror.rstrip('/')}/{host}{path}{query}"


@given(st.sampled_from(["http://h/p", "ftp://h/p", "/p", "https:///p", "https://u:p@h/p", "file:///p", ""]))
def test_only_https_addresses_are_mirrored(url: str) -> None:
    for mirror in (None, "http://127.0.0.1:8765"):
        with pytest.raises(BadRedirect):
            mirror_url(url, mirror)


def test_the_total_deadline_bounds_all_attempts() -> None:
    with serving(stalling) as script:
        caller = Caller(script.url, Limits(attempt_seconds=0.2, total_seconds=0.5, stall_seconds=0.2), attempts=50)
        with pytest.raises(TooSlow):
            caller.get()
        assert len(script.asked) < 50
