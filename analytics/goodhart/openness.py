"""Who sets the frontier: models whose weights anybody can have, or others?"""

from collections.abc import Iterable

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart.measure import ALL, Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.statistics.units.clustered_share import clustered_share

FEWEST_STEPS = 10
UNITS = {
    "frontier_open_weights": "share of steps, 0 to 1",
    "entries_open_weights": "share of entries, 0 to 1",
    "frontier_open_code": "share of steps, 0 to 1",
}


def open_frontier(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """By year, the share of the steps of the running bests that were made by a model with open weights.

    Beside it the share among all new entries of the year. Of curated whole benchmarks, as sources with hundreds of
    tests of one kind would outweigh them, and of models of which it is known whether their weights are open; the
    interval counts models as clusters, as one model sets many running bests. Weights are known for recent language
    models foremost, so a share of the known is not one of all. Whether code is public no source read here says.
    """
    weights = inputs.model.drop_nulls("open_weights").select("model_id", "open_weights")
    curated = inputs.evidence.facts.filter(pl.col("curated").fill_null(value=False), is_whole()).select("benchmark_id")
    steps = inputs.evidence.frontier.filter(~pl.col("carried")).join(curated, on="benchmark_id")
    entries = inputs.entries.join(curated, on="benchmark_id")
    yield from _by_year("frontier_open_weights", steps.with_columns(year=pl.col("dated_on").dt.year()), weights)
    yield from _by_year("entries_open_weights", entries, weights)
    yield no_value("frontier_open_code", ALL, ALL, "no_source_of_code", 0)


def _by_year(measure: str, rows: pl.DataFrame, weights: pl.DataFrame) -> Iterable[Finding]:
    entries_of_year = rows.group_by("year").agg(every=pl.len())
    with_weights = rows.join(weights, on="model_id").sort("year", "benchmark_id", "model_id")
    if rows.is_empty():
        yield no_value(measure, ALL, ALL, "no_dated_entry", 0)
    for year, n_entries in entries_of_year.sort("year").iter_rows():
        of_year = with_weights.filter(pl.col("year") == year)
        counts = (of_year.height, n_entries)
        if of_year.height < FEWEST_STEPS:
            yield no_value(measure, ALL, ALL, "weights_known", of_year.height, counts)._replace(year=year)
            continue
        share = clustered_share(of_year["open_weights"].to_numpy(), of_year["model_id"].to_numpy())
        yield Finding(measure, ALL, ALL, *share, n=of_year.height, year=year, case="weights_known", numbers=counts)


MEASURE = Measure(UNITS, open_frontier)
