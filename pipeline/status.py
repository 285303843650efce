"""What an operator asks: is the answer still true, and is a hand needed? Sources, freshness, runs, what is kept out."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import datetime
from typing import Any

import polars as pl

from benchhealth.analytics.record.breakpoints import PROPOSED
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.record.words import unknown_words
from benchhealth.ingest.names.stored_names import REGISTRY_SOURCE
from benchhealth.ingest.own_results.imports import BY_HAND
from benchhealth.ingest.source import ENDED
from benchhealth.pipeline import watching
from benchhealth.pipeline.settings import Settings, now
from benchhealth.pipeline.watching import duration_text
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.places.catalogue import LakeError
from benchhealth.warehouse.read import Generation, open_current
from benchhealth.warehouse.registry import read_registry
from benchhealth.warehouse.store import check_facts
from benchhealth.warehouse.watch import running
from benchhealth.warehouse.watch.home_state import HomeState, WatchedSource
from benchhealth.warehouse.watch.reasons import is_overdue, notes, proposed_breakpoint_notes

LINES_SHOWN = 8
"""Lines of one kind; the rest is counted and listed by --json."""


def text(state: Row) -> str:
    """The state of the home as text; what needs a hand comes last, where a terminal shows it."""
    sources = pl.DataFrame(state["sources"]).with_columns(
        pl.col("last_observed_at", "last_fetched_at").dt.strftime("%Y-%m-%d %H:%M")
    )
    lines = [
        f"generation {state['generation']}, as of {state['as_of']}",
        ", ".join(f"{count:,} {noun}" for noun, count in state["totals"].items()),
        "",
        _table(sources.drop("status", "cadence")),
        "",
        "most frequent rejections",
        *(f"  {row['rows']:>7,}  {row['source_id']}: {row['reason']}" for row in state["rejections"]),
        "",
        *_unknown(state["unknown_words"]),
        "last runs",
        *map(_run, state["runs"]),
        "",
        *_at_work(state),
        *_titled_lines("notes", state["notes"]),
        *_titled_lines("a hand is needed", state["reasons"]),
        "well" if state["well"] else f"not well: {len(state['reasons'])} of it needs a hand",
    ]
    return "\n".join(lines)


def _run(run: Row) -> str:
    took = f" in {duration_text(run['ended_at'] - run['started_at'])}" if run["ended_at"] else ""
    phases = ", ".join(f"{name} {duration_text(seconds)}" for name, seconds in run["phases"].items())
    detail = f"; {run['detail'].splitlines()[0]}" if run["detail"] else ""
    line = f"  {run['started_at']:%Y-%m-%d %H:%M}  {run['command']}: {run['status']}{took}"
    return f"{line}{f' ({phases})' if phases else ''}{detail}"


def _at_work(state: Row) -> list[str]:
    if not state["running"]:
        return []
    return ["running now", f"  {state['running']['text']}", f"  facts: {state['facts']}", ""]


def _titled_lines(title: str, rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    more = [f"  and {len(rows) - LINES_SHOWN} more (--json lists them)"] if len(rows) > LINES_SHOWN else []
    return [title, *(f"  {row['text']}" for row in rows[:LINES_SHOWN]), *more, ""]


def _unknown(words: Sequence[Row]) -> list[str]:
    if not words:
        return []
    counted = Counter(word["kind"] for word in words)
    counts = ", ".join(f"{counted[kind]:,} of {kind}" for kind in sorted(counted))
    return [f"words that data/registry/word.csv does not know: {counts} (listed by --json)", ""]


def _table(frame: pl.DataFrame) -> str:
    with pl.Config(
        tbl_formatting="NOTHING",
        tbl_hide_dataframe_shape=True,
        tbl_hide_column_data_types=True,
        tbl_rows=-1,
        tbl_cols=-1,
        tbl_width_chars=160,
    ):
        return str(frame)


WELL, HAND = 0, 3
RUNS_SHOWN = 5


def show(settings: Settings, *, as_json: bool) -> int:
    """Print how everything stands; 0 where it is well, 3 where a hand is needed, with what to do about each reason.

    Raises NoGeneration where none can be read, DamagedError where the facts cannot.
    """
    unread = None
    try:
        check_facts(settings.home)
    except LakeError as error:
        unread = error
    except watching.NOT_ASKED:
        pass  # `status_values` asks too, and says why it cannot
    with closing(open_current(settings.home)) as generation:
        state = status_values(settings, generation, now(), unread)
    print(json.dumps(state, default=str, indent=2) if as_json else text(state))
    return WELL if state["well"] else HAND


def status_values(
    settings: Settings, generation: Generation, instant: datetime, unread: LakeError | None = None
) -> dict[str, Any]:
    """Everything that `show` says of an instant: plain values, ready for JSON.

    `unread` is what reading every row of a lake met; what is asked here may lie in its catalogue alone.
    """
    home_state, met = watching.home_state_now(settings, generation)
    why = met or unread
    at_work = running.at_work(settings.home)
    words = read_registry(settings.registry).word
    strange = unknown_words(generation.table("benchmark"), generation.table("model"), words)
    judgement = judge_state(settings, home_state, instant, why)
    waiting = proposed_breakpoint_notes(
        generation.table("breakpoint").filter(pl.col("kind").str.starts_with(PROPOSED)).iter_rows(named=True)
    )
    return {
        **judgement,
        "notes": [*judgement["notes"], *(asdict(note) | {"text": note.text()} for note in waiting)],
        **describe(generation, home_state, instant),
        "running": asdict(at_work) | {"text": at_work.text()} if at_work else None,
        "facts": _facts(home_state, why),
        "kept_out": [asdict(file) for file in home_state.kept_out],
        "refused": [asdict(version) for version in home_state.refused],
        "unknown_words": strange.to_dicts(),
    }


def _facts(home_state: HomeState, unread: Exception | None) -> str:
    if unread is None:
        return "read"
    why = next(reason for kind, reason in _UNREAD.items() if isinstance(unread, kind))
    return f"{why}; sources and runs are as of {home_state.at:%Y-%m-%d %H:%M} UTC"


_UNREAD: Mapping[type[Exception], str] = {
    LakeError: "not reached",
    FileNotFoundError: "not in this home",
    Locked: "kept by a run",
}
"""What is said where facts were not asked, for each of `watching.NOT_ASKED`."""


def judge_state(
    settings: Settings, home_state: HomeState, instant: datetime, unread: Exception | None
) -> dict[str, Any]:
    """Whether all is well at an instant, why not, and what else is to be known; `unread`: why facts were not asked."""
    alarms = watching.reasons(settings, home_state, instant, unread)
    return {
        "well": not alarms,
        "reasons": [asdict(reason) | {"text": reason.text()} for reason in alarms],
        "notes": [asdict(note) | {"text": note.text()} for note in notes(home_state, instant)],
    }


def describe(generation: Generation, home_state: HomeState, instant: datetime) -> dict[str, Any]:
    """The state of the sources at an instant, and the last runs, the newest first, with how long their phases took."""
    source_by_id = {source.source_id: source for source in home_state.sources}
    rows = generation.query(_SOURCES)
    without_row = source_by_id.keys() - {REGISTRY_SOURCE} - set(rows["source_id"])
    newer = [{"source_id": key, "status": "never"} for key in without_row if source_by_id[key].asked_at]
    rows = pl.concat([rows, pl.DataFrame(newer, schema=_NEWER)], how="diagonal").sort("source_id")
    sources = [
        {**row, "state": state(row, source_by_id.get(row["source_id"]), instant)} for row in rows.iter_rows(named=True)
    ]
    return {
        "generation": generation.name,
        "as_of": generation.query("SELECT max(as_of) AS as_of FROM verdict").item(),
        "totals": generation.query(_TOTALS).row(0, named=True),
        "sources": sources,
        "rejections": generation.query(_REASONS).to_dicts(),
        "runs": [
            asdict(run)
            | {"phases": {phase.name: phase.seconds for phase in home_state.phases if phase.run_id == run.run_id}}
            for run in sorted(home_state.runs, key=lambda run: run.started_at, reverse=True)[:RUNS_SHOWN]
        ],
    }


_SOURCES = """
    WITH kept AS (
        SELECT source_id, count(*) AS snapshots, sum(rows_kept)::BIGINT AS kept, sum(rows_rejected)::BIGINT AS rejected
        FROM snapshot GROUP BY source_id
    )
    SELECT source_id, status, cadence, kind, known_until, last_observed_at, last_fetched_at,
        coalesce(snapshots, 0) AS snapshots, coalesce(kept, 0) AS kept, coalesce(rejected, 0) AS rejected
    FROM source LEFT JOIN kept USING (source_id) ORDER BY source_id
