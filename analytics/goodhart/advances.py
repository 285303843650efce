"""Advances that are smaller than the error of the two scores they lie between."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart.measure import ALL, Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.record.by_item.two_results import with_item_errors
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_share import clustered_share, wilson

FEWEST_ADVANCES = 5
BY_ITEM, CLUSTERED = "small_advances_by_item", "small_advances_clustered"
UNITS = dict.fromkeys(("small_advances", BY_ITEM, CLUSTERED), "share, 0 to 1")

_RUN = ("model_id", "source_id", "condition", "score")
_ADDRESS = ["snapshot_id", "source_row"]


def small_advances(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """The share of steps of the running best that are at most 1.96 standard errors of the difference of the two scores.

    Of curated whole benchmarks, as sources that ran many tests on one day would outweigh them; steps whose both scores
    have a known error, none across a breakpoint. By year only steps are counted whose new score is of a source that
    reports in every one of the years that are compared. Over all and by year the interval
    counts benchmarks as clusters. The errors are taken as independent; models run on the same items share a part of
    their error, so that the error of a difference is smaller and some of these steps are real. Where both scores of a
    step are known item by item the error is that of their difference: of those steps
    alone the same share is `small_advances_by_item`, and `small_advances_clustered` where other clusters of items might
    have been drawn, each with the number of them within error were no items shared.
    A step within its error may be progress, and is no evidence of it: the best of many noisy entries steps up without
    any (see the best of several tries).
    """
    steps = _with_items(_steps(inputs), inputs.evidence)
    independent_error = (pl.col("error") ** 2 + pl.col("error_before") ** 2).sqrt()
    size = pl.col("merit") - pl.col("merit_before")
    with_error = steps.with_columns(
        small=size <= Z95 * pl.coalesce("error_by_item", independent_error),
        small_alone=size <= Z95 * independent_error,
        small_clustered=size <= Z95 * pl.col("error_clustered"),
        year=pl.col("dated_on").dt.year(),
    ).drop_nulls("small")
    if with_error.is_empty():
        yield no_value("small_advances", ALL, ALL, "no_steps_with_errors", 0)
        return
    n_without_error = steps.height - with_error.height
    left_out = (n_without_error, steps.height)
    yield Finding(
        "small_advances",
        ALL,
        ALL,
        *_small_share(with_error),
        n=with_error.height,
        case="steps_left_out",
        numbers=left_out,
    )
    yield from _of_known(with_error, BY_ITEM, "small", "error_by_item")
    yield from _of_known(with_error, CLUSTERED, "small_clustered", "error_clustered")
    for (year,), rows in inputs.compared.of(with_error).sort("year").group_by("year", maintain_order=True):
        if rows.height >= FEWEST_ADVANCES:
            yield Finding("small_advances", ALL, ALL, *_small_share(rows), n=rows.height, year=int(str(year)))
    for benchmark_id, n, small in (
        with_error.group_by("benchmark_id")
        .agg(n=pl.len(), small=pl.col("small").mean())
        .sort("benchmark_id")
        .iter_rows()
    ):
        if n >= FEWEST_ADVANCES:
            yield Finding("small_advances", "benchmark", benchmark_id, small, *wilson(small, n), n=n)
        else:
            yield no_value("small_advances", "benchmark", benchmark_id, "few_steps", n)


def _steps(inputs: MeasureInputs) -> pl.DataFrame:
    """Each step of a running best with the score it stands on, but none across a breakpoint."""
    curated = inputs.evidence.facts.filter(pl.col("curated").fill_null(value=False), is_whole()).select("benchmark_id")
    names = ("merit", "error", "dated_on", *_RUN)
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


def _of_known(steps: pl.DataFrame, measure: str, small: str, column: str) -> Iterable[Finding]:
    """The share of small steps among those whose error in `column` is known; no finding without such steps."""
    rows = steps.drop_nulls(column)
    if rows.height:
        share = clustered_share(rows[small].to_numpy(), rows["benchmark_id"].to_numpy())
        small_alone = (float(rows["small_alone"].sum()),)
        yield Finding(measure, ALL, ALL, *share, n=rows.height, case="steps_by_item", numbers=small_alone)


def _with_items(steps: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """The steps with `error_by_item` and `error_clustered`, as `with_item_errors` has them."""
    rows = evidence.history.filter(evidence.items.are_known(evidence.history)).unique(
        ["benchmark_id", *_RUN], keep="first"
    )
    with_addresses = rows.select("benchmark_id", *_RUN, *_ADDRESS)
    addresses_before = with_addresses.rename({name: f"{name}_before" for name in (*_RUN, *_ADDRESS)})
    keys = ["benchmark_id", *(f"{name}_before" for name in _RUN)]
    joined = steps.join(with_addresses, on=["benchmark_id", *_RUN], how="left", maintain_order="left").join(
        addresses_before, on=keys, how="left", maintain_order="left"
    )
    return with_item_errors(joined, evidence.items, evidence.item_clusters, "_before")


def _small_share(rows: pl.DataFrame) -> tuple[float, float, float]:
    return clustered_share(rows["small"].to_numpy(), rows["benchmark_id"].to_numpy())


MEASURE = Measure(UNITS, small_advances)
