"""What needs a hand by the home alone: room that is none, a file system that takes nothing, a clock that was ahead."""

import errno
import os
import resource
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER
from benchhealth.warehouse.watch import home as watched
from benchhealth.warehouse.watch.home import reasons_of
from tests.pipeline.keeping.test_backup import no_file_larger_than

NOW = datetime(2026, 11, 22, 4)


def faults_of(home: Path, *, trying: bool = False) -> list[tuple[str, str]]:
    return [(reason.kind, reason.what) for reason in reasons_of(home, NOW, trying=trying)]


def test_a_home_that_takes_what_is_written_is_well_and_nothing_stays_in_it(tmp_path: Path) -> None:
    assert faults_of(tmp_path, trying=True) == []
    assert list(tmp_path.iterdir()) == []
    assert faults_of(tmp_path / "nowhere", trying=True) == []


@pytest.mark.parametrize(("free", "files", "what"), [(4096, 9, "4,096 bytes are free"), (2**30, 0, "no more files")])
def test_a_full_disk_is_seen_without_writing(
    tmp_path: Path, free: int, files: int, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = SimpleNamespace(f_bavail=free // 4096, f_frsize=4096, f_files=9, f_favail=files)
    monkeypatch.setattr("benchhealth.warehouse.watch.home.os.statvfs", lambda _: there)
    ((kind, message),) = faults_of(tmp_path)
    assert kind == "not-writable" and what in message and str(tmp_path) in message


def test_what_statistics_do_not_show_is_tried(tmp_path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    with no_file_larger_than(1000):
        assert [kind for kind, _ in faults_of(tmp_path, trying=True)] == ["not-writable"]
        assert faults_of(tmp_path) == []


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EOPNOTSUPP])
def test_who_may_not_write_learns_nothing_of_room(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> Iterator[object]:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("benchhealth.warehouse.watch.home.tempfile.TemporaryFile", refused)
    assert faults_of(tmp_path, trying=True) == []


@pytest.mark.parametrize(("mount", "system", "frozen"), [("ro", "rw", False), ("rw", "ro,errors=remount-ro", True)])
def test_a_file_system_that_is_read_only_is_one_and_a_view_of_it_is_none(
    tmp_path: Path, mount: str, system: str, frozen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path.stat().st_dev
    mounts = tmp_path / "mountinfo"
    name = f"{os.major(device)}:{os.minor(device)}"
    mounts.write_text(f"1 1 {name} / /home {mount},relatime shared:1 - ext4 /dev/sda {system}\n")
    monkeypatch.setattr(watched, "MOUNTS", mounts)
    assert [kind for kind, what in faults_of(tmp_path) if "read-only" in what] == ["not-writable"] * frozen


@pytest.mark.parametrize(("stamp", "ahead"), [("20261123T030000Z", False), ("20281122T040000Z", True)])
def test_a_generation_of_the_future_is_in_service(tmp_path: Path, stamp: str, ahead: bool) -> None:
    (tmp_path / PUBLISHED_FOLDER).mkdir()
    (tmp_path / PUBLISHED_FOLDER / CURRENT).symlink_to(f"gen-{stamp}-000007.duckdb")
    assert [kind for kind, _ in faults_of(tmp_path)] == ["clock-was-ahead"] * ahead
