"""The stitched scale as tables: capability of models, difficulty of benchmarks, ranks, and where benchmarks tell."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from analytics.capability.cells import Cells
from analytics.capability.choose import choose
from analytics.capability.curve import discriminating_range
from analytics.capability.fit import Fit, Penalty, fit, given_back, identified
from analytics.capability.replicate import Intervals, intervals, replicates
from analytics.record.evidence import TOLD
from analytics.record.tables import PUBLISHED


@dataclass(frozen=True)
class Stitched:
    """`capability` and `difficulty` as published; `rank` has rank, rank_low and rank_high by model; `told` has by
    benchmark the capabilities `low`, `peak` and `high` between which it discriminates, `best`, that of the best
    model, and `left_on` and `left_by`: the first result anywhere of a model beyond `high` (null: none is).

    `held_out` is the mean log likelihood of a score that the fit had not seen, under the chosen `penalty`, before it
    got back what that took.
    """

    capability: pl.DataFrame
    difficulty: pl.DataFrame
    rank: pl.DataFrame
    told: pl.DataFrame
    penalty: Penalty
    held_out: float


def stitch(found: Cells, first_seen: pl.DataFrame, rng: np.random.Generator) -> Stitched:
    """All of it from the cells of the current leaderboard; `first_seen` has the day of a model's first result anywhere.

    The scale is that of `identified`: comparable within one generation, not between generations that stitch other
    benchmarks.
    """
    penalty, held_out = choose(found, rng)
    fitted = given_back(found, penalty, fit(found, penalty))
    scaled = identified(fitted)
    seen = intervals(replicates(found, penalty, fitted, rng), scaled.capability)
    made = _tables(found, scaled, seen, penalty, held_out)
    return replace(made, told=_left(made, first_seen))


def _tables(found: Cells, fitted: Fit, seen: Intervals, penalty: Penalty, held_out: float) -> Stitched:
    count = np.bincount(found.model, minlength=len(found.model_ids))
    models = pl.DataFrame(
        {
            "model_id": pl.Series(found.model_ids, dtype=pl.String),
            "score": fitted.capability,
            "low": seen.low,
            "high": seen.high,
            "n_benchmarks": count,
            "rank_low": seen.rank_low,
            "rank_high": seen.rank_high,
        }
    )
    low, peak, high = discriminating_range(fitted.difficulty, fitted.slope, found.floor, found.span)
    benchmarks = pl.DataFrame(
        {
            "benchmark_id": pl.Series(found.benchmark_ids, dtype=pl.String),
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
        told=benchmarks.select("benchmark_id", "low", "peak", "high", best=pl.lit(models["score"].max())),
        penalty=penalty,
        held_out=held_out,
    )


def first_seen_of(past: pl.DataFrame) -> pl.DataFrame:
    """`model_id` and `first_on`, the day of its first result; `past` as in `Evidence`."""
    return past.group_by("model_id").agg(first_on=pl.col("dated_on").min())


def _left(made: Stitched, first_seen: pl.DataFrame) -> pl.DataFrame:
    """`told` with the day on which the frontier left the range in which the benchmark discriminates."""
    models = made.capability.select("model_id", "score").join(first_seen, on="model_id", how="left")
    beyond = (
        made.told.join(models, how="cross")
        .filter(pl.col("score") > pl.col("high"))
        .sort("benchmark_id", "first_on", "model_id")
        .group_by("benchmark_id", maintain_order=True)
        .agg(left_on=pl.col("first_on").first(), left_by=pl.col("model_id").first())
    )
    return made.told.join(beyond, on="benchmark_id", how="left").cast(TOLD)
