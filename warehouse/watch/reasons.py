"""Where a hand is needed, and what is only to be known: each with what to do about it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any

from benchhealth.analytics.change.cadences import every
from benchhealth.warehouse.watch.home_state import SLACK, HomeState, KeptOut, WatchedSource

CADENCES = 3
"""How many of its cadences a live source may go without an answer."""

HOLD = timedelta(days=30)
"""How long a file's newest version may be kept out, with the last good one in service, before somebody must decide."""

NIGHTS = timedelta(days=3)
"""A home that was asking upstreams and has not for this long has no night any more."""

PUBLISHING = ("nightly", "assess", "init", "publish")
"""The runs that end in a generation (`publish` is on record where that alone failed): a later success clears one."""

NOT_WRITABLE = "not-writable"
AHEAD = "clock-was-ahead"

KINDS = (
    *("night-failed", "publish-failed", "retention-failed", "edition-failed", "no-night"),
    *("source-not-reached", "held-too-long", "failed-too-long"),
    *(NOT_WRITABLE, AHEAD),
)
"""Every kind of reason for which a hand is needed, of those that can be told by what a run left, and by the home."""

NOT_REACHED = "facts-not-reached"
FACTS_GONE = "facts-gone"

RETENTION, EDITION = "retention", "edition"
"""What a night does at its end; on record only where it failed."""

COMMIT_CHARACTERS = 12
"""The characters of a commit that tell it from others."""

ASKING = ("nightly", "ingest", "ingest --history")


@dataclass(frozen=True)
class Reason:
    """One reason for which a hand is needed, or a note. `kind` is a word for programs, `about` the source, file or run;
    instants are naive UTC."""

    kind: str
    about: str
    since: datetime | None
    what: str
    do: str

    def text(self) -> str:
        """The reason in one line: what is wrong, and what to do about it."""
        return f"{self.what}: {self.do}" if self.do else self.what


def reasons(home_state: HomeState, instant: datetime) -> tuple[Reason, ...]:
    """Why a hand is needed at an instant: nothing here goes away by itself, or with one more good night."""
    home_state = _in_order(home_state, instant)
    return (
        *_failed_run(home_state),
        *_failed_afterwards(home_state),
        *_not_reached(home_state, instant),
        *_held_too_long(home_state, instant),
    )


def not_reached(why: str) -> Reason:
    """The reason for a lake whose catalogue or files do not answer, as `why` says; whoever asks for facts finds it."""
    problem = why.partition("; ")[0]
    do = "see that PostgreSQL and the lake's files can be reached from here (`benchhealth doctor` asks both)"
    return Reason(NOT_REACHED, "lake", None, problem, do)


def gone() -> Reason:
    """The reason for a home without facts in which runs have been at work; found by whoever asks for the facts."""
    do = "`benchhealth restore --replace --from BACKUP` puts them back; `benchhealth doctor` says more"
    return Reason(FACTS_GONE, "home", None, "the facts of this home are gone", do)


def notes(home_state: HomeState, instant: datetime) -> tuple[Reason, ...]:
    """What needs no hand: sources never fetched here, and files kept out while the last good version is in service."""
    home_state = _in_order(home_state, instant)
    return (*_never(home_state), *_kept_out(home_state, instant), *_refused_reasons(home_state), *_partial(home_state))


def proposed_breakpoint_notes(breaks: Iterable[Mapping[str, Any]]) -> Iterator[Reason]:
    """A note for each proposed breakpoint of a generation (rows of `breakpoint`): what waits for a curator, and why."""
    for row in breaks:
        problem = f"{row['board_id']} looks like another measurement since {row['on_date']} ({row['note']})"
        do = (
            "until a curator decides nothing is computed across it; a row in data/registry/breakpoint.csv confirms it "
            "(its kind) or dismisses it (kind none)"
        )
        since = datetime.combine(row["on_date"], time.min)
        yield Reason("proposed-break", f"{row['board_id']} {row['on_date']}", since, problem, do)


def is_overdue(source: WatchedSource, instant: datetime) -> bool:
    """Whether a live source that was asked for has not answered for three of its cadences."""
    gap = every(source.cadence)
    since = source.reached_at or source.asked_at
    return source.live and gap is not None and since is not None and instant - since > CADENCES * gap


def _in_order(home_state: HomeState, instant: datetime) -> HomeState:
    """Runs of the future come first: they were begun by a clock that was ahead, before those that it would hide."""
    runs = sorted(home_state.runs, key=lambda run: (run.started_at <= instant + SLACK, run.started_at))
    return replace(home_state, runs=tuple(runs))


def _failed_run(home_state: HomeState) -> Iterator[Reason]:
    ended = [run for run in home_state.runs if run.command in PUBLISHING and run.status != "running"]
    if not ended or ended[-1].status not in ("failed", "crashed"):
        return
    run = ended[-1]
    first = _first_line(run.detail)
    if run.status == "crashed":
        problem, do = (
            f"{run.command} of {_day(run.started_at)} was killed",
            "run `benchhealth nightly` again; it goes on",
        )
    elif run.command == "nightly":
        problem = f"the night of {_day(run.started_at)} failed ({first})"
        do = "mend what it names (no source that answers: the network), then run `benchhealth nightly`"
    else:
        problem = f"{run.command} of {_day(run.started_at)} failed ({first})"
        do = "mend what it names, then run `benchhealth assess`; the last generation is still in service"
    yield Reason(
        f"{'publish' if run.command != 'nightly' else 'night'}-failed", run.run_id, run.started_at, problem, do
    )


