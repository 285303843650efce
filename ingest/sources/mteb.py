"""MTEB, the embedding benchmark: one folder for each revision of a model, in it one file for each task.

A task's score is the mean of its main score over the subsets (languages) of the test split, as MTEB's own tables take
it; the setting says how many subsets there were, or which one. A task without a test split counts by its only split,
which is then part of the setting; where there are several, each is a part of the benchmark. The revision is a setting
too, and results marked `external` were reported by the model's developers.
The older format (no `scores`) is read only where it names the main score: the file does not tell which metric it is.
Correlations and p-MRR may be negative, so they have units of their own. `NaN` is no score.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from statistics import fmean
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Entry, as_text, path_parts, pointer, read_json, slug
from benchhealth.ingest.formats.folders import split_files
from benchhealth.ingest.formats.numbers import UnreadableError, day_of_instant, is_nothing, read_number
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ContaminationReport, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubArchive, Source

HOMEPAGE = "https://github.com/embeddings-benchmark/results"
META = "model_meta.json"
ANCHORS = (
    "BAAI__bge-small-en-v1.5/5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
    "BAAI__bge-small-en-v1.5/external",
    "nomic-ai__nomic-embed-text-v1.5/b0753ae76394dd36bcfb912a46018088bca48be0",
    "nomic-ai__nomic-embed-text-v1.5/external",
    "openai__text-embedding-3-small/1",
    "openai__text-embedding-3-small/2",
    "openai__text-embedding-3-small/3",
    "sentence-transformers__all-MiniLM-L6-v2/8b3219a92973c328a8e22fadcfa821b5dc75636a",
)
"""Folders of widely used models: when one of their cards changes, the repository is taken again as a whole.

It is nearly two gigabytes, too much for every night and for every commit of its history.
"""
DECLARED = "declared by the developers: training_datasets"

_FOLDER = re.compile(r"results/([^/]+)/([^/]+)")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_OLD_FORMAT = "the older format does not name the main score"
_NOT_SPLITS = ("dataset_revision", "mteb_dataset_name", "mteb_version")
_CORRELATION = re.compile(r"(?:^|_)(?:spearman|pearson|kendall)", re.IGNORECASE)
_UNITS = (
    (_CORRELATION, "correlation"),
    (re.compile(r"p-MRR"), "p-MRR"),
    (re.compile(r"avg_words_per_sec"), "words per second"),
)


class _Folder(NamedTuple):
    model: str
    revision: str

    @property
    def setting(self) -> str:
        if self.revision in ("external", "no_revision_available"):
            return ""
        return f"revision {self.revision[:8] if _COMMIT.fullmatch(self.revision) else self.revision}"


class _Task(NamedTuple):
    """One file: each split with its subsets (name, entry), and what is wrong with the file as a whole."""

    file: str
    name: str
    splits: Mapping[str, list[tuple[str, Entry]]]
    steps: list[str]
    dated_on: str


def parse(body: bytes, path: str) -> Parsed:
    """Read one folder: a row for each split of each task, the model's card and the training data that it declares."""
    match = path_parts(_FOLDER, path)
    files = dict(split_files(body))
    card, problem = _card(files.pop(META, b""))
    folder = _Folder(as_text(card.get("name")) or match[1].replace("__", "/", 1), match[2])
    rows: list[RawRow] = []
    benchmarks: dict[str, BenchmarkFact] = {}
    for file, content in files.items():
        try:
            task = _task(file, content)
        except PayloadError as error:
            rows.append(RawRow(row=file, benchmark="", model=folder.model, score="", reject=str(error)))
            continue
        for split in task.splits:
            row, fact = _score(task, split, folder)
            rows.append(row)
            if not row.reject:
                benchmarks.setdefault(fact.benchmark, fact)
    return Parsed(rows, _models(card, problem, folder), list(benchmarks.values()), list(_declared(card, folder)))


SOURCE = Source(
    key="mteb",
    title="MTEB, results of embedding models",
    homepage=HOMEPAGE,
    licence="CC0-1.0",
    redistributable=True,
    cadence="daily; taken again when a model's card changes",
    files=(
        GithubArchive(
            "mteb/{0}/{1}",
            "embeddings-benchmark/results",
            "main",
            tuple(f"results/{folder}/model_meta.json" for folder in ANCHORS),
            r"results/[^/]+/[^/]+/[^/]+\.json",
            folder=r"results/([^/]+)/([^/]+)",
        ),
    ),
    parse=parse,
)


def _card(content: bytes) -> tuple[Entry, str]:
    """The model's card, empty with a reason where it cannot be read, empty without one where there is none."""
    if not content:
        return {}, ""
    try:
        card = read_json(content)
    except PayloadError as error:
        return {}, str(error)
    return (card, "") if isinstance(card, dict) else ({}, "not a model's card")


def _models(card: Entry, problem: str, folder: _Folder) -> list[ModelFact]:
    fact = ModelFact(
        row=META,
        model=folder.model,
        released_on=as_text(card.get("release_date")),
        open_weights=as_text(card.get("open_weights")),
        reject=problem,
    )
    return [fact] if fact.released_on or fact.open_weights or problem else []


