"""Export to Every Eval Ever 0.3: a record for each model in each source's newest files, where the licence allows it.

Bounded scores are written as proportions of 0 to 1, exactly as they are stored; the number as printed is among the
details. A date that is the evaluation's own is its timestamp too; others (a model's release, a snapshot's day) are only
named for what they are. Who evaluated is the `side` of the published result: of a number that a place only passes on,
or that somebody handed in, nobody says who measured it, and the relationship is `other`. What the format has no place
for goes into `additional_details`, where `import` finds it.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import polars as pl

from benchhealth.analytics.record.boards import newest
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.copies import copies
from benchhealth.analytics.record.origins.sides import with_sides
from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.ingest.formats.bodies import slug
from benchhealth.ingest.formats.eee import VERSION
from benchhealth.ingest.run.progress import shown_on
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.registry import read_registry
from benchhealth.warehouse.store import fact_table

RELATIONS = {"self": "first_party", "others": "third_party", None: "other"}
AVAILABILITY = {True: "open_weights", False: "closed_weights", None: "unknown"}
EVALUATED = ("evaluation", "submission")
"""Bases of a date that is when the evaluation was run or handed in."""

_RECORD = ("source_id", "snapshot_id", "model_id", "reporter", "kind", "side")
_LONGEST_FOLDER = 80
_RECORD_FILE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json")

Json = dict[str, Any]


def export(settings: Settings, *, to: Path) -> int:
    """Write `to/<source>/<model>/<uuid>.json` for every record and return how many; the same facts, the same files.

    Sources with terms of their own have folders of their own, as all have, and each record names its licence; of
    sources that may not be passed on there is none. Records that an earlier export left there and that no longer hold
    are removed. Raises UsageError without facts.
    """
    instant, registry = now(), read_registry(settings.registry)
    try:
        sources = fact_table(settings.home, "source")
    except FileNotFoundError as error:
        raise UsageError(f"{error}: `benchhealth init` or `benchhealth import` makes some") from error
    open_terms, own_terms = with_terms(sources, Terms.OPEN), with_terms(sources, Terms.OWN_TERMS)
    written: set[Path] = set()
    with shown_on(sys.stderr) as progress:
        progress.begin("export")
        # What is known of a model is what these sources say: names and makers that others print stay with them.
        for chosen, said_by in ((open_terms, open_terms), *(([source], [*open_terms, source]) for source in own_terms)):
            for record, source_id in records(load(settings.home, registry, instant, said_by), chosen):
                folder = to / source_id / (slug(record["model_info"]["id"])[:_LONGEST_FOLDER] or "model")
                file = folder / f"{uuid5(NAMESPACE_URL, record['evaluation_id'])}.json"
                folder.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
                written.add(file)
                progress.advance(str(file))
        closed = sorted(set(sources["source_id"]) - {*open_terms, *own_terms})
        progress.end(f"{len(written)} records in {to}; what may not be passed on is not among them: {_names(closed)}")
    for source_id in sources["source_id"]:
        for file in (to / source_id).glob("*/*.json"):
            if _RECORD_FILE.fullmatch(file.name) and file not in written:
                file.unlink()
    return len(written)


def records(frames: Frames, source_ids: Sequence[str]) -> Iterator[tuple[Json, str]]:
    """Every record of these sources with its source: a model's results in a snapshot, of one reporter and side."""
    for _, rows in groupby(_rows(frames, source_ids).iter_rows(named=True), itemgetter(*_RECORD)):
        together = list(rows)
        yield _record(together), together[0]["source_id"]


