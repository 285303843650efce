"""Numbers that papers print, tables that their authors published, and which numbers are not computed here."""

import polars as pl

from benchhealth.analytics.record.frames import PAPER_TABLE, PRINTED_NUMBER
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.reproduction.claim import KINDS, LARGEST_TOLERANCE
from benchhealth.warehouse.curated.checked import CuratedFile, Rule, one_of

_DISTANCE = (pl.col("published") - pl.col("null_value")).abs()
JUDGED = ("recomputed", "looked up")
_ADDRESS = Rule("source_url", ~pl.col("source_url").str.starts_with("https://"), "is no address")

PRINTED_NUMBER_FILE = CuratedFile(
    "printed_number.csv",
    PRINTED_NUMBER,
    key=("claim_id",),
    required=("claim_id", "area", "class", "statement", "unit", "source_url"),
    rules=(
        one_of("class", *KINDS),
        Rule("published", (pl.col("class") != "ours") & pl.col("published").is_null(), "is missing"),
        Rule("tolerance", pl.col("class").is_in(JUDGED) & pl.col("tolerance").is_null(), "is missing"),
        Rule("why", (pl.col("class") == "cited") & pl.col("why").is_null(), "is missing"),
        Rule(
            "tolerance",
            (pl.col("tolerance") < 0) | (pl.col("tolerance") > LARGEST_TOLERANCE * _DISTANCE + 1e-9),
            "is too wide for a tolerance that can fail",
        ),
        _ADDRESS,
    ),
    sourced=(
        *(("published", name) for name in ("paper", "year", "place", "opened")),
        *(("tolerance", name) for name in ("published", "tolerance_reason", "null_value", "null_reason")),
    ),
)

PAPER_TABLE_FILE = CuratedFile(
    "paper_table.csv",
    PAPER_TABLE,
    key=("paper", "subject", "measure"),
    required=tuple(PAPER_TABLE),
    rules=(_ADDRESS,),
)

LEFT_OUT_FILE = CuratedFile(
    "left_out.csv",
    PUBLISHED["left_out"],
    key=("paper", "statistic"),
    required=tuple(PUBLISHED["left_out"]),
    rules=(
        one_of(
            "reason",
            "no outcomes by item",
            "number not read",
            "no exact number",
            "judgements not on record",
            "runs not on record",
            "record too short",
        ),
        _ADDRESS,
    ),
)
