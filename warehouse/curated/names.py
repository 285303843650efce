"""Who is who: one benchmark under several ids, one board under several addresses, who measured it, names of models;
how upstreams name, scale and lay out what they publish, and which versions of their files were refused for good.

A parser says how the file of its source is read; which of the file's names is which benchmark, and which column holds
which score, are facts about the upstream, which a curator decides and corrects.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.frames import EVERY_PLACE, LINEAGE, MEASURER, PRECEDENCE
from benchhealth.analytics.record.lineages.one_id import BENCHMARK_ALIAS
from benchhealth.analytics.record.names.display import MODEL_NAME
from benchhealth.analytics.record.names.owners import MAKER
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT, by_type
from benchhealth.warehouse.curated.checked import PATTERN_RULE, CuratedFile, Rule, one_of, read

_ADDRESS = r"^[a-z0-9][a-z0-9-]*/(\*|[a-z0-9][a-z0-9._+-]*)$"

_STARRED = pl.col("board_id").str.ends_with("*") != pl.col("lineage_id").str.ends_with("*")

_ENDED_BEFORE = pl.col("until_on").fill_null(pl.date(9999, 12, 31)).shift(1).over("board_id")

_BEGINS = pl.col("from_on").fill_null(pl.date(1, 1, 1))

LINEAGE_FILE = CuratedFile(
    "lineage.csv",
    LINEAGE,
    key=("board_id", "from_on"),
    required=("board_id", "lineage_id", "precedence", "note", "source_url"),
    rules=(
        one_of("precedence", *PRECEDENCE),
        Rule(
            "board_id", ~pl.col("board_id").str.contains(_ADDRESS), "is not <source_id>/<benchmark_id> or <source_id>/*"
        ),
        Rule("lineage_id", ~pl.col("lineage_id").str.contains(_ADDRESS), "is not how a board is named"),
        Rule("lineage_id", _STARRED, "has a star where the board has none, or none where it has one"),
        Rule("lineage_id", pl.col("lineage_id").n_unique().over("board_id") > 1, "is another one than in a row before"),
        Rule("until_on", pl.col("until_on") < pl.col("from_on"), "lies before the first day"),
        Rule("from_on", _BEGINS <= _ENDED_BEFORE, "lies within the days of the row before about the same board"),
    ),
)

BENCHMARK_ALIAS_FILE = CuratedFile(
    "benchmark_alias.csv",
    BENCHMARK_ALIAS,
    key=("alias_id",),
    required=("alias_id", "benchmark_id", "reason", "source_url"),
    rules=(
        Rule("benchmark_id", pl.col("benchmark_id") == pl.col("alias_id"), "is its own alias"),
        Rule("benchmark_id", pl.col("benchmark_id").is_in(pl.col("alias_id").implode()), "is itself an alias"),
    ),
)

MEASURER_FILE = CuratedFile(
    "measurer.csv",
    MEASURER,
    key=("board_id", "document"),
    required=("board_id", "note", "source_url"),
    rules=(
        Rule(
            "board_id",
            ~pl.col("board_id").str.contains(_ADDRESS) & (pl.col("board_id") != EVERY_PLACE),
            f"is not <source_id>/<benchmark_id>, <source_id>/* or {EVERY_PLACE}",
        ),
        Rule(
            "document",
            pl.col("document").is_null() == (pl.col("board_id") == EVERY_PLACE),
            f"stands where board_id is {EVERY_PLACE}, and nowhere else",
        ),
    ),
)

ALIAS = pl.Schema({**PUBLISHED["alias"], "reason": TEXT, "source_url": TEXT})

RENAMED = by_type(
    (TEXT, "source_id published_name model_id basis"), (COUNT, "n_cells"), (NUMBER, "difference"), (TEXT, "source_url")
)
"""Former names of models. `basis` says how that is known (a key of `_REASONS`), `difference` by how many points scores
under the former and the present name differ, on average over the `n_cells` scores that both have."""

_REASONS = {
    "table": "renamed by the library: its own table of former names says so",
    "scores": "renamed by the library: one architecture, and the same scores under both names",
    "same name": "the library's former name, and the same accuracy on ImageNet",
}

ALIAS_FILE = CuratedFile(
    "alias.csv",
    ALIAS,
    key=("source_id", "published_name"),
    required=("published_name", "model_id", "reason", "source_url"),
    indispensable=True,
)

RENAMED_FILE = CuratedFile(
    "renamed.csv",
    RENAMED,
    key=("source_id", "published_name"),
    required=tuple(RENAMED),
    rules=(one_of("basis", *_REASONS),),
)

MAKER_FILE = CuratedFile("maker.csv", MAKER, key=("organisation",), required=tuple(MAKER), rules=(PATTERN_RULE,))

MODEL_NAME_FILE = CuratedFile(
    "model_name.csv",
    MODEL_NAME,
    key=("model_id",),
    required=tuple(MODEL_NAME),
    rules=(
        Rule("name", pl.col("name").str.to_lowercase().is_duplicated(), "is the name of another model too"),
        Rule("name", pl.col("name").str.contains("/", literal=True), "names a host or a folder"),
    ),
)


def with_renamed(alias: pl.DataFrame, renamed: pl.DataFrame) -> pl.DataFrame:
    """The aliases, then the former names that no alias is about; schema ALIAS, an empty text where no setting is."""
    former = renamed.join(alias, on=["source_id", "published_name"], how="anti", maintain_order="left").with_columns(
        reason=pl.col("basis").replace_strict(_REASONS), setting=pl.lit("")
    )
    decided = alias.with_columns(pl.col("setting").fill_null(""))
    return pl.concat([decided, former.select(ALIAS.names())])


REFUSED = pl.Schema({"source_id": TEXT, "path": TEXT, "version": TEXT, "reason": TEXT, "source_url": TEXT})
"""One version of one file: `path` as the upstream names it (or the board that it feeds), `version` its commit, its
instant (2026-05-10T07:03:25, UTC) or its day (2026-05-10)."""

_COMMIT = "^[0-9a-f]{7,64}$"

_INSTANT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2})?$"

REFUSED_FILE = CuratedFile(
    "refused.csv",
    REFUSED,
    key=("source_id", "path", "version"),
    required=tuple(REFUSED),
    rules=(
        Rule(
            "version",
            ~(pl.col("version").str.contains(_COMMIT) | pl.col("version").str.contains(_INSTANT)),
            "is neither a commit nor an instant such as 2026-05-10T07:03:25 or 2026-05-10",
        ),
    ),
)

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
