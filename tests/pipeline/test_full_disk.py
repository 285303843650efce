"""A night on a full disk: told by everything that watches while it is full, and after, until the next good night."""

import errno
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from benchhealth.pipeline import alert, night, status
from benchhealth.pipeline.cli import main
from benchhealth.pipeline.errors import line
from benchhealth.pipeline.report import save
from benchhealth.pipeline.run import Outcome, Run, as_run, recorded_if_failed
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.faults import DatabaseFault, NoRoomError, ShutError, explain_errors
from benchhealth.warehouse.ledger import Ledger
from benchhealth.warehouse.store import DATABASE, Store, fact_table
from benchhealth.warehouse.watch import home_state
from benchhealth.warehouse.watch.reasons import RETENTION, reasons
from tests.pipeline.conftest import settings_of
from tests.support.scripted_server import Scripted, fixed, serving
from tests.support.soaking import some

NOWHERE = "http://127.0.0.1:9"


@contextmanager
def full() -> Iterator[None]:
    """A disk on which nothing can be added, and what is there can be written over."""

    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def ledger(*_: object) -> None:
        raise NoRoomError(Path("warehouse.duckdb.wal"), "No space left on device")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Ledger, "start_run", ledger)
        patched.setattr(Ledger, "end_run", ledger)
        patched.setattr("benchhealth.warehouse.watch.notes.write", refused)
        yield


@pytest.fixture
def hook() -> Iterator[Scripted]:
    with serving(fixed(204)) as server:
        yield server


@pytest.fixture
def settings(small_home: Path, tmp_path: Path, hook: Scripted) -> Settings:
    """Of a home after a good night."""
    shutil.copytree(small_home, tmp_path / "home", symlinks=True)
    settings = replace(settings_of(tmp_path / "home", tmp_path), webhook=f"{hook.url}/hook")
    good(settings, "nightly")
    alert.alert(settings, test=False)  # as after each night
    return settings


def good(settings: Settings, command: str) -> None:
    with Store.open(settings.home) as store:
        as_run(settings, store, command, lambda _run: Outcome(0, "all well"))


def test_a_file_that_was_asked_for_is_named_where_it_finds_no_room() -> None:
    with pytest.raises(OSError, match="No space left") as failed:
        save(Path("/dev/full"), b"a card")
    assert "'/dev/full'" in line(failed.value)


def kinds(settings: Settings) -> list[str]:
    """What `/metrics` and `/readyz` count: they read what lies in the home and never the facts."""
    left = home_state.state_left(settings.home)
    assert left is not None
    return [reason.kind for reason in reasons(left, now())]


def alerts_sent(hook: Scripted) -> list[dict[str, Any]]:
    return [json.loads(asked.body) for asked in hook.asked]


def events(hook: Scripted) -> list[object]:
    return [message["event"] for message in alerts_sent(hook)]


@pytest.mark.soak
def test_a_night_that_no_ledger_knows_is_seen_until_the_next_good_one(settings: Settings, hook: Scripted) -> None:
    before = fact_table(settings.home, "run_start").height
    with full():
        with pytest.raises(DatabaseFault, match="make room"):
            night.nightly(settings, mirror=NOWHERE)
        assert status.show(settings, as_json=False) == status.HAND
        assert kinds(settings) == ["night-failed"]
        assert alert.alert(settings, test=False) == 0
    assert events(hook) == ["hand-needed"]
    assert fact_table(settings.home, "run_start").height == before
    assert (status.show(settings, as_json=False), kinds(settings)) == (status.HAND, ["night-failed"])
    good(settings, "ingest")
    assert (status.show(settings, as_json=False), kinds(settings)) == (status.HAND, ["night-failed"])
    good(settings, "nightly")
    assert (status.show(settings, as_json=False), kinds(settings)) == (status.WELL, [])
    assert alert.alert(settings, test=False) == 0
    assert events(hook) == ["hand-needed", "recovered"]


@pytest.mark.parametrize("command", some(["assess", "init"], plain=["assess"]))
def test_a_publish_that_no_ledger_knows_is_seen(settings: Settings, command: str) -> None:
    with full(), Store.open(settings.home) as store, pytest.raises(DatabaseFault):
        as_run(settings, store, command, lambda _run: Outcome(0, "never reached"))
    assert (status.show(settings, as_json=False), kinds(settings)) == (status.HAND, ["publish-failed"])


