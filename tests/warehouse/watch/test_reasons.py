"""What needs a hand and what is only to be known, over stands that are written by hand."""

import re
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from benchhealth.analytics.change.cadences import every
from benchhealth.ingest.catalog import SOURCES
from benchhealth.pipeline.watching import is_live
from benchhealth.warehouse.watch.home_state import HomeState, KeptOut, RunRecord, WatchedSource
from benchhealth.warehouse.watch.reasons import AHEAD, KINDS, NOT_WRITABLE, notes, proposed_breakpoint_notes, reasons

NOW = datetime(2026, 11, 22, 4)


def days(number: float) -> datetime:
    return NOW - timedelta(days=number)


def run(command: str, status: str, ago: float = 0.5, detail: str = "") -> RunRecord:
    started = days(ago)
    return RunRecord(f"{command}-{ago}", started, started + timedelta(minutes=5), command, status, detail)


def source(cadence: str = "weekly", *, asked: float | None = 100, reached: float | None = 1) -> WatchedSource:
    asked_at, reached_at = (None if ago is None else days(ago) for ago in (asked, reached))
    return WatchedSource("one", cadence, live=True, asked_at=asked_at, reached_at=reached_at)


def kept_out(state: str = "held", since: float = 1) -> KeptOut:
    return KeptOut("one", "board.csv", state, "c0ffee", "held: history rewritten", days(since))


def home_state(*sources: WatchedSource, runs: tuple[RunRecord, ...] = (), out: tuple[KeptOut, ...] = ()) -> HomeState:
    return HomeState(NOW, "0.1.0", sources or (source(),), out, runs or (run("nightly", "ok"),), (), ())


def kinds(state: HomeState, judged_at: datetime = NOW) -> list[str]:
    return [reason.kind for reason in reasons(state, judged_at)]


def noted(state: HomeState) -> list[str]:
    return [note.kind for note in notes(state, NOW)]


def test_a_home_that_was_never_fetched_into_is_well() -> None:
    bundled = home_state(source(asked=None, reached=None), runs=(run("init", "ok", 400),))
    assert (kinds(bundled), noted(bundled)) == ([], ["never-fetched"])


def test_runs_of_a_clock_that_was_ahead_hide_none_of_now() -> None:
    """Nor does what was reached then: that is not asked of the ledger."""
    ahead, failed = run("nightly", "ok", -700), run("nightly", "failed")
    assert kinds(home_state(runs=(failed, ahead))) == ["night-failed"]
    assert kinds(home_state(runs=(run("nightly", "ok"), replace(ahead, status="failed")))) == []


@pytest.mark.parametrize(
    ("cadence", "gap"), [("daily", 1), ("weekly", 7), ("some times a month", 10), ("daily; taken again when", 1)]
)
def test_a_live_source_may_go_three_of_its_cadences_without_an_answer(cadence: str, gap: int) -> None:
    assert kinds(home_state(source(cadence, reached=3 * gap - 0.1))) == []
    assert kinds(home_state(source(cadence, reached=3 * gap + 0.1))) == ["source-not-reached"]
    never = source(cadence, asked=3 * gap + 0.1, reached=None)
    assert kinds(home_state(never)) == ["source-not-reached"]
    assert kinds(home_state(replace(never, live=False))) == []


def test_every_cadence_of_the_catalogue_is_a_time_or_an_end() -> None:
    ended = re.compile(r"once|closed since|ended|daily until|when a curator adds one")
    strange = [one.cadence for one in SOURCES if every(one.cadence) is None and not ended.match(one.cadence)]
    assert strange == []
    assert [one.key for one in SOURCES if is_live(one) and ended.match(one.cadence)] == []


def test_where_no_night_is_run_any_more_that_is_the_one_reason() -> None:
    sources = [replace(source("daily", reached=9), source_id=name) for name in ("one", "two")]
    assert kinds(home_state(*sources, runs=(run("nightly", "ok", 9),))) == ["no-night"]


@pytest.mark.parametrize("state", ["held", "failed"])
def test_a_version_may_be_kept_out_for_thirty_days(state: str) -> None:
    young, old = (home_state(out=(kept_out(state, since),)) for since in (29.9, 30.1))
    assert (kinds(young), noted(young)) == ([], [state])
    assert (kinds(old), noted(old)) == ([f"{state}-too-long"], [])
    (reason,) = reasons(old, NOW)
    assert "one: board.csv" in reason.what and "history rewritten" in reason.what and reason.do


