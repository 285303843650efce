"""EuroEval, language models in European languages: two boards of one language with scores, one of thirty with ranks.

The first line groups columns by task, the second names them; both are written in HTML, and so are most models. A cell
is `main ± radius / second ± radius@@key`, where the key only sorts; the radius is that of a 95% interval.
Which two metrics a cell holds follows from its task: for summaries also from the version of the framework that ran it,
since 16.14 scores them otherwise. Where the board prints `val` behind a model, it was run on the validation split.
A model that was not run in a language has no row for it: most ran in a few of thirty.
The board's own rank is a mean over tasks of how far a model is behind the best (1 is the best): lower is better, and it
moves when others join.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping

from benchhealth.ingest.formats.bodies import Record, path_parts, read_csv, read_text, slug
from benchhealth.ingest.formats.numbers import UnreadableError, error_of_half, read_number
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://euroeval.com"
REPO = "EuroEval/leaderboards"
BOARDS = {"english": "English", "european": "European languages", "german": "German"}
VALUES, RANK = "European Values", "Rank"
MODEL_COLUMNS = (
    *("Model", "Type", RANK, VALUES, "Parameters", "Vocabulary", "Context", "Commercial", "Merge"),
    *("Open", "Trained from scratch"),
)
"""What every board says of a model; every other column is a data set, its version, or (European board) a language."""

SUMMARIES = "Summarization"
METRICS: Mapping[str, tuple[str, str]] = {
    "Sentiment classification": ("MCC", "macro F1"),
    "Named entity recognition": ("micro F1 without MISC", "micro F1"),
    "Linguistic acceptability": ("MCC", "macro F1"),
    "Reading comprehension": ("F1", "exact match"),
    SUMMARIES: ("chrF3++", "chrF4++"),
    "Knowledge": ("MCC", "accuracy"),
    "Common sense reasoning": ("MCC", "accuracy"),
}
"""The main and the second metric of each task, as EuroEval's table of tasks has them."""

SUMMARIES_BEFORE = ("BERTScore", "ROUGE-L")
SUMMARIES_CHANGED = (16, 14)
CORRELATION = "correlation in percent"

_TAG = re.compile(r"<[^<>]*>")
_PATH = re.compile(rf"leaderboards/({'|'.join(BOARDS)})_all\.csv")
_PAIR = re.compile(r"(?P<main>\S+) ± (?P<radius>\S+) / (?P<second>\S+) ± (?P<second_radius>\S+)")
_RUN = re.compile(r"^(?P<name>.+?) \((?P<run>[^()]*)\)$")
_VERSION = re.compile(r"<?(\d+)\.(\d+)[.\w]*")
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
_RUNS = {"zero-shot": "zero-shot", "few-shot": "few-shot", "val": "val split"}
_PARAMETERS = {"thinking": "thinking", "no-thinking": "no thinking", "slow-tokenizer": "slow tokenizer"}


def parse(body: bytes, path: str) -> Parsed:
    """Read one board: rows for every model's rank and values, and for both metrics of every data set."""
    board = path_parts(_PATH, path)
    tasks, table = _table(read_text(body))
    records = read_csv(table, ["Model", RANK, VALUES], empty="a board without models")
    datasets = _datasets(tasks, list(records[0].cells))
    languages = [] if datasets else [name for name in records[0].cells if name and name not in MODEL_COLUMNS]
    if not datasets and board[1] != "european":
        raise PayloadError("a board of one language without data sets")
    rows: list[RawRow] = []
    facts: dict[str, BenchmarkFact] = {}
    for record in records:
        for row, fact in _rows(record._replace(line=record.line + 1), f"euroeval-{board[1]}", datasets, languages):
            rows.append(row)
            facts.setdefault(fact.benchmark, fact)
    return Parsed(rows=rows, benchmarks=list(facts.values()))


SOURCE = Source(
    key="euroeval",
    title="EuroEval, language models in European languages",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    cadence="some times a week",
    files=tuple(
        GithubFile(f"euroeval/euroeval-{board}", REPO, "main", f"leaderboards/{board}_all.csv") for board in BOARDS
    ),
    parse=parse,
)


def _table(text: str) -> tuple[list[str], bytes]:
    """The tasks above the columns, and the table from its second line on, its header without HTML."""
    tasks_line, _, table = text.partition("\n")
    header_line, _, lines = table.partition("\n")
    try:
        tasks, header = next(csv.reader([tasks_line], strict=True)), next(csv.reader([header_line], strict=True))
    except (csv.Error, StopIteration) as error:
        raise PayloadError(f"not the two lines above a board: {error}") from error
    if not tasks or _plain(tasks[0]) != "Task Type" or len(tasks) != len(header):
        raise PayloadError(f"not the two lines above a board: {len(tasks)} and {len(header)} cells")
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(map(_plain, header))
    return [_plain(task) for task in tasks], (written.getvalue() + lines).encode()


def _datasets(tasks: list[str], columns: list[str]) -> dict[str, str]:
    """The columns that come with a column of versions, each with its task. Raises PayloadError for an unknown task."""
    if len(tasks) != len(columns):
        raise PayloadError(f"{len(tasks)} columns, of which {len(columns)} have a name of their own")
    datasets = {column: task for task, column in zip(tasks, columns, strict=True) if f"{column}_version" in columns}
    for column, task in datasets.items():
        if task not in METRICS:
            raise PayloadError(f"{column} belongs to a task that is not known here: {task!r}")
    return datasets


