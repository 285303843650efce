"""Each thing that can be wrong with a home: it is named, the safe ones are repaired, and nothing else is touched."""

import gzip
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from benchhealth.pipeline import watching
from benchhealth.pipeline.doctor import command
from benchhealth.pipeline.doctor.command import STUCK, all_findings, doctor, holders_of
from benchhealth.pipeline.settings import now
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.migrations import MIGRATIONS
from benchhealth.warehouse.publish import serve
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, Generation, current_path, open_current
from benchhealth.warehouse.store import DATABASE, LOCK
from benchhealth.warehouse.watch import home_state, notes, running
from tests.pipeline.conftest import settings_of
from tests.support.breakage import write_garbage
from tests.support.soaking import some
from tests.warehouse.watch.test_home_state import at_work

Break = Callable[[Path], object]
NOBODY = 65534
PLAIN = (
    *("a damaged generation", "a half body", "the facts"),
    *("damaged facts", "no whole generation"),
)
"""Of each check the cases that are most unlike one another; the soak has all."""


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(small_home, copy, symlinks=True)
    return copy


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other processes leave in the machine's folder is none of these tests' business."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))


@pytest.fixture
def owned_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of whoever asks; root, whom no mode keeps out, is somebody else meanwhile."""
    monkeypatch.setattr("tempfile.tempdir", None)  # what pytest makes only its own user may enter
    was = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name, "home")
        shutil.copytree(home, copy, symlinks=True)
        monkeypatch.setattr("tempfile.tempdir", name)
        for path in (Path(name), copy, *copy.rglob("*")):
            os.chown(path, was or NOBODY, -1, follow_symlinks=False)
        os.seteuid(was or NOBODY)
        try:
            yield copy
        finally:
            os.seteuid(was)


def wrong(home: Path, examined_at: datetime | None = None) -> list[tuple[str, str]]:
    """What is found, but for notes: the check, and the line."""
    findings = all_findings(settings_of(home, home), examined_at or now())
    return [(finding.check, finding.text()) for finding in findings if not finding.note]


def asked(home: Path, *, repair: bool = False) -> int:
    return doctor(settings_of(home, home), repair=repair, as_json=False)


def second_generation(home: Path) -> Path:
    """A newer generation beside the one in service, whole too."""
    first = current_path(home)
    second = first.with_name(first.name.replace("-000001", "-000002"))
    shutil.copyfile(first, second)
    return second


def dead_run(home: Path) -> None:
    notes.write(running.path_of(home), at_work(pid=2**22 + 1))


def body(home: Path, content: bytes, name: bytes) -> None:
    sha256 = hashlib.sha256(name).hexdigest()
    path = home / "raw" / sha256[:2] / f"{sha256}.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(content))


def rewritten(home: Path, sql: str) -> None:
    with duckdb.connect(home / DATABASE) as connection:
        connection.execute(sql)


def test_a_home_that_is_well_is_well_and_unchanged(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body(home, b"rows", b"rows")
    before = {path: path.lstat().st_mtime_ns for path in home.rglob("*") if path.name != LOCK}
    assert asked(home) == 0
    assert capsys.readouterr().out == "well\n"
    assert {path: path.lstat().st_mtime_ns for path in home.rglob("*") if path.name != LOCK} == before


REPAIRED: dict[str, tuple[str, Break]] = {
    "no link": ("generations", lambda home: (home / PUBLISHED_FOLDER / CURRENT).unlink()),
    "a dangling link": ("generations", lambda home: (second_generation(home), current_path(home).unlink())),
    "a damaged generation": (
        "generations",
        lambda home: (second_generation(home), write_garbage(current_path(home), 0.5)),
    ),
    "a damaged generation beside": ("generations", lambda home: write_garbage(second_generation(home), 0.5)),
    "a dead run": ("lock", dead_run),
    "a small file that is none": ("notes", lambda home: (home / home_state.FILE).write_text("{")),
    "a building file": ("leftovers", lambda home: (home / PUBLISHED_FOLDER / ".building.duckdb").write_bytes(b"x")),
    "a link begun": ("leftovers", lambda home: (home / PUBLISHED_FOLDER / f".{CURRENT}.new").symlink_to("nowhere")),
    "a folder for the link": ("generations", lambda home: folder_for(home / PUBLISHED_FOLDER / CURRENT, "stray")),
    "a folder for the lock": ("lock", lambda home: folder_for(home / LOCK)),
    "a folder for the lock of publishers": ("lock", lambda home: folder_for(home / PUBLISHED_FOLDER / LOCK)),
    "a folder for a small file": ("notes", lambda home: folder_for(home / running.FILE)),
    "a half body": ("leftovers", lambda home: (body(home, b"a", b"a"), half(home))),
    "rows of a killed run": ("leftovers", lambda _home: left_rows("rows-7.parquet")),
    "rows of a run of an earlier version": ("leftovers", lambda _home: left_rows("rows.parquet")),
    "a shut file": ("permissions", lambda home: (home / DATABASE).chmod(0o000)),
}


def folder_for(path: Path, *names: str) -> None:
    """A folder with files of these names in the place of a file."""
    path.unlink(missing_ok=True)
    path.mkdir()
    for name in names:
        (path / name).touch()


def left_rows(name: str) -> None:
    """What a process that was killed two days ago was handing over."""
    folder = Path(tempfile.gettempdir(), "benchhealth-7-c0ffee")
    folder.mkdir()
    (folder / name).touch()
    os.utime(folder, (0, 0))


def half(home: Path) -> None:
    (folder,) = (home / "raw").iterdir()
    (folder / ".tmp123.part").write_bytes(b"x")


@pytest.mark.parametrize("name", some(REPAIRED, PLAIN))
def test_what_is_safe_is_repaired_and_said(home: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    check, break_it = REPAIRED[name]
    break_it(home)
    assert asked(home) == 3
    output = capsys.readouterr().out
    assert f"wrong: {check}: " in output and "--repair" in output
    asked(home, repair=True)
    assert f"repaired: {check}: " in capsys.readouterr().out
    assert [line for check_of, line in wrong(home) if check_of == check and "in service" not in line] == []
    open_current(home).close()


def test_a_generation_that_cannot_be_read_here_is_not_deleted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too little memory, or another user's file: nobody knows that it is damaged."""
    second, real = second_generation(home), Generation.read_through

    def read(generation: Generation) -> None:
        if generation.path == second:
            raise duckdb.OutOfMemoryException("Out of Memory Error")
        real(generation)

    monkeypatch.setattr(Generation, "read_through", read)
    assert asked(home, repair=True) == 3
    assert second.exists()


