"""A run that says what it does, what it leaves, what `status` makes of it, and the line at its end."""

import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from benchhealth.analytics.schedule import StepsDone
from benchhealth.pipeline import night, status, watching
from benchhealth.pipeline.run import Outcome, Run, SourceProgress, as_run, step_progress
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.places.claims import Claims
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.store import Store
from benchhealth.warehouse.watch import home_state, running
from tests.pipeline.conftest import settings_of

NOWHERE = "http://127.0.0.1:9"
"""The discard port: nobody answers there."""


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(small_home, copy, symlinks=True)
    return copy


class Quiet:
    def begin(self, title: str, unit: str = "file") -> None: ...
    def expect(self, files: int) -> None: ...
    def advance(self, what: str) -> None: ...
    def end(self, outcome: str) -> None: ...


def shown(settings: Settings, gathered_at: datetime) -> dict[str, object]:
    with closing(open_current(settings.home)) as generation:
        return status.status_values(settings, generation, gathered_at)


def test_a_run_says_what_it_does_and_leaves_how_everything_stands(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = settings_of(home, home)
    seen: list[running.Running | None] = []

    def work(run: Run) -> Outcome:
        with run.phase("ingest"):
            progress = SourceProgress(Quiet(), run, sources=3)
            progress.begin("First")
            progress.end("")
            progress.begin("Second")
            progress.expect(4)
            run.note()
            seen.append(running.at_work(home))
        with run.phase("assess"), step_progress(run) as report:
            seen.append(running.at_work(home))
            report(StepsDone(0, 9, ("a", "b")))
            report(StepsDone(2, 9, ("c",)))
            seen.append(running.at_work(home))
        return Outcome(2, "1 of 3 failed", publish=lambda: home / "gen")

    caplog.set_level(logging.INFO)
    with Store.open(home) as store:
        assert as_run(settings, store, "nightly", work) == 2
    first, second, third = seen
    assert first is not None and second is not None and third is not None
    assert (first.phase, first.source, first.sources_done, first.sources) == ("ingest", "Second", 1, 3)
    assert (second.phase, second.source, second.steps) == ("assess", "", 0)
    assert (third.phase, third.steps_done, third.steps, third.step) == ("assess", 2, 9, "c")
    assert not running.path_of(home).exists()
    left = home_state.state_left(home)
    assert left is not None
    assert [phase.name for phase in left.phases][-3:] == ["ingest", "assess", "publish"]
    assert {phase.name for phase in left.last_good} >= {"ingest", "assess", "publish"}
    assert (left.runs[-1].command, left.runs[-1].status) == ("nightly", "partial")
    summary = [record for record in caplog.records if record.message.startswith("nightly: done in part in ")]
    assert len(summary) == 1 and summary[0].levelno == logging.WARNING
    assert all(word in summary[0].message for word in ("ingest 0 s", "1 of 3 failed", "published gen"))


def test_a_run_that_fails_leaves_that_and_status_asks_for_a_hand(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_of(home, home)

    def broken(run: Run) -> Outcome:
        with run.phase("assess"):
            raise RuntimeError("out of ideas")

    with Store.open(home) as store, pytest.raises(RuntimeError):
        as_run(settings, store, "nightly", broken)
    assert status.show(settings, as_json=False) == 3
    output = capsys.readouterr().out
    assert "a hand is needed" in output and "out of ideas" in output and "run `benchhealth nightly`" in output
    with Store.open(home) as store:
        as_run(settings, store, "assess", lambda _run: Outcome(0, "as of today"))
    assert status.show(settings, as_json=False) == 0
    assert capsys.readouterr().out.rstrip().endswith("well")


def test_status_shows_the_run_that_has_the_facts_to_itself(home: Path) -> None:
    """Asked of another process's point of view: this one holds the lock and hides its own connection."""
    from benchhealth.warehouse.places import file as stored

    settings = settings_of(home, home)
    with Store.open(home) as store:
        run = Run(settings, "nightly")
        with run.phase("ingest"):
            run.note(source="LiveBench", sources=40, sources_done=3)
            hidden = dict(stored._writers)
            stored._writers.clear()
            real = stored.connect_to_read
            try:
                stored.connect_to_read = lambda path: (_ for _ in ()).throw(stored.Locked(f"{path} is open"))
                state = shown(settings, now())
            finally:
                stored.connect_to_read = real
                stored._writers.update(hidden)
        store.ledger.start_run("x", "nightly", now())
    assert isinstance(state["running"], dict)
    assert (state["running"]["phase"], state["running"]["source"]) == ("ingest", "LiveBench")
    assert "kept by a run" in str(state["facts"])
    assert state["runs"]


def test_a_catalogue_that_is_down_is_a_reason_and_the_rest_is_what_the_last_run_left(home: Path) -> None:
    settings = settings_of(home, home)
    watching.write_state(settings, ())
    with elsewhere(home, Lake("dbname=facts host=127.0.0.1 port=1 password=hidden", str(home))):
        state = shown(settings, now())
        assert status.show(settings, as_json=True) == status.HAND
    (reason,) = state["reasons"]  # type: ignore[misc]
    assert reason["kind"] == "facts-not-reached"
    assert "host=127.0.0.1 port=1" in reason["text"]
    assert "hidden" not in json.dumps(state, default=str)
    assert str(state["facts"]).startswith("not reached; sources and runs are as of")
    assert shown(settings, now())["well"]


@contextmanager
def elsewhere(home: Path, lake: Lake) -> Iterator[None]:
    place(home, lake)
    try:
        yield
    finally:
        place(home, None)


def test_a_source_that_is_overdue_is_a_reason_with_what_to_do(home: Path) -> None:
    settings = settings_of(home, home)
    with Store.open(home) as store:
        store.ledger.start_run("n", "nightly", now())
        store.ledger.record(night.LedgerEntry("evalplus", "https://x", "x", "", "", "", "unchanged", "", now()))
        store.ledger.end_run("n", now(), "ok", "")
    assert shown(settings, now())["well"]
    state = shown(settings, now() + timedelta(days=400))
    assert not state["well"]
    assert json.dumps(state, default=str)
    (reason,) = state["reasons"]  # type: ignore[misc]
    assert (reason["kind"], "benchhealth nightly" in reason["do"]) == ("no-night", True)


def test_a_retention_that_fails_leaves_the_night_what_it_was(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object) -> int:
        raise PermissionError("raw is read-only")

    monkeypatch.setattr(night, "prune", read_only)
    settings = settings_of(home, home)
    assert night.ingest(settings, keys=["gsm1k"], history=False, mirror=NOWHERE) == 0
    left = home_state.state_left(home)
    assert left is not None
    assert [(run.command, run.status) for run in left.runs[-2:]] == [("ingest", "ok"), ("retention", "failed")]
    assert status.show(settings, as_json=False) == 3


def test_a_night_that_leaves_publishing_to_another_run_is_no_failed_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def another(_: Claims, *names: str, patience: float = 0) -> AbstractContextManager[None]:
        if names == (night.PUBLISHING,):
            raise Locked("another run publishes")
        return nullcontext()

    monkeypatch.setattr(Claims, "hold", another)
    monkeypatch.setattr(night, "_ingest", lambda *_, **__: Outcome(0, "3 sources"))
    settings = settings_of(home, home)
    with pytest.raises(Locked, match="another run publishes"):
        night.nightly(settings, mirror=None)
    left = home_state.state_left(home)
    assert left is not None
    assert (left.runs[-1].command, left.runs[-1].status) == ("nightly", "ok")
    assert left.runs[-1].detail == "3 sources; left to another run to publish"
    assert status.show(settings, as_json=False) == 0


def test_a_home_without_room_for_small_files_stops_no_run(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("benchhealth.warehouse.watch.notes.write", full)
    with Store.open(home) as store:
        assert as_run(settings_of(home, home), store, "import", lambda _run: Outcome(0, "nothing")) == 0


@pytest.mark.soak
def test_facts_that_are_gone_need_a_hand_before_and_after_the_night_that_fails(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_of(home, home)
    with Store.open(home) as store:
        as_run(settings, store, "nightly", lambda _run: Outcome(0, "all well"))
    assert status.show(settings, as_json=False) == 0
    moved = (home / "warehouse.duckdb").rename(home / "elsewhere.duckdb")
    assert [reason["kind"] for reason in listed(settings)] == ["facts-gone"]
    assert status.show(settings, as_json=False) == 3
    assert "the facts of this home are gone" in capsys.readouterr().out
    with pytest.raises(DatabaseFault):
        night.nightly(settings, mirror=NOWHERE)
    assert [reason["kind"] for reason in listed(settings)] == ["night-failed", "facts-gone"]
    assert shown(settings, now())["facts"] != "read"
    moved.rename(home / "warehouse.duckdb")
    assert [reason["kind"] for reason in listed(settings)] == ["night-failed"]
    with Store.open(home) as store:
        as_run(settings, store, "nightly", lambda _run: Outcome(0, "all well"))
    assert listed(settings) == []


def test_a_home_that_follows_others_has_no_facts_by_right(home: Path) -> None:
    (home / "warehouse.duckdb").unlink()
    (home / home_state.FILE).unlink(missing_ok=True)
    assert listed(settings_of(home, home)) == []


def test_a_generation_of_the_future_is_a_reason(home: Path) -> None:
    """The clock was two years ahead when it was published, and is right again."""
    link = home / "published" / "current.duckdb"
    ahead = link.parent / f"gen-{now().year + 2}0101T000000Z-000002.duckdb"
    (link.parent / link.readlink()).rename(ahead)
    link.unlink()
    link.symlink_to(ahead.name)
    settings = settings_of(home, home)
    (reason,) = listed(settings)
    assert (reason["kind"], "`benchhealth assess`" in str(reason["text"])) == ("clock-was-ahead", True)
    assert status.show(settings, as_json=True) == status.HAND


def listed(settings: Settings) -> list[dict[str, object]]:
    return shown(settings, now())["reasons"]  # type: ignore[return-value]
