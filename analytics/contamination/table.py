"""The ladder as tables: what each rung found, the overall risk, and how the tests fare where the truth is known."""

from dataclasses import dataclass

import polars as pl

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.contamination import exposure, reports, twins
from benchhealth.analytics.contamination.anomaly import anomaly
from benchhealth.analytics.contamination.anomaly.fresh import boards, stitched_scale
from benchhealth.analytics.contamination.calibration import calibrate
from benchhealth.analytics.contamination.cutoff import cutoff
from benchhealth.analytics.contamination.cutoff.panel import panels
from benchhealth.analytics.contamination.exposure import dated_items, exposures, training_ends
from benchhealth.analytics.contamination.findings import FINDING_SCHEMA, LEVELS, Rung, RungInputs, in_schema
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.statistics.false_discovery import q_values

RUNGS: tuple[Rung, ...] = (
    exposure.RUNG,
    reports.RUNG,
    cutoff.RUNG,
    reports.DECLARED_RUNG,
    twins.RUNG,
    anomaly.RUNG,
)
"""The ladder, from what could have been seen to what the scores themselves show."""


@dataclass(frozen=True)
class Ladder:
    """The tables `contamination_risk` and `contamination_calibration`."""

    risk: pl.DataFrame
    calibration: pl.DataFrame


def rung_inputs(
    frames: Frames, evidence: Evidence, cells: Cells, capability: pl.DataFrame, difficulty: pl.DataFrame
) -> RungInputs:
    """What the rungs look at, of the facts, the evidence and the stitched scale: its cells and its two tables."""
    ends = training_ends(frames.model, frames.cutoff)
    exposed = exposures(evidence.board, evidence.facts, ends)
    scale = stitched_scale(cells, capability, difficulty, exposed)
    unreleased = frames.model.with_columns(released_on=pl.lit(None, dtype=pl.Date))
    return RungInputs(
        as_of=evidence.as_of,
        known_until=evidence.known_until,
        facts=evidence.facts,
        model=frames.model,
        cutoff=frames.cutoff,
        report=evidence.report,
        twin=evidence.twin,
        twin_pair=frames.twin_pair,
        twin_residual=evidence.twin_residual,
        exposed=exposed,
        panels=panels(dated_items(frames.result), training_ends(unreleased, frames.cutoff)),
        boards=boards(scale),
        scale=scale,
    )


def ladder(rung_inputs: RungInputs) -> Ladder:
    """Every rung of every benchmark, of pairs those that a rung says something about, and the overall rows.

    A benchmark has a row for each rung, with level unknown and a case that says so where nothing is known; a pair
    without a row is unknown.
    """
    rows = pl.concat([rung.find(rung_inputs) for rung in RUNGS])
    rows = rows.join(rung_inputs.facts.select("benchmark_id"), on="benchmark_id", how="semi")
    every_rung = pl.concat([rows, *(_nothing(rung_inputs, rows, rung) for rung in RUNGS)])
    order = {rung.key: number for number, rung in enumerate(RUNGS)} | {"overall": len(RUNGS)}
    risk = pl.concat([every_rung, overall(every_rung, RUNGS)]).sort(
        "benchmark_id",
        "model_id",
        pl.col("rung").replace_strict(order, return_dtype=pl.Int64),
        nulls_last=False,
    )
    return Ladder(risk.select(FINDING_SCHEMA.names()), calibrate(rung_inputs, risk))


def _nothing(inputs: RungInputs, rows: pl.DataFrame, rung: Rung) -> pl.DataFrame:
    of_benchmarks = rows.filter(pl.col("model_id").is_null() & (pl.col("rung") == rung.key))
    missing = inputs.facts.select("benchmark_id").join(of_benchmarks, on="benchmark_id", how="anti")
    nothing = missing.with_columns(
        level=pl.lit("unknown"), value=pl.lit(None, dtype=pl.Float64), case=pl.lit(f"nothing_of_{rung.key}")
    )
    return in_schema(nothing, rung.key)


KEY = "overall"


def overall(findings: pl.DataFrame, rungs: tuple[Rung, ...]) -> pl.DataFrame:
    """The risk for each benchmark, and for each pair of a benchmark and a model, from the findings of all rungs.

    The level is the highest of the rungs that look at evidence. Exposure is not one of these: alone it gives
    `low` to what cannot have been seen and leaves the rest unknown. `value` is how many rungs raise the risk (moderate
    or high), `n` how many had an answer at all; `p_value` is the smallest of the tests times their number (Bonferroni),
    `q_value` is over all pairs (Benjamini-Hochberg); `names` are the rungs that had an answer, each followed by its
    level.
    """
    order = {level: rank for rank, level in enumerate(LEVELS)}
    rank = pl.col("level").replace_strict(order, return_dtype=pl.Int64)
    is_evidence = pl.col("rung") != rungs[0].key
    numbered = {rung.key: number for number, rung in enumerate(rungs, 1)}
    is_known = pl.col("level") != "unknown"
    grouped = (
        findings.with_columns(place=rank, number=pl.col("rung").replace_strict(numbered, return_dtype=pl.Int64))
        .sort("number")
        .group_by("benchmark_id", "model_id", maintain_order=True)
        .agg(
            highest=pl.col("place").filter(is_evidence).max(),
            exposure=pl.col("level").filter(~is_evidence).first(),
            value=(is_evidence & (pl.col("place") >= order["moderate"])).sum().cast(pl.Float64),
            n=is_known.sum().cast(pl.Int64),
            p_value=(pl.col("p_value").min() * pl.col("p_value").count()).clip(0, 1),
            names=pl.concat_list("rung", "level").filter(is_known).explode(),
            source_url=pl.col("source_url").sort_by("place", descending=True, maintain_order=True).first(),
        )
        .with_columns(highest=pl.col("highest").fill_null(0))
    )
    without_evidence = pl.when(pl.col("exposure") == "low").then(pl.lit("low")).otherwise(pl.lit("unknown"))
    level = (
        pl.when(pl.col("highest") > 0)
        .then(pl.col("highest").replace_strict({rank: name for name, rank in order.items()}, return_dtype=pl.String))
        .otherwise(without_evidence)
    )
    judged = grouped.with_columns(level=level).with_columns(
        q_value=q_values(grouped["p_value"]),
        value=pl.when(pl.col("level") != "unknown").then("value"),
        names=pl.col("names").list.drop_nulls(),
        case=pl.when(pl.col("n") > 0).then(pl.lit("by_rungs")).otherwise(pl.lit("nothing_known")),
    )
    return in_schema(judged.select([name for name in FINDING_SCHEMA.names() if name in judged.columns]), KEY)
