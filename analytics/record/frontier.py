"""The frontier: the running best of a benchmark by date, carried to the day of the assessment."""

from datetime import date

import polars as pl

from analytics.record.current import newest
from analytics.record.tables import PUBLISHED
from analytics.statistics.errors import true_error

RESULT_KEY = ("benchmark_id", "board_id", "model_id", "setting", "reporter")
RATING = "rating"


def history(rows: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """One row for each result that was ever listed, as its latest version has it, with the day it became true.

    A retroactive correction therefore changes the past. `dated_on` is the source's date; where only the snapshot
    dates a row it is the day of its FIRST observation. A model's release date cannot date a result before its
    benchmark existed, and no date lies after the row was seen or after `as_of`. `listed`: in a newest snapshot.
    """
    current = (
        newest(rows).select("benchmark_id", "file", "snapshot_id").unique().with_columns(listed=pl.lit(value=True))
    )
    seen_first = pl.col("dated_on").filter(pl.col("date_basis") == "snapshot").min().over(RESULT_KEY)
    seen_on = pl.col("observed_at").dt.date()
    latest = (
        rows.with_columns(seen_first=seen_first)
        .filter(pl.col("observed_at") == pl.col("observed_at").max().over(RESULT_KEY))
        .join(current, on=["benchmark_id", "file", "snapshot_id"], how="left")
    )
    basis = pl.col("date_basis")
    dated = (
        pl.when(basis == "snapshot")
        .then("seen_first")
        .when(basis == "model_release")
        .then(pl.max_horizontal("dated_on", "released_on"))
        .otherwise("dated_on")
    )
    return latest.with_columns(
        dated_on=pl.min_horizontal(dated, seen_on, pl.lit(as_of)),
        listed=pl.col("listed").fill_null(False),
        error=true_error(),
    ).drop("seen_first")


def frontier(rows: pl.DataFrame, past: pl.DataFrame, breakpoints: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """Strict improvements of the running best, oldest first, and one last row at `as_of` with `carried` true.

    The published columns, then `error` (standard error of the score or null), `n_items` and `reported_error`.
    Of equal scores on one day the first model id stands. `rows` are ranked results, `past` their `history`.

    A row that its source no longer lists counts only while it does not exceed the best that is listed now: what was
    withdrawn must not stay the record. Ratings move as a whole board, so there it is the top of each snapshot, and the
    running best starts anew at each breakpoint.
    """
    dated = pl.concat([_steps_of_results(past), _steps_of_ratings(rows, breakpoints)], how="diagonal")
    per_day = dated.sort(
        ["benchmark_id", "segment", "dated_on", "merit", "model_id"], descending=[False, False, False, True, False]
    ).unique(subset=["benchmark_id", "segment", "dated_on"], keep="first", maintain_order=True)
    before = pl.col("merit").cum_max().shift(1).over("benchmark_id", "segment")
    steps = per_day.filter(before.is_null() | (pl.col("merit") > before)).with_columns(carried=pl.lit(value=False))
    ends = steps.group_by("benchmark_id", maintain_order=True).last()
    ends = ends.with_columns(dated_on=pl.lit(as_of), carried=pl.lit(value=True)).select(steps.columns)
    return (
        pl.concat([steps, ends])
        .sort(["benchmark_id", "carried", "segment", "dated_on"])
        .select(*PUBLISHED["frontier"], "error", "n_items", "std_error", "merit")
    )


_STEP = ("benchmark_id", "dated_on", "score", "merit", "model_id", "error", "n_items", "std_error")


def _steps_of_results(past: pl.DataFrame) -> pl.DataFrame:
    best_listed = pl.col("merit").filter("listed").max().over("benchmark_id")
    counted = past.filter((pl.col("unit") != RATING) & (pl.col("listed") | (pl.col("merit") <= best_listed)))
    return counted.select(*_STEP, segment=pl.lit(0, dtype=pl.Int64))


def _steps_of_ratings(rows: pl.DataFrame, breakpoints: pl.DataFrame) -> pl.DataFrame:
    ratings = rows.filter(pl.col("unit") == RATING).with_columns(
        dated_on=pl.col("observed_at").dt.date(), error=true_error()
    )
    last_of_day = pl.col("observed_at") == pl.col("observed_at").max().over("benchmark_id", "dated_on")
    breaks = breakpoints.select("board_id", "on_date").unique().sort("on_date", "board_id")
    segments = (
        ratings.select("board_id", "dated_on")
        .unique()
        .join(breaks, on="board_id", how="left")
        .group_by("board_id", "dated_on")
        .agg(segment=(pl.col("on_date") <= pl.col("dated_on")).sum().cast(pl.Int64))
    )
    return ratings.filter(last_of_day).join(segments, on=["board_id", "dated_on"], how="left").select(*_STEP, "segment")
