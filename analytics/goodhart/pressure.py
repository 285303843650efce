"""Whether benchmarks with more entries a month, or more makers that report, show wider gaps."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart.measure import Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.goodhart.premium import FEWEST_MATCHED, matched_reports, self_reporting
from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.twins.pairs import SAME_THING

FEWEST_BENCHMARKS = 8
"""Benchmarks; the interval of a rank correlation of 0 over fewer reaches beyond .7 on either side."""

KIND_OF_GAP = "kind of gap"

FEWEST_ENTRIES = 10
FEWEST_MONTHS = 3.0
"""A table of models that all came at once, as of one paper, has no rate of entries."""

UNITS = {
    "entries_a_month": "models a month of 30.44 days",
    "gap_of_twins": "points (hundredths of the scale), original less second measurement",
    "gap_of_preparation": "points, as published less after equal preparation",
    "median_premium": "points, self-reported less third-party",
    "pressure_gap": "Spearman's rank correlation",
}

GAPS: Mapping[str, str] = {
    "twins": "gap_of_twins",
    "equal preparation": "gap_of_preparation",
    "self-reports": "median_premium",
}
"""What is correlated with pressure: the subject of `pressure_gap` and the quantity that holds its benchmarks."""

PREPARED = "equal preparation"
ANEW = tuple(kind for kind in SAME_THING if kind != PREPARED)


def pressure_and_gap(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """Entries a month of each benchmark, and whether benchmarks under more pressure show wider gaps.

    `entries_a_month`: models with a result over the months from the first to the last of them, for benchmarks with ten
    models or more over at least three months; a model comes on the day it came out, no earlier than the benchmark.
    `pressure_gap`: Spearman's correlation over benchmarks of entries a month with `gap_of_twins`, the mean gap of the
    twins that measure the same thing anew (fresh sample, live split, rerun), and with `gap_of_preparation`, the mean of
    scores as published less those after every model was prepared alike for the task (Dominguez-Olmedo et al. 2024,
    arXiv:2407.07890; a source's own edition of a benchmark counts by the entries of that benchmark, and is left out
    where it has none, as what one source ran on one day is no pressure); and of the number of organisations that report
    a benchmark themselves with `median_premium` of their reports. Bounded scales only. Interval: Bonett, Wright (2000),
    doi:10.1007/BF02294183. A correlation over some dozen benchmarks that differ in age, size and kind says nothing
    about what causes what.
    """
    entries = _entries(inputs)
    for benchmark_id, n, rate in entries.sort("benchmark_id").iter_rows():
        yield Finding("entries_a_month", "benchmark", benchmark_id, rate, n=n)
    yield from _gaps_by_pressure("twins", _gaps(inputs, entries, ANEW))
    yield from _gaps_by_pressure("equal preparation", _gaps(inputs, entries, (PREPARED,)))
    premium = (
        matched_reports(inputs)
        .filter(~pl.col("repeated"))
        .group_by("benchmark_id")
        .agg(gap=pl.col("premium").median(), n=pl.len().cast(pl.Int64))
        .filter(pl.col("n") >= FEWEST_MATCHED)
    )
    makers = self_reporting(inputs).select("benchmark_id", pressure="makers")
    yield from _gaps_by_pressure("self-reports", premium.join(makers, on="benchmark_id"))


def _entries(inputs: MeasureInputs) -> pl.DataFrame:
    came_out = pl.min_horizontal("dated_on", pl.max_horizontal("debut", "released_on"))
    span = (came_out.max() - came_out.min()).dt.total_days() / MONTH_DAYS
    return (
        inputs.entries.join(inputs.debut, on="model_id")
        .join(inputs.evidence.facts.select("benchmark_id", "released_on"), on="benchmark_id")
        .group_by("benchmark_id")
        .agg(n=pl.len().cast(pl.Int64), months=span)
        .filter(pl.col("n") >= FEWEST_ENTRIES, pl.col("months") >= FEWEST_MONTHS)
        .select("benchmark_id", "n", rate=pl.col("n") / pl.col("months"))
    )


def _gaps(inputs: MeasureInputs, entries: pl.DataFrame, kinds: Sequence[str]) -> pl.DataFrame:
    """One row for each benchmark with a twin of these kinds: entries a month, mean gap and number of its twins."""
    sources = inputs.pairs.select(twin_id="pair_id", source_id="source_id")
    with_entries = entries["benchmark_id"].implode()
    prefix = pl.col("source_id").fill_null("") + "-"
    without_prefix = pl.col("original_id").str.strip_prefix(prefix)
    is_edition = (pl.col("kind") == PREPARED) & pl.col("original_id").str.starts_with(prefix)
    signs = inputs.evidence.facts.filter("bounded").select(original_id="benchmark_id", sign="sign")
    return (
        inputs.twin.filter(pl.col("scale") == "linear", pl.col("kind").is_in(list(kinds)))
        .join(sources, on="twin_id", how="left")
        .join(signs, on="original_id")
        .filter(~is_edition | without_prefix.is_in(with_entries))
        .with_columns(
            benchmark_id=pl.when(without_prefix.is_in(with_entries)).then(without_prefix).otherwise("original_id")
        )
        .join(entries, on="benchmark_id")
        .group_by("benchmark_id")
        .agg(
            gap=(pl.col("gap") * pl.col("sign")).mean(),
            n=pl.col("gap").count().cast(pl.Int64),
            pressure=pl.col("rate").first(),
        )
        .drop_nulls()
    )


def _gaps_by_pressure(subject: str, rows: pl.DataFrame) -> Iterable[Finding]:
    """The gaps of the benchmarks and their correlation with pressure. `rows`: benchmark_id, gap, n, pressure."""
    for benchmark_id, gap, n in rows.sort("benchmark_id").select("benchmark_id", "gap", "n").iter_rows():
        yield Finding(GAPS[subject], "benchmark", benchmark_id, gap, n=n)
    yield _correlation(subject, rows.select("pressure", "gap"))


def _correlation(subject: str, rows: pl.DataFrame) -> Finding:
    complete = rows.drop_nulls()
    n = complete.height
    if n < FEWEST_BENCHMARKS:
        return no_value("pressure_gap", KIND_OF_GAP, subject, "few_under_pressure", n)
    if complete["pressure"].n_unique() == 1 or complete["gap"].n_unique() == 1:
        return no_value("pressure_gap", KIND_OF_GAP, subject, "benchmarks_alike", n)
    rho = float(complete.select(pl.corr("pressure", "gap", method="spearman")).item())
    low, high = rank_interval(rho, n)
    return Finding("pressure_gap", KIND_OF_GAP, subject, rho, low, high, n)


def rank_interval(rho: float, n: int) -> tuple[float, float]:
    """The 95% interval of Spearman's correlation by Fisher's z with variance (1 + rho^2 / 2) / (n - 3)."""
    clipped = float(np.clip(rho, -1 + 1e-12, 1 - 1e-12))
    half = Z95 * float(np.sqrt((1 + clipped**2 / 2) / (n - 3)))
    middle = float(np.arctanh(clipped))
    return min(rho, float(np.tanh(middle - half))), max(rho, float(np.tanh(middle + half)))


MEASURE = Measure(UNITS, pressure_and_gap)
