"""What the rungs read, the shape of what they find, and what all rungs with p-values do alike: from tests to levels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.contamination.anomaly.fresh import Board, Scale
from benchhealth.analytics.contamination.cutoff.panel import Panel
from benchhealth.analytics.record.tables import PUBLISHED, with_missing
from benchhealth.analytics.record.tables.case import ALWAYS, Case, first_case
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low
from benchhealth.analytics.verdict.thresholds import LIMITS

FINDING_SCHEMA = PUBLISHED["contamination_risk"]
"""Of a benchmark `model_id` is null. `level` is low, moderate, high or unknown; `p_value` is one-sided, `q_value` its
Benjamini-Hochberg value; `detectable` is the smallest share of items whose leak the test would show with 80%
probability (null where even all of them would not do, or no test was made)."""

LEVELS = ("unknown", "low", "moderate", "high")
"""From nothing known to strong evidence. There is no level for "clean": no rung could show that."""

FLAGGED_AT = 0.05
"""Expected share of false flags among the flags of a rung."""

ONE_SIDED = 1.6448536269514722
"""Standard errors of a one-sided test at 5%."""
POWER_80 = 0.8416212335729143
"""Further standard errors for a probability of 80%."""
SMALL_ENOUGH = 0.30
"""A test that would show a leak of this share with 80% probability, and shows none, says something."""


@dataclass(frozen=True)
class RungInputs:
    """What the rungs look at; frames as in `Evidence`, `Frames` and the published tables.

    `exposed` is what `exposure.exposures` gives, `panels` are the boards of dated items and `boards` the benchmarks
    that fresh ones predict: rungs and calibration share them, so they are made once. `scale` is the stitched scale
    that `boards` were read off.
    """

    as_of: date
    known_until: pl.DataFrame
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

    `find` gives rows in the schema FINDING_SCHEMA for the benchmarks and pairs that it can say something about.
    `is_test` rungs have p-values.
    """

    key: str
    title: str
    is_test: bool
    find: Callable[[RungInputs], pl.DataFrame]


def in_schema(rows: pl.DataFrame, rung: str) -> pl.DataFrame:
    """The rows in the schema FINDING_SCHEMA; columns that they lack are null, `status` follows from `value`."""
    status = pl.when(pl.col("value").is_null()).then(pl.lit("insufficient")).otherwise(pl.lit("ok"))
    return with_missing(rows.with_columns(rung=pl.lit(rung), status=status), FINDING_SCHEMA)


def judged(pairs: pl.DataFrame, rung: str, highest: str) -> pl.DataFrame:
    """Findings for tested pairs and, after them, for their benchmarks.

    `pairs` has benchmark_id, model_id, value, low, high (points), p_value, q_value, detectable, n, source_url and
    what of SAID belongs to the test.
    Of a pair: `highest` where q is at most 5%; `low` where p is above 5% and the test would have shown a leak of
    SMALL_ENOUGH; otherwise unknown, so that a small p among many tests raises nothing. Of a benchmark the value is the
    share of its tested models that are flagged (with Wilson's interval): `highest` from the share that the rules of
    verdicts take for a gap, moderate from one model on, low where none is and half of the tests could have shown it.
    """
    flagged = pl.col("q_value") <= FLAGGED_AT
    powered = (pl.col("detectable") <= SMALL_ENOUGH).fill_null(value=False)
    level = first_case((highest, flagged), ("low", powered & (pl.col("p_value") > FLAGGED_AT)), ("unknown", ALWAYS))
    return pl.concat([in_schema(pairs.with_columns(level=level), rung), in_schema(_benchmarks(pairs, highest), rung)])


def _benchmarks(pairs: pl.DataFrame, highest: str) -> pl.DataFrame:
    tested = pairs.drop_nulls("q_value")
    counted = tested.group_by("benchmark_id", maintain_order=True).agg(
        n=pl.len().cast(pl.Int64),
        flagged=(pl.col("q_value") <= FLAGGED_AT).sum(),
        powered=(pl.col("detectable") <= SMALL_ENOUGH).fill_null(value=False).mean(),
        detectable=pl.col("detectable").fill_null(np.inf).median(),
        source_url=pl.col("source_url").drop_nulls().first(),
    )
    share = pl.col("flagged") / pl.col("n")
    level = first_case(
        (highest, share >= LIMITS.twin_flagged_share),
        ("moderate", pl.col("flagged") > 0),
        ("low", pl.col("powered") >= 0.5),
        ("unknown", ALWAYS),
    )
    return counted.with_columns(
        value=share,
        low=wilson_low(share, pl.col("n")),
        high=wilson_high(share, pl.col("n")),
        level=level,
        detectable=pl.when(pl.col("detectable").is_finite()).then("detectable"),
        **Case("tested_flagged", numbers=("flagged",)).columns(),
    )
