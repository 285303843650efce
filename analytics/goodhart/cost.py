"""What a point costs: dollars beside scores, where a source publishes both for the same run."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.goodhart.measure import Finding, Measure, MeasureInputs, lacking
from benchhealth.analytics.goodhart.same_sources import compared

PARTS = ("cost", "instance-cost")
"""Parts of a benchmark that hold the cost of its runs in dollars."""

EXPECTED = ("aider-polyglot", "aider-edit", "swe-bench", "swe-bench-verified", "swe-bench-lite", "swe-bench-bash-only")
"""Benchmarks whose source publishes costs; where no cost is on record the table says so."""

DRAWS = 400
FEWEST_ON_EDGE = 4
LEVELS = (0.25, 0.5, 0.75)
"""Scores whose cheapest run is followed."""

UNITS = {
    "cost_factor_of_ten_points": "factor of cost for ten points more",
    "cost_of_next_point": "dollars, as the source counts cost (of a run, of a task, of 1,000 calls)",
    **{f"cheapest_at_{level:.0%}".rstrip("%"): "dollars, as the source counts cost" for level in LEVELS},
}
Numbers = NDArray[np.float64]


def cost_of_a_point(inputs: MeasureInputs, rng: np.random.Generator) -> Iterable[Finding]:
    """By which factor cost grows for ten more points at the edge of what is possible, and what the next point costs.

    The edge holds the runs that no other run matches in score at a lower or equal cost. `cost_factor_of_ten_points` is
    exp(10 b) with b the least squares slope of log dollars on points along the edge, `cost_of_next_point` the dollars
    of its best run times (exp(b) - 1); 95% intervals from 400 resamples of all runs (percentiles), each with its own
    edge: they say how much the edge hangs on single runs, and nothing of runs that nobody made. `cheapest_at_25`,
    `_50`, `_75`: the lowest cost of a run with at least that score, of those dated up to the end of each year, by
    sources with a run in every one of the years that are compared (`same_sources.compared`, for each benchmark). Costs
    are as published, at the prices of the day of the run; a cost of 0 is no cost.
    """
    runs = _runs(inputs)
    for (benchmark_id,), rows in runs.group_by("benchmark_id", maintain_order=True):
        yield from _edge_findings(str(benchmark_id), rows, rng)
        yield from _cheapest(str(benchmark_id), rows)
    with_cost = set(runs["benchmark_id"])
    for benchmark_id in EXPECTED:
        if benchmark_id not in with_cost:
            for name in ("cost_factor_of_ten_points", "cost_of_next_point"):
                yield lacking(name, "benchmark", benchmark_id, "no_priced_run", 0)


def _runs(inputs: MeasureInputs) -> pl.DataFrame:
    """Every listed run with its score in points and its cost, matched on model and setting within one snapshot."""
    rows = inputs.evidence.past.filter("listed")
    part = pl.col("benchmark_id").str.extract(r"/([^/]+)$")
    whole = pl.col("benchmark_id").str.replace(r"/[^/]+$", "")
    costs = rows.filter(part.is_in(PARTS), pl.col("unit") == "dollars", pl.col("score") > 0).with_columns(
        part=part, benchmark_id=whole
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


def _edge_findings(benchmark_id: str, rows: pl.DataFrame, rng: np.random.Generator) -> Iterable[Finding]:
    points, cost = rows["points"].to_numpy(), rows["cost"].to_numpy()
    n = points.size
    fitted = edge_slope(points, cost)
    draws = rng.integers(0, n, (DRAWS, n))
    slopes = [edge_slope(points[chosen], cost[chosen]) for chosen in draws]
    resampled = [slope for slope in slopes if slope is not None]
    if fitted is None or len(resampled) < 0.9 * DRAWS:
        for name in ("cost_factor_of_ten_points", "cost_of_next_point"):
            yield lacking(name, "benchmark", benchmark_id, "few_at_edge", n)
        return
    best = float(cost[edge(points, cost)][-1])
    at_edge = (edge(points, cost).size,)
    quantiles = np.quantile(resampled, [0.025, 0.975])
    slope, low, high = fitted, min(fitted, float(quantiles[0])), max(fitted, float(quantiles[1]))
    factor, price = np.exp(10 * np.array([slope, low, high])), best * np.expm1([slope, low, high])
    for name, (value, start, end) in (("cost_factor_of_ten_points", factor), ("cost_of_next_point", price)):
        ends = (float(value), float(start), float(end))
        yield Finding(name, "benchmark", benchmark_id, *ends, n=n, case="at_edge", numbers=at_edge)


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
    same = compared(dated, fewest_rows=1, fewest_sources=1)
    rows = dated.filter(pl.col("source_id").is_in(same.sources))
    for level in LEVELS:
        name = f"cheapest_at_{level:.0%}".rstrip("%")
        for year in same.years:
            reached = rows.filter(pl.col("year") <= year, pl.col("points") >= 100 * level)
            if reached.height:
                lowest = float(reached["cost"].to_numpy().min())
                cheapest = Finding(name, "benchmark", benchmark_id, lowest, n=reached.height, year=year)
                yield cheapest._replace(case="same_sources", numbers=same.span, names=same.sources)


MEASURE = Measure("cost", "The cost of a point", UNITS, cost_of_a_point)
