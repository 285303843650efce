"""A leaderboard from logs, one file a model: of lm-evaluation-harness, Inspect, HELM and SWE-bench, or instance records
of Every Eval Ever."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchhealth.analytics.audit.board import (
    EVERY_EVAL,
    HELM,
    INSPECT,
    ITEMS,
    LM_EVAL,
    SWE_BENCH,
    Board,
    BoardError,
    board_of,
    check_size,
)

MOST_MEMBER = 512 * 1024 * 1024
"""Bytes of one member of an archive: what unpacks to more is refused."""

METRICS = ("exact_match", "acc_norm", "acc", "pass@1", "prompt_level_strict_acc", "em", "f1")
"""The metrics of a sample of lm-evaluation-harness; the first that a log has is read."""

HELM_METRICS = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
"""The metrics of HELM; the first that an instance has is read."""

_SWE_BENCH_LISTS = ("resolved", "unresolved", "no_generation", "no_logs", "error_ids")
"""The lists of a report of SWE-bench that together name every item which was asked."""

VERDICTS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Inspect's letters: correct, incorrect, partial, no answer."""


class Run(NamedTuple):
    """The scores of one model on one test, by the id of the item; of an item that was run several times the mean.

    `run_variances` are the variances of those means, for items that were run twice or more. `format` is that of the
    log.
    """

    model: str
    test: str
    format: str
    scores: Mapping[str, float]
    run_variances: Mapping[str, float]


def from_logs(files: Sequence[tuple[str, bytes]]) -> Board:
    """The board of several logs, each of one model on one and the same test. `files` are paths with their bytes.

    Raises BoardError, which names the file, where a log cannot be read, tests are mixed or items are not shared.
    """
    runs = [run for name, body in files for run in _runs(name, body)]
    tests = sorted({run.test for run in runs})
    if len(tests) > 1:
        raise BoardError(f"the files are of {len(tests)} tests ({', '.join(tests[:3])}): a board has one")
    items = sorted({item for run in runs for item in run.scores})
    check_size(len(runs), len(items))
    column_of = {item: index for index, item in enumerate(items)}
    values = np.full((len(runs), len(items)), np.nan)
    variances = np.full_like(values, np.nan)
    for row, run in enumerate(runs):
        values[row, [column_of[item] for item in run.scores]] = list(run.scores.values())
        variances[row, [column_of[item] for item in run.run_variances]] = list(run.run_variances.values())
    read_as = runs[0].format if runs else ""
    rerun = variances if np.isfinite(variances).any() else None
    return board_of(ITEMS, [run.model for run in runs], values, items, read_as, run_variances=rerun)


def is_log(body: bytes) -> bool:
    """Whether the bytes look like a log: an archive or JSON."""
    return zipfile.is_zipfile(io.BytesIO(body)) or body.lstrip()[:1] in {b"{", b"["}


def _runs(name: str, body: bytes) -> Iterator[Run]:
    try:
        documents = list(_json_documents(body))
    except (ValueError, zipfile.BadZipFile, RecursionError, KeyError) as wrong:
        raise BoardError(f"{_file(name)} is cut or no JSON: {wrong}") from wrong
    if not documents:
        raise BoardError(f"{_file(name)} is empty")
    first = documents[0]
    for fits, parse in _FORMATS:
        if fits(first):
            yield from parse(name, documents)
            return
    raise BoardError(f"{_file(name)} is in no format that is known here")


def _json_documents(body: bytes) -> Iterator[Any]:
    """The JSON documents of a file: one, one a line, or the members of an archive, each within MOST_MEMBER."""
    if zipfile.is_zipfile(io.BytesIO(body)):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            yield _inspect_archive(archive)
        return
    text = body.decode("utf-8-sig")
    try:
        yield json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        yield from map(json.loads, lines)


def _inspect_archive(archive: zipfile.ZipFile) -> dict[str, Any]:
    """An Inspect log that is an archive: its header with its samples."""
    members = [member for member in archive.infolist() if member.filename.endswith(".json")]
    large = [member for member in members if member.file_size > MOST_MEMBER]
    if large or sum(member.file_size for member in members) > 4 * MOST_MEMBER:
        raise ValueError("a member unpacks to more than is read")
    header = json.loads(archive.read("header.json"))
    samples = [member for member in members if member.filename.startswith("samples/")]
    return {**header, "samples": [json.loads(archive.read(member)) for member in samples]}


