"""What a point costs: dollars beside scores, where a source publishes both for the same run."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.goodhart.measure import Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.goodhart.same_sources import longest_run
from benchhealth.analytics.statistics.arrays import Numbers

PARTS = ("cost", "instance-cost")
"""Parts of a benchmark that hold the cost of its runs in dollars."""

EXPECTED = ("aider-polyglot", "aider-edit", "swe-bench", "swe-bench-verified", "swe-bench-lite", "swe-bench-bash-only")
"""Benchmarks whose source publishes costs; where no cost is on record the table says so."""

FEWEST_ON_EDGE = 4
LEVELS = (0.25, 0.5, 0.75)
"""The scores, as shares of the scale, at which the cheapest run is followed over time."""

FACTOR = "cost_factor_of_ten_points"
UNITS = {
    FACTOR: "factor of cost for ten points more",
    **{f"cheapest_at_{level:.0%}".rstrip("%"): "dollars, as the source counts cost" for level in LEVELS},
}


def cost_of_a_point(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """The factor by which cost rose for ten more points among the cheapest runs that were made.

    The edge holds the runs that no other run matches in score at a lower or equal cost. `cost_factor_of_ten_points` is
    exp(10 b) with b the least squares slope of log dollars on points along the edge. It describes the runs on record:
    it has no interval and says nothing of runs that nobody made, nor of points above the best. An edge is made of
    extremes, for which resampling all runs does not give the spread of another draw (Simar and Wilson 1998,
    doi:10.1287/mnsc.44.1.49; Bickel, Goetze, van Zwet 1997, Statistica Sinica 7, 1-31): such intervals hold the factor
    of a true edge in .89 of cases of 40 runs and in .73 of 150, where .95 is said. `cheapest_at_25`, `_50`, `_75`: the
    lowest cost of a run with at least that score, of those dated up to the end of each year, by sources with a run in
    each of the years that are compared (for each benchmark). Costs are as published, at
    the prices of the day of the run; a cost of 0 is no cost.
    """
    runs = _runs(inputs)
    for (benchmark_id,), rows in runs.group_by("benchmark_id", maintain_order=True):
        yield _edge_finding(str(benchmark_id), rows)
        yield from _cheapest(str(benchmark_id), rows)
    with_cost = set(runs["benchmark_id"])
    for benchmark_id in EXPECTED:
        if benchmark_id not in with_cost:
            yield no_value(FACTOR, "benchmark", benchmark_id, "no_priced_run", 0)


def _runs(inputs: MeasureInputs) -> pl.DataFrame:
    """Every listed run with its score in points and its cost, matched on model and setting within one snapshot."""
    rows = inputs.evidence.history.filter("listed")
    metric = pl.col("benchmark_id").str.extract(r"/([^/]+)$")
    of_whole = pl.col("benchmark_id").str.replace(r"/[^/]+$", "")
    costs = rows.filter(metric.is_in(PARTS), pl.col("unit") == "dollars", pl.col("score") > 0).with_columns(
        part=metric, benchmark_id=of_whole
    )
    key = ["benchmark_id", "model_id", "setting", "snapshot_id", "source_id"]
    scored = rows.filter(pl.col("bounded")).select(*key, points=100 * pl.col("score"))
    return (
        costs.sort("part")
        .unique(key, keep="first", maintain_order=True)
        .select(*key, "dated_on", cost="score")
        .join(scored, on=key)
        .sort(*key, "points")
    )


def _edge_finding(benchmark_id: str, rows: pl.DataFrame) -> Finding:
    points, cost = rows["points"].to_numpy(), rows["cost"].to_numpy()
    slope = edge_slope(points, cost)
    if slope is None:
        return no_value(FACTOR, "benchmark", benchmark_id, "few_at_edge", points.size)
    at_edge = (edge(points, cost).size,)
    factor = float(np.exp(10 * slope))
    return Finding(FACTOR, "benchmark", benchmark_id, factor, n=points.size, case="at_edge", numbers=at_edge)


def edge(points: Numbers, cost: Numbers) -> NDArray[np.intp]:
    """The runs that no other run matches in score at a lower or equal cost, by rising cost; of equals the first."""
    order = np.lexsort((-points, cost))
    best = np.maximum.accumulate(points[order])
    is_new = np.concatenate([[True], best[1:] > best[:-1]]) if order.size else np.zeros(0, dtype=bool)
    return np.asarray(order[is_new], dtype=np.intp)


def edge_slope(points: Numbers, cost: Numbers) -> float | None:
    """Slope of log cost on points along the edge; None where it holds fewer than four runs."""
    chosen = edge(points, cost)
    if chosen.size < FEWEST_ON_EDGE:
        return None
    x, y = points[chosen], np.log(cost[chosen])
    deviation = x - x.mean()
    return float(deviation @ y / (deviation @ deviation))


def _cheapest(benchmark_id: str, runs: pl.DataFrame) -> Iterable[Finding]:
    dated = runs.drop_nulls("dated_on").with_columns(year=pl.col("dated_on").dt.year())
    if dated.is_empty():
        return
    same = longest_run(dated, fewest_rows=1, fewest_sources=1)
    rows = dated.filter(pl.col("source_id").is_in(same.sources))
    for level in LEVELS:
        name = f"cheapest_at_{level:.0%}".rstrip("%")
        for year in same.years:
            reached = rows.filter(pl.col("year") <= year, pl.col("points") >= 100 * level)
            if reached.height:
                lowest = float(reached["cost"].to_numpy().min())
                cheapest = Finding(name, "benchmark", benchmark_id, lowest, n=reached.height, year=year)
                yield cheapest._replace(case="same_sources", numbers=same.span, names=same.sources)


MEASURE = Measure(UNITS, cost_of_a_point)