def _declared(card: Entry, folder: _Folder) -> Iterator[ContaminationReport]:
    """The tasks that the developers name as training data: by name with the splits used, or by name alone."""
    tasks = card.get("training_datasets")
    if isinstance(tasks, list):
        tasks = {as_text(task): [] for task in tasks}
    reference = as_text(card.get("reference"))
    for task, splits in tasks.items() if isinstance(tasks, dict) else ():
        named = slug(as_text(task))
        yield ContaminationReport(
            row=f"{META}#{pointer('training_datasets', task)}",
            benchmark=f"mteb-{named}" if named else "",
            subject=folder.model,
            method=DECLARED,
            reference_url=reference if reference.startswith("https://") else HOMEPAGE,
            split=", ".join(map(as_text, splits)) if isinstance(splits, list) else as_text(splits),
        )


def _task(file: str, content: bytes) -> _Task:
    document = read_json(content)
    if not isinstance(document, dict):
        raise PayloadError("not a task's results")
    scores = document.get("scores")
    name = as_text(document.get("task_name") or document.get("mteb_dataset_name"))
    dated_on = day_of_instant(as_text(document.get("date")))
    if isinstance(scores, dict):
        splits, steps = {as_text(split): _subsets(subsets) for split, subsets in scores.items()}, ["scores"]
    else:
        found_in = {key: value for key, value in document.items() if isinstance(value, dict) and key not in _NOT_SPLITS}
        splits, steps = {as_text(split): _older(subsets) for split, subsets in found_in.items()}, []
    if not slug(name) or not splits:
        raise PayloadError("no task name" if splits else "no scores")
    return _Task(file, name, splits, steps, dated_on)


def _subsets(split_scores: object) -> list[tuple[str, Entry]]:
    entries = split_scores if isinstance(split_scores, list) else []
    return [(as_text(entry.get("hf_subset")), entry) for entry in entries if isinstance(entry, dict)]


def _older(split_scores: Entry) -> list[tuple[str, Entry]]:
    """The subsets of a split in the older format: one without a name, or several under theirs."""
    if "main_score" in split_scores:
        return [("default", split_scores)]
    named = [(as_text(subset), entry) for subset, entry in split_scores.items() if isinstance(entry, dict)]
    return [(subset, entry) for subset, entry in named if "main_score" in entry]


def _score(task: _Task, split: str, folder: _Folder) -> tuple[RawRow, BenchmarkFact]:
    """The row of one split, and what its benchmark is if the row stands."""
    subsets = task.splits[split]
    is_main = split == "test" or len(task.splits) == 1
    benchmark = f"mteb-{slug(task.name)}"
    name = task.name
    if not is_main and "test" not in task.splits:
        benchmark, name = f"{benchmark}/{slug(split)}", f"{name}, {split}"
    unit = _unit(frozenset(tuple(entry) for _, entry in subsets))
    score, problem = _mean([as_text(entry.get("main_score")) for _, entry in subsets])
    if not subsets and not task.steps:
        problem = _OLD_FORMAT
    if not is_main and "test" in task.splits:
        problem = "excluded: a split beside the test split"
    row = RawRow(
        row=f"{task.file}#{pointer(*task.steps, split)}",
        benchmark=benchmark,
        model=folder.model,
        score=score,
        unit=unit,
        dated_on=task.dated_on,
        date_basis="evaluation",
        setting=join_settings([folder.setting, _extent(subsets), "" if split == "test" else f"{split} split"]),
        reporter="self" if folder.revision == "external" else "third_party",
        reject=problem,
    )
    return row, BenchmarkFact(benchmark=benchmark, name=name, metric=_metric(subsets), unit=unit, domain="embedding")


@lru_cache(maxsize=2**10)
def _unit(fields: frozenset[tuple[str, ...]]) -> str:
    """The unit of a score that stands among these fields; the tasks of a kind have the same."""
    keys = {key for names in fields for key in names}
    return next((unit for pattern, unit in _UNITS if any(map(pattern.search, keys))), "fraction")


def _extent(subsets: list[tuple[str, Entry]]) -> str:
    if len(subsets) > 1:
        return f"mean of {len(subsets)} subsets"
    return "" if not subsets or subsets[0][0] in ("", "default") else f"subset {subsets[0][0]}"


def _mean(scores: list[str]) -> tuple[str, str]:
    """The one score as published, or the mean of several; with what is wrong with them, or empty."""
    if len(scores) == 1:
        return scores[0], ""
    missing = sum(map(is_nothing, scores))
    if missing or not scores:
        return "", f"no score in {missing} of {len(scores)} subsets"
    try:
        return repr(fmean(map(read_number, scores))), ""
    except (UnreadableError, OverflowError) as error:
        return "", str(error)


def _metric(subsets: list[tuple[str, Entry]]) -> str:
    """The metric that the main score is, where exactly one has its value in every subset."""
    if not subsets:
        return "main score"
    (_, first), *other_subsets = subsets
    named = [key for key, value in first.items() if key != "main_score" and value == first.get("main_score")]
    for _, entry in other_subsets:
        main = entry.get("main_score")
        named = [key for key in named if key in entry and entry[key] == main]
    return named[0] if len(named) == 1 else "main score"
