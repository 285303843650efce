"""Dated frontiers of all benchmarks as parallel arrays, and what they looked like at any day.

Heights are shares of the span: 0 at chance, 1 at the ceiling, whichever direction is better.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from benchhealth.analytics.capability.cells import attainable
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places
from benchhealth.analytics.statistics.float_noise import without_float_noise

EPOCH_DAYS = 1_000_000
"""More than any day since 1970: `benchmark * EPOCH_DAYS + day` sorts by benchmark, then by day."""


@dataclass(frozen=True)
class Series:
    """Results sorted by benchmark and then by the day on which they were known; days count from 1970-01-01.

    Arrays with one entry a result: `benchmark` (its place in `benchmark_ids`), `day`, `height`, `score`, `model_id`,
    and `best`, the highest height so far on the benchmark.
    Arrays with one entry a benchmark: `starts` (the first day on which a forecast may be made), `first` and `last` (the
    days of its first and last result), `span` (of the score from chance to the ceiling, negative where lower is
    better), `floor`, `maximum` (the height of the metric's best value, at least 1), and `family` (the number of its
    cluster: benchmarks of one domain that one source lists).
    """

    benchmark_ids: tuple[str, ...]
    benchmark: Places
    day: Places
    height: Numbers
    score: Numbers
    model_id: pl.Series
    best: Numbers
    starts: Places
    first: Places
    last: Places
    floor: Numbers
    span: Numbers
    maximum: Numbers
    family: Places

    def rows_until(self, benchmark: Places, day: Places) -> Places:
        """The number of rows, from the first of all benchmarks, up to the end of that day of that benchmark."""
        return np.searchsorted(self._key, benchmark * EPOCH_DAYS + day, side="right").astype(np.int64)

    def count_results(self, benchmark: Places, after: Places, day: Places) -> Places:
        """The number of results of the benchmark dated later than `after` and up to `day`."""
        return self.rows_until(benchmark, day) - self.rows_until(benchmark, after)

    def row_at(self, benchmark: Places, day: Places) -> Places:
        """The last row of the benchmark up to the end of a day; -1 before its first."""
        row = self.rows_until(benchmark, day) - 1
        return np.where((row >= 0) & (self.benchmark[np.maximum(row, 0)] == benchmark), row, -1)

    def at(self, values: Numbers, benchmark: Places, day: Places) -> Numbers:
        """What `values`, one for each row, were at the end of a day; not a number before the first result."""
        if not values.size:
            return np.full(day.size, np.nan)
        row = self.row_at(benchmark, day)
        return np.where(row >= 0, values[np.maximum(row, 0)], np.nan)

    def best_at(self, benchmark: Places, day: Places) -> Numbers:
        """The running best at the end of a day; not a number before the first result."""
        return self.at(self.best, benchmark, day)

    def count_days(self, benchmark: Places, after: Places, day: Places) -> Places:
        """The number of days later than `after` and up to `day` on which the benchmark has a result."""
        days = np.unique(self._key)
        begin, end = (
            np.searchsorted(days, benchmark * EPOCH_DAYS + edge, side="right").astype(np.int64) for edge in (after, day)
        )
        return end - begin

    @cached_property
    def is_first_row(self) -> Flags:
        """For every row whether it is the first of its benchmark."""
        return np.asarray(np.diff(self.benchmark, prepend=-1) != 0)

    @cached_property
    def record_row(self) -> Places:
        """For every row the row that set the best score that holds there."""
        higher = np.diff(self.best, prepend=-np.inf) > 0
        return np.asarray(np.maximum.accumulate(np.where(higher | self.is_first_row, np.arange(self.day.size), 0)))

    @cached_property
    def _key(self) -> Places:
        return np.asarray(self.benchmark * EPOCH_DAYS + self.day)


def known_results(history: Rows, snapshot: pl.DataFrame) -> pl.DataFrame:
    """The results of whole benchmarks with a ceiling, with `known_on`, the day from which anybody could know them.

    A row that the first look at its file showed is known from its own date; without one from that look, if the file was
    looked at again, and `starts`, the day from which the benchmark's history counts, is then no earlier. A later row is
    known from its own date too, unless a look at the file after that date did not show it yet: then from the look that
    did. The same holds where its date is its model's release, which says nothing about when the score came.

    Left out are rows dated by their model's release where the benchmark's own release is unknown, as nobody could have
    forecast a benchmark that did not exist, and delisted rows above the best that is listed now, as in the frontier.
    """
    looked = snapshot.select(file="board_id", looked_on=pl.col("observed_at").dt.date()).unique()
    looks = looked.group_by("file").agg(looks=pl.len())
    best_listed = pl.col("merit").filter("listed").max().over("benchmark_id")
    by_release = pl.col("date_basis") == "model_release"
    undated, was_there = pl.col("dated_on").is_null(), pl.col("looked_on").is_null()
    unseen_then = by_release | undated | (pl.col("dated_on") <= pl.col("looked_on"))
    rows = (
        history.lazy()
        .filter(pl.col("bounded") & is_whole())
        .filter(pl.col("listed") | (pl.col("merit") <= best_listed))
        .filter(~by_release | pl.col("released_on").is_not_null())
        .collect()
        .join(looks, on="file", how="left")
        .sort("seen_by")
        .join_asof(
            looked.sort("looked_on"),
            left_on="seen_by",
            right_on="looked_on",
            by="file",
            strategy="backward",
            allow_exact_matches=False,
            coalesce=False,
            check_sortedness=False,
        )
    )
    return (
        rows.filter(~(was_there & undated) | (pl.col("looks") > 1))
        .with_columns(
            starts=pl.when(was_there & undated).then("seen_by").max().over("benchmark_id"),
            known_on=pl.when(was_there)
            .then(pl.coalesce("dated_on", "seen_by"))
            .when(unseen_then)
            .then("seen_by")
            .otherwise("dated_on"),
        )
        .drop("looks", "looked_on")
    )


def _with_heights(dated: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    """The rows of `known_results` with the span of their benchmark, their height and the best height until then."""
    floor, ceiling = attainable()
    extreme = pl.when(pl.col("sign") > 0).then(1.0).otherwise(0.0)
    about = facts.filter("bounded").select(
        "benchmark_id", "sign", "domain", worst=floor, span=ceiling - floor, extreme=extreme
    )
    about = about.filter(pl.col("span") * pl.col("sign") > 0).drop("sign")
    return (
        dated.select("benchmark_id", "model_id", "source_id", "score", "known_on", "starts", "date_basis")
        .join(about, on="benchmark_id")
        .with_columns(
            day=pl.col("known_on").to_physical().cast(pl.Int64),
            starts=pl.coalesce("starts", pl.col("known_on").min().over("benchmark_id")).to_physical().cast(pl.Int64),
            height=without_float_noise((pl.col("score") - pl.col("worst")) / pl.col("span")),
        )
        .sort("benchmark_id", "day", "height", "model_id", "source_id", "date_basis")
        .with_columns(best=pl.col("height").cum_max().over("benchmark_id"))
    )


def series_of(dated: pl.DataFrame, facts: pl.DataFrame) -> Series:
    """The arrays of `known_results`; benchmarks without a span are left out."""
    rows = _with_heights(dated, facts)
    benchmarks = rows.group_by("benchmark_id", maintain_order=True).agg(
        pl.col("starts", "worst", "span", "extreme", "domain").first(),
        first=pl.col("day").min(),
        last=pl.col("day").max(),
        source=pl.col("source_id").mode().min(),
    )
    family = pl.concat_str(pl.col("source").fill_null(""), pl.lit(" "), pl.col("domain").fill_null(""))
    ids = benchmarks["benchmark_id"]
    index = ids.search_sorted(rows["benchmark_id"]) if len(ids) else pl.Series([], dtype=pl.UInt32)
    span, worst = benchmarks["span"].to_numpy(), benchmarks["worst"].to_numpy()
    return Series(
        benchmark_ids=tuple(ids),
        benchmark=index.to_numpy().astype(np.int64),
        day=rows["day"].to_numpy(),
        height=rows["height"].to_numpy(),
        score=rows["score"].to_numpy(),
        model_id=rows["model_id"],
        best=rows["best"].to_numpy(),
        starts=benchmarks["starts"].to_numpy(),
        first=benchmarks["first"].to_numpy(),
        last=benchmarks["last"].to_numpy(),
        floor=worst,
        span=span,
        maximum=np.maximum((benchmarks["extreme"].to_numpy() - worst) / span, 1.0),
        family=benchmarks.select(family.rank("dense").cast(pl.Int64) - 1).to_series().to_numpy(),
    )


def last_known_days(series: Series, days_known: pl.DataFrame) -> Places:
    """By benchmark of the series the day until which it is known, never before its last result."""
    days = pl.DataFrame({"benchmark_id": series.benchmark_ids}, schema={"benchmark_id": pl.String}).join(
        days_known, on="benchmark_id", how="left", maintain_order="left"
    )
    until = days["known_until"].to_physical().cast(pl.Int64).fill_null(0).to_numpy()
    return np.asarray(np.maximum(until, series.last))
