"""Epoch AI's benchmarking hub: its own runs and the boards that it collects, in one zip that is renewed daily.

Which column of which table holds what is declared in `ingest.formats.hub_tables`. How much a model thought is a suffix
of `Model version` (`_high`, `_16K`; `_unknown` says that it was not said). A table that is not declared is held until
somebody has said what it holds. `epoch_capabilities_index.csv` is read for what it says about models; the index itself
is the source `eci`.

The past is five copies that others keep in public repositories. Each says nothing after the newest `Started at` in it,
which is its date here, not the day on which it was copied. The successor of the source `epoch`.
"""

import re
from datetime import date

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.formats.epoch_rows import (
    day_of,
    effort_of,
    error_of,
    log_error_of,
    named_settings,
    reports_on_itself,
    said,
    settings_of,
    spellings,
)
from benchhealth.ingest.formats.hub_tables import COLLECTED, HUB_BENCHMARKS, OWN_RUNS, HubColumn, HubTable
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow, UnknownFormError
from benchhealth.ingest.source import DatedCopy, Source, WebArchive

HOMEPAGE = "https://epoch.ai/benchmarks"
MODELS = "epoch_capabilities_index"
PROBLEMS_RUN = {"swe-bench-verified": "484"}
_PATH = re.compile(r"(?:.*/)?(\w+)\.csv")
_OPEN = {"Open weights": "true", "API access": "false", "Hosted access": "false", "Unreleased": "false"}


def parse(body: bytes, path: str) -> Parsed:
    """Read one table of the zip."""
    match = _PATH.fullmatch(path)
    if match is None:
        raise PayloadError(f"not a file of this source: {path}")
    if match[1] == MODELS:
        return _models(body)
    name = match[1].removesuffix("_external")
    own = OWN_RUNS.get(name) if name == match[1] else None
    table = own or COLLECTED.get(name)
    if table is None:
        raise UnknownFormError(f"the table {match[1]} is new: ingest/formats/hub_tables.py does not say what it holds")
    return _table(body, table, own is not None)


SOURCE = Source(
    key="epoch-hub",
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


def _table(body: bytes, table: HubTable, own: bool) -> Parsed:
    always = [table.edition] if table.edition and table.benchmark != "metr-horizon" else []
    always += [table.dated] if table.dated and not table.dated_added else []
    records = read_csv(body, ["Model version", *table.setting, *always])
    if not records:
        raise PayloadError("a table without rows")
    header = records[0].cells
    missing = [column.header for column in table.columns if not _headed(header, column) and not column.added]
    if missing:
        raise UnknownFormError(f"columns not found: {', '.join(missing)}; there are {', '.join(header)}"[:500])
    columns = [(_headed(header, column), column) for column in table.columns if _headed(header, column)]
    rows = [_row(record, table, column, name, own) for record in records for name, column in columns]
    facts = _facts(dict.fromkeys((row.benchmark, row.unit) for row in rows))
    return Parsed(rows=rows, models=spellings(records, "Model version"), benchmarks=facts)


def _headed(header: dict[str, str], column: HubColumn) -> str:
    """The name under which a column of scores stands in this copy; empty where it does not."""
    return next((name for name in (column.header, column.older) if name and name in header), "")


def _row(record: Record, table: HubTable, column: HubColumn, name: str, own: bool) -> RawRow:
    cells = record.cells
    version = cells["Model version"].strip()
    model, effort = effort_of(version or said(cells, table.model))
    edition = dict(table.editions).get(cells.get(table.edition, "").strip()) if table.edition else table.benchmark
    whole = edition or table.benchmark
    reject = record.problem
    if not reject and edition is None:
        reject = f"not a known edition: {cells.get(table.edition, '')!r}"
    if not reject and table.sourced and not said(cells, "Source"):
        reject = "no source is named: rows of another benchmark of the same name stand among these"
    if not reject and "prelim" in cells.get("id", ""):
        reject = "a preliminary lower bound, by its id"
    headers = table.setting if version or table.model not in table.setting else ()
    return RawRow(
        row=f"line {record.line}, column {name}",
        benchmark=whole + column.part if column.part[:1] in ("", "/") else column.part,
        model=model,
        score=cells[name],
        unit=column.unit,
        std_error=_error(cells, column),
        n_items=PROBLEMS_RUN.get(whole, "") if own else cells.get(column.n_items, ""),
        dated_on=day_of(cells.get(table.dated, "")),
        date_basis=table.date_basis,
        setting=join_settings(
            (
                effort,
                *(named_settings(cells.get("Name", "")) if table.named_setting else ()),
                *settings_of(cells, headers, model),
                table.always,
            )
        ),
        reporter="self" if not own and _is_makers(cells, model) else "third_party",
        reject=reject,
        printed_in="" if own else said(cells, "Source"),
    )


def _is_makers(cells: dict[str, str], model: str) -> bool:
    """Whether the model's maker says it: in a document of its own, or by handing in its own agent with its own model.

    Terminal-Bench takes what is handed in; its table names the makers of both.
    """
    agent, of_model = said(cells, "Agent Org"), said(cells, "Model Org")
    handed_in = bool(agent) and agent.casefold() == of_model.casefold()
    return handed_in or reports_on_itself(cells.get("Source", ""), model)


def _error(cells: dict[str, str], column: HubColumn) -> str:
    """The standard error of a score: most tables have a column of errors, two have intervals."""
    if column.header == "Time horizon":
        return log_error_of(cells[column.header], cells.get("CI_low", ""), cells.get("CI_high", ""))
    if column.header == "Arena Score":
        return error_of(cells.get("Score 95% CI", ""), cells.get("95% CI Low", ""), cells.get("95% CI High", ""))
    return error_of(cells.get(column.std_error, ""), over=column.error_over)


def _models(body: bytes) -> Parsed:
    """What the table of the index says about models: maker, release and whether weights are open."""
    records = read_csv(body, ["Model version", "Release date", "Organization", "Model accessibility"])
    if not records:
        raise PayloadError("a table without rows")
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


def _facts(measures: dict[tuple[str, str], None]) -> list[BenchmarkFact]:
    """Facts of the benchmarks that the registry may not hold, and of every part."""
    return [fact for benchmark, unit in measures if (fact := _fact(benchmark, unit)) is not None]


def _fact(benchmark: str, unit: str) -> BenchmarkFact | None:
    whole, _, part = benchmark.partition("/")
    known = HUB_BENCHMARKS.get(whole)
    words = part.replace("-", " ")
    if known is None and not part:
        return None
    return BenchmarkFact(
        row="line 1",
        benchmark=benchmark,
        name=f"{known.name if known else whole}: {words}" if part else benchmark if known is None else known.name,
        metric=words if part or known is None else known.metric,
        unit="percent" if unit == "fraction" else unit,
        domain=known.domain if known else "",
        modality=known.modality if known else "",
        released_on=known.released_on if known else "",
        paper_url=known.paper_url if known else HOMEPAGE,
    )
