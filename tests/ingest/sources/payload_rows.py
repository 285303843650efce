"""Payloads written in each upstream's format, with the rows that are expected of them."""

import csv
import json
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from ingest.catalog import SOURCES
from ingest.run.resolve import Resolved, resolve

ROOT = Path(__file__).parents[3]
PAYLOADS = Path(__file__).parent / "payloads"
SHARED = ROOT.parent / "shared"

BY_KEY = {source.key: source for source in SOURCES}
SHOWN = {
    "results": (
        "source_row",
        "benchmark_id",
        "model_id",
        "setting",
        "reporter",
        "score_published",
        "std_error",
        "n_items",
        "dated_on",
        "date_basis",
        "kind",
    ),
    "models": ("source_row", "model_id", "organisation", "released_on", "open_weights", "knowledge_cutoff"),
    "rejections": ("source_row", "reason"),
    "reports": (
        "source_row",
        "benchmark_id",
        "subject",
        "subject_kind",
        "split",
        "share",
        "method",
        "reference_url",
    ),
}


@cache
def registry_units() -> dict[str, str]:
    with (ROOT / "data/registry/benchmark.csv").open(newline="") as lines:
        return {row["benchmark_id"]: row["unit"] for row in csv.DictReader(lines)}


def resolved(key: str, path: str, body: bytes, observed_on: date | None = None) -> Resolved:
    parsed = BY_KEY[key].parse(body, path)
    return resolve(parsed, source_id=key, benchmarks=registry_units(), aliases={}, observed_on=observed_on)


def accounted(facts: Resolved) -> int:
    """Rows that are kept or rejected."""
    return facts.results.height + facts.models.height + facts.reports.height + facts.rejections.height


def readable(facts: Resolved) -> dict[str, list[list[Any]]]:
    frames: dict[str, pl.DataFrame] = {
        "results": facts.results,
        "models": facts.models,
        "rejections": facts.rejections,
        **({"reports": facts.reports} if facts.reports.height else {}),
    }
    return {
        name: json.loads(json.dumps([list(row) for row in frame.select(SHOWN[name]).iter_rows()], default=str))
        for name, frame in frames.items()
    }


def expectations() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """(source key, payload's name, its upstream path, expected rows)."""
    for file in sorted(PAYLOADS.glob("*/expected.json")):
        for name, expected in _read(file).items():
            yield (
                file.parent.name,
                name,
                expected["path"],
                {table: expected[table] for table in SHOWN if table in expected},
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
