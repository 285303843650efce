"""LLM Stats: what makers report about their own models, in two forms of one list.

Until 2025-10 its own repository held one file of scores a model and one file a benchmark. From 2026-08 there is a crawl
of its site, one table for all (see `ingest/formats/llm_stats/crawl.py`).

A score file does not say its unit, and the benchmark files' `max_score` does not either: MBPP and MT-bench have 100
there and scores such as 0.875. A row is a fraction where `score` equals `normalized_score` and is at most 1; the one
benchmark known to be published on a scale of its own is CFEval, a rating. Other rows are rejected.

`created_at` is the import's date, so no row is dated. `analysis_method` becomes the setting unless it only repeats that
there was a score; a condition that `verification_notes` alone states follows it. Rows that cite example.com are
placeholders. A model's id keeps the date that its name drops.
"""

import re
from collections.abc import Mapping

from benchhealth.analytics.record.conditions.recognise import LONGEST_SETTING
from benchhealth.ingest.formats.bodies import as_text, objects_of, path_parts, pointer, read_json, slug
from benchhealth.ingest.formats.llm_stats import crawl
from benchhealth.ingest.formats.llm_stats.ids import benchmark_of, has_own_scale, unfit, unit_of
from benchhealth.ingest.formats.upstream import NamedBenchmark
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubArchive, GithubTree, Source

_NO_SETTING = frozenset(
    (
        "-",
        "- evaluation",
        "accuracy",
        "benchmark score",
        "correct",
        "default",
        "em",
        "evaluation",
        "exact match",
        "internal benchmark",
        "multimodal evaluation",
        "pass @1",
        "pass@1",
        "percentage score",
        "score",
        "standard",
        "standard benchmark",
        "standard evaluation",
        "standardized evaluation",
        "test",
    )
)
_DIAMOND = re.compile(r"\bdiamond\b", re.IGNORECASE)
_CONDITION = re.compile(r"\btext-only\b|\bpass@\d+|\bagents?\b|\btools?\b|\battempts?\b", re.IGNORECASE)
"""The words of a note that say how a model was run."""

_TWO_NUMBERS = re.compile(r"%.*%")
"""A note that has the numbers of two runs: `Non-thinking: 33.5%, Thinking: 84.2%`; it does not say which the row is."""
_PATH = re.compile(r"(?:.*/)?(?:(benchmarks)/[^/]+|organizations/[^/]+/models/[^/]+/(benchmarks|model))\.json")


def parse(body: bytes, path: str) -> Parsed:
    """Read one file: a crawl, a model's scores, the facts of a model, or the facts of a benchmark."""
    if re.fullmatch(crawl.PATH, path):
        return crawl.parse(body)
    match = path_parts(_PATH, path)
    document = read_json(body)
    if match[2] == "benchmarks":
        return _scores(document)
    if not isinstance(document, dict):
        raise PayloadError("not an object")
    if match[1]:
        return Parsed(benchmarks=[_benchmark(document)])
    return Parsed(models=[_model(document)])


SOURCE = Source(
    key="llm-stats",
    title="LLM Stats: scores that makers report about their own models",
    homepage="https://llm-stats.com",
    licence="CC-BY-4.0",
    redistributable=True,
    kind="crawl",
    cadence="some times a year",
    files=(
        # The anchors are lists of models on offer, which change whenever a model is added.
        GithubArchive(
            "llm-stats/{0}",
            "JonathanChavezTamales/llm-leaderboard",
            "main",
            tuple(f"data/providers/{name}/models.json" for name in ("anthropic", "openai", "google", "xai", "groq")),
            r"data/(benchmarks/[^/]+|organizations/[^/]+/models/[^/]+/(?:benchmarks|model))\.json",
        ),
        GithubTree("llm-stats/crawl", "ktwu01/benchmark-radar", "main", crawl.PATH),
    ),
    parse=parse,
)