def _rows(
    record: Record, board: str, datasets: Mapping[str, str], languages: list[str]
) -> Iterator[tuple[RawRow, BenchmarkFact]]:
    model, setting, problem = _model(record)
    base = RawRow("", "", model, "", setting=setting, reject=problem)
    ranked = [language for language in languages if _cell_text(record.cells[language]) != "-"]
    for column in (RANK, *ranked):
        benchmark = board if column == RANK else f"{board}/{slug(column)}"
        yield _ranked(record, column, base._replace(benchmark=benchmark, unit="rank"))
    yield (
        base._replace(
            row=f"line {record.line}, column {VALUES}",
            benchmark=f"{board}/european-values",
            score=record.cells[VALUES],
        ),
        _fact(f"{board}/european-values", VALUES, "agreement with answers given in Europe", "percent"),
    )
    for column, task in datasets.items():
        yield from _scores(record, column, task, board, base)


def _model(record: Record) -> tuple[str, str, str]:
    """The model as the board prints it, how it was run, and what is wrong with the line (or empty)."""
    label = _plain(record.cells["Model"])
    run = _RUN.match(label)
    name, runs = (run["name"], run["run"].split(", ")) if run else (label, [])
    name, _, parameter = name.partition("#")
    name, _, revision = name.partition("@")
    unknown = [word for word in runs if word not in _RUNS]
    if parameter and parameter not in (*_EFFORTS, *_PARAMETERS):
        unknown.append(parameter)
    words = [
        _PARAMETERS.get(parameter) or (f"{parameter} effort" if parameter else ""),
        f"revision {revision}" if revision else "",
        *(_RUNS.get(word, "") for word in runs),
    ]
    problem = f"a way of running that is not known here: {', '.join(unknown)}" if unknown else ""
    return name, join_settings(words), record.problem or problem


def _ranked(record: Record, column: str, base: RawRow) -> tuple[RawRow, BenchmarkFact]:
    row = base._replace(row=f"line {record.line}, column {column}", score=_cell_text(record.cells[column]))
    return row, _fact(base.benchmark, "" if column == RANK else column, "mean rank score over tasks", "rank")


def _scores(
    record: Record, dataset: str, task: str, board: str, base: RawRow
) -> Iterator[tuple[RawRow, BenchmarkFact]]:
    cell, version = _cell_text(record.cells[dataset]), _cell_text(record.cells[f"{dataset}_version"])
    pair = _PAIR.fullmatch(cell)
    problem = base.reject or ("" if pair or cell == "-" else f"not two scores with their intervals: {cell!r}")
    metrics, unknown = _metrics(task, version, pair) if pair else (METRICS[task], "")
    printed = pair.groups() if pair else (cell, "", cell, "")
    for metric, score, radius in zip(metrics, printed[::2], printed[1::2], strict=True):
        benchmark_id = f"{board}/{slug(dataset)}/{slug(metric.replace('+', 'p'))}"
        unit = CORRELATION if metric == "MCC" else "percent"
        row = base._replace(
            row=f"line {record.line}, column {dataset}, {metric}",
            benchmark=benchmark_id,
            score=score,
            unit=unit,
            std_error=error_of_half(radius),
            setting=join_settings([base.setting, f"EuroEval {version}" if pair else ""]),
            reject=problem or unknown,
        )
        yield row, _fact(benchmark_id, f"{dataset}, {metric}", metric, unit)


def _metrics(task: str, version: str, pair: re.Match[str]) -> tuple[tuple[str, str], str]:
    """What the two numbers are, and why that cannot be told (or empty)."""
    if task != SUMMARIES:
        return METRICS[task], ""
    release = _VERSION.fullmatch(version)
    if release is None:
        return METRICS[task], f"which metrics these are depends on a version that cannot be read: {version!r}"
    if (int(release[1]), int(release[2])) < SUMMARIES_CHANGED:
        return SUMMARIES_BEFORE, ""
    return METRICS[task], _not_chrf(pair)


def _not_chrf(pair: re.Match[str]) -> str:
    """Some runs of the version that changed the metrics still have the old ones: their order tells."""
    try:
        swapped = read_number(pair["main"]) > read_number(pair["second"])
    except UnreadableError:
        return ""
    return "of the version that changed the metrics, and not in the order of chrF3++ and chrF4++" if swapped else ""


def _cell_text(cell: str) -> str:
    """A cell without the key that it is sorted by; `?` and `-` say that there is nothing."""
    return cell.partition("@@")[0].strip()


def _plain(text: str) -> str:
    return _TAG.sub("", text).strip()


def _fact(benchmark: str, column: str, metric: str, unit: str) -> BenchmarkFact:
    board = BOARDS[benchmark.removeprefix("euroeval-").partition("/")[0]]
    return BenchmarkFact(
        benchmark=benchmark,
        name=f"EuroEval {board}{f': {column}' if column else ''}",
        metric=metric,
        unit=unit,
        higher_is_better=unit != "rank",
        domain="multilingual",
        modality="text",
        paper_url=HOMEPAGE,
    )
