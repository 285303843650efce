"""The risk of models of one's own: the same rungs, held against the lines of public models, which do not move."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.contamination import exposure, twins
from benchhealth.analytics.contamination.anomaly import anomaly
from benchhealth.analytics.contamination.anomaly.fresh import (
    FEWEST_TO_TEST,
    Board,
    Scale,
    capabilities,
    points,
    residuals_against,
    rises,
    widened,
)
from benchhealth.analytics.contamination.exposure import exposures, training_ends
from benchhealth.analytics.contamination.findings import FINDING_SCHEMA, RungInputs, in_schema, judged
from benchhealth.analytics.contamination.table import KEY, RUNGS, overall
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.false_discovery import q_values_within


def own_risk(public: RungInputs, own_inputs: RungInputs, listed: pl.DataFrame, risk: pl.DataFrame) -> pl.DataFrame:
    """Rows of `contamination_risk` for the models of `own.model` on public benchmarks.

    `own_inputs` holds their residuals on twins and what else there is of twins; `listed` are their results
    (benchmark_id, model_id, score, error), `risk` is the public table: q-values of the rows `overall` are over its
    pairs and these.
    """
    exposed = exposures(listed, public.facts, training_ends(own_inputs.model, own_inputs.cutoff))
    rows = pl.concat(
        [
            in_schema(exposure.exposed_pairs(exposed), exposure.RUNG.key),
            twins.find(own_inputs),
            _anomalies(public, own_inputs, listed, exposed),
        ]
    )
    own_rows = rows.filter(pl.col("model_id").is_in(own_inputs.model["model_id"].implode()))
    pairs = risk.filter(pl.col("model_id").is_not_null() & (pl.col("rung") != KEY))
    with_overall = overall(pl.concat([pairs, own_rows]), RUNGS)
    own_overall = with_overall.filter(pl.col("model_id").is_in(own_inputs.model["model_id"].implode()))
    return pl.concat([own_rows, own_overall]).select(FINDING_SCHEMA.names())


def _anomalies(public: RungInputs, own_inputs: RungInputs, listed: pl.DataFrame, exposed: pl.DataFrame) -> pl.DataFrame:
    """The anomaly of each pair that can be tested, and why the others cannot.

    q-values are over the pairs of one model: who asks about it does not ask about the field.
    """
    if public.scale is None:
        return in_schema(pl.DataFrame(schema={"benchmark_id": pl.String, "value": pl.Float64}), anomaly.RUNG.key)
    anomalies = anomaly.excesses(replace(own_inputs, boards=own_boards(public.scale, public.boards, listed, exposed)))
    pairs = anomalies.drop_nulls("model_id").with_columns(
        counted=pl.when(pl.col("q_value").is_not_null()).then("p_value")
    )
    tested = pairs.drop("counted")
    if pairs.height:
        anew = q_values_within(pairs, ("model_id",), p="counted").drop("level", "rung", "status", "counted")
        tested = judged(anew, anomaly.RUNG.key, "moderate").drop_nulls("model_id")
    return pl.concat([tested, _untested(public, tested, exposed)])


def _untested(public: RungInputs, tested: pl.DataFrame, exposed: pl.DataFrame) -> pl.DataFrame:
    """Exposed pairs without a test: the benchmark has no line, or too few fresh ones place the model."""
    has_line = pl.col("benchmark_id").is_in([board.benchmark_id for board in public.boards])
    keys = ["benchmark_id", "model_id"]
    untested = exposed.filter(pl.col("is_exposed").fill_null(value=False)).join(tested, on=keys, how="anti")
    rows = untested.sort(~has_line, maintain_order=True).select(
        *keys,
        level=pl.lit("unknown"),
        value=pl.lit(None, dtype=pl.Float64),
        case=pl.when(has_line).then(pl.lit("model_not_placed")).otherwise(pl.lit("no_line_of_models")),
    )
    return in_schema(rows, anomaly.RUNG.key)


def own_boards(scale: Scale, public: Sequence[Board], listed: pl.DataFrame, exposed: pl.DataFrame) -> list[Board]:
    """For each benchmark of `public` the models of one's own that two fresh benchmarks or more place.

    `listed` are their results (benchmark_id, model_id, score, error), `exposed` what `exposure.exposures` says of them.
    """
    own_scale = _placed_on(scale, listed, exposed)
    cells = own_scale.cells
    boards = []
    for board in public:
        number = scale.cells.benchmark_ids.index(board.benchmark_id)
        placed = capabilities(own_scale, own_scale.without(scale.family[number]))
        is_here = cells.benchmark == number
        rows = np.flatnonzero(is_here & (placed.count[cells.model] >= FEWEST_TO_TEST) & own_scale.is_exposed)
        tested = residuals_against(board.line, points(own_scale, number, rows, placed))
        if tested is None:
            continue
        boards.append(
            replace(
                board,
                model_ids=[cells.model_ids[index] for index in cells.model[rows]],
                rise=rises(own_scale, number, rows),
                is_exposed=own_scale.is_exposed[rows],
                is_fresh=own_scale.is_fresh[rows],
                left_out=widened(tested, *board.tail),
                others=board.line.x.size,
            )
        )
    return boards


def _placed_on(scale: Scale, listed: pl.DataFrame, exposed: pl.DataFrame) -> Scale:
    """The results as cells on the curves of the public scale, with the misfit that public models show there."""
    index_of = {name: index for index, name in enumerate(scale.cells.benchmark_ids)}
    rows = listed.filter(pl.col("benchmark_id").is_in(list(index_of))).sort("benchmark_id", "model_id")
    model_ids = rows["model_id"].unique().sort()
    benchmark = np.array([index_of[name] for name in rows["benchmark_id"]], dtype=np.int64)
    error = rows["error"].fill_null(0.0).to_numpy()
    flag_of = {row[:2]: row[2] for row in exposed.select("benchmark_id", "model_id", "is_exposed").rows()}
    flags = [flag_of.get(pair) for pair in rows.select("benchmark_id", "model_id").rows()]
    cells = Cells(
        model_ids=tuple(model_ids),
        benchmark_ids=scale.cells.benchmark_ids,
        model=model_ids.search_sorted(rows["model_id"]).to_numpy().astype(np.int64),
        benchmark=benchmark,
        score=rows["score"].to_numpy(),
        error=error,
        floor=scale.cells.floor,
        span=scale.cells.span,
    )
    return Scale(
        cells=cells,
        difficulty=scale.difficulty,
        slope=scale.slope,
        variance=_misfit(scale)[benchmark] + error**2,
        is_fresh=np.array([flag is False for flag in flags], dtype=np.bool_),
        is_exposed=np.array([flag is True for flag in flags], dtype=np.bool_),
        family=scale.family,
    )


def _misfit(scale: Scale) -> Numbers:
    """For each benchmark the variance of scores about its curve that known errors do not explain."""
    misfit = np.zeros(len(scale.cells.benchmark_ids))
    misfit[scale.cells.benchmark] = scale.variance - scale.cells.error**2
    return misfit
