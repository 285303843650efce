"""The risk of models of one's own: the same rungs, with public models as what they are held against."""

from dataclasses import replace

import numpy as np
import polars as pl

from analytics.contamination import exposure, twins
from analytics.contamination.anomaly import anomaly
from analytics.contamination.anomaly.own import own_boards
from analytics.contamination.dates import exposures, training_ends
from analytics.contamination.findings import FOUND, RungInputs, shaped
from analytics.contamination.overall import KEY, overall
from analytics.contamination.table import RUNGS
from analytics.contamination.tested import judged
from analytics.statistics.false_discovery import benjamini_hochberg


def own_risk(public: RungInputs, own: RungInputs, listed: pl.DataFrame, risk: pl.DataFrame) -> pl.DataFrame:
    """Rows of `contamination_risk` for the models of `own.model` on public benchmarks.

    `own` holds their residuals on twins and what else there is of twins; `listed` are their results (benchmark_id,
    model_id, score, error), `risk` is the public table. q-values are over its pairs and these.
    """
    exposed = exposures(listed, public.facts, training_ends(own.model, own.cutoff))
    found = pl.concat(
        [
            shaped(exposure.pairs(exposed), exposure.RUNG.key),
            twins.find(own),
            _anomalies(public, own, listed, exposed, risk),
        ]
    )
    mine = found.filter(pl.col("model_id").is_in(own.model["model_id"].implode()))
    pairs = risk.filter(pl.col("model_id").is_not_null() & (pl.col("rung") != KEY))
    whole = overall(pl.concat([pairs, mine]), RUNGS)
    over_all = whole.filter(pl.col("model_id").is_in(own.model["model_id"].implode()))
    return pl.concat([mine, over_all]).select(FOUND.names())


def _anomalies(
    public: RungInputs, own: RungInputs, listed: pl.DataFrame, exposed: pl.DataFrame, risk: pl.DataFrame
) -> pl.DataFrame:
    """The anomaly of each pair that can be tested, and of the others on lines that there are why it cannot."""
    if public.scale is None:
        return shaped(pl.DataFrame(schema={"benchmark_id": pl.String, "value": pl.Float64}), anomaly.RUNG.key)
    mine = anomaly.find(replace(own, boards=own_boards(public.scale, public.boards, listed, exposed)))
    mine = mine.drop_nulls("model_id")
    theirs = risk.filter(pl.col("rung") == anomaly.RUNG.key).drop_nulls("q_value")["p_value"].to_numpy()
    counted = mine["q_value"].is_not_null().to_numpy()
    p = np.where(counted, mine["p_value"].to_numpy(), np.nan)
    q = benjamini_hochberg(np.concatenate([theirs, p]))[theirs.size :]
    tested = mine.with_columns(q_value=pl.Series(q, dtype=pl.Float64).fill_nan(None))
    return pl.concat([tested.pipe(_judged_anew), _untested(public, tested, exposed)])


def _judged_anew(tested: pl.DataFrame) -> pl.DataFrame:
    if tested.is_empty():
        return tested
    return judged(tested.drop("level", "rung", "status"), anomaly.RUNG.key, "moderate").drop_nulls("model_id")


def _untested(public: RungInputs, tested: pl.DataFrame, exposed: pl.DataFrame) -> pl.DataFrame:
    """Exposed pairs without a test: the benchmark has no line, or too few fresh ones place the model."""
    lined = pl.DataFrame({"benchmark_id": [board.benchmark_id for board in public.boards]}, {"benchmark_id": pl.String})
    keys = ["benchmark_id", "model_id"]
    asked = exposed.filter(pl.col("is_exposed").fill_null(value=False)).join(tested, on=keys, how="anti")
    has_line = asked.join(lined, on="benchmark_id", how="semi").select(
        *keys,
        level=pl.lit("unknown"),
        value=pl.lit(None, dtype=pl.Float64),
        reason=pl.lit("not tested: fewer than two fresh benchmarks of the stitched scale place the model"),
    )
    no_line = asked.join(lined, on="benchmark_id", how="anti").select(
        *keys,
        level=pl.lit("unknown"),
        value=pl.lit(None, dtype=pl.Float64),
        reason=pl.lit("not tested: fewer than ten public models have results here and on fresh benchmarks"),
    )
    return shaped(pl.concat([has_line, no_line]), anomaly.RUNG.key)
