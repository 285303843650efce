"""Vectara's hallucination leaderboard: the one table of `README.md`, version by version.

Each model summarises the same documents; a model of Vectara's own judges how many summaries say what the document does
not. Lower is better. Columns are found by their names, since two of them changed places on 2024-01-04 and `Accuracy`
became `Factual Consistency Rate`. The two rates are complements: a line where they do not add up to 100 is rejected,
and a table where most do not is not what its header says.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import read_text
from benchhealth.ingest.formats.markdown_tables import MarkdownTable, read_tables
from benchhealth.ingest.formats.numbers import UnreadableError, read_number
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

BENCHMARK = "vectara-hallucination"
HALLUCINATION = "Hallucination Rate"
CONSISTENCY, CONSISTENCY_TO_2024 = "Factual Consistency Rate", "Accuracy"
ABOUT = "https://github.com/vectara/hallucination-leaderboard"


class _Part(NamedTuple):
    benchmark: str
    metric: str
    unit: str = "percent"


PARTS: Mapping[str, _Part] = {
    HALLUCINATION: _Part(BENCHMARK, "hallucination rate"),
    CONSISTENCY: _Part(f"{BENCHMARK}/factual-consistency", "factual consistency rate"),
    CONSISTENCY_TO_2024: _Part(f"{BENCHMARK}/factual-consistency", "factual consistency rate"),
    "Answer Rate": _Part(f"{BENCHMARK}/answer-rate", "share of documents summarised at all"),
    "Average Summary Length (Words)": _Part(
        f"{BENCHMARK}/summary-length", "words, more or less is no better", unit="words"
    ),
}
"""The facts about the benchmark in each column."""

LOWER_IS_BETTER = frozenset({BENCHMARK, f"{BENCHMARK}/summary-length"})
ROUNDING = 0.15
"""Two rates rounded to a tenth of a point add up to 100 within this."""

Cells = Mapping[str, str]


def parse(body: bytes, path: str) -> Parsed:
    """Read the leaderboard out of the page: a row for every model and column."""
    *_, header, lines = _table(read_text(body))
    columns = [column for column in header if column in PARTS]
    consistency = [column for column in columns if column in (CONSISTENCY, CONSISTENCY_TO_2024)]
    if len(consistency) != 1 or len(set(header)) < len(header):
        raise PayloadError(f"not the columns of the leaderboard: {header}")
    rows: list[RawRow] = []
    contradictions = 0
    for line in lines:
        problem = line.problem or _contradiction(line.named, *consistency)
        contradictions += bool(problem)
        rows += [_score_row(line.number, line.named, column, problem) for column in columns]
    if contradictions > len(lines) / 2:
        raise PayloadError(f"most lines contradict their columns' names: {rows[0].reject}")
    return Parsed(rows=rows, benchmarks=[_fact(column) for column in columns])


SOURCE = Source(
    key="vectara",
    title="Vectara's hallucination leaderboard",
    homepage="https://github.com/vectara/hallucination-leaderboard",
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a month",
    files=(GithubFile("vectara/vectara-hallucination", "vectara/hallucination-leaderboard", "main", "README.md"),),
    parse=parse,
)


def _table(text: str) -> MarkdownTable:
    """The page's one table with hallucination rates."""
    tables = [table for table in read_tables(text) if {"Model", HALLUCINATION} <= set(table.header)]
    if len(tables) != 1:
        raise PayloadError(f"{len(tables)} tables with models and hallucination rates, expected one")
    if not tables[0].lines:
        raise PayloadError("a table without models")
    return tables[0]


def _contradiction(cells: Cells, consistency: str) -> str:
    try:
        made_up, consistent = (read_number(cells[column], percent_sign=True) for column in (HALLUCINATION, consistency))
    except UnreadableError as error:
        return str(error)
    if abs(made_up + consistent - 100) > ROUNDING:
        return f"{made_up:g}% and {consistent:g}% are not each other's rest"
    return ""


def _score_row(line_number: int, cells: Cells, column: str, problem: str) -> RawRow:
    measure = PARTS[column]
    return RawRow(
        row=f"line {line_number}, column {column}",
        benchmark=measure.benchmark,
        model=cells["Model"],
        score=cells[column],
        unit=measure.unit,
        reject=problem,
    )


def _fact(column: str) -> BenchmarkFact:
    benchmark, metric, unit = PARTS[column]
    name = "Vectara hallucination leaderboard"
    return BenchmarkFact(
        benchmark=benchmark,
        name=name if benchmark == BENCHMARK else f"{name}: {benchmark.split('/')[1].replace('-', ' ')}",
        metric=metric,
        unit=unit,
        higher_is_better=benchmark not in LOWER_IS_BETTER,
        domain="summarisation",
        modality="text",
        released_on="2023-11-01",
        paper_url=ABOUT,
    )
