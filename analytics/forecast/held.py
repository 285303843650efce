"""How often backcast forecasts came true, and how precise they were: reliability and sharpness."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from benchhealth.analytics.forecast.record import Judge
from benchhealth.analytics.forecast.skill import BINS, POINTS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.units.clustered_share import clustered_share

INTERVAL, CHANCE = "interval", "chance"
PUBLISHED_COVERAGE = 0.8
"""The probability that an interval is published with."""


def forecast_held(forecast_backcast: pl.DataFrame, judge: Judge) -> pl.DataFrame:
    """Table `forecast_held`: of intervals and of each fifth of the chances how many held, of those that are due.

    An interval is about the case that a stronger model is tested, so it counts only where one was; its width is in
    points of the way from chance to the ceiling. Intervals are 95%, and take benchmarks of one domain and source for
    one. Months that are backcast one after the other overlap: they are no independent trials.
    """
    series = judge.series
    about = pl.DataFrame(
        {"benchmark_id": list(series.benchmark_ids), "family": series.family, "span": np.abs(series.span)},
        schema={"benchmark_id": pl.String, "family": pl.Int64, "span": pl.Float64},
    )
    due = forecast_backcast.filter(pl.col("state") == "due", pl.col("happened").is_not_null()).join(
        about, on="benchmark_id"
    )
    rows = []
    for (months,), some in due.group_by("horizon_months", maintain_order=True):
        for is_shown in (None, True, False):
            chosen = some if is_shown is None else some.filter(pl.col("shown") == is_shown)
            rows += [{"horizon_months": months, "shown": is_shown, **row} for row in _rows_of(chosen)]
    schema = PUBLISHED["forecast_held"]
    return pl.DataFrame(rows, schema=schema).sort("what", "horizon_months", "shown", "least")


def _rows_of(due: pl.DataFrame) -> Iterator[dict[str, object]]:
    spanned = due.filter("happened").drop_nulls("inside")
    if spanned.height:
        width = ((spanned["high80"] - spanned["low80"]) / spanned["span"]).median()
        yield {
            "what": INTERVAL,
            "least": PUBLISHED_COVERAGE,
            "expected": PUBLISHED_COVERAGE,
            "width": width * POINTS if isinstance(width, float) else None,
            **_share(spanned, "inside"),
        }
    fifth = (pl.col("chance") * BINS).floor().clip(0, BINS - 1).alias("fifth")
    for (bin_index,), some in due.drop_nulls("chance").group_by(fifth):
        if isinstance(bin_index, float):
            yield {
                "what": CHANCE,
                "least": bin_index / BINS,
                "expected": some["chance"].mean(),
                "width": None,
                **_share(some, "happened"),
            }


def _share(rows: pl.DataFrame, hit: str) -> dict[str, object]:
    share, low, high = clustered_share(rows[hit], rows["family"])
    return {
        "statements": rows.height,
        "held": share,
        "held_low": low,
        "held_high": high,
        "benchmarks": rows["benchmark_id"].n_unique(),
        "months": rows["issued_on"].n_unique(),
        "first_on": rows["issued_on"].min(),
        "last_on": rows["issued_on"].max(),
    }
