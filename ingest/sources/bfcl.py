"""Berkeley Function Calling Leaderboard: `data.csv` (first edition, to 2024-08), then `data_overall.csv` with
`data_live.csv` and `data_non_live.csv`.

Names end in `(FC)` or `(Prompt)`: the setting. `N/A` is no score. What a file says is checked against itself, because
an early one has its header shifted by a column and parses without complaint: every line must have the header's width,
numbers must stand where numbers are announced, and a summary must lie strictly between its smallest and its largest
part. A line that breaks the last rule was not run in full (parts not run are printed as 0.00% or N/A, and the summary
leaves them out or counts them): none of its scores is taken.

The third edition (2024-10) sums up four columns, the fourth (2025-08, with web search and memory) six; it also prints
the cost of the whole run in place of that of 1,000 calls, and how far the prompt's format moves the score.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, declared_file, read_csv, slug
from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_number
from benchhealth.ingest.names.identity import printable
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

MODEL = "Model"
ABOUT = "https://gorilla.cs.berkeley.edu/leaderboard.html"
WORDS = frozenset({"Model", "Model Link", "Organization", "License"})
NOT_READ = frozenset({"Rank", "Latency Standard Deviation (s)", "Latency 95th Percentile (s)"})
EDITION_3 = ("Non-Live AST Acc", "Non-Live Exec Acc", "Live Acc", "Multi Turn Acc")
EDITION_4 = (
    "Non-Live AST Acc",
    "Live Acc",
    "Multi Turn Acc",
    "Web Search Acc",
    "Memory Acc",
    "Irrelevance Detection",
)
SUMMARIES = {
    "AST Summary": r"(?!Live|Non).*AST",
    "Exec Summary": r"(?!Live|Non).*Exec",
    "Non-Live AST Acc": r"Non-Live .*AST",
    "Non-Live Exec Acc": r"Non-Live .*Exec",
    "Live Acc": r"Live .*AST|(?:Relevance|Irrelevance) Detection",
    "Multi Turn Acc": r"Multi Turn (?!Composite).*",
    "Web Search Acc": r"Web Search .*",
    "Memory Acc": r"Memory .*",
}
"""Summary to a pattern of the columns that it is a mean of."""

SLACK = {"Live Acc": 3.0}
"""Points by which a summary may leave the span of its parts: irrelevance detection here is not of live calls alone."""

ROUNDING = 0.005
SPAN = 1.0
"""Points by which parts must differ before a summary that equals one of them is held against a line."""


class _Measure(NamedTuple):
    """What a column is of; of all that are no share of calls less is better."""

    part: str
    unit: str
    metric: str


MEASURES = {
    "Cost ($ Per 1k Function Calls)": _Measure("cost", "dollars", "dollars per 1,000 calls"),
    "Total Cost ($)": _Measure("total-cost", "dollars", "dollars for the whole run"),
    "Latency Mean (s)": _Measure("latency", "seconds", "mean seconds per call"),
    "Format Sensitivity Max Delta": _Measure(
        "format-sensitivity-max-delta", "points", "largest difference between formats of the prompt"
    ),
    "Format Sensitivity Standard Deviation": _Measure(
        "format-sensitivity-standard-deviation", "points", "standard deviation over formats of the prompt"
    ),
}


class _File(NamedTuple):
    benchmark: str
    name: str
    overall: str


FILES: Mapping[str, tuple[_File, ...]] = {
    "data.csv": (_File("bfcl-v1", "BFCL, first edition", "Overall Acc"),),
    "data_overall.csv": (_File("bfcl", "BFCL", "Overall Acc"),),
    "data_live.csv": (
        _File("bfcl-live", "BFCL, live", "Live Overall Acc"),
        _File("bfcl-live", "BFCL, live", "Overall Acc"),
    ),
    "data_non_live.csv": (
        _File("bfcl-non-live", "BFCL, not live", "Non-Live Overall Acc"),
        _File("bfcl-non-live", "BFCL, not live", "Non_Live Overall Acc"),
        _File("bfcl-non-live", "BFCL, not live", "Overall Acc"),
    ),
}
"""File name to its benchmark and the column of its whole, by edition."""

_HOSTED = re.compile(r"(.+ \((?:FC|Prompt)\)) \(([^()]+)\)")


def parse(body: bytes, path: str) -> Parsed:
    """Read one of the four tables: a row for every model and score."""
    files = declared_file(FILES, path)
    records = read_csv(body, [MODEL, "Rank"], empty="a leaderboard without models")
    columns = list(records[0].cells)
    file = next((file for file in files if file.overall in columns), None)
    if file is None:
        raise PayloadError(f"no column of the whole among {columns[:12]}")
    scores = [column for column in columns if column not in WORDS | NOT_READ]
    _check_types(records, scores)
    groups = _groups(file, scores)
    problems = [record.problem or _inconsistency(record.cells, groups) for record in records]
    if sum(map(bool, problems)) > len(records) / 2:
        raise PayloadError(f"most lines contradict themselves, the columns are not what they are called: {problems[0]}")
    rows = [
        _score_row(record, column, file, problem)
        for record, problem in zip(records, problems, strict=True)
        for column in scores
    ]
    return Parsed(rows=rows, models=_models(records), benchmarks=[_fact(column, file) for column in scores])


SOURCE = Source(
    key="bfcl",
    title="Berkeley Function Calling Leaderboard",
    homepage="https://gorilla.cs.berkeley.edu/leaderboard.html",
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a month",
    files=tuple(
        GithubFile(f"bfcl/{editions[0].benchmark}", "ShishirPatil/gorilla", "gh-pages", name)
        for name, editions in FILES.items()
    ),
    parse=parse,
)


def _check_types(records: Sequence[Record], scores: Sequence[str]) -> None:
    wide = [record for record in records if record.problem]
    if len(wide) > len(records) / 2:
        raise PayloadError(f"the header does not fit the lines: {wide[0].problem} in line {wide[0].line}")
    for column in scores:
        misfits = [record for record in records if not _is_score(record.cells[column])]
        if len(misfits) > len(records) / 2:
            raise PayloadError(f"no numbers under {column!r}: {misfits[0].cells[column][:50]!r}")
    links = sum("://" in record.cells[MODEL] for record in records)
    if links > len(records) / 2:
        raise PayloadError(f"addresses in place of names under {MODEL!r}: {records[0].cells[MODEL][:50]!r}")


def _is_score(text: str) -> bool:
    try:
        return is_nothing(text) or read_number(text, percent_sign=True) is not None
    except UnreadableError:
        return False


def _groups(file: _File, scores: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The summary and parts of everything in the table that is a mean of other columns, be it directly or in steps."""
    percent = [column for column in scores if column != file.overall and column not in MEASURES]
    steps = [column for column in (EDITION_4 if "Web Search Acc" in percent else EDITION_3) if column in percent]
    groups = [(file.overall, steps or percent)]
    for summary, pattern in SUMMARIES.items():
        columns = [column for column in percent if column != summary and re.fullmatch(pattern, column)]
        if summary in percent and columns:
            groups.append((summary, columns))
    return groups