@pytest.mark.soak
def test_a_generation_of_the_future_is_wrong_while_it_is_in_service(home: Path) -> None:
    renamed(home)
    assert [check for check, _ in wrong(home)] == ["clock"]
    today = current_path(home).with_name("gen-20200101T000000Z-000002.duckdb")
    shutil.copyfile(current_path(home), today)
    serve(home, today)
    assert wrong(home) == []


@pytest.mark.soak
def test_every_small_file_that_is_none_is_removed_at_once(home: Path) -> None:
    (home / running.FILE).write_text("[]")
    (home / home_state.FILE).write_text("{")
    assert asked(home, repair=True) == 0
    assert asked(home) == 0


SHUT: dict[str, tuple[int, tuple[str, ...]]] = {
    "the lock": (0o000, (LOCK,)),
    "the facts": (0o000, (DATABASE,)),
    "the folder of generations": (0o000, (PUBLISHED_FOLDER,)),
    "a folder in a shut one": (0o000, (f"{PUBLISHED_FOLDER}/{LOCK}", PUBLISHED_FOLDER, ".")),
    "a folder that can only be listed": (0o600, (PUBLISHED_FOLDER,)),
}


@pytest.mark.parametrize("name", some(SHUT, PLAIN))
def test_what_is_shut_to_its_owner_is_opened_and_then_all_is_looked_at(
    owned_home: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mode, places = SHUT[name]
    for place in places:
        (owned_home / place).chmod(mode)
    assert asked(owned_home) == 3
    assert "wrong: permissions: " in capsys.readouterr().out
    assert asked(owned_home, repair=True) == 0
    output = capsys.readouterr()
    assert output.out.startswith("repaired: permissions: ") and output.out.endswith("now\nwell\n")
    assert output.err == ""
    assert asked(owned_home) == 0


def test_where_the_lock_cannot_be_taken_all_is_named_and_what_needs_it_stays(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder_for(home / LOCK, "stray")
    (home / home_state.FILE).write_text("{")
    assert asked(home, repair=True) == 3
    output = capsys.readouterr()
    assert "not repaired what needs the lock: " in output.err
    assert "wrong: lock: " in output.out and "wrong: notes: " in output.out and "2 wrong" in output.out
    assert (home / home_state.FILE).exists() and (home / LOCK / "stray").exists()


def later_edition(home: Path) -> None:
    rewritten(home, f"INSERT INTO edition VALUES ({len(MIGRATIONS) + 1})")


def cut(home: Path) -> None:
    (path,) = (home / "raw").glob("*/*.gz")
    path.write_bytes(path.read_bytes()[:-4])


def future_run(home: Path) -> None:
    rewritten(home, "INSERT INTO run_start VALUES ('later', TIMESTAMP '2090-01-01', 'nightly')")


def renamed(home: Path) -> None:
    old = current_path(home)
    new = old.with_name("gen-20900101T000000Z-000001.duckdb")
    old.rename(new)
    link = home / PUBLISHED_FOLDER / CURRENT
    link.unlink()
    link.symlink_to(new.name)


def later_program(home: Path) -> None:
    left = home_state.state_left(home)
    assert left is not None
    home_state.write(home, replace(left, version="99.0"))


NAMED: dict[str, tuple[str, str, Break]] = {
    "damaged facts": ("facts", "`benchhealth init`", lambda home: write_garbage(home / DATABASE, 0.0)),
    "no facts": ("facts", "`benchhealth init`", lambda home: (home / DATABASE).unlink()),
    "later facts": ("editions", "later version", later_edition),
    "another body": ("bodies", "delete it", lambda home: body(home, b"changed", b"rows")),
    "a cut body": ("bodies", "delete it", lambda home: (body(home, b"a", b"a"), cut(home))),
    "a run of tomorrow": ("clock", "NTP", future_run),
    "a generation of tomorrow": ("clock", "NTP", renamed),
    "no whole generation": ("generations", "`benchhealth init`", lambda home: write_garbage(current_path(home), 0.5)),
    "a full folder for the lock": ("lock", "move it away", lambda home: folder_for(home / LOCK, "stray")),
    "a full folder for a note": ("notes", "move it away", lambda home: folder_for(home / running.FILE, "stray")),
    "a later program": ("editions", "later one", later_program),
}


@pytest.mark.parametrize("name", some(NAMED, PLAIN))
def test_what_a_person_must_mend_is_named_with_how(home: Path, name: str) -> None:
    check, mend, break_it = NAMED[name]
    break_it(home)
    lines = [line for check_of, line in wrong(home) if check_of == check]
    assert lines, wrong(home)
    assert mend in lines[0] and "\n" not in lines[0]
    database = (home / DATABASE).read_bytes() if (home / DATABASE).exists() else b""
    assert asked(home, repair=True) == 3
    assert ((home / DATABASE).read_bytes() if database else b"") == database


def test_an_older_edition_is_a_note(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewritten(home, f"UPDATE edition SET edition = {len(MIGRATIONS) - 1}")
    assert asked(home) == 0
    assert "note: editions: the facts are of edition" in capsys.readouterr().out


def test_a_full_disk_and_a_full_table_of_inodes_are_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs(home)

    class Full:
        f_flag, f_frsize, f_files = 0, real.f_frsize, 1000
        f_bavail, f_favail = 1, 1

    monkeypatch.setattr(command.os, "statvfs", lambda _path: Full)
    lines = [line for check, line in wrong(home) if check == "room"]
    assert any("MB are free" in line for line in lines) and any("inodes" in line for line in lines)
    Full.f_flag = os.ST_RDONLY
    assert any("read-only" in line for check, line in wrong(home) if check == "room")


def test_a_clock_that_is_behind_is_seen_by_what_ended_later(home: Path) -> None:
    findings = wrong(home, now() - timedelta(days=30))
    assert {check for check, _ in findings} == {"clock"}
    assert len(findings) >= 3


def test_who_holds_the_lock_is_told_and_nothing_is_repaired_meanwhile(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / PUBLISHED_FOLDER / ".building.duckdb").write_bytes(b"x")
    with exclusive(home / LOCK, wait=False):
        assert holders_of(home / LOCK) == [os.getpid()]
        (line_found,) = (line for check, line in wrong(home) if check == "lock")
        assert f"process {os.getpid()}" in line_found
        notes.write(running.path_of(home), at_work(updated_at=now()))
        assert wrong(home) == []
        ((check, line_found),) = wrong(home, now() + STUCK + timedelta(minutes=1))
        assert check == "lock" and "has said nothing since" in line_found
        asked(home, repair=True)
        assert "nothing repaired" in capsys.readouterr().err
    assert (home / PUBLISHED_FOLDER / ".building.duckdb").exists()


def test_a_home_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert asked(tmp_path / "nowhere") == 3
    assert asked(tmp_path / "nowhere", repair=True) == 3
    assert not (tmp_path / "nowhere").exists()


def test_programs_get_the_same_as_json(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dead_run(home)
    assert doctor(settings_of(home, home), repair=True, as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["well"]
    (finding,) = report["findings"]
    assert (finding["check"], finding["repairable"], bool(finding["repaired"])) == ("lock", True, True)
    assert watching.PROGRAM
