"""Epoch AI's benchmarking hub: its own runs and the boards that it collects, in one zip that is renewed daily.

Which column of which table holds what is declared in `data/registry/upstream_table.csv` and `upstream_column.csv`. How
much a model thought is a suffix of `Model version` (`_high`, `_16K`; `_unknown` says that it was not said). A table
that is not declared is held until somebody has said what it holds. `epoch_capabilities_index.csv` is read for what it
says about models; the index itself is the source `eci`.

Almost all scores are fractions, whatever the header says (`Overall pass (%)` holds 0.32); three boards keep the
percentages of their own site. What is printed as an error is taken only where it could be checked: HLE's is the half
width of a 95% interval (1.96 times the binomial error of 2,500 questions, row by row), WeirdML's a hundredth of what
its own board says, that of APEX-Agents is in points beside fractions and of unknown kind, and PostTrainBench prints a
deviation between runs. ARC Prize's scores are its semi-private ones, 253 of 257. Of SWE-bench Verified's 500 problems
Epoch runs 484.

The past is five copies that others keep in public repositories. Each says nothing after the newest `Started at` in it,
which is its date here, not the day on which it was copied. The successor of the source `epoch`.
"""

import re
from datetime import date

from benchhealth.ingest.formats.bodies import Record, path_parts, read_csv
from benchhealth.ingest.formats.epoch_rows import (
    cell_text,
    day_of,
    effort_of,
    error_of,
    log_error_of,
    named_settings,
    reports_on_itself,
    settings_of,
    spellings,
)
from benchhealth.ingest.formats.upstream import ScoreColumn, ScoreTable, facts_of, score_tables, source_benchmarks
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import ModelFact, Parsed, RawRow, UnknownFormError
from benchhealth.ingest.source import DatedCopy, Source, WebArchive

KEY = "epoch-hub"
HOMEPAGE = "https://epoch.ai/benchmarks"
DECLARATIONS = "data/registry/upstream_table.csv"
MODELS = "epoch_capabilities_index"
_PATH = re.compile(r"(?:.*/)?(\w+)\.csv")
_OPEN = {"Open weights": "true", "API access": "false", "Hosted access": "false", "Unreleased": "false"}


def parse(body: bytes, path: str) -> Parsed:
    """Read one table of the zip."""
    match = path_parts(_PATH, path)
    if match[1] == MODELS:
        return _models(body)
    name = match[1].removesuffix("_external")
    table = score_tables(KEY).get(name)
    if table is None or (table.own_run and name != match[1]):
        raise UnknownFormError(f"the table {match[1]} is new: {DECLARATIONS} does not say what it holds")
    return _table(body, table)


SOURCE = Source(
    key=KEY,
    title="Epoch AI, benchmarking hub",
    homepage=HOMEPAGE,
    licence="CC-BY-4.0",
    redistributable=True,
    kind="collection",
    cadence="daily",
    files=(
        WebArchive(
            "epoch-hub/{0}",
            "https://epoch.ai/data/benchmark_data.zip",
            # Not a table of its own: everything once more in one.
            r"(?!merged_benchmark_data)(\w+)\.csv",
            copies=(
                DatedCopy(
                    "Pietro-Panizza/Data-Visualization-Final-Project",
                    "f8962852154cc717ab142b9a67777d9cbce41e69",
                    "data/benchmark_data/",
                    date(2025, 12, 22),
                ),
                DatedCopy(
                    "louis0487/LLM-Benchmark-Lifecycle",
                    "2cb28c58b3540277ceefbe8cf82bd3a987609581",
                    "benchmark_data/",
                    date(2026, 2, 25),
                ),
                DatedCopy(
                    "Jason-Wang313/stereology",
                    "3a79618d509d09dee3552d9f18b178c89fc5be20",
                    "data/epoch_ai/",
                    date(2026, 4, 8),
                ),
                DatedCopy(
                    "madhu24raj/bayes-llm-saturation",
                    "8698b9ba92fdb58d51d67f4828376b7adca29afa",
                    "benchmark_data/",
                    date(2026, 4, 17),
                ),
                DatedCopy(
                    "feruiloba/miri-fellowship-inference-scaling",
                    "d0aa29658d5657ecaa8ee1cca0aa96d8e5464922",
                    "data/eci/benchmark_data/",
                    date(2026, 4, 24),
                ),
            ),
        ),
    ),
    parse=parse,
)


