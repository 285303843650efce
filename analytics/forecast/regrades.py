"""How far a best score may fall without any new model: boards lower scores that they had published before."""

import numpy as np
import polars as pl

from benchhealth.analytics.forecast.origins import HALF
from benchhealth.analytics.forecast.series import Numbers, Series
from benchhealth.analytics.packed import Rows


def regrades(past: Series, edits: Rows) -> Numbers:
    """By benchmark of the series the height by which a score falls where it is regraded; 0 where none can be expected.

    Where a board lowered scores that it had published before, half of them by so much or more. Where it lowered none
    while it was watched for half a year or longer, nothing. Where it was watched for less nobody knows, and it is taken
    to regrade as others do: by the median of the benchmarks that did. `edits` as `analytics.record.edits`.
    """
    ids = pl.DataFrame({"benchmark_id": past.benchmark_ids}, schema={"benchmark_id": pl.String})
    seen = ids.join(edits.lazy().collect(), on="benchmark_id", how="left", maintain_order="left")
    fall = seen["fall"].fill_null(np.nan).to_numpy() / np.abs(past.span)
    watched = (seen["watched_days"].fill_null(0) >= HALF).to_numpy()
    elsewhere = float(np.median(fall[np.isfinite(fall)])) if np.isfinite(fall).any() else 0.0
    return np.where(np.isfinite(fall), fall, np.where(watched, 0.0, elsewhere))
