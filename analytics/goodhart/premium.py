"""What makers report of their models beside what others measured: matched by model and benchmark."""

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.goodhart.measure import ALL, Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.origins.sides import SUBMITTED, is_by_others, is_makers
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_share import clustered_share
from benchhealth.analytics.twins.residuals import shrink
from benchhealth.analytics.twins.tables import MAKER_PREMIUM

FEWEST_MATCHED = 3
"""Matched results of a benchmark or an organisation; with fewer its own mean says less than the mean of all."""

FEWEST_GROUPS = 3
UNITS = {
    "self_report_premium": "points (hundredths of the scale)",
    "self_report_difference": "points, above what is usual for the benchmarks that are reported",
    "self_report_repeated": "share, 0 to 1",
    "self_reporting_makers": "organisations",
}


def self_report_premium(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """Self-reported less third-party score of the same model on the same benchmark, in points, higher is better.

    Each side is the median over its settings and sources, so that more tries on a side do not raise it. A number that
    a site repeats without measuring it counts on neither side. A third-party
    number identical to the self-reported one is most likely a quotation, no second measurement: such pairs are left out
    here and their share is `self_report_repeated` (clustered by benchmark). Over all, the mean of the benchmarks' means
    with their differences counted in (random effects, DerSimonian, Laird 1986; interval by Hartung, Knapp 2001,
    Student's t), or that of a jackknife over makers where it is wider: a maker reports all its models in one way. By
    benchmark it is the indicator `maker_premium`: under one condition, against the one rerun with the most models. As
    organisations report different benchmarks, `self_report_difference` is of what is left after the benchmark's mean,
    drawn towards 0 by its uncertainty (Morris 1983): 0 says that an organisation's reports are like those of others.

    No error of a score enters: intervals are of how differences scatter from model to model, benchmark to benchmark
    and maker to maker. Both sides answered one test, so that which items were drawn, and in which clusters (subjects,
    repositories), cancels in a difference but for items on which the two ways to measure differ; that moves all models
    of a benchmark together and is part of what benchmarks differ by. Makers publish no items, so that it is not known
    of a benchmark alone, whose interval is of its own items and not of others of the kind. An error of one side over
    clusters, as of a board, would count what cancels.

    Not the same prompt, number of examples, effort or scaffold was used on the two sides, and makers choose what to
    report. A premium is therefore a difference between two ways to measure; that anyone embellished does not follow.
    """
    matched = matched_reports(inputs)
    yield from _makers(inputs)
    if matched.is_empty():
        for name in ("self_report_premium", "self_report_repeated"):
            yield no_value(name, ALL, ALL, "no_matched_reports", 0)
        return
    share = clustered_share(matched["repeated"].to_numpy(), matched["benchmark_id"].to_numpy())
    yield Finding("self_report_repeated", ALL, ALL, *share, n=matched.height)
    rows = matched.filter(~pl.col("repeated")).sort("benchmark_id", "model_id")
    yield _overall(rows)
    yield from _of_benchmarks(inputs)
    shared = rows.filter(pl.len().over("benchmark_id") > 1)
    beyond_benchmark = shared.with_columns(premium=pl.col("premium") - pl.col("premium").mean().over("benchmark_id"))
    yield from _differences(beyond_benchmark.drop_nulls("maker"))


def matched_reports(inputs: MeasureInputs) -> pl.DataFrame:
    """One row for each model and benchmark with both kinds of score: `premium`, `repeated`, `maker`."""
    rows = inputs.evidence.history.filter(
        pl.col("listed"), pl.col("bounded"), is_whole(), ~pl.col("source_id").is_in(SUBMITTED)
    )
    key = ["benchmark_id", "model_id"]
    merits = pl.col("merit").round(6)  # 86.3% and 0.863 are one number
    repeated = pl.col("own_scores").list.set_intersection("other_scores").list.len() > 0
    by_maker = (
        rows.filter(pl.col("reporter") == "self").group_by(key).agg(own=pl.col("merit").median(), own_scores=merits)
    )
    independent = rows.filter(is_by_others()).group_by(key).agg(other=pl.col("merit").median(), other_scores=merits)
    return (
        by_maker.join(independent, on=key)
        .with_columns(premium=100 * (pl.col("own") - pl.col("other")), repeated=repeated)
        .join(inputs.model.select("model_id", "maker"), on="model_id", how="left")
        .select(*key, "premium", "repeated", "maker")
    )


def _of_benchmarks(inputs: MeasureInputs) -> Iterable[Finding]:
    """The premium of each benchmark with a rerun, as its own page has it."""
    rows = MAKER_PREMIUM.rows(inputs.evidence).filter(pl.col("status") == "ok").sort("benchmark_id")
    for row in rows.iter_rows(named=True):
        ends = (row["value"], row["low"], row["high"])
        yield Finding(
            "self_report_premium", "benchmark", row["benchmark_id"], *ends, n=row["n"], case="of_rerun",
            names=row["names"],
        )  # fmt: skip


def _differences(rows: pl.DataFrame) -> Iterable[Finding]:
    """Shrunk mean of each maker with enough rows; all rows are taken to scatter alike about their maker's mean."""
    enough = rows.filter(pl.len().over("maker") >= FEWEST_MATCHED)
    means = (
        enough.group_by("maker")
        .agg(mean=pl.col("premium").mean(), n=pl.len(), within=pl.col("premium").var() * (pl.len() - 1))
        .sort("maker")
    )
    degrees_of_freedom = enough.height - means.height
    scatter = float(means["within"].sum()) / degrees_of_freedom if degrees_of_freedom > 0 else 0.0
    if means.height < FEWEST_GROUPS or scatter == 0:
        yield no_value("self_report_difference", "organisation", ALL, "few_groups")
        return
    shrunk, error = shrink(means["mean"].to_numpy(), np.sqrt(scatter / means["n"].to_numpy()))
    for (maker, mean, n), value, half in zip(
        means.select("maker", "mean", "n").iter_rows(), shrunk, Z95 * error, strict=True
    ):
        ends = (float(value), float(value - half), float(value + half))
        yield Finding("self_report_difference", "organisation", maker, *ends, n=n, case="drawn_from", numbers=(mean,))


def _overall(rows: pl.DataFrame) -> Finding:
    pooled = _pooled(rows)
    if pooled is None:
        return no_value("self_report_premium", ALL, ALL, "few_benchmarks", rows.height)
    mean, _, high = pooled
    half = max(high - mean, _half_by_maker(rows))
    enough = _benchmarks_with_enough(rows)
    return Finding(
        "self_report_premium", ALL, ALL, mean, mean - half, mean + half, n=enough.height, case="over_benchmarks",
        numbers=(enough["benchmark_id"].n_unique(),),
    )  # fmt: skip


def _benchmarks_with_enough(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.len().over("benchmark_id") >= FEWEST_MATCHED)


def _pooled(rows: pl.DataFrame) -> tuple[float, float, float] | None:
    groups = _benchmarks_with_enough(rows).group_by("benchmark_id", maintain_order=True)
    premiums = [group["premium"].to_numpy() for _, group in groups]
    return pooled_mean(premiums) if len(premiums) >= FEWEST_GROUPS else None


def _half_by_maker(rows: pl.DataFrame) -> float:
    """Half of the 95% interval of the pooled mean where all models of a maker go together: a jackknife over makers.

    A maker reports its models in one way. Models without a known maker count as one each. 0 with fewer than two.
    """
    with_maker = rows.with_columns(maker=pl.coalesce("maker", "model_id"))
    estimates = [_pooled(with_maker.filter(pl.col("maker") != maker)) for maker in with_maker["maker"].unique().sort()]
    means = np.array([estimate[0] for estimate in estimates if estimate is not None])
    if means.size < 2:
        return 0.0
    error = np.sqrt((means.size - 1) / means.size * ((means - means.mean()) ** 2).sum())
    return float(student.quantile(0.975, means.size - 1) * error)


def pooled_mean(groups: Sequence[NDArray[np.float64]]) -> tuple[float, float, float] | None:
    """(mean, low, high) over groups that differ in their means: random effects, 95% by Hartung and Knapp.

    Scatter within a group is taken to be that of all groups. None with fewer than two groups or no scatter.
    """
    sizes = np.array([group.size for group in groups], dtype=np.float64)
    means = np.array([group.mean() for group in groups])
    degrees_of_freedom = sizes.sum() - sizes.size
    scatter = (
        sum(float(((group - group.mean()) ** 2).sum()) for group in groups) / degrees_of_freedom
        if degrees_of_freedom > 0
        else 0.0
    )
    if sizes.size < 2 or scatter <= 0:
        return None
    weight = sizes / scatter
    common = float(weight @ means / weight.sum())
    excess = float(weight @ (means - common) ** 2) - (sizes.size - 1)
    between_groups = max(0.0, excess / float(weight.sum() - (weight**2).sum() / weight.sum()))
    weight = 1 / (scatter / sizes + between_groups)
    mean = float(weight @ means / weight.sum())
    # Never narrower than the plain interval: with a lucky agreement of few groups Knapp's factor falls below one.
    factor = max(1.0, float(weight @ (means - mean) ** 2) / (sizes.size - 1))
    half = float(student.quantile(0.975, sizes.size - 1)) * float(np.sqrt(factor / weight.sum()))
    return mean, mean - half, mean + half


def self_reporting(inputs: MeasureInputs) -> pl.DataFrame:
    """For each whole benchmark the `makers` that report it of their own `models`, as counts."""
    rows = inputs.evidence.history.filter(is_makers())
    whole_benchmarks = rows.filter(is_whole())
    makers = whole_benchmarks.join(inputs.model.drop_nulls("maker").select("model_id", "maker"), on="model_id")
    return (
        makers.group_by("benchmark_id")
        .agg(makers=pl.col("maker").n_unique(), models=pl.col("model_id").n_unique())
        .sort("benchmark_id")
    )


def _makers(inputs: MeasureInputs) -> Iterable[Finding]:
    """How many organisations report each benchmark themselves: the nearest to a list of what is optimised for."""
    for benchmark_id, n, models in self_reporting(inputs).iter_rows():
        yield Finding("self_reporting_makers", "benchmark", benchmark_id, float(n), n=models)


MEASURE = Measure(UNITS, self_report_premium)
