"""The frontier: the running best of a benchmark by date, carried to the day until which the benchmark is known."""

from datetime import date

import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.current import newest
from benchhealth.analytics.record.dating import happened_on
from benchhealth.analytics.record.model_facts.precision import DAY, first_day
from benchhealth.analytics.record.model_facts.snapshots import of_another_version
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.errors import true_error
from benchhealth.analytics.statistics.float_noise import half_a_digit

LINE_KEY = ("benchmark_id", "board_id", "model_id", "setting", "reporter")
"""What makes two rows of one board, under whichever address, versions of one result."""

RATING = "rating"

ARITHMETIC = 1e-9
"""What sums of scores and halves of digits may differ by from what they would be on paper."""

ANOTHER_TEST = ("scale", "rules", "reset")
"""The kinds of a breakpoint after which a score that was not said again is one of another test."""

_RATED = (
    *("benchmark_id", "board_id", "model_id", "source_id", "condition", "unit", "bounded", "observed_at"),
    *("score", "merit", "std_error", "n_items"),
)


def history_of(rows: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """One row for each result that stands, as its latest version has it, with the day it became true.

    What a source corrected or withdrew does not stand, what it no longer lists does. A retroactive correction therefore
    changes the past. `dated_on` is the day on which it happened, null of what was there at the first look at its file
    and of what cannot be dated by the release of its model; `seen_by` is the day on which anybody first saw the result,
    and so its upper bound. From `rival_from` a later result must beat this one to be the best of its day: its own day
    (of a month or a year its first), else the day on which it was seen, of a model that is older than the benchmark the
    benchmark's release. `rounding` is half a unit of the last digit that its source prints of the benchmark. `listed`:
    in a newest snapshot.
    """
    current = (
        newest(rows).select("benchmark_id", "file", "snapshot_id").unique().with_columns(listed=pl.lit(value=True))
    )
    latest = (
        rows.with_columns(seen_by=pl.col("observed_at").min().over(LINE_KEY).dt.date())
        .filter("stands")
        .filter(pl.col("observed_at") == pl.col("observed_at").max().over(LINE_KEY))
        .join(current, on=["benchmark_id", "file", "snapshot_id"], how="left")
        .with_columns(
            listed=pl.col("listed").fill_null(False),
            error=true_error(),
            rounding=half_a_digit(pl.col("score"), pl.col("bounded"), ["benchmark_id", "source_id"]),
        )
    )
    elsewhere = of_another_version(latest).with_columns(undated=pl.lit(value=True))
    day = pl.when(pl.col("undated").is_null()).then(happened_on(pl.col("released_on"), as_of))
    was_there = pl.col("undated").is_null() & (pl.col("model_released_on") < pl.col("released_on"))
    first = pl.when(was_there).then(pl.min_horizontal("released_on", "seen_by")).otherwise("seen_by")
    return (
        latest.join(elsewhere, on=["snapshot_id", "source_row"], how="left", maintain_order="left")
        .with_columns(dated_on=day)
        .with_columns(rival_from=pl.coalesce(first_day(pl.col("dated_on"), pl.col("date_precision")), first))
        .drop("stands", "led_until", "undated", "model_released_on")
    )


def ratings(rows: Rows) -> pl.DataFrame:
    """The ranked results on a scale that moves as a whole, with the columns that `frontier` reads of every state."""
    return rows.lazy().filter(pl.col("unit") == RATING).select(_RATED).collect()


def frontier(ratings: Rows, history: Rows, curated_breakpoint: pl.DataFrame, known_until: pl.DataFrame) -> pl.DataFrame:
    """Strict improvements of the running best, oldest first, and one last row with `carried` true.

    The published columns, then `error` (standard error of the score or null), `n_items`, the error as reported, `merit`
    and who reports it, `source_id`.
    Of equal scores on one day the first model id stands, of one model's the first source and condition, then the one
    with the smallest error. `ratings` are ranked results, `history` what `history_of` makes of them; `known_until` has
    of each benchmark the day that its best is carried to.

    A result without a date is no step, as nobody knows when it came; from its `rival_from` a later one must beat it,
    and it may be the best that is carried. Nor is a step what is above the best only as far as both are rounded (75.8
    after 75.758): the printed digits must leave no doubt that it is higher.

    A result of a month counts from the last day of it, and a later one must beat it from the first: of a month and a
    day in it nobody knows which came first, so neither is a step by being the earlier.

    A row that its source no longer lists counts only while it does not exceed the best that is listed now: what was
    withdrawn must not stay the record. Nor does one count that its board last said before it changed its scale or its
    rules or began anew. Ratings move as a whole board, so there it is the top of each snapshot, and the
    running best starts anew at each breakpoint.
    """
    placed = pl.concat(
        [_steps_of_results(history, curated_breakpoint), _steps_of_ratings(ratings, curated_breakpoint)], how="diagonal"
    )
    run = ["benchmark_id", "segment"]
    best_of_day = placed.filter(pl.col("merit") == pl.col("merit").max().over(*run, "rival_from"))
    per_day = best_of_day.sort(
        [*run, "rival_from", "merit", "model_id", "source_id", "condition", "error"],
        descending=[False, False, False, True, False, False, False, False],
        nulls_last=True,
    ).unique(subset=[*run, "rival_from"], keep="first", maintain_order=True)
    before = pl.col("merit").cum_max().shift(1).over(run)
    at_most = (pl.col("merit") + pl.col("rounding")).cum_max().shift(1).over(run)
    is_above = (pl.col("merit") > before) & (pl.col("merit") - pl.col("rounding") >= at_most - ARITHMETIC)
    bests = per_day.filter(before.is_null() | is_above).with_columns(carried=pl.lit(value=False))
    ends = (
        bests.group_by("benchmark_id", maintain_order=True)
        .last()
        .join(known_until, on="benchmark_id")
        .with_columns(dated_on="known_until", date_precision=pl.lit(DAY), carried=pl.lit(value=True))
    )
    steps = _certain(bests.filter(pl.col("dated_on").is_not_null()), run)
    return (
        pl.concat([steps, ends.select(steps.columns)])
        .sort(["benchmark_id", "carried", "segment", "dated_on"])
        .select(*PUBLISHED["frontier"], "error", "n_items", "std_error", "merit", "source_id")
    )


def _certain(steps: pl.DataFrame, run: list[str]) -> pl.DataFrame:
    """The steps that are above all that is dated before them: of a month and a better day in it, the month may be
    the later, and then it was none."""
    ordered = steps.sort([*run, "dated_on", "merit"], descending=[False, False, False, True])
    before = pl.col("merit").cum_max().shift(1).over(run)
    return ordered.filter(before.is_null() | (pl.col("merit") > before))


_STEP = (
    *(
        "benchmark_id",
        "dated_on",
        "rival_from",
        "rounding",
        "score",
        "merit",
        "model_id",
        "error",
        "n_items",
        "std_error",
    ),
    *("condition", "source_id", "date_precision"),
)


OF_PAST = (*_STEP, "unit", "listed", "board_id", "observed_at")
"""The columns of a `history_of` that `frontier` reads."""


def _steps_of_results(history: Rows, breakpoints: pl.DataFrame) -> pl.DataFrame:
    best_listed = pl.col("merit").filter("listed").max().over("benchmark_id")
    stands = (pl.col("unit") != RATING) & (pl.col("listed") | (pl.col("merit") <= best_listed))
    rows = history.lazy().select(OF_PAST)
    on_board = ["benchmark_id", "board_id"]
    counted = (
        rows.join(_broke(rows, breakpoints), on=on_board, how="left", maintain_order="left")
        .filter((pl.col("observed_at").dt.date() >= pl.col("broke_on")).fill_null(value=True))
        .filter(stands)
        .collect()
    )
    return counted.select(*_STEP, segment=pl.lit(0, dtype=pl.Int64))


def _broke(rows: pl.LazyFrame, breakpoints: pl.DataFrame) -> pl.LazyFrame:
    """`broke_on` of each benchmark's boards: the last day of ANOTHER_TEST after which the board said anything of it."""
    breaks = breakpoints.lazy().filter(pl.col("kind").is_in(ANOTHER_TEST)).select("board_id", "on_date")
    last_seen = rows.group_by("benchmark_id", "board_id").agg(seen_on=pl.col("observed_at").max().dt.date())
    seen_after = last_seen.join(breaks, on="board_id").filter(pl.col("seen_on") >= pl.col("on_date"))
    return seen_after.group_by("benchmark_id", "board_id").agg(broke_on=pl.col("on_date").max())


def _steps_of_ratings(rows: Rows, breakpoints: pl.DataFrame) -> pl.DataFrame:
    day = pl.col("observed_at").dt.date()
    rated = ratings(rows).with_columns(
        dated_on=day, rival_from=day, date_precision=pl.lit(DAY), error=true_error(), rounding=pl.lit(0.0)
    )
    last_of_day = pl.col("observed_at") == pl.col("observed_at").max().over("benchmark_id", "dated_on")
    breaks = breakpoints.select("board_id", "on_date").unique().sort("on_date", "board_id")
    segments = (
        rated.select("board_id", "dated_on")
        .unique()
        .join(breaks, on="board_id", how="left")
        .group_by("board_id", "dated_on")
        .agg(segment=(pl.col("on_date") <= pl.col("dated_on")).sum().cast(pl.Int64))
    )
    return rated.filter(last_of_day).join(segments, on=["board_id", "dated_on"], how="left").select(*_STEP, "segment")
