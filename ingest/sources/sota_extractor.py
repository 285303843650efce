"""sota-extractor: leaderboards as Papers with Code collected them, one JSON file for each site, 2019 to 2021.

A file is a list of tasks; a task has data sets and subtasks, a data set a table (`sota`) and subsets with tables of
their own. How deep that goes differs between files, and some name a subset where others name a data set. The first
metric that is listed and is a score is the table's benchmark, the others are its parts. `paper_date` is given where the
site dates its entries; otherwise a result is dated by its paper (`ingest.formats.papers`). A bare "Score" is points.
`nlpprogress.json` is an older state of `nlp-progress.json`, and the example shows the format: neither is read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Entry, as_text, objects_of, pointer, read_json, slug
from benchhealth.ingest.formats.metrics import Column, cell_problem, read_column
from benchhealth.ingest.formats.numbers import is_nothing
from benchhealth.ingest.formats.papers import appearance_date
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/paperswithcode/sota-extractor"
FILES = (
    "chexpert.json",
    "cmrc.json",
    "coqa.json",
    "eff.json",
    "hotpotqa.json",
    "nlp-progress.json",
    "ogb.json",
    "record.json",
    "redditsota.json",
    "snli.json",
    "squad.json",
)
REGISTRY_IDS: Mapping[tuple[str, str], str] = {
    ("SQuAD1.1", "EM"): "squad-1.1",
    ("SQuAD1.1", "F1"): "squad-1.1/f1",
    ("SQuAD2.0", "EM"): "squad-2.0",
    ("SQuAD2.0", "F1"): "squad-2.0/f1",
}
ACCURACIES = frozenset({"CoQA (Conversational Question Answering Challenge)"})
"""Data sets whose columns name a domain: all are F1."""

_SPREAD = re.compile(r"\s*(?:±|\+/-).*")
_DEEPEST = 12


class _Table(NamedTuple):
    where: str
    names: tuple[str, ...]
    sota: Entry


def parse(body: bytes, path: str) -> Parsed:
    """Read one site's leaderboards: a row for every entry and metric."""
    if path.rsplit("/", 1)[-1] not in FILES:
        raise PayloadError(f"not a file of this source: {path}")
    document = objects_of(read_json(body), "not a list of tasks", "task")
    tables = [table for index, task in enumerate(document) for table in _tables(task, pointer(index), (), 0)]
    if not tables:
        raise PayloadError("tasks without a table")
    parsed = [_read_table(table) for table in tables]
    return Parsed(
        rows=[row for rows, _ in parsed for row in rows], benchmarks=[fact for _, facts in parsed for fact in facts]
    )


SOURCE = Source(
    key="sota-extractor",
    title="sota-extractor: leaderboards collected for Papers with Code",
    homepage=HOMEPAGE,
    licence="CC-BY-SA-4.0",
    redistributable=False,
    kind="retired",
    cadence="closed since 2021-07",
    files=tuple(
        GithubFile(
            f"sota-extractor/{name.removesuffix('.json')}",
            "paperswithcode/sota-extractor",
            "master",
            f"data/tasks/{name}",
        )
        for name in FILES
    ),
    parse=parse,
)


def _tables(node: Entry, where: str, names: tuple[str, ...], depth: int) -> Iterator[_Table]:
    """Every table below a task or data set; a name is that of the innermost thing that has one."""
    if depth > _DEEPEST:
        raise PayloadError(f"nested too deeply: {where[:100]}")
    name = next((as_text(node[key]) for key in ("task", "dataset", "subdataset") if key in node), "")
    path_of_names = (*names, name)
    sota = node.get("sota")
    if isinstance(sota, dict) and sota.get("rows"):
        yield _Table(f"{where}/sota", path_of_names, sota)
    for key in ("datasets", "subdatasets", "subtasks"):
        children = node.get(key) or []
        if not isinstance(children, list) or not all(isinstance(child, dict) for child in children):
            raise PayloadError(f"not a list of objects: {where}/{key}")
        for index, child in enumerate(children):
            yield from _tables(child, f"{where}{pointer(key, index)}", path_of_names, depth + 1)


def _read_table(table: _Table) -> tuple[list[RawRow], list[BenchmarkFact]]:
    entries = objects_of(table.sota["rows"], f"not a list of entries: {table.where}", "metrics")
    scores = [_scores(entry, table.where) for entry in entries]
    names = list(dict.fromkeys([*_metric_names(table.sota), *(name for cells in scores for name in cells)]))
    columns = {
        name: _column(table, name, [cells[name] for cells in scores if name in cells])
        for name in names
        if any(name in cells for cells in scores)
    }
    ids = _ids(table, columns)
    rows = [
        _score_row(f"{table.where}{pointer('rows', index, 'metrics', name)}", entry, score, ids[name], columns[name])
        for index, (entry, cells) in enumerate(zip(entries, scores, strict=True))
        for name, score in cells.items()
    ]
    return rows, [_fact(table, name, ids[name], column) for name, column in columns.items() if not column.reject]


def _metric_names(sota: Entry) -> list[str]:
    listed = sota.get("metrics")
    return [as_text(name) for name in listed] if isinstance(listed, list) else []


def _scores(entry: Entry, where: str) -> dict[str, str]:
    metrics = entry["metrics"]
    if not isinstance(metrics, dict):
        raise PayloadError(f"metrics that are not an object: {where}")
    return {name: _SPREAD.sub("", as_text(score)).replace("*", "").strip() for name, score in metrics.items()}


def _column(table: _Table, name: str, cells: Sequence[str]) -> Column:
    column = read_column("F1" if table.names[-1] in ACCURACIES else name, cells)
    return column if slug(name) else column._replace(reject="a metric without a name")


def _ids(table: _Table, columns: Mapping[str, Column]) -> dict[str, str]:
    main_id = "-".join(["sota-extractor", *(slug(name) for name in table.names if slug(name))])
    main = next((name for name, column in columns.items() if not column.reject), "")
    return {
        name: REGISTRY_IDS.get((table.names[-1], name), main_id if name == main else f"{main_id}/{slug(name)}")
        for name in columns
    }


def _score_row(where: str, entry: Entry, score: str, benchmark: str, column: Column) -> RawRow:
    citation, address = as_text(entry.get("model_name")), as_text(entry.get("paper_url"))
    more_data = as_text(entry.get("uses_additional_data")) == "true"
    paper_date = as_text(entry.get("paper_date"))
    return RawRow(
        row=where,
        benchmark=benchmark,
        model=citation,
        score=score,
        unit=column.unit or "percent",
        dated_on=paper_date if not is_nothing(paper_date) else appearance_date(citation, address),
        date_basis="paper",
        setting="additional data" if more_data else "",
        reject=cell_problem(column, score),
    )


def _fact(table: _Table, name: str, benchmark: str, column: Column) -> BenchmarkFact:
    title = ", ".join(words for words in reversed(table.names) if words)
    return BenchmarkFact(
        benchmark=benchmark,
        name=f"{title}: {name}" if "/" in benchmark else title,
        metric=name,
        unit=column.unit,
        higher_is_better=column.higher_is_better,
        domain=slug(table.names[0]),
        paper_url=HOMEPAGE,
    )
