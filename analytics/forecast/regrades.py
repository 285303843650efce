"""How far a best score may fall without any new model: boards lower scores that they had published before."""

import numpy as np
import polars as pl

from benchhealth.analytics.forecast.origins import HALF_YEAR_DAYS
from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.statistics.arrays import Numbers

ENOUGH_WATCHED = 30
"""Results that were seen twice, before it counts that none of them was lowered."""


def regrades(past: Series, edits: Rows) -> Numbers:
    """By benchmark of the series the height by which a score falls where it is regraded; 0 where none can be expected.

    Where a board lowered scores that it had published before, half of them by so much or more. Where it lowered none of
    thirty or more results that were watched for half a year or longer, nothing: with 95% confidence fewer than one in
    ten are lowered then (the rule of three), and one in ten lies below an 80% interval. Of all others nobody knows, and
    they are taken to regrade as others do: by the median of the benchmarks that did. `edits` as
    `analytics.record.edits`.
    """
    ids = pl.DataFrame({"benchmark_id": past.benchmark_ids}, schema={"benchmark_id": pl.String})
    joined = ids.join(edits.lazy().collect(), on="benchmark_id", how="left", maintain_order="left")
    fall = joined["fall"].fill_null(np.nan).to_numpy() / np.abs(past.span)
    watched = joined.select(
        (pl.col("watched_days") >= HALF_YEAR_DAYS) & (pl.col("seen_again") >= ENOUGH_WATCHED)
    ).to_series()
    elsewhere = float(np.median(fall[np.isfinite(fall)])) if np.isfinite(fall).any() else 0.0
    return np.where(np.isfinite(fall), fall, np.where(watched.fill_null(False).to_numpy(), 0.0, elsewhere))