def test_a_night_that_could_not_be_ended_in_the_ledger_says_why(settings: Settings) -> None:
    """It began with room, and the disk was full when it failed: what the ledger knows is that it did not end."""

    def filled(_run: Run) -> Outcome:
        disk.enter_context(full())
        raise OSError(errno.ENOSPC, "No space left on device")

    with ExitStack() as disk, Store.open(settings.home) as store, pytest.raises(OSError, match="No space"):
        as_run(settings, store, "nightly", filled)
    left = home_state.state_left(settings.home)
    assert left is not None
    assert (left.runs[-1].status, "No space left" in left.runs[-1].detail) == ("failed", True)
    assert (status.show(settings, as_json=False), kinds(settings)) == (status.HAND, ["night-failed"])


@pytest.mark.soak
def test_a_retention_that_no_ledger_knows_is_seen(settings: Settings) -> None:
    def unable() -> None:
        raise OSError(errno.EIO, "Input/output error")

    with full(), Store.open(settings.home) as store, pytest.raises(DatabaseFault):
        recorded_if_failed(settings, store, RETENTION, unable)
    assert (status.show(settings, as_json=False), kinds(settings)) == (status.HAND, ["retention-failed"])


@contextmanager
def mounted(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of so many megabytes; the test is skipped where none may be mounted."""
    folder.mkdir()
    size = f"size={megabytes}m"
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], check=False, capture_output=True
    ).returncode:
        pytest.skip("no file system may be mounted here; the tests above have such a disk without one")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def filled_up(home: Path) -> Path:
    """A file beside all else that takes what room there is."""
    fill = home / "fill"
    with fill.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(2**16)):
            pass
    with fill.open("ab", buffering=0) as file, suppress(OSError):
        while file.write(b"0"):
            pass
    return fill


@pytest.mark.soak
def test_a_real_disk_that_is_full(small_home: Path, tmp_path: Path, hook: Scripted) -> None:
    with mounted(tmp_path / "disk", 64) as disk:
        settings = replace(settings_of(disk / "home", tmp_path), webhook=f"{hook.url}/hook")
        shutil.copytree(small_home, settings.home, symlinks=True)
        good(settings, "nightly")
        alert.alert(settings, test=False)  # as after each night
        assert (status.show(settings, as_json=False), kinds(settings)) == (status.WELL, [])
        fill = filled_up(settings.home)
        with pytest.raises((DatabaseFault, OSError), match=r"No space|make room"):
            night.nightly(settings, mirror=NOWHERE)
        assert {"night-failed", "not-writable"} <= {str(one["kind"]) for one in alerts_sent(hook)[-1]["reasons"]}
        for there in (True, False):
            if not there:
                fill.unlink()
            assert status.show(settings, as_json=False) == status.HAND
            assert kinds(settings) == ["night-failed"]
            assert alert.alert(settings, test=False) == 0
        assert events(hook) == ["hand-needed"]
        good(settings, "nightly")
        assert (status.show(settings, as_json=False), kinds(settings)) == (status.WELL, [])
        assert alert.alert(settings, test=False) == 0
        assert events(hook) == ["hand-needed", "recovered"]


def test_a_home_that_is_mounted_read_only_is_told_in_words(
    small_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with mounted(tmp_path / "disk", 64) as disk:
        home = disk / "home"
        shutil.copytree(small_home, home, symlinks=True)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
        for command in (["assess"], ["nightly", "--mirror", NOWHERE]):
            assert main(command) == 1
            (message,) = [one for one in capsys.readouterr().err.splitlines() if one.startswith("benchhealth: ")]
            assert str(home / DATABASE) in message
            assert "mount it for writing" in message and "IO Error" not in message
        assert main(["status"]) == status.HAND
        assert "its file system is mounted read-only" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (duckdb.IOException('Cannot open file "x": Read-only file system'), "mount it for writing"),
        (duckdb.IOException('Cannot open file "x": Permission denied'), "the user to whom it belongs"),
        (OSError(errno.EROFS, "Read-only file system", "x"), "mount it for writing"),
    ],
)
def test_what_may_not_be_opened_is_told_with_what_to_do(error: Exception, expected: str) -> None:
    with pytest.raises((ShutError, OSError)) as raised, explain_errors(Path("x"), ""):
        raise error
    message = line(raised.value)
    assert message.startswith("x cannot be ") and expected in message and "what is published is served" in message
