"""The mark of the last run that publishes, on a disk that takes nothing and to a reader at any moment."""

import errno
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.store import LOCK
from benchhealth.warehouse.watch import home_state, mark
from benchhealth.warehouse.watch.home_state import HomeState, RunRecord
from benchhealth.warehouse.watch.reasons import reasons

DAY = datetime(2026, 11, 1, 3)
HOUR = timedelta(hours=1)


def begun(home: Path, run_id: str = "night", begun_at: datetime = DAY) -> mark.Mark:
    return mark.begin(home, run_id, "nightly", "0.1.0", begun_at)


def runs(home: Path) -> list[tuple[str, str]]:
    left = home_state.state_left(home)
    return [(run.status, run.detail) for run in left.runs] if left else []


def leave_runs(home: Path, *run_list: RunRecord) -> None:
    """What the last run that could write left."""
    home_state.write(home, HomeState(DAY, "0.1.0", (), (), run_list, (), ()))


def full(*_: object) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_it_keeps_its_place_and_its_size_whatever_it_says(tmp_path: Path) -> None:
    first = begun(tmp_path)
    path = tmp_path / mark.FILE
    before = path.stat()
    mark.end(tmp_path, first, DAY + HOUR, "failed", "\x00é\U0001f4a5" * 5000)
    after = path.stat()
    assert (after.st_ino, after.st_size, after.st_blocks) == (before.st_ino, mark.SIZE, before.st_blocks)
    run = mark.read(tmp_path)
    assert run is not None and (run.status, run.ended_at, len(run.detail)) == (
        "failed",
        DAY + HOUR,
        mark.LONGEST_REASON,
    )


def test_a_run_that_began_and_did_not_end_was_killed_once_its_process_is_gone(tmp_path: Path) -> None:
    mark._write_mark(tmp_path / mark.FILE, mark.Mark("night", "nightly", "0.1.0", DAY, 2**22 + 1, os.uname().nodename))
    assert runs(tmp_path) == [("crashed", "")]
    begun(tmp_path)
    with exclusive(tmp_path / LOCK, wait=False):
        assert runs(tmp_path) == []
    assert runs(tmp_path) == [("crashed", "")]


def test_where_the_lock_cannot_be_looked_at_nobody_was_killed(tmp_path: Path) -> None:
    begun(tmp_path)
    (tmp_path / LOCK).mkdir()
    assert runs(tmp_path) == []


@pytest.mark.parametrize("status", ["ok", "partial"])
def test_a_run_that_went_well_adds_nothing(tmp_path: Path, status: str) -> None:
    mark.end(tmp_path, begun(tmp_path), DAY + HOUR, status, "")
    assert home_state.state_left(tmp_path) is None


def test_where_it_cannot_be_written_over_it_is_emptied_and_that_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As file systems do that never write a block twice; and there was no room for the first one either."""
    leave_runs(tmp_path, RunRecord("before", DAY, DAY, "nightly", "ok", ""))
    for _ in range(2):
        with monkeypatch.context() as patched:
            patched.setattr("benchhealth.warehouse.watch.mark.os.pwrite", full)
            begun(tmp_path)
        assert runs(tmp_path) == [("ok", ""), ("failed", mark.UNSAID)]
        mark.end(tmp_path, begun(tmp_path), DAY, "ok", "")
        assert runs(tmp_path) == [("ok", "")]


def test_half_a_mark_is_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark.end(tmp_path, begun(tmp_path), DAY + HOUR, "ok", "")
    original = (tmp_path / mark.FILE).read_bytes()
    (tmp_path / mark.FILE).write_bytes(original[:100])
    monkeypatch.setattr(
        "benchhealth.warehouse.watch.mark.time.sleep", lambda _: (tmp_path / mark.FILE).write_bytes(original)
    )
    assert runs(tmp_path) == []


def test_whoever_knows_the_end_of_a_run_is_right(tmp_path: Path) -> None:
    mark.end(tmp_path, begun(tmp_path), DAY + HOUR, "failed", "full")
    for noted in ("crashed", "running"):
        leave_runs(tmp_path, RunRecord("night", DAY, None, "nightly", noted, ""))
        assert runs(tmp_path) == [("failed", "full")]
    leave_runs(tmp_path, RunRecord("night", DAY, DAY, "nightly", "ok", ""))
    assert runs(tmp_path) == [("ok", "")]


def test_an_ingest_after_it_takes_nothing_away_and_a_good_night_does(tmp_path: Path) -> None:
    mark.end(tmp_path, begun(tmp_path), DAY + HOUR, "failed", "full")
    after = RunRecord("later", DAY + HOUR, DAY + HOUR, "ingest", "ok", "")
    leave_runs(tmp_path, after)
    left = home_state.state_left(tmp_path)
    assert left is not None
    assert [reason.kind for reason in reasons(left, DAY + 2 * HOUR)] == ["night-failed"]
    mark.end(tmp_path, begun(tmp_path, "next", DAY + 2 * HOUR), DAY + 3 * HOUR, "ok", "")
    left = home_state.state_left(tmp_path)
    assert left is not None and reasons(left, DAY + 3 * HOUR) == ()


def test_who_may_not_read_it_learns_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark.end(tmp_path, begun(tmp_path), DAY, "ok", "")

    def shut(*_: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_text", shut)
        assert mark.read(tmp_path) is None


def test_a_folder_in_its_place_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / mark.FILE).mkdir()
    mark.end(tmp_path, begun(tmp_path), DAY, "failed", "")
    assert home_state.state_left(tmp_path) is None
