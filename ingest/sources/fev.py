"""fev-bench, forecasting of time series: a table a model (or family of models) with a line for each of 100 tasks.

A task's score is its `test_error`, the scaled quantile loss over its windows: lower is better, without an upper end.
The columns of configuration differ from table to table, so only those needed are asked for. The version of the
evaluating package is part of the setting. In each row the makers say whether the model was trained on the task's data:
where it was, that is a report about the task.
"""

import re

from benchhealth.ingest.formats.bodies import Record, path_parts, read_csv, slug
from benchhealth.ingest.rows import BenchmarkFact, ContaminationReport, Parsed, RawRow
from benchhealth.ingest.source import GithubTree, Source

HOMEPAGE = "https://github.com/autogluon/fev"
PAPER = "https://arxiv.org/abs/2509.26468"
METRIC = "SQL"
DECLARED = "declared by the maker: the task's data in the training data"
TRAINED = "trained_on_this_dataset"
_NOT_REPORTED = {"True": "", "False": "excluded: declared not to be trained on the task"}
_PATH = re.compile(r"benchmarks/fev_bench/results/[^/]+\.csv")


def parse(body: bytes, path: str) -> Parsed:
    """Read one table: a row and a declaration for every task."""
    path_parts(_PATH, path)
    records = read_csv(
        body,
        ["model_name", "task_name", "eval_metric", "test_error", TRAINED, "fev_version"],
        empty="a table without tasks",
    )
    facts = {fact.benchmark: fact for record in records if (fact := _fact(record))}
    return Parsed(
        rows=[_task_row(record) for record in records],
        benchmarks=list(facts.values()),
        reports=[_report(record) for record in records],
    )


SOURCE = Source(
    key="fev",
    title="fev-bench, forecasting of time series",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    cadence="some models a month",
    files=(GithubTree("fev/{0}", "autogluon/fev", "main", r"benchmarks/fev_bench/results/([^/]+)\.csv"),),
    parse=parse,
)


def _benchmark(record: Record) -> str:
    """The id of the task's benchmark, empty without a task; a slash in the task's name makes no further part."""
    task = slug(record.cells["task_name"])
    return f"fev-bench/{task}" if task else ""


def _problem(record: Record) -> str:
    """The reason to reject the line; empty where there is none."""
    if record.problem or not _benchmark(record):
        return record.problem or "a line without a task"
    metric = record.cells["eval_metric"]
    return "" if metric == METRIC else f"the board's metric is {METRIC}, the row's is {metric!r}"


def _task_row(record: Record) -> RawRow:
    version = record.cells["fev_version"]
    return RawRow(
        row=f"line {record.line}",
        benchmark=_benchmark(record),
        model=record.cells["model_name"],
        score=record.cells["test_error"],
        unit="loss",
        setting=f"fev {version}" if version else "",
        reject=_problem(record),
    )


def _report(record: Record) -> ContaminationReport:
    declared = record.cells[TRAINED]
    return ContaminationReport(
        row=f"line {record.line}, column {TRAINED}",
        benchmark=_benchmark(record),
        subject=record.cells["model_name"],
        method=DECLARED,
        reference_url=HOMEPAGE,
        reject=_problem(record) or _NOT_REPORTED.get(declared, f"neither True nor False: {declared!r}"),
    )


def _fact(record: Record) -> BenchmarkFact | None:
    """The facts of the line's task; None where the line has a problem."""
    if _problem(record):
        return None
    return BenchmarkFact(
        benchmark=_benchmark(record),
        name=f"fev-bench, {record.cells['task_name']}",
        metric="scaled quantile loss",
        unit="loss",
        higher_is_better=False,
        domain="forecasting",
        modality="time-series",
        released_on="2025-09",
        paper_url=PAPER,
    )
