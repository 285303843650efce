"""SWE-bench's submissions: `template/data.json` (2024-04 to 2025-03) and `data/leaderboards.json` (since 2025-05).

Since 2025-11 the runs with one bare agent say of each of the 500 problems whether it was solved; one of them lists
fewer solved ones than its score counts. A problem belongs to the repository that it was taken from.

A submission is a system: a scaffold around one or several models. Where it has exactly one `Model:` tag (tags came in
2025-05), that is the model, and the published name is its setting; otherwise the published name is all that there is.
Two submissions may share name and date: what tells them apart is `folder` (until 2024-07 part of the address of the
logs), so the folder is part of the setting. Results that SWE-bench's makers did not check are the submitter's own.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Entry, as_text, object_at, pointer, read_json, value_at
from benchhealth.ingest.formats.by_item.repositories import repositories
from benchhealth.ingest.formats.numbers import loose_day
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ItemOutcomes, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

BOARDS: Mapping[str, str] = {
    "test": "swe-bench",
    "lite": "swe-bench-lite",
    "verified": "swe-bench-verified",
    "multimodal": "swe-bench-multimodal",
    "multilingual": "swe-bench-multilingual",
    "bash-only": "swe-bench-bash-only",
}
"""Leaderboard, as published and in small letters, to benchmark; before 2024-07 the names end in `_leaderboard`."""

FACTS = {
    "swe-bench-multimodal": ("SWE-bench Multimodal", "https://arxiv.org/abs/2410.03859"),
    "swe-bench-multilingual": ("SWE-bench Multilingual", "https://www.swebench.com/multilingual.html"),
    "swe-bench-bash-only": (
        "SWE-bench Verified, one bare agent for all models",
        "https://www.swebench.com/bash-only.html",
    ),
}
COSTS = {"cost": "cost", "instance_cost": "instance-cost"}
"""Field to the part that it is, in dollars; the field came after 2025-08."""

_FOLDER = re.compile(r"evaluation/[\w-]+/(\d{8}_[^/]+)")
_HUB = "https://huggingface.co/"


def parse(body: bytes, path: str) -> Parsed:
    """Read all leaderboards of one file: a row for every submission, and one for its cost where it is given."""
    document = read_json(body)
    if not isinstance(document, dict):
        raise PayloadError("not an object with leaderboards")
    boards = list(_boards(document))
    rows = [row for where, board, entries in boards for row in _rows(where, board, entries)]
    if not rows or all(row.reject for row in rows):
        raise PayloadError("no submission with a score")
    benchmark_ids = dict.fromkeys(row.benchmark for row in rows if not row.reject)
    return Parsed(
        rows=rows,
        benchmarks=[_fact(benchmark) for benchmark in benchmark_ids],
        items=[items for where, _, entries in boards for items in _items(where, entries)],
    )


SOURCE = Source(
    key="swe-bench",
    title="SWE-bench leaderboards",
    homepage="https://www.swebench.com",
    licence="CC-BY-NC-4.0",
    redistributable=False,
    cadence="some times a month",
    files=tuple(
        GithubFile("swe-bench/submissions", "SWE-bench/swe-bench.github.io", "master", path)
        for path in ("template/data.json", "data/leaderboards.json")
    ),
    parse=parse,
)


class _Board(NamedTuple):
    where: str
    name: str
    entries: list[object]


def _boards(document: Entry) -> Iterator[_Board]:
    """Each leaderboard in any of the three forms that the file has had."""
    listed = document.get("leaderboards")
    if listed is None:
        for name, entries in document.items():
            if not isinstance(entries, list):
                raise PayloadError(f"not a list of submissions: {name[:50]!r}")
            yield _Board(pointer(name), name.removesuffix("_leaderboard"), entries)
        return
    for index, board in enumerate(listed if isinstance(listed, list) else [None]):
        entries = value_at(board, "results")
        if not isinstance(entries, list):
            raise PayloadError(f"not a leaderboard with results: /leaderboards/{index}")
        yield _Board(pointer("leaderboards", index, "results"), as_text(value_at(board, "name")), entries)


def _rows(where: str, board: str, entries: list[object]) -> Iterator[RawRow]:
    benchmark = BOARDS.get(board.casefold(), "")
    for index, entry in enumerate(entries):
        if not benchmark or not isinstance(entry, dict):
            problem = "not an object" if benchmark else f"an unknown leaderboard: {board[:50]!r}"
            yield RawRow(row=f"{where}/{index}", benchmark=benchmark or "swe-bench", model="", score="", reject=problem)
            continue
        row = _submission(f"{where}/{index}", benchmark, entry)
        yield row
        for field, measure in COSTS.items():
            if entry.get(field) is not None:
                yield row._replace(
                    row=f"{where}/{index}/{field}",
                    benchmark=f"{benchmark}/{measure}",
                    score=as_text(entry[field]),
                    unit="dollars",
                    n_items="",
                )


def _items(where: str, entries: list[object]) -> Iterator[ItemOutcomes]:
    """Which problems each submission solved, where it is said of each of them."""
    for index, entry in enumerate(entries):
        if not value_at(entry, "per_instance_details"):
            continue
        details = object_at(entry, "per_instance_details")
        solved = {as_text(item): value_at(detail, "resolved") for item, detail in details.items()}
        is_complete = bool(solved) and all(isinstance(outcome, bool) for outcome in solved.values())
        yield ItemOutcomes(
            row=f"{where}/{index}",
            items=tuple(solved),
            outcomes=tuple(float(outcome is True) for outcome in solved.values()),
            clusters=repositories(list(solved)),
            reject="" if is_complete else "not said of each problem whether it was solved",
        )


def _submission(where: str, benchmark: str, entry: Entry) -> RawRow:
    name, tags = as_text(entry.get("name")).strip(), entry.get("tags")
    tagged = [as_text(tag) for tag in tags] if isinstance(tags, list) else []
    models = [tag.removeprefix("Model:").strip() for tag in tagged if tag.startswith("Model:")]
    has_one_model = len(models) == 1 and bool(models[0])
    checked = entry.get("checked", entry.get("verified"))
    details = entry.get("per_instance_details")
    return RawRow(
        row=where,
        benchmark=benchmark,
        model=models[0].removeprefix(_HUB) if has_one_model else name,
        score=as_text(entry.get("resolved")),
        n_items=str(len(details)) if details and isinstance(details, dict) else "",
        dated_on=loose_day(as_text(entry.get("date"))),
        date_basis="submission",
        setting=join_settings([name if has_one_model else "", _folder(entry)]),
        reporter="third_party" if checked is True else "self",
        reject="" if name else "a submission without a name",
    )


def _folder(entry: Entry) -> str:
    folder = as_text(entry.get("folder")).strip()
    if folder:
        return folder
    match = _FOLDER.search(as_text(entry.get("logs")))
    return match[1] if match else ""


def _fact(benchmark: str) -> BenchmarkFact:
    board, _, measure = benchmark.partition("/")
    name, paper = FACTS.get(board, (board, "https://arxiv.org/abs/2310.06770"))
    fact = BenchmarkFact(
        benchmark=board,
        name=name,
        metric="% resolved",
        domain="agentic-code",
        modality="image" if board == "swe-bench-multimodal" else "text",
        floor="0",
        paper_url=paper,
    )
    words = measure.replace("-", " ")
    return fact.cost(measure, words, words) if measure else fact
