"""A table of somebody's own results: CSV with the columns `COLUMNS`, one result a line.

The benchmark is one that is known by its benchmark_id, or a new one whose id begins with `import-`. A new one whose
unit is open-ended says which way is better: a mistyped `percent` must not become a unit of its own.
"""

import re
from collections.abc import Container, Sequence

from benchhealth.analytics.audit.text import separator, table_text
from benchhealth.analytics.record.tables import REPORTERS
from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.names.identity import hidden_in
from benchhealth.ingest.own_results.claims import OWN_PREFIX, cell, claims, dates
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.run.records import BOUNDED

REQUIRED = ("benchmark_id", "model", "score", "unit")
COLUMNS = (
    *(*REQUIRED, "std_error", "n_items", "dated_on", "setting", "reporter", "lower_is_better"),
    *("released_on", "trained_until", "labels", "twin_of", "twin_kind"),
)
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+")
_UNIT = re.compile(r"[a-z][a-z0-9 -]*")


def parse_table(body: bytes, benchmark_ids: Container[str]) -> Parsed:
    """Each line as a row; benchmarks not among `benchmark_ids` and stated directions as facts. Raises PayloadError."""
    try:
        text = table_text(body)
    except UnicodeDecodeError as error:
        raise PayloadError(f"not UTF-8 (byte {error.start:,}): a spreadsheet saves it as CSV UTF-8") from error
    records = read_csv(text.encode(), REQUIRED, delimiter=separator(text))
    strange = [repr(column) for column in (records[0].cells if records else ()) if column not in COLUMNS]
    if strange:
        raise PayloadError(f"columns not known: {', '.join(strange)}; known are {', '.join(COLUMNS)}")
    directions = _directions(records)
    claimed = claims(records)
    rows = [
        _result_row(record, benchmark_ids, directions, why)
        for record, why in zip(records, claimed.problems, strict=True)
    ]
    _no_fractions([row.score for row in rows if row.unit == "percent"])
    facts: dict[str, BenchmarkFact] = {}
    for row in rows:
        if row.benchmark in directions or (row.benchmark not in benchmark_ids and row.benchmark.startswith(OWN_PREFIX)):
            facts.setdefault(row.benchmark, _fact(row, directions.get(row.benchmark, "false")))
    return Parsed(rows=rows, models=dates(records), benchmarks=list(facts.values()), claims=claimed.claims)


def _no_fractions(percents: Sequence[str]) -> None:
    """Check that scores in percent are not all below 1 percent, as fractions of 1 are, unless their sign says so."""
    numbers = [float(text) for text in percents if _NUMBER.fullmatch(text)]
    if len(numbers) == len(percents) and 0 < max(numbers, default=0) < 1:
        low = next(text for text in percents if float(text) > 0)
        raise PayloadError(f"all scores in percent are below 1: the unit of fractions is fraction; else write {low}%")


def _directions(records: Sequence[Record]) -> dict[str, str]:
    """What the first line to say so tells of a benchmark: whether lower is better."""
    stated: dict[str, str] = {}
    for record in records:
        if lower_is_better := cell(record, "lower_is_better"):
            stated.setdefault(cell(record, "benchmark_id"), lower_is_better)
    return stated


def _result_row(record: Record, benchmark_ids: Container[str], directions: dict[str, str], wrong: str) -> RawRow:
    reporter = cell(record, "reporter") or "third_party"
    row = RawRow(
        row=f"line {record.line}",
        benchmark=cell(record, "benchmark_id"),
        model=cell(record, "model"),
        score=cell(record, "score"),
        unit=cell(record, "unit"),
        std_error=cell(record, "std_error"),
        n_items=cell(record, "n_items"),
        dated_on=cell(record, "dated_on"),
        date_basis="evaluation",
        setting=cell(record, "setting"),
        reporter=reporter if reporter in REPORTERS else "third_party",
    )
    lower = cell(record, "lower_is_better")
    problems = (
        record.problem,
        _unseen(record),
        "" if reporter in REPORTERS else f"reporter {reporter!r} is not one of {', '.join(REPORTERS)}",
        "" if lower in ("", "true", "false") else f"lower_is_better is true or false, not {lower!r}",
        "" if lower in ("", directions.get(row.benchmark)) else "another line says that the other way is better",
        _about_benchmark(row, benchmark_ids, directions),
        wrong,
    )
    return row._replace(reject=next(filter(None, problems), ""))


def _unseen(record: Record) -> str:
    """What a reader of the line would not see: nothing of it is cleaned, not even at the ends of a cell."""
    for column, text in record.cells.items():
        trimmed = text.strip(" \t\r\n")
        hidden = hidden_in(trimmed) or next((f"U+{ord(mark):04X}" for mark in trimmed if mark in "\t\r\n"), "")
        if hidden:
            return f"a character in {column} that is not to be seen: {hidden}"
    return ""


def _about_benchmark(row: RawRow, benchmark_ids: Container[str], directions: dict[str, str]) -> str:
    """The problem with a benchmark or unit that no public source describes; empty where there is none."""
    if row.benchmark in benchmark_ids:
        return ""
    if not row.benchmark.startswith(OWN_PREFIX):
        spelt = row.benchmark.casefold().replace(" ", "-")
        suggestion = f" (did you mean {spelt}?)" if spelt in benchmark_ids else ""
        return f"unknown benchmark: {row.benchmark!r}{suggestion}; the id of a new one begins with {OWN_PREFIX}"
    if not _UNIT.fullmatch(row.unit):
        return f"unknown unit: {row.unit!r}; it is percent, fraction, or an open-ended unit's name in small letters"
    if row.unit not in BOUNDED and row.benchmark not in directions:
        return f"unknown unit: {row.unit!r}; where it is not percent or fraction, lower_is_better must be given"
    return ""


def _fact(row: RawRow, lower: str) -> BenchmarkFact:
    name = row.benchmark.removeprefix(OWN_PREFIX)
    return BenchmarkFact(
        benchmark=row.benchmark,
        name=name,
        metric="score",
        unit=row.unit,
        higher_is_better=lower != "true",
    )
