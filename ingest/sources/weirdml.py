"""WeirdML: `data/weirdml_data.csv`, models that write small machine-learning programs for strange data.

The score is the mean accuracy over the tasks, with its standard error since 2025-07-01; each task and the cost of a run
are parts. `display_name` says how the model was run, in brackets; `model_slug` is the address that it was called at and
names another model at times (`gpt-5.6-sol` for gpt-5.6-sol-pro), so it is not read. On 2025-11-19 two tasks were
dropped, and the mean is over the 17 others since.
"""

import re
from collections.abc import Iterator, Sequence

from benchhealth.ingest.formats.bodies import Record, slug
from benchhealth.ingest.formats.csv_board import Cells, CsvBoard, Measure, measure_of
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://htihle.github.io/weirdml.html"
WHOLE, ERROR, COST = "avg_acc", "avg_acc_standard_error", "cost_per_run_usd"
TASK = "_acc"
BENCHMARK = "weirdml"
_HOW = re.compile(r"(?P<model>.+?) \((?P<how>[^()]+)\)")
_BUDGET = re.compile(r"(?:thinking )?(\d+k)")


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: the mean, every task and the cost of every model."""
    if path.rsplit("/", 1)[-1] != "weirdml_data.csv":
        raise PayloadError(f"not a file of this source: {path}")
    return BOARD.parse(body)


def _measures(header: Sequence[str]) -> dict[str, Measure]:
    """The mean, the tasks and the cost. Raises PayloadError where there is no task."""
    tasks = [column for column in header if column.endswith(TASK) and column != WHOLE]
    if not tasks:
        raise PayloadError("no model or no task")
    return {
        WHOLE: Measure(BENCHMARK, "fraction"),
        **{column: measure_of(_fact(column)) for column in (*tasks, COST)},
    }


def _result(row: RawRow, cells: Cells) -> RawRow:
    model, setting = _run(row.model.strip())
    return row._replace(
        model=model,
        std_error=cells.get(ERROR, "") if row.benchmark == BENCHMARK else "",
        dated_on=cells.get("release_date", ""),
        date_basis="model_release",
        setting=setting,
    )


def _run(name: str) -> tuple[str, str]:
    """(model, setting): `gpt-5 (high)` is gpt-5 at high effort, `(thinking 16k)` a budget."""
    match = _HOW.fullmatch(name)
    if match is None:
        return name, ""
    words = []
    for setting in match["how"].split(", "):
        budget = _BUDGET.fullmatch(setting)
        if budget:
            words.append(f"thinking={budget[1]}")
        elif setting in ("thinking", "no thinking"):
            words.append(setting)
        else:
            words.append(f"effort={setting}")
    return match["model"], ", ".join(words)


def _models(records: Sequence[Record]) -> Iterator[ModelFact]:
    named: set[str] = set()
    for record in records:
        model = _run(record.cells["display_name"].strip())[0]
        released_on = record.cells.get("release_date", "")
        if released_on and not record.problem and model not in named:
            named.add(model)
            yield ModelFact(f"line {record.line}, column release_date", model, released_on=released_on)


def _fact(column: str) -> BenchmarkFact:
    """The part that a column is: a task, or the cost of a run; the registry knows the whole."""
    whole = BenchmarkFact(
        benchmark=BENCHMARK,
        name="WeirdML",
        metric="accuracy",
        unit="fraction",
        domain="code",
        modality="text",
        paper_url=HOMEPAGE,
    )
    task = column.removesuffix(TASK)
    if column == COST:
        return whole.cost("cost", "cost", "cost of a run")
    return whole.part(slug(task), task.replace("_", " "), whole.metric)


BOARD = CsvBoard(
    _measures,
    model="display_name",
    required=("internal_model_name", WHOLE, COST),
    kind="no model or no task",
    complete=_result,
    models=_models,
)
SOURCE = Source(
    key="weirdml",
    title="WeirdML",
    homepage=HOMEPAGE,
    licence="none given",
    redistributable=False,
    cadence="weekly",
    files=(GithubFile(f"weirdml/{BENCHMARK}", "htihle/htihle.github.io", "main", "data/weirdml_data.csv"),),
    parse=parse,
)
