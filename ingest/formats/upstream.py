"""What `data/registry` declares of upstreams' names, scales and tables, in the form in which parsers ask for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import polars as pl

from benchhealth.ingest.rows import BenchmarkFact
from benchhealth.warehouse.curated.names import SEVERAL, Upstream, read_upstream

REGISTRY = Path(__file__).resolve().parents[2] / "data" / "registry"


class NamedBenchmark(NamedTuple):
    """A benchmark_id, and what its published name says of how the model was run."""

    benchmark: str
    setting: str = ""


class Scale(NamedTuple):
    """How the scores of a published name are to be read; `unfit` is why they cannot be, empty where they can."""

    unit: str
    higher_is_better: bool
    unfit: str


class ScoreColumn(NamedTuple):
    """A column of scores. `former_header` is its header in earlier copies; an `added` column is not in all of them.

    `part` is a part of the table's benchmark (begins with a slash) or another benchmark's id. `unsigned` says that its
    percentages carry no sign. `error_factor` is how many times too large the numbers of `error_column` are printed.
    """

    header: str
    part: str
    unit: str
    unsigned: bool
    former_header: str
    added: bool
    error_column: str
    error_factor: float
    items_column: str


@dataclass(frozen=True)
class ScoreTable:
    """A table: its benchmark, columns of scores, who is scored (the first column that is filled), run how, and when.

    `own_run`: whoever publishes the table ran the models; `n_items` of the benchmark's items where it ran a part.
    `date_added`: not all copies have the column of dates. `edition_column` says which edition of the benchmark a row is
    of, `editions` the benchmark of each. `needs_source` refuses rows that name no source; `condition` holds for the
    whole board; `setting_in_name`: the model's name says how it was run.
    """

    benchmark: str
    columns: tuple[ScoreColumn, ...]
    own_run: bool
    model_columns: tuple[str, ...]
    setting_columns: tuple[str, ...]
    setting_in_name: bool
    date_column: str
    date_added: bool
    date_basis: str
    edition_column: str
    editions: Mapping[str, str]
    needs_source: bool
    condition: str
    n_items: str

    def benchmark_of(self, column: ScoreColumn, edition: str = "") -> str:
        """The benchmark_id that the column's scores belong to, in the benchmark of an edition where one is given."""
        return (edition or self.benchmark) + column.part if column.part[:1] in ("", "/") else column.part


_SINGLE_CELLS = (
    "own_run",
    "setting_in_name",
    "date_column",
    "date_added",
    "date_basis",
    "edition_column",
    "needs_source",
    "condition",
    "n_items",
)
"""The fields of a table that are a cell of its row as it stands."""


@cache
def benchmarks_by_name(source_id: str, used_for: str) -> Mapping[str, NamedBenchmark]:
    """The benchmark of each name that a source prints: of names for every use, and of those for one use (`score`)."""
    rows = _upstream().published_benchmark.filter(
        pl.col("source_id") == source_id, pl.col("used_for").fill_null(used_for) == used_for
    )
    named = rows.select("published_name", "benchmark_id", pl.col("setting").fill_null(""))
    return {name: NamedBenchmark(benchmark, setting) for name, benchmark, setting in named.iter_rows()}


@cache
def scales(source_id: str) -> Mapping[str, Scale]:
    """The names whose scores are not on the source's usual scale, with an empty unit where that is not what differs."""
    rows = _upstream().published_scale.filter(pl.col("source_id") == source_id)
    scales_of = _without_empty_cells(rows.with_columns(pl.col("higher_is_better").fill_null(value=True)))
    return {
        row["published_name"]: Scale(*(row[name] for name in Scale._fields)) for row in scales_of.iter_rows(named=True)
    }


@cache
def score_tables(source_id: str) -> Mapping[str, ScoreTable]:
    """The tables of a source by name; a table of which no column is declared has none."""
    declared = _upstream()
    columns: dict[str, list[ScoreColumn]] = {}
    for row in _without_empty_cells(declared.column.filter(pl.col("source_id") == source_id)).iter_rows(named=True):
        columns.setdefault(row["table"], []).append(ScoreColumn(*(row[name] for name in ScoreColumn._fields)))
    return {
        row["table"]: ScoreTable(
            benchmark=row["benchmark_id"],
            columns=tuple(columns.get(row["table"], ())),
            model_columns=_cell_values(row["model_columns"]),
            setting_columns=_cell_values(row["setting_columns"]),
            editions=dict(edition.split("=", 1) for edition in _cell_values(row["editions"])),
            **{name: row[name] for name in _SINGLE_CELLS},
        )
        for row in _without_empty_cells(declared.table.filter(pl.col("source_id") == source_id)).iter_rows(named=True)
    }


@cache
def source_benchmarks(*source_ids: str) -> Mapping[str, BenchmarkFact]:
    """The benchmarks that only these sources have, by id."""
    rows = _upstream().benchmark.filter(pl.col("source_id").is_in(source_ids))
    facts = rows.select(
        pl.col("benchmark_id").alias("benchmark"),
        "name",
        "metric",
        "unit",
        "domain",
        "modality",
        pl.col("released_on").dt.to_string().fill_null(""),
        "paper_url",
    )
    return {fact["benchmark"]: BenchmarkFact(**fact) for fact in facts.iter_rows(named=True)}


def facts_of(
    measures: Mapping[tuple[str, str], None], declared: Mapping[str, BenchmarkFact], homepage: str
) -> list[BenchmarkFact]:
    """Facts of the `declared` benchmarks among (benchmark_id, unit), and of every part, whichever it is of."""
    facts = []
    for benchmark, unit in measures:
        benchmark_id, _, part = benchmark.partition("/")
        words = part.replace("-", " ")
        fact = declared.get(benchmark_id)
        if fact is not None and part:
            fact = fact._replace(benchmark=benchmark, name=f"{fact.name}: {words}", metric=words, unit=unit)
        elif part:
            fact = BenchmarkFact(benchmark, f"{benchmark_id}: {words}", words, unit, paper_url=homepage)
        if fact is not None:
            facts.append(fact)
    return facts


@cache
def _upstream() -> Upstream:
    return read_upstream(REGISTRY)


def _without_empty_cells(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with an empty text, false, a factor of 1 or an empty count where a cell is empty."""
    return rows.with_columns(
        pl.col(pl.String).fill_null(""),
        pl.col(pl.Boolean).fill_null(value=False),
        pl.col(pl.Float64).fill_null(1.0),
        pl.col(pl.Int64).cast(pl.String).fill_null(""),
    )


def _cell_values(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(SEVERAL)) if cell else ()
