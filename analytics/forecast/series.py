"""Dated frontiers of all benchmarks as parallel arrays, and what they looked like at any day.

Heights are shares of the span: 0 at chance, 1 at the ceiling, whichever direction is better.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analytics.capability.cells import attainable

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

EPOCH_DAYS = 1_000_000
"""More than any day since 1970: `benchmark * EPOCH_DAYS + day` sorts by benchmark, then by day."""


@dataclass(frozen=True)
class Series:
    """Results by benchmark and day, oldest first; days count from 1970-01-01.

    By result: `benchmark` (place in `benchmark_ids`), `day`, `height` and `best`, the running best height.
    By benchmark: `starts` (no origin before it), `first`, `last` (day of its first and last result), `span` (of the
    score from chance to the ceiling, negative where lower is better), `floor`, `maximum` (height of the metric's best
    value, at least 1).
    """

    benchmark_ids: tuple[str, ...]
    benchmark: Places
    day: Places
    height: Numbers
    best: Numbers
    starts: Places
    first: Places
    last: Places
    floor: Numbers
    span: Numbers
    maximum: Numbers

    def until(self, benchmark: Places, day: Places) -> Places:
        """How many rows lie before the end of that day of that benchmark, counted from the first row of all."""
        return np.searchsorted(self._key(), benchmark * EPOCH_DAYS + day, side="right").astype(np.int64)

    def count(self, benchmark: Places, after: Places, day: Places) -> Places:
        """Results of the benchmark dated later than `after` and up to `day`."""
        return self.until(benchmark, day) - self.until(benchmark, after)

    def best_at(self, benchmark: Places, day: Places) -> Numbers:
        """The running best at the end of a day; not a number before the first result."""
        row = self.until(benchmark, day) - 1
        best = np.full(row.size, np.nan)
        has_result = row >= 0
        has_result[has_result] = self.benchmark[row[has_result]] == benchmark[has_result]
        best[has_result] = self.best[row[has_result]]
        return best

    def _key(self) -> Places:
        return np.asarray(self.benchmark * EPOCH_DAYS + self.day)


def dated_results(past: pl.DataFrame, snapshots: pl.DataFrame) -> pl.DataFrame:
    """Results of bounded wholes whose day means something, with `starts`, the day from which a frontier was seen.

    A row that was there at the first look at its file has no date. Where the file was looked at again it counts from
    that look, and the history starts with it; where it was not, the row is left out. So is a row dated by its model's
    release where the benchmark's own release is unknown: nobody could have forecast a benchmark that did not exist.
    Delisted rows above the best that is listed now are left out as in the frontier.
    """
    looks = snapshots.group_by(file="board_id").agg(looks=pl.col("observed_at").n_unique())
    best_listed = pl.col("merit").filter("listed").max().over("benchmark_id")
    basis = pl.col("date_basis")
    undated = pl.col("dated_on").is_null()
    return (
        past.filter(pl.col("bounded") & ~pl.col("benchmark_id").str.contains("/", literal=True))
        .filter(pl.col("listed") | (pl.col("merit") <= best_listed))
        .filter((basis != "model_release") | pl.col("released_on").is_not_null())
        .join(looks, on="file", how="left")
        .filter(~undated | (pl.col("looks") > 1))
        .with_columns(
            starts=pl.when(undated).then("seen_by").max().over("benchmark_id"),
            dated_on=pl.coalesce("dated_on", "seen_by"),
        )
    )


def series(dated: pl.DataFrame, facts: pl.DataFrame) -> Series:
    """The arrays of `dated_results`; benchmarks without a span are left out."""
    floor, ceiling = attainable()
    extreme = pl.when(pl.col("sign") > 0).then(1.0).otherwise(0.0)
    about = facts.filter("bounded").select("benchmark_id", "sign", worst=floor, span=ceiling - floor, extreme=extreme)
    about = about.filter(pl.col("span") * pl.col("sign") > 0).drop("sign")
    rows = dated.join(about, on="benchmark_id").with_columns(
        day=pl.col("dated_on").to_physical().cast(pl.Int64),
        starts=pl.coalesce("starts", pl.col("dated_on").min().over("benchmark_id")).to_physical().cast(pl.Int64),
        height=(pl.col("score") - pl.col("worst")) / pl.col("span"),
    )
    rows = rows.sort("benchmark_id", "day", "height", "model_id").with_columns(
        best=pl.col("height").cum_max().over("benchmark_id")
    )
    each = rows.group_by("benchmark_id", maintain_order=True).agg(
        pl.col("starts", "worst", "span", "extreme").first(), first=pl.col("day").min(), last=pl.col("day").max()
    )
    place = each["benchmark_id"].search_sorted(rows["benchmark_id"]) if each.height else pl.Series([], dtype=pl.UInt32)
    span, worst = each["span"].to_numpy(), each["worst"].to_numpy()
    return Series(
        benchmark_ids=tuple(each["benchmark_id"]),
        benchmark=place.to_numpy().astype(np.int64),
        day=rows["day"].to_numpy(),
        height=rows["height"].to_numpy(),
        best=rows["best"].to_numpy(),
        starts=each["starts"].to_numpy(),
        first=each["first"].to_numpy(),
        last=each["last"].to_numpy(),
        floor=worst,
        span=span,
        maximum=np.maximum((each["extreme"].to_numpy() - worst) / span, 1.0),
    )


def known_until(past: Series, known: pl.DataFrame) -> Places:
    """By benchmark of the series the day until which it is known, never before its last result."""
    days = pl.DataFrame({"benchmark_id": past.benchmark_ids}, schema={"benchmark_id": pl.String}).join(
        known, on="benchmark_id", how="left", maintain_order="left"
    )
    until = days["known_until"].to_physical().cast(pl.Int64).fill_null(0).to_numpy()
    return np.asarray(np.maximum(until, past.last))