def _file(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _lm_eval(name: str, documents: Sequence[Any]) -> Iterator[Run]:
    metric = next((metric_name for metric_name in METRICS if _is_number(documents[0].get(metric_name))), None)
    if metric is None:
        raise BoardError(f"{_file(name)} has none of the metrics {', '.join(METRICS)}")
    folder, _, file = name.rpartition("/")
    stem = file.removesuffix(".jsonl")
    is_named = stem.startswith("samples_")
    task = stem.removeprefix("samples_").rsplit("_", 1)[0] if is_named else ""
    model = folder.rpartition("/")[2].replace("__", "/") if is_named and folder else stem
    yield _run_once(model, task, LM_EVAL, _scores(name, documents, "doc_id", metric))


def _inspect(_name: str, documents: Sequence[Any]) -> Iterator[Run]:
    """An item that was run several times (epochs) has several samples of one id."""
    for document in documents:
        about = document.get("eval", {})
        runs: dict[str, list[float]] = {}
        for sample in document.get("samples") or []:
            scorer = next(iter((sample.get("scores") or {}).values()), None)
            value: Any = scorer.get("value") if isinstance(scorer, dict) else None
            score = VERDICTS.get(value) if isinstance(value, str) else float(value) if _is_number(value) else None
            if score is not None:
                runs.setdefault(str(sample.get("id")), []).append(score)
        yield _repeated_run(str(about.get("model", "")), str(about.get("task", "")), INSPECT, runs)


def _every_eval(name: str, documents: Sequence[Any]) -> Iterator[Run]:
    by_run: dict[tuple[str, str], dict[str, float]] = {}
    for row in documents:
        score = row.get("evaluation", {}).get("score")
        if not _is_number(score):
            raise BoardError(f"{_file(name)}: the sample {row.get('sample_id')!r} has no score")
        run = by_run.setdefault((str(row.get("model_id")), str(row.get("evaluation_name"))), {})
        if str(row["sample_id"]) in run:
            raise BoardError(f"{_file(name)}: the sample {row['sample_id']!r} is there twice")
        run[str(row["sample_id"])] = float(score)
    for (model, test), scores in by_run.items():
        yield _run_once(model, test, EVERY_EVAL, scores)


def _helm(name: str, documents: Sequence[Any]) -> Iterator[Run]:
    scores: dict[str, float] = {}
    for row in documents[0]:
        means = {stat["name"]["name"]: stat.get("mean") for stat in row["stats"]}
        value = next((means[metric_name] for metric_name in HELM_METRICS if _is_number(means.get(metric_name))), None)
        if value is not None:
            scores[f"{row['instance_id']}#{row.get('train_trial_index', 0)}"] = float(value)
    folder = name.split("/")[-2] if "/" in name else _file(name)
    test, _, model = folder.rpartition("model=")
    yield _run_once(model or folder, test.rstrip(",:"), HELM, scores)


def _swe_bench(name: str, documents: Sequence[Any]) -> Iterator[Run]:
    document = documents[0]
    solved = document.get("resolved_ids", document.get("resolved", []))
    submitted = document.get("submitted_ids") or [
        instance_id for key in _SWE_BENCH_LISTS for instance_id in document.get(key, [])
    ]
    scores = {str(instance_id): 0.0 for instance_id in submitted} | {str(instance_id): 1.0 for instance_id in solved}
    folder = name.split("/")[-2] if "/" in name else _file(name).removesuffix(".json")
    yield _run_once(folder, "SWE-bench", SWE_BENCH, scores)


def _run_once(model: str, test: str, read_as: str, scores: Mapping[str, float]) -> Run:
    return Run(model, test, read_as, scores, {})


def _repeated_run(model: str, test: str, read_as: str, runs: Mapping[str, Sequence[float]]) -> Run:
    """The mean of an item's runs where it was run several times: further runs are no further items."""
    scores = {item: float(np.mean(trials)) for item, trials in runs.items()}
    variances = {item: float(np.var(trials, ddof=1)) / len(trials) for item, trials in runs.items() if len(trials) > 1}
    return Run(model, test, read_as, scores, variances)


def _scores(name: str, rows: Sequence[Any], key: str, metric: str) -> dict[str, float]:
    scores: dict[str, float] = {}
    for row in rows:
        value, item = row.get(metric), str(row.get(key))
        if not _is_number(value):
            raise BoardError(f"{_file(name)}: the item {item!r} has no {metric}")
        if item in scores:
            raise BoardError(f"{_file(name)}: the item {item!r} is there twice")
        scores[item] = float(value)
    return scores


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and bool(np.isfinite(value))


def _has_keys(*keys: str) -> Callable[[Any], bool]:
    return lambda document: isinstance(document, dict) and all(key in document for key in keys)


_FORMATS: tuple[tuple[Callable[[Any], bool], Callable[[str, Sequence[Any]], Iterator[Run]]], ...] = (
    (_has_keys("sample_id", "evaluation", "model_id"), _every_eval),
    (_has_keys("doc_id"), _lm_eval),
    (_has_keys("eval", "samples"), _inspect),
    (lambda one: isinstance(one, list) and bool(one) and _has_keys("instance_id", "stats")(one[0]), _helm),
    (lambda one: _has_keys("resolved_ids")(one) or _has_keys("resolved")(one), _swe_bench),
)
"""Each format by what its first document has, with its reader."""
