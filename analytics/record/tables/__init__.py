"""The tables of a published generation: each is declared once, and the words that their columns hold."""

from collections.abc import Mapping
from functools import cache

import polars as pl

from benchhealth.analytics.record.tables.declared import FACTS, Table
from benchhealth.analytics.record.tables.of_answers import ANSWER_TABLES, DESK_TABLES, LIFE_TABLES
from benchhealth.analytics.record.tables.of_boards import BOARD_TABLES
from benchhealth.analytics.record.tables.of_facts import FACT_TABLES
from benchhealth.analytics.record.tables.of_forecasts import FORECAST_TABLES
from benchhealth.analytics.record.tables.of_models import ITEM_TABLES, MEASURER_TABLES, MODEL_TABLES
from benchhealth.analytics.record.tables.of_questions import AGING_TABLES, CORROBORATION_TABLES, FINDING_TABLES
from benchhealth.analytics.record.tables.of_record import RECORD_TABLES
from benchhealth.analytics.record.tables.of_twins import TWIN_TABLES
from benchhealth.analytics.record.tables.of_verdicts import CHANGE_TABLES, VERDICT_TABLES

_DERIVED = (
    *RECORD_TABLES,
    *CORROBORATION_TABLES,
    *BOARD_TABLES,
    *TWIN_TABLES,
    *MODEL_TABLES,
    *ITEM_TABLES,
    *MEASURER_TABLES,
    *FORECAST_TABLES,
    *AGING_TABLES,
    *LIFE_TABLES,
    *VERDICT_TABLES,
    *CHANGE_TABLES,
    *ANSWER_TABLES,
    *DESK_TABLES,
    *FINDING_TABLES,
)

TABLES: Mapping[str, Table] = {table.name: table for table in (*FACT_TABLES, *_DERIVED)}
"""Every table of a published generation by name, in the order in which they are published."""

PUBLISHED: Mapping[str, pl.Schema] = {name: table.schema for name, table in TABLES.items()}
"""Their schemas. Outsiders rely on names, order of columns, and types."""

DERIVED = tuple(table.name for table in _DERIVED)
"""The published tables that `analytics.assess` computes; the others are facts that the warehouse holds."""

COMPLETED = tuple(table.name for table in FACT_TABLES if table.made_by != FACTS)
"""The tables of facts that `analytics.assess` completes: with days until which all is known, with proposed breaks."""

STAGES = ("unknown", "emerging", "discriminating", "compressing", "saturated")
FLAGS = ("dormant", "contaminated", "gap", "premium", "unstable", "self_reported", "stale")
STATUSES = ("ok", "insufficient", "not_applicable")
DATE_BASES = ("evaluation", "submission", "model_release", "paper", "snapshot")
NO_MODEL = "not a model: "
"""How the setting of a published result begins that is a baseline (human, random, cheating) and is never ranked."""
REFUSED = "refused"
"""The `state` in the table `kept_out` of a version that a curator refused for good; others are held or failed."""
REPORTERS = ("self", "third_party")
KINDS = ("model", "human", "random", "cheating")


def as_published(rows: pl.DataFrame, table: str) -> pl.DataFrame:
    """The rows in the columns and types of the published table of that name; further columns fall away."""
    schema = PUBLISHED[table]
    return rows.select(schema.names()).cast(schema)


def with_missing(rows: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """The rows with the columns of the schema alone; those that they lack are null."""
    return rows.match_to_schema(schema, missing_columns="insert", extra_columns="ignore", integer_cast="upcast")


@cache
def empty(table: str) -> pl.DataFrame:
    """The published table of that name with no rows."""
    return pl.DataFrame(schema=PUBLISHED[table])
