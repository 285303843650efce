"""LiveBench from release 2026-06-25 on, in the repository of its new site: a table of scores and one of costs.

`table_YYYY_MM_DD.csv` is what it was before, a row a model and a column a task; how hard a model was asked to think
stands in its name. `cost_YYYY_MM_DD.csv` has a column of dollars for each task, the questions that were counted
(`nq_<task>`) and the mean length of an answer (`out_<task>`): none of these is a score. What is kept of it is the cost
of a question and that of a task solved, over all tasks. From 2026-06-25 to 2026-07-07 the cost of a question was not
printed: it is the dollars of all tasks over the questions of all tasks, as LiveBench has printed it since.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.formats.livebench_tables import HOMEPAGE, parse_table, whole_of
from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_count, read_number
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubTree, Source

ITEMS: Mapping[str, Mapping[str, str]] = {
    "2026_06_25": {
        "AMPS_Hard": "100",
        "code_completion": "46",
        "code_generation": "71",
        "connections": "50",
        "consecutive_events": "47",
        "integrals_with_game": "100",
        "javascript": "22",
        "logic_with_navigation": "50",
        "math_comp": "102",
        "olympiad": "77",
        "paraphrase": "50",
        "plot_unscrambling": "50",
        "python": "20",
        "simplify": "50",
        "spatial": "50",
        "story_generation": "50",
        "summarize": "50",
        "tablejoin": "52",
        "tablereformat": "51",
        "theory_of_mind": "52",
        "typescript": "30",
        "typos": "50",
        "zebra_puzzle": "50",
    }
}
"""Questions of each task of a release, as the table of costs counts them (`nq_<task>`) for nearly all models."""

_TABLE = re.compile(r"(?:.*/)?table_(\d{4}_\d{2}_\d{2})\.csv")
_COST = re.compile(r"(?:.*/)?cost_(\d{4}_\d{2}_\d{2})\.csv")
_COUNTED = "nq_"
_PER_QUESTION = "cost_per_question"


class _Measure(NamedTuple):
    """A column of the table of costs that is kept: the part of the benchmark that it becomes."""

    part: str
    words: str


MEASURES = {
    _PER_QUESTION: _Measure("cost", "dollars a question"),
    "cost_per_successful_task": _Measure("cost-per-success", "dollars a task solved"),
}


def parse(body: bytes, path: str) -> Parsed:
    """Read the scores or the costs of a release."""
    if costs := _COST.fullmatch(path):
        return _costs(body, costs[1].replace("_", "-"))
    release = _TABLE.fullmatch(path)
    return parse_table(body, path, ITEMS.get(release[1], {}) if release else {})


SOURCE = Source(
    key="new-livebench",
    title="LiveBench, releases since June 2026",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    cadence="weekly",
    files=(
        GithubTree(
            "new-livebench/livebench-{0}-{1}-{2}",
            "LiveBench/new-livebench",
            "main",
            r"public/table_(\d{4})_(\d{2})_(\d{2})\.csv",
        ),
        GithubTree(
            "new-livebench/livebench-{0}-{1}-{2}/cost",
            "LiveBench/new-livebench",
            "main",
            r"public/cost_(\d{4})_(\d{2})_(\d{2})\.csv",
        ),
    ),
    parse=parse,
)


def _costs(body: bytes, release: str) -> Parsed:
    records = read_csv(body, ["model", "avg_output_tokens"], empty="a table of costs without models")
    columns = list(records[0].cells)
    tasks = [column.removeprefix(_COUNTED) for column in columns if column.startswith(_COUNTED)]
    missing = [task for task in tasks if task not in columns]
    if missing or not (tasks or _PER_QUESTION in columns):
        raise PayloadError(f"no dollars for {', '.join(missing) or 'any task'} among the columns {columns[:12]}")
    measured = [column for column in MEASURES if column in columns or column == _PER_QUESTION]
    return Parsed(
        rows=[_cost_row(record, column, release, tasks) for record in records for column in measured],
        benchmarks=[_fact(column, release) for column in measured],
    )


def _cost_row(record: Record, column: str, release: str, tasks: Sequence[str]) -> RawRow:
    total = _total(record.cells, tasks) if not record.problem else _Total()
    score, reject = record.cells.get(column, ""), record.problem
    if column == _PER_QUESTION and column not in record.cells:
        score, reject = total.per_question, reject or total.problem
    if not reject and not is_nothing(score) and not score.strip("0."):
        reject = f"a cost of {score}: free or not recorded, the file does not say"
    measure = MEASURES[column]
    return RawRow(
        row=f"line {record.line}, column {column}",
        benchmark=f"livebench-{release}/{measure.part}",
        model=record.cells["model"],
        score=score,
        unit="dollars",
        n_items=total.n_items,
        reject=reject,
    )


class _Total(NamedTuple):
    """The totals over a model's tasks: questions, and dollars a question to four decimals; or the reason for none."""

    n_items: str = ""
    per_question: str = ""
    problem: str = ""


def _total(cells: Mapping[str, str], tasks: Sequence[str]) -> _Total:
    if not tasks:
        return _Total()
    try:
        questions = sum(read_count(cells[f"{_COUNTED}{task}"]) for task in tasks)
        dollars = sum(read_number(cells[task]) for task in tasks)
    except UnreadableError as error:
        return _Total(problem=f"no cost of a question: {error}")
    return _Total(str(questions), f"{dollars / questions:.4f}")


def _fact(column: str, release: str) -> BenchmarkFact:
    measure = MEASURES[column]
    return whole_of(release).cost(measure.part, measure.words, measure.words)
