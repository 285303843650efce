"""What an operator asks: is the answer still true? Sources, freshness, rejections, the last runs."""

import json
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import polars as pl

from analytics.record.words import unknown_words
from ingest.own_results.imports import BY_HAND
from ingest.source import ENDED
from pipeline.settings import Settings, now
from warehouse.locking import Locked
from warehouse.read import Generation, open_current
from warehouse.registry import read_registry
from warehouse.status import run_table, trouble_table
from warehouse.store import check_facts

FRESH, STALE = 0, 3
PATIENCE = timedelta(days=3)
"""How long a source may go unvisited: a nightly job that misses two nights is noticed on the third."""
RUNS_SHOWN = 5


def show(settings: Settings, *, as_json: bool) -> int:
    """Print the state of every source and the last runs; 0 where all is fresh, 3 where something needs a look.

    Raises NoGeneration where none can be read, DamagedError where the facts cannot.
    """
    with suppress(Locked, FileNotFoundError):
        check_facts(settings.home)
    generation = open_current(settings.home)
    try:
        state = {
            **describe(generation, _runs(settings, generation), now()),
            "trouble": _trouble(settings),
            "unknown_words": _unknown_words(settings, generation),
        }
    finally:
        generation.close()
    print(json.dumps(state, default=str, indent=2) if as_json else _as_text(state))
    return FRESH if state["fresh"] else STALE


def _runs(settings: Settings, generation: Generation) -> pl.DataFrame:
    """The ledger's runs; while a run keeps the ledger to itself, those that the generation knows."""
    try:
        return run_table(settings.home)
    except Locked:
        return generation.table("run")


def _trouble(settings: Settings) -> list[dict[str, Any]]:
    """The files that failed or are held, each with its reason; while a run keeps the ledger to itself, nothing."""
    try:
        return trouble_table(settings.home).to_dicts()
    except (Locked, FileNotFoundError):
        return []


def _unknown_words(settings: Settings, generation: Generation) -> list[dict[str, Any]]:
    """What the published tables call a domain, a modality or an organisation and no list of the registry has."""
    words = read_registry(settings.registry).word
    return unknown_words(generation.table("benchmark"), generation.table("model"), words).to_dicts()


def describe(generation: Generation, runs: pl.DataFrame, at: datetime) -> dict[str, Any]:
    """The state of the sources at an instant, and the last of `runs`: plain values, ready for JSON."""
    sources = [_source(row, at) for row in generation.query(_SOURCES).iter_rows(named=True)]
    reasons = generation.query(_REASONS)
    return {
        "generation": generation.name,
        "as_of": generation.query("SELECT max(as_of) AS as_of FROM verdict").item(),
        "fresh": all(source["state"] in {"fresh", "retired"} for source in sources),
        "totals": generation.query(_TOTALS).row(0, named=True),
        "sources": sources,
        "rejections": reasons.to_dicts(),
        "runs": runs.sort("started_at", descending=True).head(RUNS_SHOWN).to_dicts(),
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


def _source(row: dict[str, Any], at: datetime) -> dict[str, Any]:
    return {**row, "state": _state(row, at)}


def _state(row: dict[str, Any], at: datetime) -> str:
    """What of a source needs a look; one of which nothing new comes is retired, whatever its last fetch said."""
    if row["kind"] in ENDED and row["cadence"] != BY_HAND and row["status"] != "never":
        return "retired"
    if row["status"] == "held":
        return "quarantined"
    if row["status"] != "ok":
        return str(row["status"])
    if row["cadence"] == BY_HAND:
        return "fresh"
    return "fresh" if at - row["last_fetched_at"] <= PATIENCE else "stale"


def _as_text(state: dict[str, Any]) -> str:
    sources = pl.DataFrame(state["sources"]).with_columns(
        pl.col("last_observed_at", "last_fetched_at").dt.strftime("%Y-%m-%d %H:%M")
    )
    lines = [
        f"generation {state['generation']}, as of {state['as_of']}",
        ", ".join(f"{count:,} {what}" for what, count in state["totals"].items()),
        "",
        _table(sources.drop("status", "cadence")),
        "",
        "most frequent rejections",
        *(f"  {row['rows']:>7,}  {row['source_id']}: {row['reason']}" for row in state["rejections"]),
        "",
        *_troubles(state["trouble"]),
        *_unknown(state["unknown_words"]),
        "last runs",
        *(f"  {run['started_at']:%Y-%m-%d %H:%M}  {run['command']}: {run['status']}" for run in state["runs"]),
        "",
        "fresh" if state["fresh"] else "not fresh: see the column state",
    ]
    return "\n".join(lines)


def _troubles(files: list[dict[str, Any]]) -> list[str]:
    if not files:
        return []
    said = {"held": "quarantined", "failed": "failed"}
    lines = [
        f"  {said[file['state']]}  {file['source_id']} {file['path']} {file['ref'][:8]}: {file['reason']}"
        for file in files
    ]
    return ["not in service", *lines, ""]


def _unknown(words: list[dict[str, Any]]) -> list[str]:
    if not words:
        return []
    counted = Counter(word["kind"] for word in words)
    said = ", ".join(f"{counted[kind]:,} of {kind}" for kind in sorted(counted))
    return [f"words that data/registry/word.csv does not know: {said} (listed by --json)", ""]


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