def _table(body: bytes, table: ScoreTable) -> Parsed:
    always = [table.edition_column] if table.edition_column and "" not in table.editions else []
    always += [table.date_column] if table.date_column and not table.date_added else []
    records = read_csv(body, ["Model version", *table.setting_columns, *always], empty="a table without rows")
    header = records[0].cells
    missing = [column.header for column in table.columns if not _headed(header, column) and not column.added]
    if missing:
        raise UnknownFormError(f"columns not found: {', '.join(missing)}; there are {', '.join(header)}"[:500])
    columns = [(_headed(header, column), column) for column in table.columns if _headed(header, column)]
    rows = [_score_row(record, table, column, name) for record in records for name, column in columns]
    measures = dict.fromkeys((row.benchmark, "percent" if row.unit == "fraction" else row.unit) for row in rows)
    facts = facts_of(measures, source_benchmarks("epoch", KEY), HOMEPAGE)
    return Parsed(rows=rows, models=spellings(records, "Model version"), benchmarks=facts)


def _headed(header: dict[str, str], column: ScoreColumn) -> str:
    """The name under which a column of scores stands in this copy; empty where it does not."""
    return next((name for name in (column.header, column.former_header) if name and name in header), "")


def _score_row(record: Record, table: ScoreTable, column: ScoreColumn, name: str) -> RawRow:
    cells = record.cells
    version = cells["Model version"].strip()
    stand_in = table.model_columns[1]
    model, effort = effort_of(version or cell_text(cells, stand_in))
    published_edition = cells.get(table.edition_column, "")
    edition = table.editions.get(published_edition.strip()) if table.edition_column else table.benchmark
    benchmark = edition or table.benchmark
    reject = record.problem
    if not reject and edition is None:
        reject = f"not a known edition: {published_edition!r}"
    if not reject and table.needs_source and not cell_text(cells, "Source"):
        reject = "no source is named: rows of another benchmark of the same name stand among these"
    if not reject and "prelim" in cells.get("id", ""):
        reject = "a preliminary lower bound, by its id"
    headers = table.setting_columns if version or stand_in not in table.setting_columns else ()
    return RawRow(
        row=f"line {record.line}, column {name}",
        benchmark=table.benchmark_of(column, benchmark),
        model=model,
        score=cells[name],
        unit=column.unit,
        std_error=_error(cells, column),
        n_items=table.n_items if table.own_run else cells.get(column.items_column, ""),
        dated_on=day_of(cells.get(table.date_column, "")),
        date_basis=table.date_basis,
        setting=join_settings(
            (
                effort,
                *(named_settings(cells.get("Name", "")) if table.setting_in_name else ()),
                *settings_of(cells, headers, model),
                table.condition,
            )
        ),
        reporter="self" if not table.own_run and _is_makers(cells, model) else "third_party",
        reject=reject,
        printed_in="" if table.own_run else cell_text(cells, "Source"),
    )


def _is_makers(cells: dict[str, str], model: str) -> bool:
    """Whether the model's maker says it: in a document of its own, or by handing in its own agent with its own model.

    Terminal-Bench takes what is handed in; its table names the makers of both.
    """
    agent, of_model = cell_text(cells, "Agent Org"), cell_text(cells, "Model Org")
    handed_in = bool(agent) and agent.casefold() == of_model.casefold()
    return handed_in or reports_on_itself(cells.get("Source", ""), model)


def _error(cells: dict[str, str], column: ScoreColumn) -> str:
    """The standard error of a score: most tables have a column of errors, two have intervals."""
    if column.header == "Time horizon":
        return log_error_of(cells[column.header], cells.get("CI_low", ""), cells.get("CI_high", ""))
    if column.header == "Arena Score":
        return error_of(cells.get("Score 95% CI", ""), cells.get("95% CI Low", ""), cells.get("95% CI High", ""))
    return error_of(cells.get(column.error_column, ""), divisor=column.error_factor)


def _models(body: bytes) -> Parsed:
    """What the table of the index says about models: maker, release and whether weights are open."""
    records = read_csv(
        body, ["Model version", "Release date", "Organization", "Model accessibility"], empty="a table without rows"
    )
    return Parsed(models=[_model(record) for record in records])


def _model(record: Record) -> ModelFact:
    cells = record.cells
    access = cells["Model accessibility"].partition("(")[0].strip()
    return ModelFact(
        row=f"line {record.line}",
        model=effort_of(cells["Model version"])[0],
        organisation=cells["Organization"],
        released_on=cells["Release date"],
        open_weights=_OPEN.get(access, ""),
        reject=record.problem,
    )
