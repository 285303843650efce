"""From tests of pairs to levels: what all rungs with p-values do alike."""

import numpy as np
import polars as pl

from benchhealth.analytics.contamination.findings import FLAGGED_AT, shaped
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low
from benchhealth.analytics.verdict.thresholds import Thresholds

ONE_SIDED = 1.6448536269514722
"""Standard errors of a one-sided test at 5%."""
POWER_80 = 0.8416212335729143
"""Further standard errors for a probability of 80%."""
SMALL_ENOUGH = 0.30
"""A test that would show a leak of this share with 80% probability, and shows none, says something."""


def judged(pairs: pl.DataFrame, rung: str, highest: str) -> pl.DataFrame:
    """Rows of FOUND for tested pairs and, after them, for their benchmarks.

    `pairs` has benchmark_id, model_id, value, low, high (points), p_value, q_value, detectable, n, source_url and
    what of SAID belongs to the test.
    Of a pair: `highest` where q is at most 5%; `low` where p is above 5% and the test would have shown a leak of
    SMALL_ENOUGH; otherwise unknown, so that a small p among many tests raises nothing. Of a benchmark the value is the
    share of its tested models that are flagged (with Wilson's interval): `highest` from the share that the rules of
    verdicts take for a gap, moderate from one model on, low where none is and half of the tests could have shown it.
    """
    flagged = pl.col("q_value") <= FLAGGED_AT
    powered = (pl.col("detectable") <= SMALL_ENOUGH).fill_null(value=False)
    level = (
        pl.when(flagged)
        .then(pl.lit(highest))
        .when(powered & (pl.col("p_value") > FLAGGED_AT))
        .then(pl.lit("low"))
        .otherwise(pl.lit("unknown"))
    )
    return pl.concat([shaped(pairs.with_columns(level=level), rung), shaped(_benchmarks(pairs, highest), rung)])


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
    level = (
        pl.when(share >= Thresholds().twin_flagged_share)
        .then(pl.lit(highest))
        .when(pl.col("flagged") > 0)
        .then(pl.lit("moderate"))
        .when(pl.col("powered") >= 0.5)
        .then(pl.lit("low"))
        .otherwise(pl.lit("unknown"))
    )
    return counted.with_columns(
        value=share,
        low=wilson_low(share, pl.col("n")),
        high=wilson_high(share, pl.col("n")),
        level=level,
        detectable=pl.when(pl.col("detectable").is_finite()).then("detectable"),
        **Case("tested_flagged", numbers=("flagged",)).named(),
    )
