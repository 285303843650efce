"""WeirdML: `data/weirdml_data.csv`, models that write small machine-learning programs for strange data.

The score is the mean accuracy over the tasks, with its standard error since 2025-07-01; each task and the cost of a run
are parts. `display_name` says how the model was run, in brackets; `model_slug` is the address that it was called at and
names another model at times (`gpt-5.6-sol` for gpt-5.6-sol-pro), so it is not read. On 2025-11-19 two tasks were
dropped, and the mean is over the 17 others since.
"""

import re
from collections.abc import Iterator

from benchhealth.ingest.formats.addresses import slug
from benchhealth.ingest.formats.bodies import Record, read_csv
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
    records = read_csv(body, ["internal_model_name", "display_name", WHOLE, COST])
    tasks = [column for column in records[0].cells if column.endswith(TASK) and column != WHOLE] if records else []
    if not tasks:
        raise PayloadError("no model or no task")
    rows = [row for record in records for row in _rows(record, tasks)]
    return Parsed(rows=rows, models=list(_models(records)), benchmarks=list(_facts(tasks)))


SOURCE = Source(
    key="weirdml",
    title="WeirdML",
    homepage=HOMEPAGE,
    licence="none given",
    redistributable=False,
    kind="board",
    cadence="weekly",
    files=(GithubFile(f"weirdml/{BENCHMARK}", "htihle/htihle.github.io", "main", "data/weirdml_data.csv"),),
    parse=parse,
)


def _rows(record: Record, tasks: list[str]) -> Iterator[RawRow]:
    cells = record.cells
    model, setting = _run(cells["display_name"].strip())
    whole = RawRow(
        row=f"line {record.line}, column {WHOLE}",
        benchmark=BENCHMARK,
        model=model,
        score=cells[WHOLE],
        unit="fraction",
        std_error=cells.get(ERROR, ""),
        dated_on=cells.get("release_date", ""),
        date_basis="model_release",
        setting=setting,
        reject=record.problem,
    )
    yield whole
    for task in tasks:
        yield whole._replace(
            row=f"line {record.line}, column {task}", benchmark=_part(task), score=cells[task], std_error=""
        )
    yield whole._replace(
        row=f"line {record.line}, column {COST}",
        benchmark=f"{BENCHMARK}/cost",
        score=cells[COST],
        unit="dollars",
        std_error="",
    )


def _run(name: str) -> tuple[str, str]:
    """(model, setting): `gpt-5 (high)` is gpt-5 at high effort, `(thinking 16k)` a budget."""
    match = _HOW.fullmatch(name)
    if match is None:
        return name, ""
    words = []
    for how in match["how"].split(", "):
        budget = _BUDGET.fullmatch(how)
        if budget:
            words.append(f"thinking={budget[1]}")
        elif how in ("thinking", "no thinking"):
            words.append(how)
        else:
            words.append(f"effort={how}")
    return match["model"], ", ".join(words)


def _part(task: str) -> str:
    return f"{BENCHMARK}/{slug(task.removesuffix(TASK))}"


def _models(records: list[Record]) -> Iterator[ModelFact]:
    seen: set[str] = set()
    for record in records:
        model = _run(record.cells["display_name"].strip())[0]
        released_on = record.cells.get("release_date", "")
        if released_on and not record.problem and model not in seen:
            seen.add(model)
            yield ModelFact(f"line {record.line}, column release_date", model, released_on=released_on)


def _facts(tasks: list[str]) -> Iterator[BenchmarkFact]:
    whole = BenchmarkFact(
        row="line 1",
        benchmark=BENCHMARK,
        name="WeirdML",
        metric="mean accuracy",
        unit="fraction",
        domain="code",
        modality="text",
        paper_url=HOMEPAGE,
    )
    for task in tasks:
        words = task.removesuffix(TASK).replace("_", " ")
        yield whole._replace(benchmark=_part(task), name=f"WeirdML: {words}", metric="accuracy")
    yield whole._replace(
        benchmark=f"{BENCHMARK}/cost",
        name="WeirdML: cost",
        metric="cost of a run",
        unit="dollars",
        higher_is_better=False,
    )
