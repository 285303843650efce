"""The stitched scale as tables: capability of models, difficulty of benchmarks, ranks, and where benchmarks tell."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.capability.choose import choose
from benchhealth.analytics.capability.fit import Fit, debiased, fit, identified
from benchhealth.analytics.capability.newton import discriminating_range
from benchhealth.analytics.capability.replicate import Intervals, intervals, replicates
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.evidence import DISCRIMINATION
from benchhealth.analytics.record.tables import PUBLISHED


@dataclass(frozen=True)
class Stitched:
    """`capability` and `difficulty` as published; `rank` has rank, rank_low and rank_high by model.

    `discrimination` has by benchmark the capabilities `low`, `peak` and `high` between which it discriminates, `best`,
    that of the best model, and `left_on` and `left_by`: the first result anywhere of a model beyond `high` (null: none
    is; `left_on` alone: no result of one is dated).
    """

    capability: pl.DataFrame
    difficulty: pl.DataFrame
    rank: pl.DataFrame
    discrimination: pl.DataFrame


def stitch(cells: Cells, first_seen: pl.DataFrame, capability_rng: np.random.Generator) -> Stitched:
    """All of it from the cells of the current leaderboard; `first_seen` has the day of a model's first result anywhere.

    The scale is that of `identified`: comparable within one generation, not between generations that stitch other
    benchmarks.
    """
    penalty, _ = choose(cells, capability_rng)
    fitted = debiased(cells, penalty, fit(cells, penalty))
    scaled = identified(fitted)
    bounds = intervals(replicates(cells, penalty, fitted, capability_rng), scaled.capability)
    stitched = _tables(cells, scaled, bounds)
    return replace(stitched, discrimination=_with_day_left(stitched, first_seen))


def _tables(cells: Cells, fitted: Fit, bounds: Intervals) -> Stitched:
    count = np.bincount(cells.model, minlength=len(cells.model_ids))
    models = pl.DataFrame(
        {
            "model_id": pl.Series(cells.model_ids, dtype=pl.String),
            "score": fitted.capability,
            "low": bounds.low,
            "high": bounds.high,
            "n_benchmarks": count,
            "rank_low": bounds.rank_low,
            "rank_high": bounds.rank_high,
        }
    )
    low, peak, high = discriminating_range(fitted.difficulty, fitted.slope, cells.floor, cells.span)
    benchmarks = pl.DataFrame(
        {
            "benchmark_id": pl.Series(cells.benchmark_ids, dtype=pl.String),
            "difficulty": fitted.difficulty,
            "slope": fitted.slope,
            "low": low,
            "peak": peak,
            "high": high,
        }
    )
    capability, difficulty = PUBLISHED["capability"], PUBLISHED["difficulty"]
    ranked = models.sort("score", "model_id", descending=[True, False]).with_columns(
        rank=pl.col("score").rank("min", descending=True).cast(pl.Int64)
    )
    return Stitched(
        capability=ranked.select(capability.names()).cast(capability),
        difficulty=benchmarks.select(difficulty.names()).cast(difficulty).sort("difficulty", "benchmark_id"),
        rank=ranked.select("model_id", "rank", "rank_low", "rank_high"),
        discrimination=benchmarks.select("benchmark_id", "low", "peak", "high", best=pl.lit(models["score"].max())),
    )


def first_seen_of(history: Rows) -> pl.DataFrame:
    """`model_id` and `first_on`, the day of its first result (null: none is dated); `history` as in `Evidence`."""
    return history.lazy().group_by("model_id").agg(first_on=pl.col("dated_on").min()).collect()


def _with_day_left(stitched: Stitched, first_seen: pl.DataFrame) -> pl.DataFrame:
    """`discrimination` with the day on which the frontier left the range in which the benchmark discriminates."""
    models = stitched.capability.select("model_id", "score").join(first_seen, on="model_id", how="left")
    beyond_range = (
        stitched.discrimination.join(models, how="cross")
        .filter(pl.col("score") > pl.col("high"))
        .sort("benchmark_id", "first_on", "model_id", nulls_last=True)
        .group_by("benchmark_id", maintain_order=True)
        .agg(left_on=pl.col("first_on").first(), left_by=pl.col("model_id").first())
    )
    return stitched.discrimination.join(beyond_range, on="benchmark_id", how="left").cast(DISCRIMINATION)