"""
_NEWER = pl.Schema({"source_id": pl.String(), "status": pl.String()})
"""What is known of a source that the generation has no row of, as it came into the catalogue later."""
_REASONS = """
    SELECT source_id, regexp_replace(reason, '[0-9]+', 'N', 'g') AS reason, count(*) AS rows
    FROM rejection JOIN snapshot USING (snapshot_id)
    GROUP BY ALL ORDER BY rows DESC, source_id, reason LIMIT 10
"""
_TOTALS = """
    SELECT (SELECT count(*) FROM source) AS sources, (SELECT count(*) FROM snapshot) AS snapshots,
        (SELECT count(*) FROM benchmark) AS benchmarks, (SELECT count(*) FROM model) AS models,
        (SELECT count(*) FROM result) AS results, (SELECT count(*) FROM rejection) AS rejections
"""


def state(row: dict[str, Any], source: WatchedSource | None, instant: datetime) -> str:
    """How a source stands, in a word; one of which nothing new comes is retired, whatever its last fetch said.

    `bundled` is what came with the program and was never asked for here, `overdue` what has not answered for three of
    its cadences, `not assessed` what was asked for since the generation was made, which knows nothing of it.
    """
    if row["kind"] in ENDED and row["cadence"] != BY_HAND and row["status"] != "never":
        return "retired"
    if source is not None and is_overdue(source, instant):
        return "overdue"
    if row["status"] == "never" and source is not None and source.asked_at is not None:
        return "not assessed"
    if row["status"] == "held":
        return "quarantined"
    if row["status"] != "ok":
        return str(row["status"])
    return "bundled" if source is not None and source.live and source.asked_at is None else "fresh"
