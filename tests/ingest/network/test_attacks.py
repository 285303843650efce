"""Answers made to break a night: each costs the file that it is about, with a reason, and nothing else."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from benchhealth.ingest.formats import bodies
from benchhealth.ingest.formats.bodies import LARGEST_YAML, MOST_COLUMNS, read_csv, read_json, read_yaml
from benchhealth.ingest.network.archive import members
from benchhealth.ingest.network.fetch import FAILED_OFTEN, MAX_RETRY_AFTER, SILENT_FOR_GOOD, Fetcher, Pace
from benchhealth.ingest.network.github import GithubApi, tree_paths
from benchhealth.ingest.network.payload import (
    BadRedirect,
    FetchError,
    Payload,
    Truncated,
    UnexpectedAnswer,
    Unreachable,
)
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.run.report import exit_code
from benchhealth.ingest.source import GithubArchive, GithubFile, GithubTree, Source
from tests.ingest.network.test_fetch import BODY, OK, Caller, slammed
from tests.ingest.run.test_run import BOARD, DAY, House, board, opened, parse
from tests.support.fake_github import REPO, fake_github
from tests.support.scripted_server import Answer, Handler, fixed, serving
from tests.support.soaking import some

JSON = "application/json"
SHA = "0123456789abcdef0123456789abcdef01234567"
ARCHIVE = "https://codeload.github.com/owner/repo/tar.gz/abc"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with fake_github() as github, opened(tmp_path, github) as house:
        yield house


def api_answer(body: object) -> Payload:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Payload("https://api.github.com/x", "", DAY, "", JSON, text)


@pytest.mark.parametrize(
    "location",
    ["https://[::1", "//[", "/[", "https://user:secret@example.org/", "gopher://example.org/", "file:///etc/passwd"],
)
def test_a_redirect_to_what_is_no_public_address_is_refused(location: str) -> None:
    with serving(fixed(302, Location=location)) as script:
        with pytest.raises((BadRedirect, Unreachable)):
            Caller(script.url).get()
        assert all(asked.path == "/raw.githubusercontent.com/owner/repo/main/board.csv" for asked in script.asked)


@pytest.mark.parametrize("retry_after", ["Wed, 21 Oct 99999 07:28:00 GMT", "9" * 5000, "-5", "NaN", "\u00bd"])
def test_an_absurd_retry_after_is_a_pause_like_any_other(retry_after: str) -> None:
    with serving(fixed(503, Retry_After=retry_after), OK) as script:
        caller = Caller(script.url, attempts=3)
        assert caller.body() == BODY
        assert 0 <= caller.pauses[0] <= MAX_RETRY_AFTER


@pytest.mark.parametrize("etag", ['"one"\r\n folded', "no quotes", '"' + "x" * 5000 + '"', 'W/"\xe9"'])
def test_a_version_that_could_not_be_sent_back_is_not_kept(etag: str) -> None:
    def answer(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: " + etag.encode("latin-1"))
        handler.wfile.write(b"\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY))

    with serving(answer) as script:
        payload = Caller(script.url).get()
        assert isinstance(payload, Payload)
        assert payload.etag == ""


def test_a_body_whose_end_nobody_announces_may_be_cut_and_is_refused() -> None:
    def to_the_end_of_the_connection(handler: Handler) -> None:
        handler.head(200, None, Connection="close")
        handler.wfile.write(BODY[:12])
        handler.close_connection = True

    with serving(to_the_end_of_the_connection) as script, pytest.raises(Truncated, match="where the body ends"):
        Caller(script.url).get()


def test_a_host_in_trouble_gets_one_attempt_and_a_silent_one_is_left_alone() -> None:
    with serving(slammed) as script:
        caller = Caller(script.url, attempts=3)
        for _ in range(SILENT_FOR_GOOD + 5):
            with pytest.raises(Unreachable):
                caller.get()
        assert len(script.asked) == 3 * FAILED_OFTEN + (SILENT_FOR_GOOD - FAILED_OFTEN)


def test_one_answer_ends_the_trouble() -> None:
    down = [fixed(500)] * (2 * FAILED_OFTEN + 1)
    with serving(*down, OK, fixed(500), OK) as script:
        caller = Caller(script.url)
        for _ in range(FAILED_OFTEN + 1):
            with pytest.raises(FetchError):
                caller.get()
        assert caller.body() == BODY
        assert caller.body() == BODY


def commits(*dates: object, sha: object = SHA) -> bytes:
    return json.dumps([{"sha": sha, "commit": {"committer": {"date": date}}} for date in dates]).encode()


@pytest.mark.parametrize(
    "body",
    [
        commits("0001-01-01T00:00:00+14:00"),
        commits("9999-12-31T23:59:59-12:00"),
        commits(17),
        commits("2025-01-01T00:00:00Z", sha=["x"] * 40),
        commits("2025-01-01T00:00:00Z")[:-9],
        b"[" * 200_000,
        b"[null]",
        b"7" * 5000,
        b"",
    ],
)
def test_a_listing_of_nonsense_is_no_listing(body: bytes) -> None:
    with serving(fixed(200, body, Content_Type=JSON)) as script:
        api = GithubApi(Fetcher(script.url, lambda: DAY, pace=Pace(attempts=1)))
        with pytest.raises(UnexpectedAnswer):
            list(api.pages("o/r", "main", "a.csv"))


def test_a_listing_that_repeats_its_page_is_not_followed_for_ever() -> None:
    page = fixed(200, commits("2025-01-01T00:00:00Z"), Content_Type=JSON, Link='<https://x>; rel="next"')
    with serving(page) as script:
        api = GithubApi(Fetcher(script.url, lambda: DAY, pace=Pace(attempts=1)))
        with pytest.raises(UnexpectedAnswer, match="nothing new"):
            list(api.pages("o/r", "main", "a.csv"))
        assert len(script.asked) == 2


def test_a_listing_without_a_zone_is_read_as_utc() -> None:
    with serving(fixed(200, commits("2025-01-01T00:00:00"), Content_Type=JSON)) as script:
        api = GithubApi(Fetcher(script.url, lambda: DAY, pace=Pace(attempts=1)))
        assert next(api.pages("o/r", "main", "a.csv"))[0].committed_at == datetime(2025, 1, 1)


@pytest.mark.parametrize("tree", [[{"path": 7, "type": "blob"}], [None], 7, b"[" * 200_000, {"path": "x"}])
def test_a_tree_of_nonsense_is_no_tree(tree: object) -> None:
    with pytest.raises(UnexpectedAnswer):
        tree_paths(api_answer(tree if isinstance(tree, bytes) else {"tree": tree, "truncated": False}))


def test_a_commit_that_comes_twice_and_out_of_order_is_stored_once(house: House) -> None:
    for day in (3, 0, 2, 1):
        house.github.commit(BOARD.path, board(str(50 + day)), DAY + timedelta(days=day))
    house.github.commits += house.github.commits[1:3]
    house.night(history=True)
    assert [observed_at for observed_at, _ in house.stored()] == [DAY + timedelta(days=day) for day in range(4)]


def test_a_version_of_the_future_waits_and_the_next_one_takes_its_place(house: House) -> None:
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.commit(BOARD.path, board("51"), DAY + timedelta(days=5000))
    report = house.night(history=True)
    assert exit_code(report) == 1
    assert "by this machine's clock" in report.sources[0].errors[0]
    assert [observed_at for observed_at, _ in house.stored()] == [DAY]
    house.now += timedelta(days=2)
    house.github.commit(BOARD.path, board("52"), house.now)
    report = house.night()
    assert (exit_code(report), report.sources[0].refused) == (0, 1)
    assert [observed_at for observed_at, _ in house.stored()] == [DAY, house.now - timedelta(days=1)]


def test_a_clock_that_was_wrong_loses_nothing(house: House) -> None:
    house.github.commit(BOARD.path, board("50"), DAY)
    house.now = datetime(1999, 1, 1)
    assert exit_code(house.night()) == 1
    house.now = datetime(2025, 6, 1)
    assert exit_code(house.night()) == 0
    house.github.commit(BOARD.path, board("51"), DAY + timedelta(days=1))
    house.now = datetime(2025, 3, 1)
    assert exit_code(house.night()) == 0
    assert [observed_at for observed_at, _ in house.stored()] == [DAY, DAY + timedelta(days=1)]


@pytest.mark.parametrize("name", ["half\ud800", "bell\x07", "left\u202eright", "x" * 5000])
def test_an_odd_path_costs_itself_alone(house: House, name: str) -> None:
    tree = GithubTree("toy/{0}", REPO, "main", r"results/([^/]+)\.csv")
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.odd_paths = [f"results/{name}.csv"]
    report = house.night(tree)
    assert report.sources[0].snapshots == 1
    assert len(report.sources[0].errors) == 1
    assert [path for _, path in house.stored()] == [BOARD.path]


def test_a_fault_nobody_foresaw_costs_its_file_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.commit("results/other.csv", board("60"), DAY)
    original_head = Fetcher.head

    def head(self: Fetcher, url: str, **options: str) -> object:
        if "other" in url:
            raise ZeroDivisionError("who would have thought")
        return original_head(self, url, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Fetcher, "head", head)
    report = house.night(GithubFile("toy/x", REPO, "main", "results/other.csv"), BOARD)
    assert exit_code(report) == 1
    assert "ZeroDivisionError: who would have thought" in report.sources[0].errors[0]
    assert report.sources[0].snapshots == 1
    other = Source("fine", "Fine", "https://example.org", "MIT", True, "daily", (BOARD,), parse)
    assert exit_code(house.night(GithubFile("toy/x", REPO, "main", "results/other.csv"), more=(other,))) == 2


def test_a_first_version_that_does_not_come_is_not_passed_over(house: House) -> None:
    for day in range(2):
        house.github.commit(BOARD.path, board(str(50 + day)), DAY + timedelta(days=day))
    house.github.broken = {house.github.commits[1].sha}
    assert exit_code(house.night()) == 1
    house.github.broken = set()
    for day in range(2, 4):
        house.github.commit(BOARD.path, board(str(50 + day)), DAY + timedelta(days=day))
    assert exit_code(house.night()) == 0
    assert [observed_at for observed_at, _ in house.stored()] == [DAY + timedelta(days=day) for day in (1, 2, 3)]


def test_a_first_archive_that_does_not_come_is_not_passed_over(house: House) -> None:
    archive = GithubArchive("toy/{0}", REPO, "main", ("a", "b"), r"results/(\w+)\.csv")

    def add(day: int, anchor: str) -> str:
        house.github.commit(BOARD.path, board(str(50 + day)), DAY + timedelta(days=day))
        return house.github.commit(anchor, b"%d" % day, DAY + timedelta(days=day, hours=1))

    add(0, "b")
    house.github.broken = {add(1, "a")}
    assert exit_code(house.night(archive)) == 1
    house.github.broken = set()
    add(2, "b")
    add(3, "a")
    assert exit_code(house.night(archive)) == 0
    taken = [DAY + timedelta(days=day, hours=1) for day in (1, 2, 3)]
    assert [observed_at for observed_at, _ in house.stored()] == taken
    assert exit_code(house.night(archive)) == 0
    assert [observed_at for observed_at, _ in house.stored()] == taken


def test_an_anchor_that_is_gone_costs_a_failure_and_not_the_archive(house: House) -> None:
    archive = GithubArchive("toy/{0}", REPO, "main", ("a", "gone"), r"results/(\w+)\.csv")
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.commit("a", b"1", DAY)
    for number in range(2):
        report = house.night(archive)
        assert (report.sources[0].snapshots, len(report.sources[0].errors)) == (1 - number, 1)
        assert report.sources[0].errors[0].endswith("gone: HTTP status 404")
        assert house.ledger().filter(pl.col("path") == "gone")["state"][-1] == "failed"
    house.github.commit("gone", b"1", DAY + timedelta(days=1))
    house.github.commit(BOARD.path, board("51"), DAY + timedelta(days=2))
    house.github.commit("a", b"2", DAY + timedelta(days=2))
    assert exit_code(house.night(archive)) == 0
    assert [observed_at for observed_at, _ in house.stored()] == [DAY, DAY + timedelta(days=2)]
    assert house.ledger().filter(pl.col("path") == "gone")["state"][-1] == "unchanged"


def test_a_saved_body_that_has_rotted_is_written_anew(house: House) -> None:
    tree = GithubTree("toy/{0}", REPO, "main", r"results/(\w+)\.csv")
    house.github.commit(BOARD.path, board("50"), DAY)
    house.night(tree)
    for saved in (house.home / "raw").glob("*/*.gz"):
        saved.write_bytes(b"")
    house.github.commit("results/more.csv", board("50"), DAY + timedelta(days=1))
    report = house.night(tree)
    assert (exit_code(report), report.sources[0].snapshots) == (0, 1)


def tarball(*members_of: tuple[tarfile.TarInfo, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        for info, body in members_of:
            tar.addfile(info, io.BytesIO(body))
    out.seek(0)
    return out


def member(name: str, body: bytes = b"x", **pax: str) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(f"repo-abc/{name}")
    info.size, info.pax_headers = len(body), pax
    return info, body


def labelled(kind: bytes, size: int, label: bytes = b"") -> io.BytesIO:
    """An archive whose first record announces that a name of so many bytes follows, and a member with that name."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = kind, size
    follows = label + b"\0" * (-len(label) % 512) + member("a.csv")[0].tobuf(tarfile.GNU_FORMAT) + b"x" * 512
    return io.BytesIO(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + follows + b"\0" * 10_000))


