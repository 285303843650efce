"""The small files of a home, and what is asked of the ledger for them."""

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.status import reached_table, trouble_table
from benchhealth.warehouse.store import LOCK, Store
from benchhealth.warehouse.watch import home_state, notes, running
from benchhealth.warehouse.watch.home_state import HomeState, KeptOut, Phase, RunRecord, WatchedSource
from benchhealth.warehouse.watch.running import Running
from tests.warehouse.test_ledger import entry

DAY = datetime(2026, 11, 1, 3)
LATER = DAY + timedelta(days=30)


def at_work(**more: object) -> Running:
    values = {"run_id": "1", "command": "nightly", "pid": os.getpid(), "host": os.uname().nodename, "version": "0.1.0"}
    return Running(**{**values, "started_at": DAY, "updated_at": DAY, **more})  # type: ignore[arg-type]


def test_what_is_kept_comes_back_as_it_was(tmp_path: Path) -> None:
    state = HomeState(
        at=DAY,
        version="0.1.0",
        sources=(WatchedSource("a", "daily", live=True, asked_at=None, reached_at=DAY),),
        kept_out=(KeptOut("a", "b.csv", "held", "c", "drift", DAY),),
        runs=(RunRecord("1", DAY, None, "nightly", "running", ""),),
        phases=(Phase("1", "ingest", DAY, 2.5, well=True),),
        last_good=(),
    )
    home_state.write(tmp_path, state)
    assert home_state.state_left(tmp_path) == state
    assert [path.name for path in tmp_path.iterdir()] == [home_state.FILE]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"at": 3}', "null", "\x00"])
def test_a_file_that_is_no_record_is_named_and_not_believed(tmp_path: Path, text: str) -> None:
    (tmp_path / home_state.FILE).write_text(text)
    assert home_state.state_left(tmp_path) is None
    with pytest.raises(notes.UnreadableNote, match=home_state.FILE):
        notes.read(tmp_path / home_state.FILE, HomeState)


def test_a_run_is_alive_while_the_lock_is_held_and_its_process_is_there(tmp_path: Path) -> None:
    here = at_work(phase="ingest", phase_started_at=DAY, source="LiveBench", sources=40, sources_done=11, files=9)
    notes.write(running.path_of(tmp_path), here)
    assert running.at_work(tmp_path) is None  # nobody holds the lock
    with exclusive(tmp_path / LOCK, wait=False):
        assert running.at_work(tmp_path) == here
        assert "source 12 of 40 (LiveBench), 0 of 9 files" in here.text()
        notes.write(running.path_of(tmp_path), at_work(pid=2**22 + 1))  # beyond what Linux gives
        assert running.at_work(tmp_path) is None
        notes.write(running.path_of(tmp_path), at_work(pid=2**22 + 1, host="elsewhere"))
        assert running.at_work(tmp_path) is not None  # of a process elsewhere the lock alone tells


def night(store: Store, number: int, *states: str, ref: str = "c0ffee") -> datetime:
    """The entries that a night leaves about a file; returns when it began."""
    began = DAY + timedelta(days=number)
    store.ledger.start_run(f"run-{number}", "nightly", began)
    for place, state in enumerate(states, start=1):
        store.ledger.record(entry(state, ref=ref, detail=state, at=began + timedelta(minutes=place)))
    store.ledger.end_run(f"run-{number}", began + timedelta(hours=1), "ok", "")
    return began


def test_an_assessment_says_its_steps_and_an_earlier_edition_none(tmp_path: Path) -> None:
    step = at_work(phase="assess", phase_started_at=DAY, steps=84, steps_done=21, step="twins, lives")
    assert step.text().endswith(": assess since 03:00, 21 of 84 steps, now twins, lives")
    assert step.share == 0.25
    file = running.path_of(tmp_path)
    notes.write(file, step)
    document = json.loads(file.read_text())
    assert running.read(tmp_path) == step
    file.write_text(json.dumps({name: value for name, value in document.items() if "step" not in name}))
    assert running.read(tmp_path) == at_work(phase="assess", phase_started_at=DAY)
    file.write_text(json.dumps({name: value for name, value in document.items() if name != "pid"}))
    with pytest.raises(notes.UnreadableNote):
        running.read(tmp_path)


def test_a_file_is_kept_out_since_the_first_night_after_the_last_good_one(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        night(store, 0, "held")
        night(store, 1, "written")
        first = night(store, 2, "unchanged", "held")
        night(store, 3, "unchanged", "held")  # what the upstream serves is the version that is held
        row = trouble_table(tmp_path).row(0, named=True)
        assert (row["state"], row["since"]) == ("held", first + timedelta(minutes=2))
        night(store, 4, "unchanged")
        assert trouble_table(tmp_path).is_empty()


def test_a_source_is_reached_by_an_answer_and_asked_for_by_any_attempt(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.ledger.record(entry("written", url="bundle:timm.parquet", source_id="timm"))
        first = night(store, 0, "failed")
        reached = {row["source_id"]: row for row in reached_table(tmp_path, LATER).iter_rows(named=True)}
        assert set(reached) == {"squad"}
        assert reached["squad"]["reached_at"] is None
        later = night(store, 1, "unchanged", "failed")
        row = reached_table(tmp_path, LATER).row(0, named=True)
        assert reached_table(tmp_path, DAY - timedelta(days=1)).is_empty()  # what a clock noted that was ahead
    assert (row["asked_at"], row["reached_at"]) == (first + timedelta(minutes=1), later + timedelta(minutes=1))
