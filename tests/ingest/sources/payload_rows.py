"""Payloads written in each upstream's format, with the rows that are expected of them."""

import csv
import json
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from benchhealth.analytics.record.by_item.packing import unpack_outcomes
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.run.resolve import resolve
from benchhealth.warehouse.batch import Resolved

ROOT = Path(__file__).parents[3]
PAYLOADS = Path(__file__).parent / "payloads"
SHARED = ROOT.parent / "shared"

BY_KEY = {source.key: source for source in SOURCES}
SHOWN: Mapping[str, Mapping[str, str]] = {
    "results": {
        "row": "source_row",
        "benchmark": "benchmark_id",
        "model": "model_id",
        "setting": "setting",
        "reporter": "reporter",
        "score": "score_published",
        "std_error": "std_error",
        "n_items": "n_items",
        "dated_on": "dated_on",
        "date_basis": "date_basis",
        "kind": "kind",
    },
    "models": {
        "row": "source_row",
        "model": "model_id",
        "organisation": "organisation",
        "released_on": "released_on",
        "open_weights": "open_weights",
        "knowledge_cutoff": "knowledge_cutoff",
    },
    "rejections": {"row": "source_row", "reason": "reason"},
    "reports": {
        "row": "source_row",
        "benchmark": "benchmark_id",
        "subject": "subject",
        "subject_kind": "subject_kind",
        "split": "split",
        "share": "share",
        "method": "method",
        "reference_url": "reference_url",
    },
    "mentions": {
        "row": "source_row",
        "benchmark": "benchmark_id",
        "document": "document",
        "kind": "document_kind",
        "organisation": "organisation",
        "model": "model",
        "mentioned_on": "mentioned_on",
        "url": "url",
    },
    "prices": {
        "row": "source_row",
        "provider": "provider",
        "name": "published_name",
        "model": "model_id",
        "input": "input",
        "output": "output",
        "cache_read": "cache_read",
        "cache_write": "cache_write",
        "terms": "terms",
        "starts_on": "starts_on",
    },
    "names": {"row": "source_row", "entity": "entity", "listed": "listed", "name": "name", "key": "key"},
}
"""Table to what `expected.json` says of a row: its name there, and the column of the facts that it is."""

USUAL = {"setting": "", "reporter": "third_party", "kind": "model", "subject_kind": "model", "terms": ""}
"""Values that `expected.json` leaves out, as it does those that are empty."""

Row = dict[str, Any]


@cache
def registry_units() -> dict[str, str]:
    with (ROOT / "data/registry/benchmark.csv").open(newline="") as lines:
        return {row["benchmark_id"]: row["unit"] for row in csv.DictReader(lines)}


def resolved(key: str, path: str, body: bytes, observed_on: date | None = None) -> Resolved:
    parsed = BY_KEY[key].parse(body, path)
    return resolve(parsed, source_id=key, benchmarks=registry_units(), aliases={}, observed_on=observed_on)


def accounted(facts: Resolved) -> int:
    """Rows that are kept or rejected."""
    row_tables = (facts.results, facts.models, facts.reports, facts.mentions, facts.names, facts.items, facts.prices)
    return sum(frame.height for frame in row_tables) + facts.rejections.height


def readable(facts: Resolved) -> dict[str, list[Row]]:
    frames: dict[str, pl.DataFrame] = {
        "results": facts.results,
        "models": facts.models,
        "rejections": facts.rejections,
        **({"reports": facts.reports} if facts.reports.height else {}),
        **({"mentions": facts.mentions} if facts.mentions.height else {}),
        **({"names": facts.names} if facts.names.height else {}),
        **({"prices": facts.prices} if facts.prices.height else {}),
    }
    shown = {table: [_shown(row) for row in _named(frame, table)] for table, frame in frames.items()}
    return shown | ({"items": _solved(facts)} if facts.items.height else {})


def as_lines(rows: Mapping[str, list[Row]]) -> str:
    """What was read as `expected.json` has it, a row a line: a comparison by pytest leaves most of it out."""
    lines = [f' "{table}": [\n' + ",\n".join(f"  {json.dumps(row)}" for row in rows[table]) + "\n ]" for table in rows]
    return "what was read:\n" + ",\n".join(lines)


def _solved(facts: Resolved) -> list[Row]:
    """Of each run the items with an outcome above 0, in the order of their names."""
    names = {key: rows.sort("place")["item"].to_list() for (key,), rows in facts.lists.group_by("list_id")}
    shown = []
    for run in facts.items.iter_rows(named=True):
        items = names[run["list_id"]]
        outcomes = unpack_outcomes(run["outcome_bits"], len(items), run["outcome_levels"])
        solved = sorted((item, share) for item, share in zip(items, outcomes.tolist(), strict=True) if share > 0)
        listed = {"items": [item for item, _ in solved], "outcomes": [share for _, share in solved]}
        shown.append({"row": run["source_row"], **listed})
    return shown


def _named(frame: pl.DataFrame, table: str) -> list[Row]:
    named = frame.select(**SHOWN[table]).to_dicts()
    rows: list[Row] = json.loads(json.dumps(named, default=str))
    return rows


def _shown(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None and value != USUAL.get(name)}


def expectations() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """(source key, payload's name, its upstream path, expected rows)."""
    for file in sorted(PAYLOADS.glob("*/expected.json")):
        for name, expected in _read(file).items():
            yield (
                file.parent.name,
                name,
                expected["path"],
                {table: expected[table] for table in (*SHOWN, "items") if table in expected},
            )


def is_inline(key: str, name: str) -> bool:
    """Whether a payload stands beside its expected rows, as a list of lines under `payload`, and not in a file."""
    return "payload" in _read(PAYLOADS / key / "expected.json").get(name, {})


def payload(key: str, name: str) -> bytes:
    """The bytes of a payload."""
    if is_inline(key, name):
        lines: list[str] = _read(PAYLOADS / key / "expected.json")[name]["payload"]
        return "".join(f"{line}\n" for line in lines).encode()
    return (PAYLOADS / key / name).read_bytes()


@cache
def _read(file: Path) -> dict[str, dict[str, Any]]:
    read: dict[str, dict[str, Any]] = json.loads(file.read_text())
    return read
