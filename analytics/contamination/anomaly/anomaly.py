"""Rung 6: does a model score higher on a benchmark it may have seen than benchmarks it cannot have seen predict?"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from scipy.special import expit

from benchhealth.analytics.contamination.anomaly.fresh import NEAREST_TO_ENDS, Board, clipped_logit
from benchhealth.analytics.contamination.findings import FLAGGED_AT, POWER_80, Rung, RungInputs, in_schema, judged
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.false_discovery import q_values


def excesses(inputs: RungInputs) -> pl.DataFrame:
    """The excess of each model on each benchmark that it may have seen, in points, as rows of rung 6.

    The idea is that of ConStat (Dekoninck et al. 2024, arXiv:2405.16281), here from aggregate scores. Moderate at most:
    a model built for such tasks looks the same. A leak to every model makes the benchmark look easier: it does not
    show.
    """
    rows = [row for board in inputs.boards for row in excess_rows(board)]
    if not rows:
        return in_schema(pl.DataFrame(schema={"benchmark_id": pl.String, "value": pl.Float64}), RUNG.key)
    pairs = pl.DataFrame(rows, infer_schema_length=None).sort("benchmark_id", "model_id")
    is_counted = pl.when("inside").then("p_value").cast(pl.Float64)
    pairs = pairs.with_columns(q_value=q_values(pairs.select(is_counted).to_series()))
    urls = inputs.facts.select("benchmark_id", source_url="paper_url")
    return judged(pairs.join(urls, on="benchmark_id", how="left", maintain_order="left"), RUNG.key, "moderate")


def excess_rows(board: Board) -> Iterator[dict[str, Any]]:
    """For each model that may have seen the benchmark its points above what fresh benchmarks predict, with 95% ends."""
    residuals = board.left_out
    half_width = float(student.quantile(0.975, residuals.degrees)) * residuals.error
    reached = board.points(clipped_logit(board.rise))
    low, value, high = (reached - board.points(residuals.expected + shift) for shift in (half_width, 0, -half_width))
    detectable = _detectable(board)
    for index in np.flatnonzero(board.is_exposed):
        yield {
            "benchmark_id": board.benchmark_id,
            "model_id": board.model_ids[index],
            "value": float(value[index]),
            "low": float(low[index]),
            "high": float(high[index]),
            "p_value": float(residuals.p_value[index]),
            "detectable": detectable[index] if residuals.inside[index] and np.isfinite(detectable[index]) else None,
            "n": board.others,
            "inside": bool(residuals.inside[index]),
            "case": "than_fresh_predict" if residuals.inside[index] else "than_fresh_extrapolate",
        }


def _detectable(board: Board) -> Numbers:
    """The share of items whose leak would lift each model by what the test needs for 80% power; infinite above 1."""
    errors_needed = float(student.quantile(1 - FLAGGED_AT, board.left_out.degrees)) + POWER_80
    rise_needed = expit(clipped_logit(board.rise) + errors_needed * board.left_out.error)
    inner = np.clip(board.rise, NEAREST_TO_ENDS, 1 - NEAREST_TO_ENDS)
    share = (rise_needed - inner) / (1 - inner)
    return np.where(rise_needed <= 1 - NEAREST_TO_ENDS, share, np.inf)


RUNG = Rung("anomaly", "Anomaly across benchmarks", is_test=True, find=excesses)
