"""The leaderboards of official benchmark datasets on the Hugging Face hub: one JSON list a dataset.

Off by default, and asked only when it is named: it could not be reached where this was written. Fields are those of the
hub's guide to leaderboard data; a list whose entries lack one of them is held until a curator has looked. Results are
what model repositories say of themselves; `verified` ones were run again by the hub. The format says neither the unit
nor a date: scores are percentages unless they could be fractions too, which is refused, and rows stay undated. Datasets
that ask for consent (`cais/hle`) answer only to those who have given it, and fail for others.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.analytics.record.conditions.recognise import LONGEST_SETTING
from benchhealth.ingest.formats.bodies import as_text, pointer, read_json
from benchhealth.ingest.formats.numbers import number_or_none
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow, UnknownFormError
from benchhealth.ingest.source import Source, WebFile

API = "https://huggingface.co/api/datasets"
FIELDS = ("rank", "modelId", "value", "verified")


class _Board(NamedTuple):
    benchmark: str
    name: str
    domain: str


BOARDS: Mapping[str, _Board] = {
    "SWE-bench/SWE-bench_Verified": _Board("swe-bench-verified", "SWE-bench Verified", "agentic-code"),
    "cais/hle": _Board("hle", "Humanity's Last Exam", "expert-knowledge"),
    "TIGER-Lab/MMLU-Pro": _Board("mmlu-pro", "MMLU-Pro", "knowledge"),
    "openai/gsm8k": _Board("gsm8k", "GSM8K", "math"),
    "MMMU/MMMU_Pro": _Board("mmmu-pro", "MMMU-Pro", "multimodal"),
    "MathArena/aime_2026": _Board("aime-2026", "AIME 2026", "math"),
    "harborframework/terminal-bench-2.1": _Board("terminal-bench-2.1", "Terminal-Bench 2.1", "agentic"),
}
"""Dataset to the benchmark; no others are asked."""


def parse(body: bytes, path: str) -> Parsed:
    """Read one leaderboard: a row for every entry."""
    if path not in BOARDS:
        raise PayloadError(f"not a dataset of this source: {path}")
    document = read_json(body)
    if not isinstance(document, list) or not document:
        raise UnknownFormError("not a list of entries")
    entries = [entry for entry in document if isinstance(entry, dict)]
    missing = sorted({field for entry in entries for field in FIELDS if field not in entry})
    if len(entries) < len(document) or missing:
        raise UnknownFormError(f"entries are not as documented; not in all of them: {missing}")
    board = BOARDS[path]
    return Parsed(
        rows=[_entry_row(index, entry, board) for index, entry in enumerate(entries)], benchmarks=[_fact(path, board)]
    )


SOURCE = Source(
    key="hf-leaderboards",
    title="Leaderboards of official benchmarks on the Hugging Face hub",
    homepage="https://huggingface.co/docs/hub/leaderboard-data-guide",
    licence="none given",
    redistributable=False,
    kind="collection",
    cadence="daily",
    files=tuple(
        WebFile(f"hf-leaderboards/{board.benchmark}", f"{API}/{dataset}/leaderboard", dataset)
        for dataset, board in BOARDS.items()
    ),
    parse=parse,
    default=False,
)


def _entry_row(index: int, entry: Mapping[str, object], board: _Board) -> RawRow:
    value = as_text(entry["value"])
    notes = " ".join(as_text(entry.get("notes")).split()).rstrip(".")
    return RawRow(
        row=pointer(index, "value"),
        benchmark=board.benchmark,
        model=as_text(entry["modelId"]),
        score=value,
        setting=notes.casefold()[:LONGEST_SETTING],
        reporter="third_party" if as_text(entry["verified"]) == "true" else "self",
        reject=f"{value} may be a fraction or a percentage" if 0 < (number_or_none(value) or 0) <= 1 else "",
    )


def _fact(dataset: str, board: _Board) -> BenchmarkFact:
    return BenchmarkFact(
        benchmark=board.benchmark,
        name=board.name,
        metric="accuracy",
        domain=board.domain,
        modality="text",
        paper_url=f"https://huggingface.co/datasets/{dataset}",
    )