def _meant(published: str, method: str = "") -> NamedBenchmark:
    """The benchmark of a published name; GPQA is its Diamond part where the method says so."""
    if published == "gpqa" and _DIAMOND.search(method):
        return NamedBenchmark("gpqa-diamond")
    return benchmark_of(published)


def _scores(document: object) -> Parsed:
    # An empty list is a model of which no score is known.
    entries = [] if document == [] else objects_of(document, "not a list of scores", "benchmark_id", "score")
    facts = {benchmark_of(as_text(entry["benchmark_id"])).benchmark: _benchmark_fact(entry) for entry in entries}
    return Parsed(
        rows=[_score_row(index, entry) for index, entry in enumerate(entries)], benchmarks=list(facts.values())
    )


def _score_row(index: int, entry: Mapping[str, object]) -> RawRow:
    published, method = as_text(entry["benchmark_id"]), as_text(entry.get("analysis_method"))
    meant = _meant(published, method)
    return RawRow(
        row=pointer(index, "score"),
        benchmark=meant.benchmark,
        model=as_text(entry.get("model_id")),
        score=as_text(entry["score"]),
        unit=unit_of(published),
        setting=join_settings([meant.setting, _setting(method), _noted(entry, method)]),
        reporter="self" if as_text(entry.get("is_self_reported")) == "true" else "third_party",
        reject=_reason(entry, published),
    )


def _reason(entry: Mapping[str, object], published: str) -> str:
    if "//example.com" in as_text(entry.get("self_reported_source_link")):
        return "a placeholder: the source is example.com"
    if why := unfit(published):
        return why
    if not has_own_scale(published) and as_text(entry["score"]) != as_text(entry.get("normalized_score")):
        return "score and normalized_score differ: the unit is unknown"
    return "" if slug(published) else "no benchmark"


def _setting(method: str) -> str:
    words = " ".join(method.split()).strip(" .")
    return "" if words.casefold() in _NO_SETTING else words[:LONGEST_SETTING]


def _noted(entry: Mapping[str, object], method: str) -> str:
    """The note of a row where it states a condition that the method leaves out."""
    note = as_text(entry.get("verification_notes"))
    stated = {word.casefold() for word in _CONDITION.findall(note)}
    left_out = any(word not in method.casefold() for word in stated)
    return _setting(note) if left_out and not _TWO_NUMBERS.search(note) else ""


def _benchmark_fact(entry: Mapping[str, object]) -> BenchmarkFact:
    published = as_text(entry["benchmark_id"])
    return BenchmarkFact(
        benchmark=benchmark_of(published).benchmark,
        name=as_text(entry.get("benchmark_name")) or published,
        metric="score",
        unit=unit_of(published),
    )


def _benchmark(document: Mapping[str, object]) -> BenchmarkFact:
    published = as_text(document.get("benchmark_id"))
    if not slug(published) or not as_text(document.get("max_score")):
        raise PayloadError("not a benchmark: no id or no max_score")
    paper = as_text(document.get("paper_link"))
    return BenchmarkFact(
        benchmark=benchmark_of(published).benchmark,
        name=as_text(document.get("name")) or published,
        metric="score",
        unit=unit_of(published),
        modality=as_text(document.get("modality")),
        paper_url=paper if paper.startswith("https://") else "",
    )


def _model(document: Mapping[str, object]) -> ModelFact:
    """Weights are open where there is a link to them, closed where the licence is proprietary and there is none."""
    if not as_text(document.get("model_id")) or "license_id" not in document:
        raise PayloadError("not a model: no id or no licence")
    weights = as_text(document.get("source_weights_link"))
    proprietary = as_text(document["license_id"]) == "proprietary"
    return ModelFact(
        row=pointer("model_id"),
        model=as_text(document["model_id"]),
        organisation=as_text(document.get("organization_id")),
        released_on=as_text(document.get("release_date")),
        open_weights="true" if weights else "false" if proprietary else "",
        knowledge_cutoff=as_text(document.get("knowledge_cutoff")),
    )
