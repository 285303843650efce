"""Where a model stands over all curated benchmarks: how often it is best, and how far behind by what it could see."""

import polars as pl

from benchhealth.analytics.record.tables import as_published
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.analytics.statistics.summaries.median import median_interval

CLOCKS = ("then", "now")
"""Against the best of the model's day, and of today."""


def summaries(position: pl.DataFrame, benchmark_facts: pl.DataFrame) -> pl.DataFrame:
    """Table `model_position`: for each model of `position` and each clock one row.

    Of a benchmark that comes in releases the latest counts. `n` benchmarks on which it can be held against others; on
    `best` of them nobody else was ahead, on `beyond` it was ahead by more than 1.96 standard errors of the difference
    (then), or the ranks that its errors allow are the first alone (now). `seen_gap` and `fresh_gap` are the median
    distances to the best, as shares of bounded scales and at least 0, on `n_seen` benchmarks that it could have seen
    and `n_fresh` that it could not, each with the 95% interval that the order of the distances gives (null for fewer
    than six), benchmarks taken as drawn from those that there could be. `by_others` counts the benchmarks on which
    others measured it, `by_self` those where its maker alone reports.
    """
    bounded = benchmark_facts.select("benchmark_id", bounded=pl.col("unit").is_in(BOUNDED_UNITS).fill_null(value=False))
    rows = position.filter(~pl.col("superseded")).join(bounded, on="benchmark_id", how="left")
    of_clocks = pl.concat([_of_clock(rows, clock) for clock in CLOCKS])
    return as_published(of_clocks, "model_position").sort("model_id", "clock")


def _of_clock(rows: pl.DataFrame, clock: str) -> pl.DataFrame:
    behind, error = pl.col(f"behind_{clock}"), pl.col(f"behind_{clock}_error")
    is_best = behind <= 0
    beyond = (pl.col("rank_high") == 1) if clock == "now" else (behind < -Z95 * error)
    compared = behind.is_not_null()
    gap = behind.clip(lower_bound=0.0).filter(pl.col("bounded"))
    exposed = pl.col("exposed").filter(pl.col("bounded"))
    seen_gap, fresh_gap = gap.filter(exposed), gap.filter(~exposed)
    medians = rows.group_by("model_id").agg(
        clock=pl.lit(clock),
        benchmarks=pl.len(),
        n=compared.sum(),
        best=is_best.sum(),
        beyond=(is_best & beyond.fill_null(value=False)).sum(),
        seen_gap=seen_gap.median(),
        n_seen=seen_gap.count(),
        seen=seen_gap.drop_nulls().sort(),
        fresh_gap=fresh_gap.median(),
        n_fresh=fresh_gap.count(),
        fresh=fresh_gap.drop_nulls().sort(),
        by_others=(pl.col("reporter") != "self").sum(),
        by_self=(pl.col("reporter") == "self").sum(),
    )
    ends = [
        median_interval(medians[kind]).rename({"low": f"{kind}_low", "high": f"{kind}_high"})
        for kind in ("seen", "fresh")
    ]
    return pl.concat([medians.drop("seen", "fresh"), *ends], how="horizontal")
