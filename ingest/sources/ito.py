r"""ITO: the history of Papers with Code to 2022, as three kinds of tables.

`sota_ITO_00141.csv` lists what advanced the state of the art in natural language processing, by month, with each
metric's polarity. The files in `example` list a few data sets by day, ImageNet with everything that was reported. The
trajectories of 2021 (`get_ratio_df_all_per_global_all.csv`) are taken for what the other files do not have; they
were computed as if more were always better, so a metric of errors lists ever worse results there and is not used. The
other tables hold groupings, paper titles, or scores without a model or a date, and are not read.

Names carry doubled backslashes (`1\\ in\\ 10`, `\\'Title\\'`), and a model is `NAME model in 'TITLE'`: NAME stays.
Where the polarity is `neg` upstream printed the score with a minus sign, which is taken off again. It is `pos` for
every metric that nobody looked at, errors among them: where it contradicts the metric's name the row is rejected.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, read_csv, slug
from benchhealth.ingest.formats.metrics import Column, cell_problem, read_column
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/OpenBioLink/ITO"
SOTA, TRAJECTORIES = "sota_ITO_00141.csv", "get_ratio_df_all_per_global_all.csv"
EXAMPLES = (
    "df_cifar100_sota.csv",
    "df_cifar10_sota.csv",
    "df_vqa1_sota.csv",
    "df_vqa2_sota.csv",
    "fashionmnist_all_results.csv",
    "imagenet_all_results.csv",
    "proteins_all_results.csv",
    "ucf101_all_results.csv",
)
"""Of the data sets that have both, the file with all results contains the one with the advances."""

LANGUAGE = "ito:ITO_00141"
OWN_FILE = frozenset({"CIFAR-10", "CIFAR-100", "Fashion-MNIST", "ImageNet", "PROTEINS", "UCF101"})
REGISTRY_IDS: Mapping[tuple[str, str, str], str] = {
    ("Image Classification", "ImageNet", "Top 1 Accuracy"): "imagenet",
    ("Image Classification", "ImageNet", "Top 5 Accuracy"): "imagenet/top5",
    ("Image Classification", "CIFAR-10", "Percentage correct"): "cifar-10",
    ("Image Classification", "CIFAR-100", "Percentage correct"): "cifar-100",
    ("Question answering", "SQuAD1.1", "EM"): "squad-1.1",
    ("Question answering", "SQuAD1.1", "F1"): "squad-1.1/f1",
    ("Question answering", "SQuAD2.0", "EM"): "squad-2.0",
    ("Question answering", "SQuAD2.0", "F1"): "squad-2.0/f1",
    ("Question answering", "BoolQ", "Accuracy"): "boolq",
    ("Question answering", "PIQA", "Accuracy"): "piqa",
    ("Question answering", "OpenBookQA", "Accuracy"): "openbookqa",
    ("Question answering", "TriviaQA", "EM"): "triviaqa",
    ("Common sense reasoning", "ARC (Challenge)", "Accuracy"): "arc-challenge",
    ("Common sense reasoning", "CommonsenseQA", "Accuracy"): "commonsenseqa",
    ("Sentence Completion", "HellaSwag", "Accuracy"): "hellaswag",
    ("Arithmetic Reasoning", "GSM8K", "Accuracy"): "gsm8k",
    ("Math word problem solving", "MATH", "Accuracy"): "math",
    ("Language modelling", "LAMBADA", "Accuracy"): "lambada",
    ("Reading comprehension", "RACE", "Accuracy"): "race",
    ("Sentiment analysis", "IMDb", "Accuracy"): "imdb",
    ("Question answering", "DROP Test", "F1"): "drop",
    ("Question answering", "Natural Questions", "EM"): "natural-questions",
    ("Program synthesis", "HumanEval", "Pass@1"): "humaneval",
    ("Speech recognition", "LibriSpeech test-clean", "Word Error Rate (WER)"): "librispeech",
    ("Speech recognition", "LibriSpeech test-other", "Word Error Rate (WER)"): "librispeech/test-other",
    ("Visual Question Answering", "VQA v2 test-std", "overall"): "vqa-v2",
    ("Image question answering", "VQA v2 test-std", "overall"): "vqa-v2",
    ("Object Detection", "COCO test-dev", "box AP"): "coco-detection",
}
"""(task, data set, metric) to the registry's benchmark, where the measure is certainly the same."""

