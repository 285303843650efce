"""BigCodeBench: `results.json` (1,140 tasks) and `results-hard.json` (148), greedy pass@1, calibrated since 2024-06.

Two ways of asking are two benchmarks: completing a function (`complete`) and following an instruction (`instruct`).
Base models have no `instruct`, and newer models were run on the hard tasks alone: null is no score. In the first days
uncalibrated scores were printed beside calibrated ones (`-cal`); since 2024-06-08 one score is left, which is
calibrated for `complete` and became so for `instruct` on 2024-06-12.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.addresses import as_text, declared_file, pointer
from benchhealth.ingest.formats.bodies import read_object
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source


class _File(NamedTuple):
    benchmark: str
    name: str
    tasks: int


FILES = {
    "results.json": _File("bigcodebench", "BigCodeBench", 1140),
    "results-hard.json": _File("bigcodebench-hard", "BigCodeBench-Hard", 148),
}
WAYS = ("complete", "instruct")
PAPER = "https://arxiv.org/abs/2406.15877"


def parse(body: bytes, path: str) -> Parsed:
    """Read one file: a row for every model and way of asking."""
    file = declared_file(FILES, path)
    document = read_object(body, "not an object with a key for each model")
    rows = [row for model, entry in document.items() for row in _rows(file.benchmark, model, entry)]
    if all(row.reject or not row.score for row in rows):
        raise PayloadError("no model with a pass@1")
    seen = {row.benchmark for row in rows if not row.reject}
    facts = [fact for fact in _facts(file.benchmark, file.name, file.tasks) if fact.benchmark in seen]
    return Parsed(rows=rows, models=_models(document), benchmarks=facts)


SOURCE = Source(
    key="bigcodebench",
    title="BigCodeBench",
    homepage="https://bigcode-bench.github.io",
    licence="Apache-2.0",
    redistributable=True,
    kind="board",
    cadence="some times a month",
    files=tuple(
        GithubFile(f"bigcodebench/{file.benchmark}", "bigcode-bench/bigcode-bench.github.io", "main", name)
        for name, file in FILES.items()
    ),
    parse=parse,
)


def _rows(benchmark: str, model: str, entry: object) -> list[RawRow]:
    scores = entry.get("pass@1") if isinstance(entry, dict) else None
    if not isinstance(scores, dict) or not scores:
        row = RawRow(row=pointer(model), benchmark=f"{benchmark}-complete", model=model, score="", reject="no pass@1")
        return [row]
    rows = []
    for key, score in scores.items():
        way = key.removesuffix("-cal")
        calibrated_too = way == key and f"{key}-cal" in scores
        rows.append(
            RawRow(
                row=pointer(model, "pass@1", key),
                benchmark=f"{benchmark}-{way}/uncalibrated" if calibrated_too else f"{benchmark}-{way}",
                model=model,
                score=as_text(score),
                reject="" if way in WAYS else f"an unknown way of asking: {key[:50]!r}",
            )
        )
    return rows


def _models(document: Mapping[str, object]) -> list[ModelFact]:
    """Release dates, in the file since 2025-03."""
    return [
        ModelFact(row=pointer(model, "date"), model=model, released_on=as_text(entry["date"]))
        for model, entry in document.items()
        if isinstance(entry, dict) and entry.get("date")
    ]


def _facts(benchmark: str, name: str, tasks: int) -> list[BenchmarkFact]:
    facts = []
    for way in WAYS:
        calibrated = BenchmarkFact(
            row="/",
            benchmark=f"{benchmark}-{way}",
            name=f"{name}, {way}",
            metric="pass@1, calibrated",
            domain="code",
            modality="text",
            floor="0",
            n_items=str(tasks),
            released_on="2024-06-22" if tasks == 1140 else "",
            paper_url=PAPER,
        )
        uncalibrated = calibrated._replace(
            benchmark=f"{calibrated.benchmark}/uncalibrated",
            name=f"{calibrated.name}: uncalibrated",
            metric="pass@1, uncalibrated",
        )
        facts += [calibrated, uncalibrated]
    return facts
