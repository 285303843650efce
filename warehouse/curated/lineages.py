"""The curated files about one benchmark under several ids, one board under several addresses, and who measured it."""

import polars as pl

from benchhealth.analytics.record.frames import EVERY_PLACE, LINEAGE, MEASURER, PRECEDENCE
from benchhealth.analytics.record.lineages.one_id import BENCHMARK_ALIAS
from benchhealth.warehouse.curated.checked import CuratedFile, Rule, one_of

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
