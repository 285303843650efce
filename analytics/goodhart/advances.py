"""Advances that are smaller than the error of the two scores they lie between."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart.measure import ALL, Finding, Measure, MeasureInputs, lacking
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_share import clustered_share, wilson

FEWEST = 5
UNITS = {"small_advances": "share, 0 to 1"}


def small_advances(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """The share of steps of the running best that are at most 1.96 standard errors of the difference of the two scores.

    Of curated whole benchmarks, as sources that ran many tests on one day would outweigh them; steps whose both scores
    have a known error, none across a breakpoint. By year only steps are counted whose new score is of a source that
    reports in every one of the years that are compared (`same_sources.compared`). Over all and by year the interval
    counts benchmarks as clusters. The errors are taken as independent; models run on the same items share some of their
    chance, so that the error of a difference is smaller and some of these steps are real. A step within its error may
    be progress, and is no evidence of it: the best of many noisy entries steps up without any (see the best of several
    tries).
    """
    steps = _steps(inputs)
    error = (pl.col("error") ** 2 + pl.col("error_before") ** 2).sqrt()
    with_error = steps.with_columns(
        small=(pl.col("merit") - pl.col("merit_before") <= Z95 * error), year=pl.col("dated_on").dt.year()
    ).drop_nulls("small")
    if with_error.is_empty():
        yield lacking("small_advances", ALL, ALL, "no_steps_with_errors", 0)
        return
    without = steps.height - with_error.height
    left_out = (without, steps.height)
    yield Finding(
        "small_advances", ALL, ALL, *_share(with_error), n=with_error.height, case="steps_left_out", numbers=left_out
    )
    for (year,), rows in inputs.compared.of(with_error).sort("year").group_by("year", maintain_order=True):
        if rows.height >= FEWEST:
            yield Finding("small_advances", ALL, ALL, *_share(rows), n=rows.height, year=int(str(year)))
    for benchmark_id, n, small in (
        with_error.group_by("benchmark_id")
        .agg(n=pl.len(), small=pl.col("small").mean())
        .sort("benchmark_id")
        .iter_rows()
    ):
        if n >= FEWEST:
            yield Finding("small_advances", "benchmark", benchmark_id, small, *wilson(small, n), n=n)
        else:
            yield lacking("small_advances", "benchmark", benchmark_id, "few_steps", n)


def _steps(inputs: MeasureInputs) -> pl.DataFrame:
    """Each step of a running best with the score it stands on, but none across a breakpoint."""
    whole = ~pl.col("benchmark_id").str.contains("/", literal=True)
    curated = inputs.evidence.facts.filter(pl.col("curated").fill_null(value=False), whole).select("benchmark_id")
    names = ("merit", "error", "dated_on")
    before = (pl.col(name).shift(1).over("benchmark_id").alias(f"{name}_before") for name in names)
    steps = (
        inputs.evidence.frontier.filter(~pl.col("carried"))
        .join(curated, on="benchmark_id")
        .sort("benchmark_id", "dated_on", maintain_order=True)
        .with_columns(*before)
        .filter(pl.col("merit") > pl.col("merit_before"))
    )
    across = steps.join(inputs.breaks, on="benchmark_id").filter(
        pl.col("on_date") > pl.col("dated_on_before"), pl.col("on_date") <= pl.col("dated_on")
    )
    return steps.join(across, on=["benchmark_id", "dated_on"], how="anti", maintain_order="left")


def _share(rows: pl.DataFrame) -> tuple[float, float, float]:
    return clustered_share(rows["small"].to_numpy(), rows["benchmark_id"].to_numpy())


MEASURE = Measure("advances", "Advances smaller than their error", UNITS, small_advances)