ACCURACIES = frozenset(
    {
        ("Visual Question Answering", "VQA v2 test-std", "overall"),
        ("Question answering", "RACE", "RACE"),
        ("Question answering", "RACE", "RACE-h"),
        ("Question answering", "RACE", "RACE-m"),
    }
)
"""Metrics of other names that are accuracies too."""

_IN_PAPER = re.compile(r"(.+?) +model in '.*", re.DOTALL)
_PROCESS = re.compile(r"(.+) - (.+) benchmarking")


class _Entry(NamedTuple):
    """One line as published: the cells that matter, and what is wrong with it (or empty)."""

    line: int
    task: str
    dataset: str
    metric: str
    model: str
    score: str
    date: str
    polarity: str
    problem: str


def parse(body: bytes, path: str) -> Parsed:
    """Read one of the tables that hold results."""
    name = path.rsplit("/", 1)[-1]
    if name == SOTA:
        wanted, entry_of = ["task", "dataset", "date", "model", "result", "metric", "polarity"], _sota
    elif name == TRAJECTORIES:
        wanted, entry_of = ["task", "ds", "date", "model_label", "value", "top_level_class", "merge"], _trajectory
    elif name in EXAMPLES:
        wanted, entry_of = ["date", "metricName", "result", "model_label"], _example
    else:
        raise PayloadError(f"not a table of results of this source: {path}")
    return _parsed(read_csv(body, wanted, empty="a table without rows"), entry_of)


SOURCE = Source(
    key="ito",
    title="ITO: the history of Papers with Code to 2022",
    homepage=HOMEPAGE,
    licence="CC-BY-SA-4.0",
    redistributable=False,
    kind="retired",
    cadence="closed since 2022-09",
    files=(
        *(
            GithubFile(
                f"ito/{name.removesuffix('.csv')}",
                "OpenBioLink/ITO",
                "master",
                f"notebooks/global_dynamics/data/example/{name}",
            )
            for name in EXAMPLES
        ),
        GithubFile("ito/sota", "OpenBioLink/ITO", "master", f"notebooks/global_dynamics/data/{SOTA}"),
        GithubFile(
            "ito/trajectories",
            "OpenBioLink/ITO",
            "master",
            f"notebooks/adriano_trajectories_notebooks/{TRAJECTORIES}",
        ),
    ),
    parse=parse,
)


def _parsed(records: list[Record], entry_of: Callable[[Record], _Entry]) -> Parsed:
    entries = [entry_of(record) for record in records]
    ids = _ids(entries)
    cells: dict[str, list[str]] = {}
    for entry in entries:
        cells.setdefault(ids[_key(entry)], []).append(entry.score)
    columns = {ids[_key(entry)]: _column(entry, cells[ids[_key(entry)]]) for entry in entries}
    rows = [_entry_row(entry, ids[_key(entry)], columns[ids[_key(entry)]]) for entry in entries]
    first = {row.benchmark: entry for entry, row in reversed(list(zip(entries, rows, strict=True))) if not row.reject}
    return Parsed(rows=rows, benchmarks=[_fact(column, entry, columns[column]) for column, entry in first.items()])


def _column(entry: _Entry, cells: list[str]) -> Column:
    return read_column("accuracy" if _key(entry) in ACCURACIES else entry.metric, cells)


def _key(entry: _Entry) -> tuple[str, str, str]:
    return entry.task, entry.dataset, entry.metric


