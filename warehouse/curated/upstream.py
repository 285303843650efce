"""How upstreams name, scale and lay out what they publish: the declarations that parsers read, as data.

A parser says how the file of its source is read; which of the file's names is which benchmark, and which column holds
which score, are facts about the upstream, which a curator decides and corrects.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT, by_type
from benchhealth.warehouse.curated.checked import CuratedFile, Rule, one_of, read

SEVERAL = " | "
"""What stands between several values of one cell."""

_PUBLISHED_BENCHMARK_FILE = CuratedFile(
    "published_benchmark.csv",
    pl.Schema(dict.fromkeys(("source_id", "published_name", "used_for", "benchmark_id", "setting"), TEXT)),
    key=("source_id", "published_name", "used_for"),
    required=("source_id", "published_name", "benchmark_id"),
    rules=(one_of("used_for", "mention", "score"),),
)
_PUBLISHED_SCALE_FILE = CuratedFile(
    "published_scale.csv",
    pl.Schema({"source_id": TEXT, "published_name": TEXT, "unit": TEXT, "higher_is_better": FLAG, "unfit": TEXT}),
    key=("source_id", "published_name"),
    required=("source_id", "published_name"),
    rules=(
        Rule(
            "unit",
            pl.all_horizontal(pl.col("unit", "higher_is_better", "unfit").is_null()),
            "is empty, as is all else that the row could say",
        ),
    ),
)
_TABLE_KEY = ("source_id", "table")
_UPSTREAM_TABLE_FILE = CuratedFile(
    "upstream_table.csv",
    by_type(
        (TEXT, "source_id table benchmark_id"),
        (FLAG, "own_run"),
        (TEXT, "model_columns setting_columns"),
        (FLAG, "setting_in_name"),
        (TEXT, "date_column"),
        (FLAG, "date_added"),
        (TEXT, "date_basis edition_column editions"),
        (FLAG, "needs_source"),
        (TEXT, "condition"),
        (COUNT, "n_items"),
    ),
    key=_TABLE_KEY,
    required=(*_TABLE_KEY, "benchmark_id", "model_columns", "date_basis"),
    rules=(
        one_of("date_basis", "evaluation", "submission"),
        Rule("editions", ~pl.col("editions").str.contains("="), "is not <edition>=<benchmark_id>"),
    ),
    sourced=(("editions", "edition_column"), ("date_added", "date_column")),
)
_UPSTREAM_COLUMN_FILE = CuratedFile(
    "upstream_column.csv",
    by_type(
        (TEXT, "source_id table header part unit"),
        (FLAG, "unsigned"),
        (TEXT, "former_header"),
        (FLAG, "added"),
        (TEXT, "error_column"),
        (NUMBER, "error_factor"),
        (TEXT, "items_column"),
    ),
    key=(*_TABLE_KEY, "header"),
    required=(*_TABLE_KEY, "header", "unit"),
    rules=(Rule("error_factor", pl.col("error_factor") <= 0, "is not a factor"),),
    sourced=(("error_factor", "error_column"),),
)
_UPSTREAM_BENCHMARK_FILE = CuratedFile(
    "upstream_benchmark.csv",
    by_type(
        (TEXT, "source_id benchmark_id name metric domain"), (DAY, "released_on"), (TEXT, "paper_url unit modality")
    ),
    key=("benchmark_id",),
    required=("source_id", "benchmark_id", "name", "metric", "domain", "paper_url", "unit", "modality"),
    rules=(Rule("paper_url", ~pl.col("paper_url").str.starts_with("https://"), "is no address"),),
)


@dataclass(frozen=True)
class Upstream:
    """The declarations, one frame a file, with the columns of `data/README.md`; null means that none is given."""

    published_benchmark: pl.DataFrame
    published_scale: pl.DataFrame
    table: pl.DataFrame
    column: pl.DataFrame
    benchmark: pl.DataFrame


def read_upstream(folder: Path) -> Upstream:
    """Read and check the declarations of a folder; a file that is missing declares nothing.

    Raises RegistryError as `read_registry` does, also for a column of a table that is not declared.
    """
    table = read(folder, _UPSTREAM_TABLE_FILE)
    declared = table.select(pl.struct(_TABLE_KEY)).to_series()
    of_no_table = Rule("table", ~pl.struct(_TABLE_KEY).is_in(declared.implode()), "is not in upstream_table.csv")
    return Upstream(
        published_benchmark=read(folder, _PUBLISHED_BENCHMARK_FILE),
        published_scale=read(folder, _PUBLISHED_SCALE_FILE),
        table=table,
        column=read(folder, _UPSTREAM_COLUMN_FILE, of_no_table),
        benchmark=read(folder, _UPSTREAM_BENCHMARK_FILE),
    )