def _inconsistency(cells: Mapping[str, str], groups: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Why a summary cannot be the mean of its columns (terms), or empty."""
    for summary, terms in groups:
        if summary != groups[0][0] and is_nothing(cells[summary]):
            continue
        try:
            printed = read_number(cells[summary], percent_sign=True)
            scores = [read_number(cells[term], percent_sign=True) for term in terms if not is_nothing(cells[term])]
        except UnreadableError as error:
            return f"{summary}: {error}"
        if not scores:
            return f"{summary} {cells[summary]} without any part: not run in full"
        low, high = min(scores), max(scores)
        slack = SLACK.get(summary, SPAN if high - low <= SPAN else -ROUNDING)
        inside = low - slack <= printed <= high + slack
        if not inside:
            return f"{summary} {cells[summary]} is no mean of parts from {low:g} to {high:g}: not run in full"
    return ""


def _score_row(record: Record, column: str, file: _File, problem: str) -> RawRow:
    model, host = _name(record)
    return RawRow(
        row=f"line {record.line}, column {column}",
        benchmark=_benchmark(column, file),
        model=model,
        score=record.cells[column],
        unit=_measure(column).unit,
        setting=host,
        reject=problem,
    )


def _name(record: Record) -> tuple[str, str]:
    """`Birch (FC) (Novita)` is `Birch (FC)` as run by Novita: (model, host)."""
    name = record.cells[MODEL].strip()
    hosted = _HOSTED.fullmatch(name)
    return (hosted[1], printable(hosted[2])) if hosted else (name, "")


def _measure(column: str) -> _Measure:
    return MEASURES.get(column) or _Measure(slug(column), "percent", "accuracy")


def _benchmark(column: str, file: _File) -> str:
    return file.benchmark if column == file.overall else f"{file.benchmark}/{_measure(column).part}"


def _models(records: Sequence[Record]) -> list[ModelFact]:
    return [
        ModelFact(
            row=f"line {record.line}",
            model=_name(record)[0],
            organisation=record.cells["Organization"],
            open_weights="false" if record.cells.get("License", "").strip() == "Proprietary" else "",
        )
        for record in records
        if not record.problem and not is_nothing(record.cells.get("Organization", ""))
    ]


def _fact(column: str, file: _File) -> BenchmarkFact:
    measure = _measure(column)
    is_overall = column == file.overall
    return BenchmarkFact(
        benchmark=_benchmark(column, file),
        name=file.name if is_overall else f"{file.name}: {column}",
        metric=measure.metric,
        unit=measure.unit,
        higher_is_better=measure.unit == "percent",
        domain="tool-use",
        modality="text",
        paper_url=ABOUT,
    )
