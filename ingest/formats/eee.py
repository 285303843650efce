"""Every Eval Ever, the field's interchange format: records of 0.2 and 0.3 read as one, each result a raw row.

A record is one model at one evaluator with any number of results. 0.2 lacks the evaluation library and how the model
was deployed, and allows details that are no text; `upgrade` fills in "unknown" and writes details as JSON, no more.
A record of any other version is accounted for, row by row, and not read. Numbers stay as they were published.
https://github.com/evaleval/every_eval_ever
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from benchhealth.analytics.record.tables import DATE_BASES, KINDS, REPORTERS
from benchhealth.ingest.formats.bodies import Entry, as_text, list_of, object_at, pointer, read_json, slug, value_at
from benchhealth.ingest.formats.numbers import UnreadableError, day_of_instant, is_nothing, read_number
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow

VERSION = "0.3.0"
REQUIRED = ("schema_version", "evaluation_id", "source_metadata", "model_info", "evaluation_results")
REPORTER_OF = {"first_party": "self", "collaborative": "self"}
"""Who reports by what the record says of the evaluator, where it does not name the reporter: else a third party."""

_VERSIONS = re.compile(r"0\.[23](?:\.\d+)?")
_UNKNOWN_MODEL = {"deployment_type": "unknown", "model_availability": "unknown"}
_OPEN_WEIGHTS = {"open_weights": "true", "closed_weights": "false"}
_BOUNDED = {(0.0, 1.0): "fraction", (0.0, 100.0): "percent"}
_ENDLESS = {"Infinity": "inf", "-Infinity": "-inf"}

Json = dict[str, Any]


class Evaluation(NamedTuple):
    """What a record calls one of its results; `collection` is the first part of the record's `evaluation_id`."""

    collection: str
    name: str


NameOf = Callable[[Evaluation], str]
"""The benchmark_id for an evaluation that does not name one itself."""


def read_record(body: bytes) -> Json:
    """The JSON object of a record, of whatever version. Raises PayloadError for anything else."""
    return as_record(read_json(body))


def as_record(record: object) -> Json:
    """A record made of JSON that was read already. Raises PayloadError."""
    if not isinstance(record, dict):
        raise PayloadError("not an Every Eval Ever record: no object")
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise PayloadError(f"not an Every Eval Ever record: no {', '.join(missing)}")
    list_of(record["evaluation_results"], "not an Every Eval Ever record: no evaluation_results")
    if not all(isinstance(record[key], dict) for key in ("source_metadata", "model_info")):
        raise PayloadError("not an Every Eval Ever record: source_metadata and model_info must be objects")
    return record


def upgrade(record: Json) -> Json:
    """A record of 0.2 or 0.3 as 0.3; nothing is added but "unknown" where 0.3 wants a word."""
    model = dict(record["model_info"])
    model["additional_details"] = _UNKNOWN_MODEL | _texts(model.get("additional_details"))
    return {
        **record,
        "schema_version": VERSION,
        "eval_library": record.get("eval_library") or {"name": "unknown", "version": "unknown"},
        "source_metadata": _with_texts(record["source_metadata"], "additional_details"),
        "model_info": model,
        "evaluation_results": [_upgraded(result) for result in record["evaluation_results"]],
    }


def parse_record(record: Json, name_of: NameOf) -> Parsed:
    """Every result of a record as a row, with a fact for each benchmark and one for the model."""
    version = as_text(record["schema_version"])
    if not _VERSIONS.fullmatch(version):
        reject = f"schema version {version!r}: only 0.2 and 0.3 are known"
        indices = range(len(record["evaluation_results"]))
        return Parsed([_unread(index, reject) for index in indices])
    record = upgrade(record)
    results = record["evaluation_results"]
    named = [_benchmark_id(record, result, name_of) for result in results]
    often = Counter(named)
    rows: list[RawRow] = []
    facts: list[BenchmarkFact] = []
    for index, (result, name) in enumerate(zip(results, named, strict=True)):
        metric = slug(_text(result, "metric_config", "metric_id") or _text(result, "metric_config", "metric_name"))
        benchmark, is_given = name
        suffix = f"/{metric}" if benchmark and metric and not is_given and often[name] > 1 else ""
        row = _result_row(pointer("evaluation_results", index), f"{benchmark}{suffix}", record, result)
        rows.append(row)
        if not row.reject:
            facts.append(_fact(row, result))
    return Parsed(rows, _models(record), list({fact.benchmark: fact for fact in facts}.values()))


def _upgraded(result: object) -> Json:
    if not isinstance(result, dict):
        return {}
    texts = _with_texts(result, "")
    for key, inner in (
        ("source_data", "additional_details"),
        ("metric_config", "additional_details"),
        ("score_details", "details"),
        ("generation_config", "additional_details"),
    ):
        if isinstance(result.get(key), dict):
            texts[key] = _with_texts(result[key], inner)
    return texts


