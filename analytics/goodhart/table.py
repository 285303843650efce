"""Table `goodhart`: every measure, in an explicit tuple, over the same inputs."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart import (
    advances,
    concentration,
    correlation,
    cost,
    decoupling,
    judges,
    openness,
    premium,
    pressure,
    selection,
)
from benchhealth.analytics.goodhart.measure import TABLE, Measure, MeasureInputs, findings_table
from benchhealth.analytics.goodhart.pairs import declared, points_of_pairs
from benchhealth.analytics.goodhart.same_sources import longest_run
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.tables import empty

MEASURES: tuple[Measure, ...] = (
    correlation.MEASURE,
    decoupling.MEASURE,
    pressure.MEASURE,
    advances.MEASURE,
    premium.MEASURE,
    selection.MEASURE,
    judges.MEASURE,
    cost.MEASURE,
    concentration.MEASURE,
    openness.MEASURE,
)
"""Every measure of optimising for benchmarks, in the order of the page."""

UNITS: Mapping[str, str] = {name: unit for measure in MEASURES for name, unit in measure.units.items()}
"""Every quantity of the table with what it is counted in."""


def goodhart(
    broken_frames: Frames, evidence: Evidence, twin: pl.DataFrame, goodhart_rng: np.random.Generator
) -> pl.DataFrame:
    """Table `goodhart`, schema PUBLISHED["goodhart"]: a row for each finding, also for those that cannot be given.

    Each measure gets a generator of its own, so that none changes another's draws. Without any result it is empty.
    """
    if evidence.history.is_empty():
        return empty(TABLE)
    return table_of(measure_inputs(broken_frames, evidence, twin), goodhart_rng)


def table_of(inputs: MeasureInputs, rng: np.random.Generator) -> pl.DataFrame:
    """Compute every measure from the same inputs and put their findings into one table."""
    generators = rng.spawn(len(MEASURES))
    findings = [
        row
        for measure, generator in zip(MEASURES, generators, strict=True)
        for row in measure.compute(inputs, generator)
    ]
    return findings_table(findings, UNITS)


def measure_inputs(frames: Frames, evidence: Evidence, twin: pl.DataFrame) -> MeasureInputs:
    """Make the inputs that all measures share out of the facts and the evidence."""
    history = evidence.history
    model = frames.model.with_columns(maker="organisation")
    of_whole = history.filter(is_whole())
    dated = (
        of_whole.select("benchmark_id", "model_id", "dated_on", "date_basis", "source_id")
        .drop_nulls("dated_on")
        .sort("dated_on", "date_basis", "source_id")
        .with_columns(year=pl.col("dated_on").dt.year())
    )
    entries = _earliest(dated, "benchmark_id", "model_id")
    of_sources = _earliest(dated.filter(pl.col("date_basis") != "snapshot"), "source_id", "benchmark_id", "model_id")
    years = longest_run(of_sources)
    debuts = history.group_by("model_id").agg(first=pl.col("dated_on").min())
    day = pl.coalesce("released_on", "first")
    debut = (
        debuts.join(model.select("model_id", "released_on"), on="model_id", how="left")
        .filter(day.is_not_null())
        .select("model_id", debut=pl.min_horizontal(day, pl.lit(evidence.as_of)))
    )
    pairs = declared(frames.twin_pair)
    breaks = frames.breakpoint.select(
        pl.col("board_id").str.replace(r"^[^/]*/", "").alias("benchmark_id"), "on_date"
    ).unique(maintain_order=True)
    return MeasureInputs(
        evidence=evidence,
        pairs=pairs,
        points=points_of_pairs(history, pairs, debut),
        twin=twin,
        model=model,
        entries=entries,
        debut=debut,
        breaks=breaks,
        compared=years,
        same_sources=_earliest(years.of(of_sources), "benchmark_id", "model_id"),
    )


def _earliest(dated: pl.DataFrame, *keys: str) -> pl.DataFrame:
    return dated.unique(list(keys), keep="first", maintain_order=True)