def test_a_version_is_named_by_board_commit_and_day() -> None:
    named = replace(kept_out(), board_id="one/webdev", ref="0e9a2364" * 5, version_at=days(200))
    (note,) = notes(home_state(out=(named,)), NOW)
    expected = f"one: board.csv (board one/webdev, version 0e9a23640e9a of {days(200):%Y-%m-%d}) is held since"
    assert note.what.startswith(expected)


def test_what_a_curator_refused_for_good_is_a_note_for_ever() -> None:
    refused = replace(kept_out("refused", 300), reason="refused for good: the scrape was cut")
    state = replace(home_state(), refused=(refused,))
    assert (kinds(state), noted(state)) == ([], ["refused-for-good"])
    (note,) = notes(state, NOW)
    assert note.text() == "one: board.csv (version c0ffee) is refused for good: the scrape was cut"


def test_a_proposed_breakpoint_is_a_note_with_what_decides_it() -> None:
    row = {"board_id": "tau2/exam", "on_date": date(2026, 7, 16), "kind": "proposed data", "note": "14 of 17 edited"}
    (note,) = proposed_breakpoint_notes([row])
    assert (note.kind, note.about) == ("proposed-break", "tau2/exam 2026-07-16")
    assert note.what == "tau2/exam looks like another measurement since 2026-07-16 (14 of 17 edited)"
    assert "data/registry/breakpoint.csv" in note.do


def test_of_a_source_that_has_ended_nobody_must_decide() -> None:
    assert kinds(home_state(replace(source(), live=False), out=(kept_out(since=300),))) == []


@pytest.mark.parametrize("status", ["failed", "crashed"])
@pytest.mark.parametrize("command", ["nightly", "assess", "publish", "init"])
def test_the_last_night_or_publish_that_failed_needs_a_hand_until_one_goes_well(command: str, status: str) -> None:
    failed = run(command, status, 0.4, "RuntimeError: full\nand more")
    expected = "night-failed" if command == "nightly" else "publish-failed"
    assert kinds(home_state(runs=(run("nightly", "ok"), failed))) == [expected]
    assert kinds(home_state(runs=(failed, run("import", "ok", 0.3)))) == [expected]
    assert kinds(home_state(runs=(failed, run("nightly", "running", 0.1)))) == [expected]
    for cleared in ("nightly", "assess"):
        assert kinds(home_state(runs=(failed, run(cleared, "ok", 0.2)))) == []
    assert kinds(home_state(runs=(failed, run("nightly", "partial", 0.2)))) == []


def test_what_could_not_be_deleted_needs_a_hand_until_the_next_night() -> None:
    failed = run("retention", "failed", 0.4, "OSError: read-only")
    assert kinds(home_state(runs=(run("nightly", "ok"), failed))) == ["retention-failed"]
    assert kinds(home_state(runs=(run("nightly", "ok"), failed, run("assess", "ok", 0.3)))) == ["retention-failed"]
    assert kinds(home_state(runs=(failed, run("nightly", "ok", 0.2)))) == []


def test_an_edition_that_was_not_kept_needs_a_hand_until_the_next_night() -> None:
    failed = run("edition", "failed", 0.3, "OSError: full")
    assert kinds(home_state(runs=(run("nightly", "ok"), failed))) == ["edition-failed"]
    deleted = run("retention", "failed", 0.4, "OSError: full")
    assert kinds(home_state(runs=(run("nightly", "ok"), deleted, failed))) == ["retention-failed", "edition-failed"]
    assert kinds(home_state(runs=(failed, run("nightly", "ok", 0.2)))) == []


def test_a_night_in_which_some_sources_failed_is_a_note() -> None:
    state = home_state(runs=(run("nightly", "partial", detail="failed: mteb"),))
    assert (kinds(state), noted(state)) == ([], ["partial-night"])


def test_every_kind_of_reason_is_named_for_the_metrics() -> None:
    every_kind = {
        *kinds(home_state(source("daily", reached=9), out=(kept_out(since=40), kept_out("failed", 40)))),
        *kinds(home_state(source("daily", reached=9), runs=(run("nightly", "ok", 9),))),
        *kinds(home_state(runs=(run("nightly", "failed"),))),
        *kinds(home_state(runs=(run("assess", "failed"),))),
        *kinds(home_state(runs=(run("retention", "failed"),))),
        *kinds(home_state(runs=(run("edition", "failed"),))),
    }
    assert every_kind | {NOT_WRITABLE, AHEAD} == set(KINDS)
