"""The trend of the best capability, as it could be fitted at the time, and what it means for each benchmark."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from analytics.capability.cells import Cells, cells
from analytics.capability.choose import BEGIN
from analytics.capability.fit import Fit, fit, identified
from analytics.forecast.origins import YEAR, Origins
from analytics.forecast.series import Numbers, Places, Series

REFIT_DAYS = 182
"""The scale is stitched anew each half year; in between the last one serves."""
ROUNDS = 3


def shifts(dated: pl.DataFrame, facts: pl.DataFrame, series: Series, at: Origins) -> Numbers:
    """For each origin the growth in logits a day by capability: slope of the benchmark times growth of the best model.

    Stitched from results dated up to the last half-yearly refit before the origin; 0 for benchmarks that could not be
    stitched by then. The penalty is the one that a search starts from, because a search would have seen what came.
    """
    growth = np.zeros(len(at))
    if not len(at):
        return growth
    days = np.unique(at.day)
    refits = days[0] + REFIT_DAYS * np.arange(1 + (days[-1] - days[0]) // REFIT_DAYS)
    refit_of = np.searchsorted(refits, at.day, side="right") - 1
    for place, slopes in _stitched(dated, facts, series, refits):
        now = refit_of == place
        growth[now] = slopes[at.benchmark[now]]
    return growth


def _stitched(
    dated: pl.DataFrame, facts: pl.DataFrame, series: Series, refits: Places
) -> Iterator[tuple[int, Numbers]]:
    """For each refit its place and, by benchmark of the series, slope times daily growth of the best capability."""
    rows = (
        dated.select("benchmark_id", "model_id", "score", "merit", "error", "dated_on")
        .with_columns(day=pl.col("dated_on").to_physical().cast(pl.Int64))
        .sort("benchmark_id", "merit", "model_id", "day", "error", descending=[False, True, False, False, False])
    )
    for place, day in enumerate(refits):
        board = rows.filter(pl.col("day") <= day).unique(
            ["benchmark_id", "model_id"], keep="first", maintain_order=True
        )
        stitched = cells(board, facts)
        if not len(stitched):
            continue
        fitted = identified(fit(stitched, BEGIN, rounds=ROUNDS))
        growth = _growth(stitched, fitted, board, int(day))
        slopes = np.zeros(len(series.benchmark_ids))
        where = np.searchsorted(np.array(series.benchmark_ids), np.array(stitched.benchmark_ids))
        slopes[where] = fitted.slope * growth
        yield place, slopes


def _growth(stitched: Cells, fitted: Fit, board: pl.DataFrame, day: int) -> float:
    """Units a day by which the best capability grew over the last year; a model counts from its first result."""
    first = board.group_by("model_id").agg(pl.col("day").min())
    models = pl.DataFrame({"model_id": stitched.model_ids, "capability": fitted.capability}).join(first, on="model_id")
    before = models.filter(pl.col("day") <= day - YEAR)["capability"].max()
    now = models["capability"].max()
    if not isinstance(before, float) or not isinstance(now, float):
        return 0.0
    return max(now - before, 0.0) / YEAR
