"""Nights against addresses that serve the present alone: a zip, a file, a table of dated editions."""

import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import polars as pl
import pytest

from benchhealth.ingest.rows import Parsed, UnknownFormError
from benchhealth.ingest.run.report import SourceReport, exit_code
from benchhealth.ingest.source import DatedCopy, DatedTable, WebArchive, WebFile
from benchhealth.warehouse.store import fact_table
from tests.ingest.run.test_run import House, board, opened
from tests.ingest.run.test_run import parse as parse_board
from tests.support.fake_github import REPO, fake_github
from tests.support.scripted_server import Answer, Handler

ZIP = "https://example.org/data/boards.zip"
ARCHIVE = WebArchive("toy/{0}", ZIP, r"(\w+)\.csv")
TABLE = DatedTable("toy/toy-board", "https://example.org/latest", "https://example.org/full", "arena", "day")
JUNE = datetime(2025, 6, 1)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with fake_github() as github, opened(tmp_path, github) as house:
        yield house


def serving(body: bytes, media: str, said_at: datetime | None = None) -> Answer:
    """The body with its ETag and, where that is given, the `Date` of a mirror."""
    etag = f'"{hash(body)}"'

    def answer(handler: Handler) -> None:
        is_same = handler.headers.get("If-None-Match") == etag
        handler.send_response_only(304 if is_same else 200)
        handler.send_header("Content-Type", media)
        handler.send_header("ETag", etag)
        handler.send_header("Content-Length", "0" if is_same else str(len(body)))
        if said_at:
            handler.send_header("Date", format_datetime(said_at.replace(tzinfo=UTC), usegmt=True))
        handler.end_headers()
        if not is_same:
            handler.wfile.write(body)

    return answer


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in files.items():
            archive.writestr(f"{name}.csv", body)
        archive.writestr("README.md", b"no table")
    return out.getvalue()


def stored(house: House) -> list[tuple[date, str]]:
    snapshots = fact_table(house.home, "snapshot").sort("observed_at", "board_id")
    return [
        (observed_at.date(), board_id)
        for observed_at, board_id in snapshots.select("observed_at", "board_id").iter_rows()
    ]


def parse(body: bytes, path: str) -> Parsed:
    """Boards of one model each, so that two files do not name the same benchmark; notes are of no known form."""
    if body.startswith(b"note") or not body.startswith(b"model"):
        raise UnknownFormError(f"{path} is new here")
    return parse_board(body, path)


def test_a_zip_is_read_member_by_member_and_dated_by_its_answer(house: House) -> None:
    house.github.instead = {"boards.zip": serving(zipped(a=board("50"), b=board("60")), "application/zip", JUNE)}
    report = house.night(ARCHIVE)
    assert (exit_code(report), report.sources[0].snapshots) == (0, 2)
    assert stored(house) == [(date(2025, 6, 1), "toy/a"), (date(2025, 6, 1), "toy/b")]
    snapshot = fact_table(house.home, "snapshot").sort("board_id").row(0, named=True)
    assert snapshot["url"] == f"{ZIP}#/{snapshot['ref']}/a.csv"
    assert snapshot["ref"] == f"2025-06-01-{snapshot['sha256'][:12]}"
    with house.asking() as asked:
        assert house.night(ARCHIVE).sources[0] == SourceReport("toy", unchanged=1)
    assert len(asked) == 1


def test_only_members_that_changed_are_stored_again_and_one_that_changes_back_is(house: House) -> None:
    for day, score in ((1, "50"), (2, "51"), (3, "50")):
        day_at = JUNE.replace(day=day)
        house.github.instead = {
            "boards.zip": serving(zipped(a=board(score), b=board("60"), c=bytes(day)), "application/zip", day_at)
        }
        house.night(WebArchive("toy/{0}", ZIP, r"([ab])\.csv"))
    assert stored(house) == [
        (date(2025, 6, 1), "toy/a"),
        (date(2025, 6, 1), "toy/b"),
        (date(2025, 6, 2), "toy/a"),
        (date(2025, 6, 3), "toy/a"),
    ]


