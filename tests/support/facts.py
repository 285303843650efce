"""Facts written by hand for tests: batches and registries out of short python rows."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from benchhealth.analytics.record.by_item.packing import NamedRun, packed_runs
from benchhealth.analytics.record.current import benchmark_facts, ranked_results
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.looks import known_benchmarks, known_sources, looks
from benchhealth.analytics.record.tables import DERIVED, empty
from benchhealth.analytics.record.words import DOMAIN
from benchhealth.warehouse import publish as publishing
from benchhealth.warehouse import registry as files
from benchhealth.warehouse.batch import (
    BENCHMARK_FACT,
    ITEM,
    ITEM_RUN,
    MENTION_FACT,
    MODEL_FACT,
    NAME_FACT,
    PRICE_FACT,
    REJECTION_FACT,
    REPORT_FACT,
    RESULT_FACT,
    Batch,
)
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sql import SOURCE, select
from benchhealth.warehouse.store import reading

Row = dict[str, Any]

NOON = datetime(2024, 6, 1, 12)
FETCHED = datetime(2025, 1, 2, 3, 4, 5)


def result(benchmark_id: str = "squad-2.0", model_id: str = "alpha", score: float = 0.5, **more: object) -> Row:
    """A resolved result; `more` replaces any column."""
    return {
        "benchmark_id": benchmark_id,
        "model_id": model_id,
        "setting": "",
        "reporter": "third_party",
        "score": score,
        "score_published": score * 100,
        "source_row": f"row of {model_id}",
        "published_name": model_id.title(),
        "kind": "model",
        **more,
    }


def rejection(source_row: str = "row 9", reason: str = "no score", published: str = "Beta,-") -> Row:
    return {"source_row": source_row, "reason": reason, "published": published}


def model(model_id: str, **more: object) -> Row:
    """What a source says about a model."""
    return {"source_row": f"about {model_id}", "model_id": model_id, **more}


def benchmark(benchmark_id: str, name: str, **more: object) -> Row:
    """What a source says about a benchmark."""
    return {
        "benchmark_id": benchmark_id,
        "name": name,
        "metric": "accuracy",
        "unit": "percent",
        "higher_is_better": True,
        **more,
    }


def report(benchmark_id: str = "squad-2.0", subject: str = "Alpha", **more: object) -> Row:
    """What a source reports about a benchmark in the training data of a model."""
    return {
        "source_row": f"{benchmark_id} in {subject}",
        "benchmark_id": benchmark_id,
        "subject": subject,
        "subject_kind": "model",
        "split": "test",
        "method": "an exact match",
        "reference_url": "https://example.org/paper",
        **more,
    }


def mention(benchmark_id: str = "squad-2.0", document: str = "alpha card", **more: object) -> Row:
    """That a document of a model's maker mentions a benchmark."""
    return {
        "source_row": f"{document}, {benchmark_id}",
        "benchmark_id": benchmark_id,
        "document": document,
        "document_kind": "model_card",
        "organisation": "Alpha Lab",
        "model": "Alpha",
        "mentioned_on": date(2024, 5, 1),
        "url": "https://example.org/card",
        **more,
    }


def by_item(source_row: str, outcomes: Mapping[str, float]) -> NamedRun:
    """The result at this address item by item."""
    return NamedRun(source_row, "", None, list(outcomes), list(outcomes.values()))


def listed_name(listed: str = "alpha", name: str = "Alpha", key: str = "alpha", entity: str = "model") -> Row:
    """That a registry lists a name under one of its entries."""
    return {"source_row": f"{listed}, {name}", "entity": entity, "listed": listed, "name": name, "key": key}


def price(amount: float = 2.0, provider: str = "alpha", name: str = "Alpha 2", **more: object) -> Row:
    """What a provider asks for a model, the same for what is read and four times that for what is written."""
    return {
        "source_row": f"{provider}, {name}",
        "provider": provider,
        "published_name": name,
        "model_id": "alpha-2",
        "input": amount,
        "output": 4 * amount,
        "terms": "",
        **more,
    }


