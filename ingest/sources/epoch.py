"""Epoch AI's benchmark data: its own runs, the tables that it collected, and when models were released.

Which column of which file holds what, and in which unit, is declared in `data/registry/upstream_table.csv` and
`upstream_column.csv`, the tasks of Epoch's own runs among the tables; a file or task that is not there is refused. A
row of a collected table belongs to its `Model version`, or to its `Name` where no version is given. How the model was
run (shots, agent, tools) is the setting. A paper that is named after the model's family reports on itself; everything
else counts as a third party's. Where a number stands is kept as printed.
"""

import re
from calendar import month_name
from collections.abc import Iterable

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.formats.epoch_rows import cell_text, reports_on_itself, settings_of, spellings
from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_number
from benchhealth.ingest.formats.upstream import ScoreColumn, ScoreTable, facts_of, score_tables, source_benchmarks
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubArchive, Source

KEY, EMPTY = "epoch", "a table without rows"
HOMEPAGE = "https://github.com/epoch-research/benchmark-stitching"
_EXTERNAL = re.compile(r"external_benchmark_(\w+)\.csv")
_DAY_FIRST = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_STARTED = re.compile(rf"(\d{{1,2}}) ({'|'.join(month_name[1:])}) (\d{{4}}) \d{{1,2}}:\d{{2}}[ap]m")
_SCORER = re.compile(r"\w+:(-?[\d.]+)±([\d.]+)")
_RELEASE = re.compile(r"LiveBench-(\d{4}-\d{2}-\d{2})")
_LARGEST_ROUNDING = 0.0051
"""Scores beside their errors are printed to two decimals, the best score to three."""


def parse(body: bytes, path: str) -> Parsed:
    """Read one table of the repository's `data` folder."""
    file_name = path.rsplit("/", 1)[-1]
    if file_name == "benchmarks_runs.csv":
        return _runs(body)
    if file_name == "model_versions.csv":
        return _versions(body)
    match = _EXTERNAL.fullmatch(file_name)
    table = score_tables(KEY).get(match[1]) if match else None
    if table is None or table.own_run:
        raise PayloadError(f"not a declared table of this source: {path}")
    return _collected(body, table)


SOURCE = Source(
    key=KEY,
    title="Epoch AI, benchmark data",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="retired",
    cadence="some times a year",
    files=(
        GithubArchive(
            "epoch/{0}",
            "epoch-research/benchmark-stitching",
            "main",
            ("data/benchmarks_runs.csv", "data/benchmark_optim.csv"),
            r"data/(external_benchmark_\w+|benchmarks_runs|model_versions)\.csv",
        ),
    ),
    parse=parse,
)


def _runs(body: bytes) -> Parsed:
    """Epoch's own runs: the best score across scorers as a fraction, with that scorer's standard error."""
    columns = ["task", "model", "Best score (across scorers)", "Scores", "started_at", "Status"]
    records = read_csv(body, columns, empty=EMPTY)
    runs = {task: table for task, table in score_tables(KEY).items() if table.own_run}
    tasks = dict.fromkeys(record.cells["task"] for record in records)
    return Parsed(
        rows=[_run(record, runs.get(record.cells["task"])) for record in records],
        benchmarks=_facts((runs[task].benchmark, "percent") for task in tasks if task in runs),
    )


def _run(record: Record, table: ScoreTable | None) -> RawRow:
    cells = record.cells
    best = cells["Best score (across scorers)"]
    reject = record.problem
    if not reject and cells["Status"].strip() != "Success":
        reject = f"a run that did not succeed: {cells['Status'].strip() or 'no status'}"
    return RawRow(
        row=f"line {record.line}",
        benchmark=table.benchmark if table else cells["task"],
        model=cells["model"],
        score=best,
        unit="fraction",
        std_error=_error_of_best(best, cells["Scores"]),
        n_items=table.n_items if table else "",
        dated_on=_started_on(cells["started_at"]),
        date_basis="evaluation",
        reject=reject,
    )