def test_an_address_without_a_date_of_its_own_speaks_now(house: House) -> None:
    house.github.instead = {"boards.zip": serving(zipped(a=board("50")), "application/zip")}
    house.night(ARCHIVE)
    house.github.instead = {"boards.zip": serving(zipped(a=board("51")), "application/zip", datetime(2031, 1, 1))}
    house.night(ARCHIVE)
    assert [day for day, _ in stored(house)] == [date(2025, 6, 2), date(2025, 6, 3)]


def test_a_member_is_as_new_as_the_newest_day_written_in_it_if_that_is_some_days_later(house: House) -> None:
    def dated(*days: str) -> bytes:
        return "\n".join(["model,score", *(f"run of {day},50" for day in days)]).encode()

    files = {"a": dated("2025-05-01", "2025-05-23"), "b": dated("2025-05-29"), "c": dated("2025-05-33")}
    house.github.instead = {"boards.zip": serving(zipped(**files), "application/zip", datetime(2025, 5, 20))}
    house.night(ARCHIVE)
    assert dict(map(reversed, stored(house))) == {  # type: ignore[arg-type]
        "toy/a": date(2025, 5, 23),
        "toy/b": date(2025, 5, 20),
        "toy/c": date(2025, 5, 20),
    }


def with_copies(house: House) -> WebArchive:
    copies = []
    for day, files in ((1, {"a": "50", "b": "60"}), (2, {"a": "51", "b": "60"})):
        for name, score in files.items():
            sha = house.github.commit(f"copy/{name}.csv", board(score), JUNE + timedelta(days=90 + day))
        copies.append(DatedCopy(REPO, sha, "copy/", date(2025, 5, day)))
    house.github.commit("copy/a.csv", board("99"), JUNE + timedelta(days=99))
    now = zipped(a=board("51"), b=board("61"))
    house.github.instead = {"boards.zip": serving(now, "application/zip", datetime(2025, 5, 3))}
    return WebArchive("toy/{0}", ZIP, r"(\w+)\.csv", tuple(copies))


def test_copies_are_the_history_each_at_its_day_and_the_zip_adds_what_is_new(house: House) -> None:
    archive = with_copies(house)
    assert exit_code(house.night(archive, history=True)) == 0
    assert stored(house) == [
        (date(2025, 5, 1), "toy/a"),
        (date(2025, 5, 1), "toy/b"),
        (date(2025, 5, 2), "toy/a"),
        (date(2025, 5, 3), "toy/b"),
    ]
    first = fact_table(house.home, "snapshot").sort("observed_at", "board_id").row(0, named=True)
    commit = archive.copies[0].commit
    assert (first["url"], first["ref"]) == (f"https://raw.githubusercontent.com/{REPO}/{commit}/copy/a.csv", commit)
    with house.asking() as asked:
        assert house.night(archive, history=True).sources[0] == SourceReport("toy", unchanged=1)
    assert len(asked) == 1


def test_a_night_asks_for_no_copies(house: House) -> None:
    archive = with_copies(house)
    with house.asking() as asked:
        house.night(archive)
    assert [line for line in asked if "github" in line] == []
    assert {day for day, _ in stored(house)} == {date(2025, 5, 3)}


def test_history_that_was_cut_is_taken_up(house: House) -> None:
    archive = with_copies(house)
    house.github.broken = {archive.copies[1].commit}
    assert exit_code(house.night(archive, history=True)) == 1
    house.github.broken = set()
    assert exit_code(house.night(archive, history=True)) == 0
    assert len(stored(house)) == 4


def test_a_zip_that_is_none_is_asked_for_again(house: House) -> None:
    archive_bytes = zipped(a=board("50"))
    house.github.instead = {"boards.zip": serving(archive_bytes[:-30], "application/zip", JUNE)}
    assert "not a whole zip" in house.night(ARCHIVE).sources[0].errors[0]
    house.github.instead = {"boards.zip": serving(b"<html>sorry</html>", "application/zip", JUNE)}
    assert "web page" in house.night(ARCHIVE).sources[0].errors[0]
    house.github.instead = {"boards.zip": serving(archive_bytes, "application/zip", JUNE)}
    assert house.night(ARCHIVE).sources[0].snapshots == 1