_AFTERWARDS = {RETENTION: "what is old could not be deleted", EDITION: "the edition of the last month was not kept"}


def _failed_afterwards(home_state: HomeState) -> Iterator[Reason]:
    """It is on record where it failed, after the run that it belongs to; a later run of that kind tries it again."""
    last_asked = max((index for index, run in enumerate(home_state.runs) if run.command in ASKING), default=-1)
    for run in home_state.runs[last_asked + 1 :]:
        if run.command in _AFTERWARDS:
            problem = f"{_AFTERWARDS[run.command]} on {_day(run.started_at)} ({_first_line(run.detail)})"
            do = "mend what it names; the next night retries"
            yield Reason(f"{run.command}-failed", run.run_id, run.started_at, problem, do)


def _not_reached(home_state: HomeState, instant: datetime) -> Iterator[Reason]:
    overdue = [source for source in home_state.sources if is_overdue(source, instant)]
    nights = [run for run in home_state.runs if run.command in ASKING]
    if overdue and nights and instant - nights[-1].started_at > NIGHTS:
        yield Reason(
            "no-night",
            "nightly",
            nights[-1].started_at,
            f"no source was asked since {_day(nights[-1].started_at)}, {len(overdue)} are overdue",
            "see that the timer is on (`systemctl list-timers`, the crontab), or run `benchhealth nightly`",
        )
        return
    for source in overdue:
        since = source.reached_at or source.asked_at
        failure = (
            f"not reached since {_day(since)}" if source.reached_at else f"never reached, asked since {_day(since)}"
        )
        yield Reason(
            "source-not-reached",
            source.source_id,
            since,
            f"{source.source_id} ({source.cadence}) was {failure}",
            f"`benchhealth ingest --source {source.source_id}` says why; one that moved or ended is to be changed in "
            "its module of ingest/sources",
        )


def _held_too_long(home_state: HomeState, instant: datetime) -> Iterator[Reason]:
    for file in home_state.kept_out:
        if _is_too_long(file, home_state, instant):
            yield _of_file(file, f"{file.state}-too-long", _DECIDE[file.state])


def _never(home_state: HomeState) -> Iterator[Reason]:
    never = [source.source_id for source in home_state.sources if source.live and source.asked_at is None]
    if never:
        problem = f"{len(never)} live sources were never asked for here: bundled facts, or none, stand for them"
        yield Reason("never-fetched", ", ".join(never), None, problem, "`benchhealth nightly` asks for them")


def _kept_out(home_state: HomeState, instant: datetime) -> Iterator[Reason]:
    for file in home_state.kept_out:
        if not _is_too_long(file, home_state, instant):
            yield _of_file(file, file.state, "")


def _refused_reasons(home_state: HomeState) -> Iterator[Reason]:
    for version in home_state.refused:
        problem = f"{version.source_id}: {_file_label(version)} is {_first_line(version.reason)}"
        yield Reason(
            "refused-for-good", f"{version.source_id} {version.path} {version.ref}", version.since, problem, ""
        )


def _is_too_long(file: KeptOut, home_state: HomeState, instant: datetime) -> bool:
    """Whether a live source's file is kept out for longer than HOLD; an ended source publishes nothing newer."""
    live = any(source.live for source in home_state.sources if source.source_id == file.source_id)
    return live and instant - file.since > HOLD


def _partial(home_state: HomeState) -> Iterator[Reason]:
    nights = [run for run in home_state.runs if run.command in ASKING and run.status != "running"]
    if nights and nights[-1].status == "partial":
        run = nights[-1]
        problem = f"some sources failed in the {run.command} of {_day(run.started_at)} ({_first_line(run.detail)})"
        yield Reason("partial-night", run.run_id, run.started_at, problem, "")


_DECIDE = {
    "held": "look at both versions; a true change of the board gets a row in data/registry/breakpoint.csv, which "
    "releases it the next night; a fault that the upstream will never mend gets one in data/registry/refused.csv",
    "failed": "an address that moved, or a form that the parser does not know: change the source's module in "
    "ingest/sources",
}


def _of_file(file: KeptOut, kind: str, do: str) -> Reason:
    state = "held" if file.state == "held" else "failed"
    problem = f"{file.source_id}: {_file_label(file)} is {state} since {_day(file.since)} ({_first_line(file.reason)})"
    return Reason(kind, f"{file.source_id} {file.path}", file.since, problem, do)


def _file_label(version: KeptOut) -> str:
    """The file with its board and version, as far as they are known: `a.csv (board x/y, version 0e9a2364 of DAY)`."""
    of_day = f" of {_day(version.version_at)}" if version.version_at else ""
    details = [
        *([f"board {version.board_id}"] if version.board_id else []),
        *([f"version {version.ref[:COMMIT_CHARACTERS]}{of_day}"] if version.ref else []),
    ]
    return f"{version.path} ({', '.join(details)})" if details else version.path


def _day(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d}" if instant else "ever"


def _first_line(detail: str) -> str:
    first = (detail.splitlines() or ["no reason on record"])[0]
    return first if len(first) <= 300 else f"{first[:299]}…"
