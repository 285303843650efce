"""The risk of models of one's own: the same rungs, with public models as what they are held against."""

from dataclasses import replace

import polars as pl

from benchhealth.analytics.contamination import exposure, twins
from benchhealth.analytics.contamination.anomaly import anomaly
from benchhealth.analytics.contamination.anomaly.own import own_boards
from benchhealth.analytics.contamination.dates import exposures, training_ends
from benchhealth.analytics.contamination.findings import FOUND, RungInputs, shaped
from benchhealth.analytics.contamination.overall import KEY, overall
from benchhealth.analytics.contamination.table import RUNGS
from benchhealth.analytics.contamination.tested import judged
from benchhealth.analytics.statistics.false_discovery import q_values_within


def own_risk(public: RungInputs, own: RungInputs, listed: pl.DataFrame, risk: pl.DataFrame) -> pl.DataFrame:
    """Rows of `contamination_risk` for the models of `own.model` on public benchmarks.

    `own` holds their residuals on twins and what else there is of twins; `listed` are their results (benchmark_id,
    model_id, score, error), `risk` is the public table: q-values of the rows `overall` are over its pairs and these.
    """
    exposed = exposures(listed, public.facts, training_ends(own.model, own.cutoff))
    found = pl.concat(
        [
            shaped(exposure.pairs(exposed), exposure.RUNG.key),
            twins.find(own),
            _anomalies(public, own, listed, exposed),
        ]
    )
    mine = found.filter(pl.col("model_id").is_in(own.model["model_id"].implode()))
    pairs = risk.filter(pl.col("model_id").is_not_null() & (pl.col("rung") != KEY))
    whole = overall(pl.concat([pairs, mine]), RUNGS)
    over_all = whole.filter(pl.col("model_id").is_in(own.model["model_id"].implode()))
    return pl.concat([mine, over_all]).select(FOUND.names())


def _anomalies(public: RungInputs, own: RungInputs, listed: pl.DataFrame, exposed: pl.DataFrame) -> pl.DataFrame:
    """The anomaly of each pair that can be tested, and why the others cannot.

    q-values are over the pairs of one model: who asks about it does not ask about the field.
    """
    if public.scale is None:
        return shaped(pl.DataFrame(schema={"benchmark_id": pl.String, "value": pl.Float64}), anomaly.RUNG.key)
    found = anomaly.find(replace(own, boards=own_boards(public.scale, public.boards, listed, exposed)))
    pairs = found.drop_nulls("model_id").with_columns(counted=pl.when(pl.col("q_value").is_not_null()).then("p_value"))
    tested = pairs.drop("counted")
    if pairs.height:
        anew = q_values_within(pairs, ("model_id",), p="counted").drop("level", "rung", "status", "counted")
        tested = judged(anew, anomaly.RUNG.key, "moderate").drop_nulls("model_id")
    return pl.concat([tested, _untested(public, tested, exposed)])


def _untested(public: RungInputs, tested: pl.DataFrame, exposed: pl.DataFrame) -> pl.DataFrame:
    """Exposed pairs without a test: the benchmark has no line, or too few fresh ones place the model."""
    lined = pl.DataFrame({"benchmark_id": [board.benchmark_id for board in public.boards]}, {"benchmark_id": pl.String})
    keys = ["benchmark_id", "model_id"]
    asked = exposed.filter(pl.col("is_exposed").fill_null(value=False)).join(tested, on=keys, how="anti")
    has_line = asked.join(lined, on="benchmark_id", how="semi").select(
        *keys,
        level=pl.lit("unknown"),
        value=pl.lit(None, dtype=pl.Float64),
        case=pl.lit("model_not_placed"),
    )
    no_line = asked.join(lined, on="benchmark_id", how="anti").select(
        *keys,
        level=pl.lit("unknown"),
        value=pl.lit(None, dtype=pl.Float64),
        case=pl.lit("no_line_of_models"),
    )
    return shaped(pl.concat([has_line, no_line]), anomaly.RUNG.key)
