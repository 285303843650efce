"""Is the gap wider where more is tried?"""

from collections.abc import Iterable

import numpy as np
import polars as pl
from scipy import stats

from analytics.evidence import MONTH_DAYS
from analytics.goodhart.measure import Finding, Ground, Measure, lacking
from analytics.goodhart.premium import FEWEST as FEWEST_MATCHED
from analytics.goodhart.premium import matched_reports
from analytics.indicators.twins import SAME_THING

FEWEST = 8
"""Benchmarks; the interval of a rank correlation of 0 over fewer reaches beyond .7 on either side."""

UNITS = {
    "entries_a_month": "models a month of 30.44 days",
    "pressure_gap": "Spearman's rank correlation",
}


def pressure_and_gap(ground: Ground, _rng: np.random.Generator) -> Iterable[Finding]:
    """Entries a month of each benchmark, and whether benchmarks under more pressure show wider gaps.

    `entries_a_month`: models with a result over the months from the first to the last of them (at least one month), for
    benchmarks with ten models or more; a model comes on the day it came out, no earlier than the benchmark.
    `pressure_gap`: Spearman's correlation over benchmarks, once between entries a month and the gap of twins that
    measure the same thing anew (a source's own preparation of a benchmark counts by the entries of that benchmark),
    once between the number of organisations that report a benchmark themselves and the median premium of their reports.
    Interval: Bonett, Wright (2000), doi:10.1007/BF02294183. A correlation over some dozen benchmarks that differ in
    age, size and kind says nothing about what causes what.
    """
    entries = _entries(ground)
    for benchmark_id, n, rate in entries.sort("benchmark_id").iter_rows():
        yield Finding("entries_a_month", "benchmark", benchmark_id, rate, n=n)
    yield _correlation("twins", _gaps(ground, entries))
    premium = (
        matched_reports(ground)
        .filter(~pl.col("repeated"))
        .group_by("benchmark_id")
        .agg(gap=pl.col("premium").median(), results=pl.len())
        .filter(pl.col("results") >= FEWEST_MATCHED)
    )
    own = ground.evidence.past.filter(pl.col("reporter") == "self").join(
        ground.model.drop_nulls("maker").select("model_id", "maker"), on="model_id"
    )
    makers = own.group_by("benchmark_id").agg(pressure=pl.col("maker").n_unique())
    yield _correlation("self-reports", premium.join(makers, on="benchmark_id").select("pressure", "gap"))


def _entries(ground: Ground) -> pl.DataFrame:
    came = pl.min_horizontal("dated_on", pl.max_horizontal("debut", "released_on"))
    span = (came.max() - came.min()).dt.total_days() / MONTH_DAYS
    return (
        ground.entries.join(ground.debut, on="model_id")
        .join(ground.evidence.facts.select("benchmark_id", "released_on"), on="benchmark_id")
        .group_by("benchmark_id")
        .agg(n=pl.len().cast(pl.Int64), months=pl.max_horizontal(span, pl.lit(1.0)))
        .filter(pl.col("n") >= 10)
        .select("benchmark_id", "n", rate=pl.col("n") / pl.col("months"))
    )


def _gaps(ground: Ground, entries: pl.DataFrame) -> pl.DataFrame:
    """One row for each benchmark with a twin of the same thing: entries a month and the mean gap of its twins."""
    sources = ground.pairs.select(twin_id="pair_id", source_id="source_id")
    known = entries["benchmark_id"].implode()
    bare = pl.col("original_id").str.strip_prefix(pl.col("source_id").fill_null("") + "-")
    signs = ground.evidence.facts.select(original_id="benchmark_id", sign="sign")
    return (
        ground.twin.filter(pl.col("scale") == "linear", pl.col("kind").is_in(SAME_THING))
        .join(sources, on="twin_id", how="left")
        .join(signs, on="original_id", how="left")
        .with_columns(benchmark_id=pl.when(bare.is_in(known)).then(bare).otherwise("original_id"))
        .join(entries, on="benchmark_id")
        .group_by("benchmark_id")
        .agg(pressure=pl.col("rate").first(), gap=(pl.col("gap") * pl.col("sign")).mean())
        .select("pressure", "gap")
    )


def _correlation(subject: str, rows: pl.DataFrame) -> Finding:
    known = rows.drop_nulls()
    n = known.height
    if n < FEWEST:
        return lacking("pressure_gap", "kind of gap", subject, f"{n} benchmarks, {FEWEST} are needed", n)
    if known["pressure"].n_unique() == 1 or known["gap"].n_unique() == 1:
        return lacking("pressure_gap", "kind of gap", subject, "all benchmarks are alike", n)
    rho = float(stats.spearmanr(known["pressure"].to_numpy(), known["gap"].to_numpy()).statistic)
    low, high = rank_interval(rho, n)
    return Finding("pressure_gap", "kind of gap", subject, rho, low, high, n)


def rank_interval(rho: float, n: int) -> tuple[float, float]:
    """The 95% interval of Spearman's correlation by Fisher's z with variance (1 + rho^2 / 2) / (n - 3)."""
    clipped = float(np.clip(rho, -1 + 1e-12, 1 - 1e-12))
    half = 1.959964 * float(np.sqrt((1 + clipped**2 / 2) / (n - 3)))
    middle = float(np.arctanh(clipped))
    return min(rho, float(np.tanh(middle - half))), max(rho, float(np.tanh(middle + half)))


MEASURE = Measure("pressure", "Pressure against gap", UNITS, pressure_and_gap)