def _ids(entries: list[_Entry]) -> dict[tuple[str, str, str], str]:
    """The benchmark_id of every (task, data set, metric): the metric with most rows is the whole, others are parts."""
    counts: dict[str, dict[str, int]] = {}
    for entry in entries:
        of_whole = counts.setdefault(_whole_id(entry), {})
        of_whole[slug(entry.metric)] = of_whole.get(slug(entry.metric), 0) + 1
    main = {dataset: max(metrics, key=lambda metric: metrics[metric]) for dataset, metrics in counts.items()}
    ids = {}
    for entry in entries:
        dataset, metric = _whole_id(entry), slug(entry.metric)
        own_id = dataset if metric == main[dataset] else f"{dataset}/{metric}"
        ids[_key(entry)] = REGISTRY_IDS.get(_key(entry), own_id)
    return ids


def _whole_id(entry: _Entry) -> str:
    return f"ito-{slug(entry.task)}-{slug(entry.dataset)}"


def _entry_row(entry: _Entry, benchmark: str, column: Column) -> RawRow:
    reject = entry.problem or cell_problem(column, entry.score)
    if not all(slug(words) for words in _key(entry)):
        reject = reject or "no task, data set or metric"
    if entry.polarity and (entry.polarity == "pos") != column.higher_is_better:
        reject = reject or f"polarity {entry.polarity} contradicts the metric's name"
    return RawRow(
        row=f"line {entry.line}",
        benchmark=benchmark,
        model=entry.model,
        score=entry.score,
        unit=column.unit or "percent",
        dated_on=entry.date,
        date_basis="paper",
        reject=reject,
    )


def _sota(record: Record) -> _Entry:
    cells = {column: _plain(cell) for column, cell in record.cells.items()}
    problem, score = record.problem, cells["result"]
    if cells["polarity"] not in ("pos", "neg"):
        problem = problem or f"not a polarity: {cells['polarity'][:20]!r}"
    elif (cells["polarity"] == "neg") != score.startswith("-"):
        problem = problem or f"the sign does not fit the polarity {cells['polarity']}: {score[:20]!r}"
    return _Entry(
        record.line,
        cells["task"],
        cells["dataset"],
        cells["metric"],
        _model(cells["model"]),
        score.removeprefix("-"),
        cells["date"],
        cells["polarity"],
        problem,
    )


def _trajectory(record: Record) -> _Entry:
    cells = {column: _plain(cell) for column, cell in record.cells.items()}
    problem = record.problem
    if cells["top_level_class"] == LANGUAGE:
        problem = problem or "excluded: language is in the newer table"
    elif cells["ds"] in OWN_FILE or cells["ds"].startswith("VQA v"):
        problem = problem or "excluded: the data set has a table of its own"
    # Upstream selected what was higher than all before it; "pos" has a metric of errors rejected for that.
    return _Entry(
        record.line,
        cells["task"],
        cells["ds"],
        cells["merge"],
        _model(cells["model_label"]),
        cells["value"],
        cells["date"],
        "pos",
        problem,
    )


def _example(record: Record) -> _Entry:
    cells = {column: _plain(cell) for column, cell in record.cells.items()}
    process = _PROCESS.fullmatch(cells.get("benchmark_process_class_label") or cells.get("class_label", ""))
    dataset, task = (process[1], process[2]) if process else ("", "")
    return _Entry(
        record.line,
        task,
        dataset,
        cells["metricName"],
        _model(cells["model_label"]),
        cells["result"],
        cells["date"],
        "",
        record.problem or ("" if process else "no data set"),
    )


def _plain(cell: str) -> str:
    return cell.replace("\\", "").strip()


def _model(label: str) -> str:
    named = _IN_PAPER.fullmatch(label)
    return named[1] if named else label


def _fact(benchmark: str, entry: _Entry, column: Column) -> BenchmarkFact:
    return BenchmarkFact(
        benchmark=benchmark,
        name=f"{entry.dataset}, {entry.task}" + (f": {entry.metric}" if "/" in benchmark else ""),
        metric=entry.metric,
        unit=column.unit,
        higher_is_better=column.higher_is_better,
        domain=slug(entry.task),
        paper_url=HOMEPAGE,
    )