def _rows(frames: Frames, source_ids: Sequence[str]) -> pl.DataFrame:
    """The results of each file's newest snapshot with all that a record says about them, record by record."""
    snapshots = frames.snapshot.select(
        "snapshot_id", "fetched_at", "url", "ref", "sha256", file_id=pl.col("board_id").fill_null("")
    )
    sources = frames.source.filter(pl.col("source_id").is_in(source_ids)).select(
        "source_id", "title", "homepage", "licence"
    )
    benchmarks = frames.benchmark.select(
        "benchmark_id", "metric", "unit", "higher_is_better", benchmark_name=pl.col("name")
    )
    models = frames.model.select("model_id", "organisation", "open_weights", model_name=pl.col("name"))
    results = with_sides(frames.result, frames.measurer, copies(frames))
    listed = newest(results.join(snapshots.lazy(), on="snapshot_id").collect())
    return (
        listed.join(sources, on="source_id")
        .join(benchmarks.drop_nulls("higher_is_better"), on="benchmark_id")
        .join(models, on="model_id", how="left")
        .sort(*_RECORD, "benchmark_id", "setting")
    )


def _record(rows: list[Json]) -> Json:
    first = rows[0]
    relation = RELATIONS[first["side"]]
    named = [first[key] for key in ("source_id", "model_id", "snapshot_id", "reporter", "kind")]
    record = {
        "schema_version": VERSION,
        "evaluation_id": "/".join([*named, relation]),
        "retrieved_timestamp": str(int(first["fetched_at"].replace(tzinfo=UTC).timestamp())),
        "source_metadata": {
            "source_name": first["title"],
            "source_type": "documentation",
            "source_organization_name": first["title"],
            "source_organization_url": first["homepage"],
            "evaluator_relationship": relation,
            "additional_details": {
                "source_id": first["source_id"],
                "reporter": first["reporter"],
                "licence": first["licence"],
                "url": first["url"],
                "ref": first["ref"],
                "sha256": first["sha256"],
                "observed_at": first["observed_at"].replace(tzinfo=UTC).isoformat(),
            },
        },
        "eval_library": {"name": "unknown", "version": "unknown"},
        "model_info": {
            "name": first["model_name"] or first["published_name"],
            "id": first["model_id"],
            **({"developer": first["organisation"]} if first["organisation"] else {}),
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": AVAILABILITY[first["open_weights"]],
                "kind": first["kind"],
                "published_name": first["published_name"],
            },
        },
        "evaluation_results": [_result(row) for row in rows],
    }
    days = {row["dated_on"] for row in rows if row["date_basis"] in EVALUATED}
    return record | ({"evaluation_timestamp": days.pop().isoformat()} if len(days) == 1 else {})


def _result(row: Json) -> Json:
    bounded = row["unit"] in BOUNDED_UNITS
    unit = "proportion" if bounded else row["unit"]
    evaluated = row["date_basis"] in EVALUATED
    return {
        "evaluation_name": row["benchmark_name"],
        "source_data": {"dataset_name": row["benchmark_id"], "source_type": "url", "url": [row["url"]]},
        **({"evaluation_timestamp": row["dated_on"].isoformat()} if evaluated else {}),
        "metric_config": {
            "metric_name": row["metric"],
            "metric_unit": unit,
            "lower_is_better": not row["higher_is_better"],
            "score_type": "continuous",
            "min_score": 0 if bounded else "-Infinity",
            "max_score": 1 if bounded else "Infinity",
            "additional_details": {"benchmark_id": row["benchmark_id"]},
        },
        "score_details": {
            "score": row["score"],
            "details": {
                "score_published": repr(row["score_published"]),
                "source_row": row["source_row"],
                "dated_on": row["dated_on"].isoformat() if row["dated_on"] else "",
                "date_basis": row["date_basis"],
            },
            **_uncertainty(row),
        },
        "generation_config": {"additional_details": {"setting": row["setting"]}},
    }


def _uncertainty(row: Json) -> Json:
    error = {} if row["std_error"] is None else {"standard_error": {"value": row["std_error"]}}
    items = {} if row["n_items"] is None else {"num_samples": row["n_items"]}
    return {"uncertainty": error | items} if error or items else {}


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"