def batch(
    results: Iterable[Mapping[str, Any]] = (),
    *,
    source_id: str = "squad",
    board_id: str = "squad-2.0",
    path: str = "out-v2.0.json",
    ref: str = "c0ffee",
    observed_at: datetime = NOON,
    rejections: Iterable[Mapping[str, Any]] = (),
    models: Iterable[Mapping[str, Any]] = (),
    benchmarks: Iterable[Mapping[str, Any]] = (),
    reports: Iterable[Mapping[str, Any]] = (),
    mentions: Iterable[Mapping[str, Any]] = (),
    names: Iterable[Mapping[str, Any]] = (),
    items: Iterable[NamedRun] = (),
    prices: Iterable[Mapping[str, Any]] = (),
) -> Batch:
    """One snapshot of `path` of a source at `ref`, with these rows in it."""
    runs, lists = packed_runs(source_id, items)
    frames = {
        "results": pl.DataFrame(list(results), schema=RESULT_FACT),
        "rejections": pl.DataFrame(list(rejections), schema=REJECTION_FACT),
        "models": pl.DataFrame(list(models), schema=MODEL_FACT),
        "reports": pl.DataFrame(list(reports), schema=REPORT_FACT),
        "mentions": pl.DataFrame(list(mentions), schema=MENTION_FACT),
        "names": pl.DataFrame(list(names), schema=NAME_FACT),
        "items": pl.DataFrame(runs, schema=ITEM_RUN, orient="row"),
        "prices": pl.DataFrame(list(prices), schema=PRICE_FACT),
    }
    return Batch(
        snapshot_id=sha256(f"{source_id} {path} {ref}".encode()).hexdigest()[:16],
        source_id=source_id,
        board_id=board_id,
        observed_at=observed_at,
        fetched_at=FETCHED,
        url=f"https://raw.githubusercontent.com/lab/{source_id}/{ref}/{path}",
        ref=ref,
        sha256=sha256(ref.encode()).hexdigest(),
        rows_in=sum(frame.height for frame in frames.values()),
        benchmarks=pl.DataFrame(list(benchmarks), schema=BENCHMARK_FACT),
        lists=pl.DataFrame(lists, schema=ITEM, orient="row"),
        **frames,
    )


def sources(*keys: str, redistributable: bool = True) -> pl.DataFrame:
    """The rows of the catalogue for these sources."""
    rows = [
        {
            "source_id": key,
            "title": key.title(),
            "homepage": f"https://example.org/{key}",
            "licence": "MIT" if redistributable else "none",
            "redistributable": redistributable,
            "cadence": "daily",
            "kind": "board",
        }
        for key in keys
    ]
    return pl.DataFrame(rows, schema=SOURCE)


DOMAINS = [(domain, None, group, None) for domain, group in (("reading", "language"), ("science", "science"))]
"""The groups of the domains that invented benchmarks have; `chat` is in none."""


def registry(
    benchmarks: Iterable[Mapping[str, Any]] = (),
    *,
    models: Iterable[Mapping[str, Any]] = (),
    aliases: Iterable[Mapping[str, Any]] = (),
    breakpoints: Iterable[Mapping[str, Any]] = (),
    twins: Iterable[Mapping[str, Any]] = (),
    reports: Iterable[Mapping[str, Any]] = (),
    label_errors: Iterable[Mapping[str, Any]] = (),
) -> Registry:
    """Curated facts of the given rows; columns that a row does not name are unknown."""
    return Registry(
        domain=pl.DataFrame(DOMAINS, schema=DOMAIN, orient="row"),
        benchmark=pl.DataFrame(list(benchmarks), schema=files.BENCHMARK),
        twin=pl.DataFrame(list(twins), schema=files.TWIN_PAIR),
        breakpoint=pl.DataFrame(list(breakpoints), schema=files.BREAKPOINT),
        alias=pl.DataFrame(list(aliases), schema=files.ALIAS),
        contamination_report=pl.DataFrame(list(reports), schema=files.CONTAMINATION_REPORT),
        model=pl.DataFrame(list(models), schema=files.MODEL),
        label_error=pl.DataFrame(list(label_errors), schema=files.LABEL_ERROR),
    )


def derived(**tables: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """All derived tables, empty but for those given."""
    return {name: tables.get(name, empty(name)) for name in DERIVED}


def publish(
    home: Path, curated: Registry, frames: Frames, tables: Mapping[str, pl.DataFrame], published_at: datetime
) -> Path:
    """Publish facts and derived tables as a new generation, and return its file.

    Tables `benchmark` and `source` say until when each is known, as of `published_at`, where `tables` lacks them.
    """
    of_facts = fact_tables(home, curated, frames, published_at, tables.get("copy", empty("copy")))
    return publishing.publish(home, {**of_facts, **tables}, published_at)


def fact_tables(
    home: Path, curated: Registry, frames: Frames, published_at: datetime, copy: pl.DataFrame
) -> dict[str, publishing.Rows]:
    """The published tables of facts; `benchmark` and `source` say until when each is known."""
    about = benchmark_facts(frames)
    dated_looks = looks(frames, ranked_results(frames, about), published_at.date())
    days = {"benchmark": known_benchmarks(frames, dated_looks), "source": known_sources(frames, dated_looks)}
    return {**publishing.fact_tables(home, curated, frames, copy), **days}


def facts(home: Path, names: Iterable[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Stored rows by table, sorted, so that two stores can be compared."""
    with reading(home) as connection:
        return {name: sorted(select(connection, f"FROM {name}").rows(), key=repr) for name in names}


def day(iso: str) -> date:
    return date.fromisoformat(iso)
