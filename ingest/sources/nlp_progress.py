"""NLP-progress: state-of-the-art tables in Markdown, one file a task, results cited from papers.

A table of results is one whose first column is `Model`; other tables show examples or count a data set, and are
excluded whole, as are tables in HTML. A table is named by the headings above it; its first column of scores that is not
of a validation set is the benchmark, the others are its parts. Columns with a test set's name in place of a metric are
read where the page says by which metric (`METRICS`); the rest follows `ingest.formats.metrics`. Bold, links and
footnote stars are left out. A model keeps its citation, `CNN (Kim, 2014)`: there is more than one CNN. A result is
dated by the month of its paper on arXiv, else by the January of the cited year.
"""

import re
from collections.abc import Mapping

from benchhealth.ingest.formats.bodies import read_text, slug
from benchhealth.ingest.formats.markdown_tables import MarkdownTable, TableLine, read_tables
from benchhealth.ingest.formats.metrics import Column, cell_problem, read_column
from benchhealth.ingest.formats.papers import appearance_date
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubTree, Source

HOMEPAGE = "http://nlpprogress.com"
METRICS: Mapping[tuple[str, str], str] = {
    **{("common_sense", column): "accuracy" for column in ("Q->A", "QA->R", "Q->AR")},
    **{
        (file, column): "accuracy"
        for file in ("sentiment_analysis", "domain_adaptation")
        for column in ("DVD", "Books", "Electronics", "Kitchen", "Average")
    },
    **{("natural_language_inference", column): "accuracy" for column in ("Matched", "Mismatched")},
    **{("question_answering", column): "accuracy" for column in ("CNN", "Daily Mail", "RACE-m", "RACE-h", "RACE")},
    **{
        ("word_sense_disambiguation", column): "F1"
        for column in ("All", *(f"Senseval {n}" for n in (2, 3)), *(f"SemEval {n}" for n in (2007, 2013, 2015)))
    },
}
"""(file, column) to the metric that the page names in its text."""

REGISTRY_IDS: Mapping[tuple[str, str, str], str] = {
    ("question_answering", "RACE", "RACE"): "race",
    ("sentiment_analysis", "IMDb", "Accuracy"): "imdb",
}
"""(file, heading, column) to the registry's benchmark, where the measure is certainly the same."""

_HEADING = re.compile(r"^#{1,6}\s", re.MULTILINE)
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]*(?:\([^()]*\)[^()\s]*)*)\)")
_TAG = re.compile(r"</?\w+[^<>]*>")
_DRESS = re.compile(r"\*+|\\|(?<!\w)_+|_+(?!\w)")
_CITED = re.compile(r"paper|source|code|authors", re.IGNORECASE)
_VALIDATION = re.compile(r"(?:validation|dev)\b", re.IGNORECASE)
_BASELINE = re.compile(r"(human|random)\b(?! forest)", re.IGNORECASE)


def parse(body: bytes, path: str) -> Parsed:
    """Read one page: a row for every line and column of scores. A page may be without tables, not without a title."""
    if not path.endswith(".md"):
        raise PayloadError(f"not a page of this source: {path}")
    text = read_text(body)
    if not _HEADING.search(text):
        raise PayloadError("not a page: no heading")
    file = path.rsplit("/", 1)[-1].removesuffix(".md")
    rows: list[RawRow] = [
        _excluded(number, "a table in HTML") for number, line in enumerate(text.splitlines(), 1) if "<table" in line
    ]
    facts: list[BenchmarkFact] = []
    occurrences: dict[str, int] = {}
    for table in read_tables(text, _plain_text, str.strip):
        if slug(table.header[0]) != "model":
            rows.append(_excluded(table.number, "a table without models"))
            continue
        benchmark = "-".join(["nlp-progress", *filter(None, map(slug, (file, *table.headings)))])
        occurrences[benchmark] = occurrences.get(benchmark, 0) + 1
        benchmark = benchmark if occurrences[benchmark] == 1 else f"{benchmark}-{occurrences[benchmark]}"
        of_table, about = _read_table(table, file, benchmark)
        rows += of_table
        facts += about
    return Parsed(rows=rows, benchmarks=facts)


SOURCE = Source(
    key="nlp-progress",
    title="NLP-progress: the state of the art by task",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="retired",
    cadence="closed since 2024-06",
    files=(GithubTree("nlp-progress/{0}", "sebastianruder/NLP-progress", "master", r"english/([^/]+)\.md"),),
    parse=parse,
)


def _excluded(line: int, why: str) -> RawRow:
    return RawRow(row=f"line {line}", benchmark="", model="", score="", reject=f"excluded: {why}")


def _plain_text(cell: str) -> str:
    # A tag becomes a space: 84.3<br>85.9 and 82.7<sup>1</sup> must not turn into one number.
    return " ".join(_DRESS.sub("", _LINK.sub(r"\1", _TAG.sub(" ", cell))).split())


def _read_table(table: MarkdownTable, file: str, benchmark: str) -> tuple[list[RawRow], list[BenchmarkFact]]:
    scored = [index for index, name in enumerate(table.header) if index and slug(name) and not _CITED.search(name)]
    cells = {
        index: [_plain_text(line.cells[index]) for line in table.lines if index < len(line.cells)] for index in scored
    }
    columns = {
        index: read_column(METRICS.get((file, table.header[index]), table.header[index]), cells[index])
        for index in scored
    }
    usable = [index for index in scored if not columns[index].reject]
    main = next(
        (index for index in usable if not _VALIDATION.match(table.header[index])), usable[0] if usable else None
    )
    heading = table.headings[-1] if table.headings else ""
    ids = {
        index: REGISTRY_IDS.get(
            (file, heading, table.header[index]),
            benchmark if index == main else f"{benchmark}/{slug(table.header[index])}",
        )
        for index in scored
    }
    rows = [_score_row(line, index, table, ids[index], columns[index]) for line in table.lines for index in scored]
    return rows, [_fact(table, index, ids[index], columns[index], file) for index in usable]


def _score_row(line: TableLine, index: int, table: MarkdownTable, benchmark: str, column: Column) -> RawRow:
    model = _plain_text(line.cells[0])
    score = _plain_text(line.cells[index]) if index < len(line.cells) else ""
    cited = " ".join(line.cells[number] for number, name in enumerate(table.header) if _is_paper(name, number, line))
    baseline = _BASELINE.match(model)
    reject = cell_problem(column, score)
    if len(line.cells) > len(table.header):
        reject = f"{len(line.cells)} cells under {len(table.header)} columns"
    return RawRow(
        row=f"line {line.number}, column {table.header[index]}",
        benchmark=benchmark,
        model=model,
        score=score,
        unit=column.unit or "percent",
        dated_on=appearance_date(model, cited),
        date_basis="paper",
        kind=baseline[1].casefold() if baseline else "model",
        reject=reject,
    )


def _is_paper(name: str, index: int, line: TableLine) -> bool:
    return index < len(line.cells) and "code" not in name.casefold() and _CITED.search(name) is not None


def _fact(table: MarkdownTable, index: int, benchmark: str, column: Column, file: str) -> BenchmarkFact:
    title = ", ".join(reversed(table.headings)) or file
    return BenchmarkFact(
        benchmark=benchmark,
        name=f"{title}: {table.header[index]}",
        metric=METRICS.get((file, table.header[index]), table.header[index]),
        unit=column.unit,
        higher_is_better=column.higher_is_better,
        domain=slug(file),
        modality="text",
        paper_url=f"{HOMEPAGE}/english/{file}.html",
    )