def _with_texts(holder: Json, key: str) -> Json:
    return {**holder, key: _texts(holder[key])} if isinstance(holder.get(key), dict) else dict(holder)


def _texts(details: object) -> dict[str, str]:
    if not isinstance(details, dict):
        return {}
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in details.items()}


def _text(holder: Json, *steps: str) -> str:
    """The text at a place of a record, empty where there is none."""
    return as_text(value_at(holder, *steps))


def _unread(index: int, reject: str) -> RawRow:
    return RawRow(row=pointer("evaluation_results", index), benchmark="", model="", score="", reject=reject)


def _benchmark_id(record: Json, result: Json, name_of: NameOf) -> tuple[str, bool]:
    """The benchmark_id of a result, and whether the record itself gives it."""
    benchmark_id = _text(result, "metric_config", "additional_details", "benchmark_id")
    evaluation = Evaluation(_text(record, "evaluation_id").partition("/")[0], _text(result, "evaluation_name"))
    if benchmark_id:
        return benchmark_id, True
    return name_of(evaluation) if slug(evaluation.name) else "", False


def _result_row(row: str, benchmark: str, record: Json, result: Json) -> RawRow:
    score = _text(result, "score_details", "score")
    unit, problem = _scale(object_at(result, "metric_config"), score)
    details = ("score_details", "details")
    basis = _text(result, *details, "date_basis")
    evaluated = _text(result, "evaluation_timestamp") or _text(record, "evaluation_timestamp")
    kind = _text(record, "model_info", "additional_details", "kind")
    relation = _text(record, "source_metadata", "evaluator_relationship")
    reporter = _text(record, "source_metadata", "additional_details", "reporter")
    error = ("score_details", "uncertainty", "standard_error")
    return RawRow(
        row=row,
        benchmark=benchmark,
        model=_text(record, "model_info", "id") or _text(record, "model_info", "name"),
        score=score,
        unit=unit,
        # Before 0.3 some wrote the number itself where an object with a value belongs.
        std_error=_text(result, *error, "value")
        or ("" if isinstance(value_at(result, *error), dict) else _text(result, *error)),
        n_items=_text(result, "score_details", "uncertainty", "num_samples")
        or _text(result, "source_data", "samples_number"),
        dated_on=_text(result, *details, "dated_on") or day_of_instant(evaluated),
        date_basis=basis if basis in DATE_BASES else "evaluation",
        setting=_text(result, "generation_config", "additional_details", "setting"),
        reporter=reporter if reporter in REPORTERS else REPORTER_OF.get(relation, "third_party"),
        kind=kind if kind in KINDS else "model",
        reject=problem if benchmark else "a result without its evaluation's name",
    )


def _scale(config: Entry, score: str) -> tuple[str, str]:
    """The unit of a metric, and what is wrong with it or with the score on it (or empty)."""
    kind = as_text(config.get("score_type"))
    ends = ["0", "1"] if kind == "binary" else [as_text(config.get(key)) for key in ("min_score", "max_score")]
    problem = (
        ("levels are no scores" if kind == "levels" else "")
        or ("" if as_text(config.get("lower_is_better")) in ("true", "false") else "no word on which way is better")
        or ("" if all(ends) else "the record does not give the scale")
    )
    if problem:
        return "", problem
    try:
        low, high = (float(_ENDLESS[end]) if end in _ENDLESS else read_number(end) for end in ends)
        if not is_nothing(score) and not low <= read_number(score) <= high:
            problem = f"outside {low:g} to {high:g}: {score!r}"
    except UnreadableError as error:
        return "", str(error)
    named = as_text(config.get("metric_unit"))
    points = f"points from {low:g} to {high:g}" if high - low < float("inf") else "points"
    return _BOUNDED.get((low, high)) or (points if named in ("", *_BOUNDED.values()) else named), problem


def _fact(row: RawRow, result: Json) -> BenchmarkFact:
    metric_paths = ("metric_config", "metric_name"), ("metric_config", "evaluation_description")
    return BenchmarkFact(
        benchmark=row.benchmark,
        name=_text(result, "evaluation_name"),
        metric=next(filter(None, (_text(result, *path) for path in metric_paths)), "score"),
        unit=row.unit,
        higher_is_better=_text(result, "metric_config", "lower_is_better") == "false",
    )


def _models(record: Json) -> list[ModelFact]:
    """Whether the weights are open, where the record says so; its developer is a slug, not a name."""
    open_weights = _OPEN_WEIGHTS.get(_text(record, "model_info", "additional_details", "model_availability"))
    model = _text(record, "model_info", "id") or _text(record, "model_info", "name")
    return [ModelFact(row=pointer("model_info"), model=model, open_weights=open_weights)] if open_weights else []