def _error_of_best(best: str, scores: str) -> str:
    """The standard error of the scorer that gave the best score: `choice:0.85±0.02` beside 0.850 says 0.02.

    An error that is printed as 0.0 is below what two decimals show, so it is not known. Text of another form is passed
    on to be rejected.
    """
    if is_nothing(scores):
        return ""
    pairs = [_SCORER.fullmatch(scorer.strip()) for scorer in scores.split(",")]
    try:
        best_score = read_number(best)
        scored = [(read_number(pair[1]), read_number(pair[2])) for pair in pairs if pair]
    except UnreadableError:
        return scores
    if len(scored) != len(pairs):
        return scores
    errors = [error for score, error in scored if abs(score - best_score) <= _LARGEST_ROUNDING]
    return str(max(errors)) if errors and max(errors) > 0 else ""


def _started_on(text: str) -> str:
    match = _STARTED.fullmatch(text.strip())
    return f"{match[3]}-{list(month_name).index(match[2]):02d}-{int(match[1]):02d}" if match else text


def _versions(body: bytes) -> Parsed:
    """When model versions were released; a Hugging Face developer is named where the weights are published there."""
    records = read_csv(body, ["id", "Version release date", "Hugging Face developer id"], empty=EMPTY)
    return Parsed(models=[_version(record) for record in records])


def _version(record: Record) -> ModelFact:
    cells = record.cells
    developer = cells["Hugging Face developer id"].strip()
    return ModelFact(
        row=f"line {record.line}",
        model=cells["id"],
        organisation=developer,
        released_on=cells["Version release date"],
        open_weights="true" if developer else "",
        reject=record.problem,
    )


def _collected(body: bytes, table: ScoreTable) -> Parsed:
    columns = [*table.setting_columns, *table.model_columns[:1], *(column.header for column in table.columns)]
    optional = [table.date_column, table.edition_column, *(column.error_column for column in table.columns)]
    records = read_csv(body, [*columns, "Source", *(column for column in optional if column)], empty=EMPTY)
    rows = [_score_row(record, table, column) for record in records for column in table.columns]
    models = spellings(records, table.model_columns[0])
    if table.edition_column:
        return Parsed(rows=rows, models=models)
    facts = _facts((table.benchmark_of(column), column.unit) for column in table.columns)
    return Parsed(rows=rows, models=models, benchmarks=facts)


def _score_row(record: Record, table: ScoreTable, column: ScoreColumn) -> RawRow:
    cells = record.cells
    model_header = next((header for header in table.model_columns if cells.get(header, "").strip()), "")
    model = cells.get(model_header, "")
    benchmark, reject = table.benchmark_of(column), record.problem
    if table.edition_column:
        release = _RELEASE.fullmatch(cells[table.edition_column].strip())
        benchmark = f"{table.benchmark}-{release[1]}" if release else table.benchmark
        reject = reject or ("" if release else f"not a release: {cells[table.edition_column]!r}")
    score = cells[column.header].strip()
    if column.unit == "percent" and not column.unsigned and not is_nothing(score) and not score.endswith("%"):
        reject = reject or f"a bare number where percentages are printed with their sign: {score!r}"
    return RawRow(
        row=f"line {record.line}, column {column.header}",
        benchmark=benchmark,
        model=model,
        score=score,
        unit=column.unit,
        std_error=cells.get(column.error_column, ""),
        n_items=cells.get(column.items_column, ""),
        dated_on=_day_first(cells.get(table.date_column, "")),
        date_basis="submission",
        setting=join_settings(
            settings_of(cells, [header for header in table.setting_columns if header != model_header], model)
        ),
        reporter="self" if reports_on_itself(cells["Source"], model) else "third_party",
        reject=reject,
        printed_in=cell_text(cells, "Source"),
    )


def _day_first(text: str) -> str:
    """`23/7/2024` as 2024-07-23; text of another form is passed on to be rejected."""
    match = _DAY_FIRST.fullmatch(text.strip())
    return f"{match[3]}-{int(match[2]):02d}-{int(match[1]):02d}" if match else text


def _facts(measures: Iterable[tuple[str, str]]) -> list[BenchmarkFact]:
    """Facts of the benchmarks that only this source has, and of every part that it has scores for."""
    return facts_of(dict.fromkeys(measures), source_benchmarks(KEY), HOMEPAGE)
