"""BigCodeBench: `results.json` (1,140 tasks) and `results-hard.json` (148), greedy pass@1, calibrated since 2024-06.

Two ways of asking are two benchmarks: completing a function (`complete`) and following an instruction (`instruct`).
Base models have no `instruct`, and newer models were run on the hard tasks alone: null is no score. In the first days
uncalibrated scores were printed beside calibrated ones (`-cal`); since 2024-06-08 one score is left, which is
calibrated for `complete` and became so for `instruct` on 2024-06-12. How a row was run is its setting: `prompted` (as a
chat) in every version, `prefill` (the answer was begun for the model) since 2025-04-07.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import as_text, declared_file, object_at, pointer, read_object, value_at
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source


class _File(NamedTuple):
    benchmark: str
    name: str
    tasks: int
    released_on: str


FILES = {
    "results.json": _File("bigcodebench", "BigCodeBench", 1140, "2024-06-04"),
    "results-hard.json": _File("bigcodebench-hard", "BigCodeBench-Hard", 148, "2024-07-17"),
}
"""Released on the day of the file's first version: the paper came later, on 2024-06-22."""

_FLAGS = {"prompted": ("not prompted", "prompted"), "prefill": ("not prefilled", "prefilled")}
WAYS = ("complete", "instruct")
PAPER = "https://arxiv.org/abs/2406.15877"


def parse(body: bytes, path: str) -> Parsed:
    """Read one file: a row for every model and way of asking."""
    file = declared_file(FILES, path)
    document = read_object(body, "not an object with a key for each model")
    rows = [row for model, entry in document.items() for row in _rows(file.benchmark, model, entry)]
    if all(row.reject or not row.score for row in rows):
        raise PayloadError("no model with a pass@1")
    benchmark_ids = {row.benchmark for row in rows if not row.reject}
    facts = [fact for fact in _facts(file) if fact.benchmark in benchmark_ids]
    return Parsed(rows=rows, models=_models(document), benchmarks=facts)


SOURCE = Source(
    key="bigcodebench",
    title="BigCodeBench",
    homepage="https://bigcode-bench.github.io",
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a month",
    files=tuple(
        GithubFile(f"bigcodebench/{file.benchmark}", "bigcode-bench/bigcode-bench.github.io", "main", name)
        for name, file in FILES.items()
    ),
    parse=parse,
)


def _rows(benchmark: str, model: str, entry: object) -> list[RawRow]:
    scores = object_at(entry, "pass@1")
    if not scores:
        row = RawRow(row=pointer(model), benchmark=f"{benchmark}-complete", model=model, score="", reject="no pass@1")
        return [row]
    rows = []
    setting, fault = _setting(object_at(entry))
    for key, score in scores.items():
        prompting = key.removesuffix("-cal")
        calibrated_too = prompting == key and f"{key}-cal" in scores
        rows.append(
            RawRow(
                row=pointer(model, "pass@1", key),
                benchmark=f"{benchmark}-{prompting}/uncalibrated" if calibrated_too else f"{benchmark}-{prompting}",
                model=model,
                score=as_text(score),
                setting=setting,
                reject=fault if prompting in WAYS else f"an unknown way of asking: {key[:50]!r}",
            )
        )
    return rows


def _setting(entry: Mapping[str, object]) -> tuple[str, str]:
    """How the entry says that its model was run, and what is wrong with it, else empty."""
    stated = {key: entry[key] for key in _FLAGS if entry.get(key) is not None}
    strange = [f"{key} is {value!r}"[:50] for key, value in stated.items() if not isinstance(value, bool)]
    return ", ".join(_FLAGS[key][value is True] for key, value in stated.items()), "; ".join(strange)


def _models(document: Mapping[str, object]) -> list[ModelFact]:
    """Release dates, in the file since 2025-03."""
    return [
        ModelFact(row=pointer(model, "date"), model=model, released_on=as_text(value_at(entry, "date")))
        for model, entry in document.items()
        if value_at(entry, "date")
    ]


def _facts(file: _File) -> list[BenchmarkFact]:
    facts = []
    for prompting in WAYS:
        calibrated = BenchmarkFact(
            benchmark=f"{file.benchmark}-{prompting}",
            name=f"{file.name}, {prompting}",
            metric="pass@1, calibrated",
            domain="code",
            modality="text",
            floor="0",
            n_items=str(file.tasks),
            released_on=file.released_on,
            paper_url=PAPER,
        )
        facts += [calibrated, calibrated.part("uncalibrated", "uncalibrated", "pass@1, uncalibrated")]
    return facts
