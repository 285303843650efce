"""The tables of a published generation: the one definition of every schema, and the words that their columns hold."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.derived import DERIVED_TABLES
from benchhealth.analytics.record.tables.facts import FACT_TABLES

PUBLISHED: Mapping[str, pl.Schema] = {**FACT_TABLES, **DERIVED_TABLES}
"""Every table of a published generation: name to schema. Outsiders rely on names, order of columns, and types."""

DERIVED = tuple(DERIVED_TABLES)
"""The published tables that `analytics.assess` computes; the others are facts that the warehouse holds."""

COMPLETED = ("benchmark", "breakpoint", "source")
"""The tables of facts that `analytics.assess` completes: with days until which all is known, with proposed breaks."""

STAGES = ("unknown", "emerging", "discriminating", "compressing", "saturated")
FLAGS = ("dormant", "contaminated", "gap", "premium", "unstable", "self_reported", "stale")
STATUSES = ("ok", "insufficient", "not_applicable")
DATE_BASES = ("evaluation", "submission", "model_release", "paper", "snapshot")
NO_MODEL = "not a model: "
"""How the setting of a published result begins that is a baseline (human, random, cheating) and is never ranked."""
REPORTERS = ("self", "third_party")


def empty(table: str) -> pl.DataFrame:
    """The published table of that name with no rows."""
    return pl.DataFrame(schema=PUBLISHED[table])
