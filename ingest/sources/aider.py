"""Aider's leaderboards, `polyglot_leaderboard.yml` (225 exercises) and `edit_leaderboard.yml` (133).

A model has two tries at each exercise; the score is the share passed by the second (`pass_rate_2`). The edit format,
and the second model that does the editing where there is one, are the setting. A cost of 0 means free or not recorded,
and the file does not say which: it is no score. A run of one benchmark was once filed under the other: its number of
cases tells.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import declared_file, objects_of, pointer, read_yaml
from benchhealth.ingest.formats.metrics import cost_of
from benchhealth.ingest.formats.numbers import UnreadableError, read_number
from benchhealth.ingest.names.identity import join_settings, printable
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source


class _Board(NamedTuple):
    benchmark: str
    name: str
    cases: int
    released_on: str
    about: str


BOARDS = {
    "polyglot_leaderboard.yml": _Board(
        "aider-polyglot", "Aider polyglot", 225, "2024-12-21", "https://aider.chat/2024/12/21/polyglot.html"
    ),
    "edit_leaderboard.yml": _Board(
        "aider-edit", "Aider code editing", 133, "2023-07-02", "https://aider.chat/docs/leaderboards/edit.html"
    ),
}
"""File name to the benchmark that it holds and how many exercises that has."""

REQUIRED = ("model", "edit_format", "test_cases", "pass_rate_1", "pass_rate_2", "date")
Entry = Mapping[str, str]


def parse(body: bytes, path: str) -> Parsed:
    """Read one leaderboard: three rows (second try, first try, cost) for every run."""
    board = declared_file(BOARDS, path)
    entries = _entries(body)
    rows = [row for index, entry in enumerate(entries) for row in _rows(index, entry, board)]
    if all(row.reject for row in rows):
        raise PayloadError("no run with a pass rate")
    models = [
        ModelFact(row=pointer(index, "released"), model=entry.get("model", ""), released_on=entry["released"])
        for index, entry in enumerate(entries)
        if entry.get("released")
    ]
    return Parsed(rows=rows, models=models, benchmarks=_facts(board))


SOURCE = Source(
    key="aider",
    title="Aider's leaderboards",
    homepage="https://aider.chat/docs/leaderboards/",
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a month",
    files=tuple(
        GithubFile(f"aider/{board.benchmark}", "Aider-AI/aider", "main", f"aider/website/_data/{name}")
        for name, board in BOARDS.items()
    ),
    parse=parse,
)


def _entries(body: bytes) -> list[Entry]:
    """The runs with every scalar as the text that was published; what is no scalar is left out."""
    entries: list[Entry] = [
        {str(key): printable(value) for key, value in run.items() if isinstance(value, str)}
        for run in objects_of(read_yaml(body), "not a list of runs")
    ]
    missing = [key for key in REQUIRED if not any(key in entry for entry in entries)]
    if missing:
        raise PayloadError(f"no run has {', '.join(missing)}")
    return entries


def _rows(index: int, entry: Entry, board: _Board) -> list[RawRow]:
    editor = entry.get("editor_model", "").rsplit("/", 1)[-1]
    second = RawRow(
        row=pointer(index, "pass_rate_2"),
        benchmark=board.benchmark,
        model=entry.get("model", ""),
        score=entry.get("pass_rate_2", ""),
        n_items=entry.get("test_cases", ""),
        dated_on=entry.get("date", ""),
        date_basis="evaluation",
        setting=join_settings([entry.get("edit_format", ""), f"editor {editor}" if editor else ""]),
        reject=_problem(entry, board),
    )
    first = second._replace(
        row=pointer(index, "pass_rate_1"), benchmark=f"{board.benchmark}/first-try", score=entry.get("pass_rate_1", "")
    )
    return [second, first, cost_of(second, pointer(index, "total_cost"), entry.get("total_cost", ""))]


def _problem(entry: Entry, board: _Board) -> str:
    missing = [key for key in REQUIRED if not entry.get(key)]
    if missing:
        return f"a run without {', '.join(missing)}"
    try:
        cases = read_number(entry["test_cases"])
    except UnreadableError as error:
        return f"test_cases: {error}"
    if cases > board.cases:
        return f"a run of {cases:g} cases, {board.benchmark} has {board.cases}: another benchmark's"
    return ""


def _facts(board: _Board) -> list[BenchmarkFact]:
    second_try = BenchmarkFact(
        benchmark=board.benchmark,
        name=board.name,
        metric="pass rate, second try",
        domain="code",
        modality="text",
        floor="0",
        n_items=str(board.cases),
        released_on=board.released_on,
        paper_url=board.about,
    )
    return [
        second_try,
        second_try.part("first-try", "first try", "pass rate, first try"),
        second_try.cost("cost", "cost", "cost of the whole run"),
    ]