def test_a_member_of_unknown_form_is_held_and_no_failure(house: House) -> None:
    body = zipped(a=board("50"), new=b"note\nsomething")
    house.github.instead = {"boards.zip": serving(body, "application/zip", JUNE)}
    report = house.night(ARCHIVE, read=parse)
    assert exit_code(report) == 0
    assert [held.endswith("held: new.csv is new here") for held in report.sources[0].held] == [True]
    # The zip changes, the member does not: it still waits, once.
    later = zipped(a=board("51"), new=b"note\nsomething")
    house.github.instead = {"boards.zip": serving(later, "application/zip", JUNE.replace(day=2))}
    report = house.night(ARCHIVE, read=parse)
    assert (report.sources[0].snapshots, len(report.sources[0].held)) == (1, 1)
    assert house.ledger().filter(pl.col("state") == "fetched", pl.col("path") == "new.csv").height == 1


def test_a_file_is_a_version_for_each_change(house: House) -> None:
    file = WebFile("toy/toy-board", "https://example.org/api/board", "board.csv", ("text/csv",))
    for day, score in ((1, "50"), (2, "50"), (3, "51")):
        house.github.instead = {"/api/board": serving(board(score), "text/csv", JUNE.replace(day=day))}
        house.night(file)
    assert [day.day for day, _ in stored(house)] == [1, 3]
    assert house.night(file).sources[0] == SourceReport("toy", unchanged=1)


def editions(**scores: float) -> bytes:
    out = io.BytesIO()
    days = [day.removeprefix("d").replace("_", "-") for day in scores]
    pl.DataFrame({"model": ["m0"] * len(days), "score": list(scores.values()), "day": days}).write_parquet(out)
    return out.getvalue()


def parse_edition(body: bytes, path: str) -> Parsed:
    if body.startswith(b"PAR1"):
        raise UnknownFormError(f"no days in {path}")
    lines = [line.rsplit(",", 1)[0] for line in body.decode().splitlines()]
    return parse_board("\n".join(lines).encode(), path)


def tables(latest: bytes, full: bytes) -> dict[str, Answer]:
    media = "application/octet-stream"
    return {"/latest": serving(latest, media), "/full": serving(full, media)}


def test_editions_are_versions_by_their_own_day(house: House) -> None:
    full = editions(d2025_05_01=50.0, d2025_05_02=51.0)
    house.github.instead = tables(editions(d2025_05_02=51.0), full)
    house.night(TABLE, read=parse_edition)
    assert [day.day for day, _ in stored(house)] == [2]
    assert house.night(TABLE, history=True, read=parse_edition).sources[0].snapshots == 1
    assert [day.day for day, _ in stored(house)] == [1, 2]
    with house.asking() as asked:
        assert house.night(TABLE, history=True, read=parse_edition).sources[0] == SourceReport("toy", unchanged=1)
    assert len(asked) == 2


def test_a_day_that_comes_again_with_other_rows_is_held(house: House) -> None:
    house.github.instead = tables(editions(d2025_05_02=51.0), b"")
    house.night(TABLE, read=parse_edition)
    house.github.instead = tables(editions(d2025_05_02=52.0), b"")
    report = house.night(TABLE, read=parse_edition)
    assert (exit_code(report), report.sources[0].snapshots, report.sources[0].refused) == (0, 0, 1)
    held = house.ledger().filter(pl.col("state") == "held")["detail"].to_list()
    assert held == ["held: toy/toy-board: the edition of 2025-05-02 is in service with other rows"]
    assert fact_table(house.home, "result")["score_published"].to_list() == [51.0]


def test_a_table_without_days_is_held_whole(house: House) -> None:
    out = io.BytesIO()
    pl.DataFrame({"model": ["m0"], "score": [50.0]}).write_parquet(out)
    house.github.instead = tables(out.getvalue(), b"")
    report = house.night(TABLE, read=parse_edition)
    assert exit_code(report) == 0
    assert report.sources[0].held[0].endswith("held: no days in arena")