HOSTILE: dict[str, Callable[[], io.BytesIO]] = {
    "a page": lambda: io.BytesIO(b"<!DOCTYPE html><html>"),
    "nothing": io.BytesIO,
    "a cut": lambda: io.BytesIO(tarball(member("a.csv", bytes(range(256)) * 999)).getvalue()[:-200]),
    "a long name": lambda: labelled(tarfile.GNUTYPE_LONGNAME, 2**33),
    "a long header": lambda: labelled(tarfile.XHDTYPE, 2**33),
    "a long name that is all there": lambda: labelled(
        tarfile.GNUTYPE_LONGNAME, 2**21, b"repo-abc/".ljust(2**21, b"\0")
    ),
    "a long header that is all there": lambda: labelled(tarfile.XHDTYPE, 2**21, b"2097152 comment=".ljust(2**21, b"x")),
    "a size that is no number": lambda: tarball(member("a.csv", **{"GNU.sparse.map": "x,y", "GNU.sparse.size": "z"})),
    "no octal number": lambda: io.BytesIO(gzip.compress(b"a.csv" + b"\xff" * 507 + b"\0" * 1024)),
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_archive_is_no_archive(hostile: Callable[[], io.BytesIO]) -> None:
    with pytest.raises(FetchError):
        files = list(members(ARCHIVE, hostile(), r".*"))
        assert not files, "nothing of it may be used"
        raise Truncated(ARCHIVE, "empty")


def test_members_outside_of_the_repository_are_only_names() -> None:
    body = tarball(member("../../etc/evil.csv"), member("data/a.csv"), member("/abs.csv"))
    assert [file.path for file in members(ARCHIVE, body, r"data/\w+\.csv")] == ["data/a.csv"]


def test_wide_tables_are_refused_in_no_time() -> None:
    wide = ",".join(f"column {number}" for number in range(200_000))
    for body in (wide, f"{wide},{wide}"):
        with pytest.raises(PayloadError, match="columns"):
            read_csv(f"{body}\n".encode(), ["column 1"])
    assert MOST_COLUMNS > 1007


def test_many_keys_given_twice_are_refused_in_no_time() -> None:
    pairs = ",".join(f'"k{number % 150_000}":1' for number in range(300_000))
    with pytest.raises(PayloadError, match="twice"):
        read_json(f"{{{pairs}}}".encode())


def test_bodies_past_any_table_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MOST_LINES", 9)
    with pytest.raises(PayloadError, match="YAML of"):
        read_yaml(b"a: " + b"x" * LARGEST_YAML)
    assert len(read_csv(b"a\n" + b"1\n" * 9, ["a"])) == 9
    with pytest.raises(PayloadError, match="lines"):
        read_csv(b"a\n" + b"1\n" * 10, ["a"])


def test_a_yaml_of_references_to_itself_stays_small() -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{m}'] * 10)}]" for m, n in pairwise(range(30))]
    assert isinstance(read_yaml("\n".join(levels).encode()), dict)


def sized(body: bytes, announced: int) -> Answer:
    def answer(handler: Handler) -> None:
        handler.head(200, announced)
        handler.wfile.write(body)
        handler.close_connection = True

    return answer


GOOD = b"model,score\na,50\nb,60\n"
BODIES: dict[str, Answer] = {
    "a page": fixed(200, b"<html><body>Log in</body></html>"),
    "a page after a comment": fixed(200, b"<!-- x --><html></html>"),
    "a page by its label": fixed(200, GOOD, Content_Type="text/html"),
    "nothing": fixed(200, b""),
    "blanks": fixed(200, b" \n\t"),
    "a bomb": fixed(200, gzip.compress(b"\0" * 80_000_000, 1), Content_Encoding="gzip"),
    "half": sized(GOOD[:12], len(GOOD)),
    "NUL": fixed(200, GOOD.replace(b"50", b"5\x00")),
    "a column renamed": fixed(200, GOOD.replace(b"score", b"points")),
    "a column twice": fixed(200, GOOD.replace(b"score", b"score,score")),
    "JSON": fixed(200, b'{"model": ["a"]'),
    "latin-1": fixed(200, "model,score\nm\xf6,50".encode("latin-1")),
    "UTF-16": fixed(200, GOOD.decode().encode("utf-16")),
}


def strict(body: bytes, path: str) -> Parsed:
    """The reader of a plain table, as the sources have it."""
    rows = [
        RawRow(f"line {line}", "toy-board", cells["model"], cells["score"], reject=problem)
        for line, cells, problem in read_csv(body, ["model", "score"])
    ]
    return Parsed(rows, [], [BenchmarkFact("toy-board", "Toy", "accuracy")])


@pytest.mark.parametrize("name", some(BODIES, plain=("a page", "nothing", "a bomb", "half", "a column renamed")))
def test_whatever_comes_in_place_of_a_file_the_last_good_version_stays(house: House, name: str) -> None:
    house.github.commit(BOARD.path, GOOD, DAY)
    assert exit_code(house.night(read=strict)) == 0
    before = house.facts()
    sha = house.github.commit(BOARD.path, GOOD + b"c,70\n", DAY + timedelta(days=1))
    house.github.instead = {f"/{sha}/": BODIES[name]}
    report = house.night(read=strict)
    assert len(report.sources[0].errors) + report.sources[0].rejections > 0
    if name != "NUL":
        assert exit_code(report) == 1
        assert all(frame.equals(before[table]) for table, frame in house.facts().items())
