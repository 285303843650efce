"""The curated file `condition.csv`: its columns, and the rules that each row is checked against when it is read."""

import polars as pl

from benchhealth.analytics.record.conditions import recognise
from benchhealth.warehouse.curated.checked import PATTERN_RULE, CuratedFile, Rule, one_of

_OF_ALL = pl.col("benchmark_id") == recognise.EVERY_BENCHMARK
_REFERENCES = pl.col("condition").filter(pl.col("is_reference")).n_unique().over("benchmark_id", "kind")
_FILLED = pl.col("condition").str.contains("{}", literal=True)


CONDITION_FILE = CuratedFile(
    "condition.csv",
    recognise.CONDITION,
    key=("benchmark_id", "kind", "field", "pattern"),
    required=("benchmark_id", "condition", "kind", "is_reference", "note"),
    rules=(
        one_of("kind", *recognise.KINDS),
        one_of("field", *recognise.FIELDS, recognise.PRINTED, recognise.FILE_AND_DAY),
        Rule("condition", pl.col("condition").str.contains(",", literal=True), "has a comma, which joins conditions"),
        Rule("condition", _FILLED & ~pl.col("pattern").str.contains(r"\("), "has {} and the pattern no group"),
        Rule(
            "pattern", pl.col("pattern").is_not_null() != pl.col("field").is_not_null(), "needs a field, and a field it"
        ),
        PATTERN_RULE,
        Rule("pattern", _OF_ALL & pl.col("pattern").is_null(), "of all benchmarks needs one"),
        Rule("is_reference", pl.col("is_reference") & (_OF_ALL | _FILLED), "is of one benchmark and one condition"),
        Rule(
            "is_reference",
            pl.col("is_reference") & pl.col("condition").is_in([recognise.EXCLUDED, recognise.UNSTATED]),
            "is nothing to judge by",
        ),
        Rule(
            "is_reference",
            pl.col("is_reference") & (pl.col("kind") != "version") & (_REFERENCES > 1),
            "is another reference of the same kind",
        ),
        Rule("source_url", ~_OF_ALL & pl.col("source_url").is_null(), "empty"),
    ),
)
"""Each row is a part of a condition and one way to recognise it. A benchmark has at most one reference of each kind,
and several where the kind is `version`."""
