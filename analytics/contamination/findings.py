"""What the rungs read, and the shape of what they find."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from benchhealth.analytics.contamination.anomaly.against_fresh import Board
from benchhealth.analytics.contamination.anomaly.fresh import Scale
from benchhealth.analytics.contamination.cutoff.panel import Panel
from benchhealth.analytics.record.tables import PUBLISHED

FOUND = PUBLISHED["contamination_risk"]
"""Of a benchmark `model_id` is null. `level` is low, moderate, high or unknown; `p_value` is one-sided, `q_value` its
Benjamini-Hochberg value; `detectable` is the smallest share of items whose leak the test would show with 80%
probability (null where even all of them would not do, or no test was made)."""

LEVELS = ("unknown", "low", "moderate", "high")
"""From nothing known to strong evidence. There is no level for "clean": no rung could show that."""

FLAGGED_AT = 0.05
"""Expected share of false flags among the flags of a rung."""


@dataclass(frozen=True)
class RungInputs:
    """What the rungs look at; frames as in `Evidence`, `Frames` and the published tables.

    `exposed` is what `dates.exposures` gives, `panels` are the boards of dated items and `boards` the benchmarks that
    fresh ones predict: rungs and calibration share them, so they are made once. `scale` is the stitched scale
    that `boards` were read off.
    """

    as_of: date
    known: pl.DataFrame
    facts: pl.DataFrame
    model: pl.DataFrame
    cutoff: pl.DataFrame
    report: pl.DataFrame
    twin: pl.DataFrame
    twin_pair: pl.DataFrame
    twin_residual: pl.DataFrame
    exposed: pl.DataFrame
    panels: Sequence[Panel]
    boards: Sequence[Board]
    scale: Scale | None = None


@dataclass(frozen=True)
class Rung:
    """One kind of evidence.

    `find` gives rows in the schema FOUND for the benchmarks and pairs that it can say something about. `is_test` rungs
    have p-values.
    """

    key: str
    title: str
    definition: str
    reference: str
    is_test: bool
    find: Callable[[RungInputs], pl.DataFrame]


def shaped(rows: pl.DataFrame, rung: str) -> pl.DataFrame:
    """The rows in the schema FOUND; columns that they lack are null, `status` follows from `value`."""
    absent = [pl.lit(None, dtype=kind).alias(name) for name, kind in FOUND.items() if name not in rows.columns]
    status = pl.when(pl.col("value").is_null()).then(pl.lit("insufficient")).otherwise(pl.lit("ok"))
    return rows.with_columns(absent).with_columns(rung=pl.lit(rung), status=status).select(FOUND.names()).cast(FOUND)
