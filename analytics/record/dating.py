"""The day and its basis for each result that its source does not date, or dates before the model was released."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.model_facts.precision import DAY, last_day, stated_precision
from benchhealth.analytics.record.model_facts.release import AGREE

OF_A_MODEL = ("model_release", "paper")
"""The bases of days on which a model was shown, not measured: they may lie before the benchmark."""

RESULT_KEY = ("benchmark_id", "source_id", "model_id", "setting", "reporter")
"""What makes two rows of a source versions of one result."""


RESET = "reset"
"""The kind of a breakpoint at which a board began anew with another test."""


def date_results(
    results: pl.DataFrame,
    models: pl.DataFrame,
    snapshots: pl.DataFrame,
    benchmarks: pl.DataFrame,
    breakpoints: pl.DataFrame,
) -> pl.DataFrame:
    """The results with `date_basis` never null: as stated, else the model's reconciled release, else the snapshot's.

    The rules, in this order:

    - Where the source says that its day is the model's release, the reconciled release takes its place, so that a model
      has one release.
    - A stated day more than 31 days before the model's release is an error (Grok 4 in July 2024) and counts as none:
      the release is reconciled from several sources, the stated day is one row of one.
    - A day more than 31 days before the benchmark's release, stated or the model's, counts as none: nobody can have
      been measured then, and no source says on which later day it was. (31 days, because a release may be recorded a
      little late.)
    - Where the model's release or a paper gives the day, it is no earlier than the benchmark's release, as on a curve
      (`happened_on`). The day of a run or of a submission is published as stated.
    - So it is of the day on which the board last began anew before the row was seen (one of `breakpoints` of kind
      RESET), where the model's release or a paper gives the day, or the first snapshot.
    - Where a snapshot has the score before the model's announced release, the snapshot gives the day. No result is
      dated after it was observed.

    What is stated of a month or a year counts from its last day, or from the day on which it was seen in it
    (`model_facts.precision`); `date_precision` says which it is.

    A snapshot dates the results that first appear in it. Not those that were there at the first look at their file
    (the first of its `snapshots` to have the benchmark): their `dated_on` is null, as that look is an upper bound only.
    `benchmarks` has `benchmark_id` and `released_on`, null where nobody knows. A part of which nobody knows it is no
    older than the whole.
    """
    begins = beginnings(results, benchmarks).with_columns(begins_on=pl.col("begun_on") - AGREE)
    joined = (
        results.with_columns(date_precision=stated_precision())
        .with_columns(dated_on=_by_then("dated_on", "date_precision"))
        .join(
            models.select("model_id", "released_on", "released_precision"),
            on="model_id",
            how="left",
            maintain_order="left",
        )
        .join(begins, on="benchmark_id", how="left", maintain_order="left")
        .join(_resets(results, breakpoints), on=["board_id", "observed_at"], how="left", maintain_order="left")
    )
    test_began_on = pl.max_horizontal("begins_on", pl.col("reset_on") - AGREE)
    released = (pl.col("released_on") <= pl.col("observed_at").dt.date()).fill_null(value=False)
    out_by = _by_then("released_on", "released_precision")
    is_release = released & (pl.col("date_basis") == "model_release")
    stated = pl.when(is_release).then(out_by).otherwise("dated_on")
    exactly = pl.when(is_release).then("released_precision").otherwise("date_precision")
    slipped = released & (stated < pl.col("released_on") - AGREE)
    first_day = pl.when(pl.col("date_basis").is_in(OF_A_MODEL)).then(test_began_on).otherwise("begins_on")
    was_possible = (stated >= first_day).fill_null(value=True) & ~slipped.fill_null(value=False)
    is_stated = stated.is_not_null() & was_possible
    by_release = released & (pl.col("released_on") >= test_began_on).fill_null(value=True)
    basis = pl.when(by_release).then(pl.lit("model_release")).otherwise(pl.lit("snapshot"))
    based = joined.with_columns(
        dated_on=pl.when(is_stated).then(stated).when(by_release).then(out_by),
        date_basis=pl.when(is_stated).then("date_basis").otherwise(basis),
        date_precision=pl.when(is_stated).then(exactly).when(by_release).then("released_precision"),
        begun_on=pl.max_horizontal("begun_on", "reset_on"),
    )
    unclipped = based.drop("released_on", "released_precision", "begins_on")
    return _with_appearances(_not_before_its_benchmark(unclipped), snapshots).drop("reset_on")


def _resets(results: pl.DataFrame, breakpoints: pl.DataFrame) -> pl.DataFrame:
    """`reset_on`, the last day up to each version (`board_id`, `observed_at`) on which it or its whole began anew."""
    resets = breakpoints.filter(kind=RESET).select(of="board_id", reset_on="on_date")
    whole_board = pl.col("board_id").str.extract("^([^/]+/[^/]+)")
    boards = results.select("board_id", "observed_at").unique()
    of_either = [boards.with_columns(of="board_id"), boards.with_columns(of=whole_board)]
    with_resets = pl.concat(of_either).join(resets, on="of")
    before = with_resets.filter(pl.col("reset_on") <= pl.col("observed_at").dt.date())
    return before.group_by("board_id", "observed_at").agg(pl.col("reset_on").max())


def beginnings(named: pl.DataFrame, benchmarks: pl.DataFrame) -> pl.DataFrame:
    """`begun_on`, the release of each benchmark that is `named`, of a part without one that of its whole."""
    release = benchmarks.select("benchmark_id", "released_on")
    of_whole = release.rename({"benchmark_id": "whole"})
    whole_id = pl.col("benchmark_id").str.extract("^([^/]+)/")
    ids = named.select("benchmark_id").unique().with_columns(whole=whole_id)
    released = ids.join(release, on="benchmark_id", how="left").join(
        of_whole, on="whole", how="left", suffix="_of_whole"
    )
    return released.select("benchmark_id", begun_on=pl.coalesce("released_on", "released_on_of_whole"))


def _not_before_its_benchmark(based: pl.DataFrame) -> pl.DataFrame:
    """The results without the column `begun_on` (the benchmark's release); no day of a model or paper is earlier."""
    began = _begun(pl.col("begun_on"), pl.col("observed_at").dt.date())
    is_early = (pl.col("date_basis").is_in(OF_A_MODEL) & (pl.col("dated_on") < began)).fill_null(value=False)
    return based.with_columns(
        dated_on=pl.when(is_early).then(began).otherwise("dated_on"),
        date_precision=pl.when(is_early).then(pl.lit(DAY)).otherwise("date_precision"),
    ).drop("begun_on")


def _begun(benchmark_released_on: pl.Expr, last: pl.Expr) -> pl.Expr:
    """The later of the day `dated_on` and the release of the benchmark, and no later than the last possible day."""
    return pl.min_horizontal(pl.max_horizontal("dated_on", benchmark_released_on), last)


def _by_then(day: str, precision: str) -> pl.Expr:
    """The last day of what the column states, and no later than the row was seen."""
    seen_on = pl.max_horizontal(day, pl.col("observed_at").dt.date())
    return pl.when(pl.col(day).is_not_null()).then(pl.min_horizontal(last_day(pl.col(day), pl.col(precision)), seen_on))


def _with_appearances(results: pl.DataFrame, snapshots: pl.DataFrame) -> pl.DataFrame:
    """The results with the day on which each that only snapshots date appeared, null where nobody knows.

    A row whose setting or reporter its source corrected appeared when the row did that it took the place of: the score
    stayed the same. With another score it was measured anew, and appeared when it did.
    """
    numbered = results.with_row_index("place")
    return (
        numbered.join(_appearances(numbered, snapshots), on="place", how="left", maintain_order="left")
        .with_columns(dated_on=pl.coalesce("dated_on", "appeared_on"))
        .with_columns(
            date_precision=pl.when(pl.col("dated_on").is_not_null()).then(pl.coalesce("date_precision", pl.lit(DAY)))
        )
        .drop("place", "appeared_on")
    )


def _appearances(numbered: pl.DataFrame, snapshots: pl.DataFrame) -> pl.DataFrame:
    """`appeared_on` by `place`, for models with a result that only snapshots date."""
    file = ["source_id", "benchmark_id", "file", "reset_on"]
    model = ["source_id", "benchmark_id", "model_id", "reset_on"]
    look = pl.col("observed_at")
    results = (
        numbered.select(
            "place",
            "snapshot_id",
            "observed_at",
            "reset_on",
            "score",
            *RESULT_KEY,
            undated=pl.col("dated_on").is_null(),
        )
        .join(snapshots.select("snapshot_id", file="board_id"), on="snapshot_id", how="left", maintain_order="left")
        .with_columns(at_first_look=pl.when(look == look.min().over(file)).then(look))
        .filter(pl.col("undated").any().over(model))
        .group_by(*RESULT_KEY, "reset_on")
        .agg(
            "place",
            pl.col("at_first_look").min(),
            first=look.min(),
            last=look.max(),
            came_with=pl.col("score").sort_by(look).first(),
            left_with=pl.col("score").sort_by(look).last(),
        )
        .with_row_index("result")
    )
    keys = (
        results.drop("place")
        .sort(*model, "first", "last", "setting", "reporter", nulls_last=True)
        .with_columns(model=pl.struct(model).rle_id())
        .with_columns(before=pl.col("last").cum_max().over("model"))
    )
    is_another = pl.col("model") == pl.col("model").shift(1)
    is_reworded = pl.col("left_with").shift(1) == pl.col("came_with")
    takes_the_place = is_another & is_reworded & (pl.col("before").shift(1) < pl.col("first"))
    was_there = (pl.col("at_first_look") == pl.col("first")).fill_null(value=False)
    day = pl.when(~was_there).then(pl.col("first").dt.date())
    line = (~takes_the_place.fill_null(value=False)).cum_sum()
    appeared = keys.with_columns(line=line).select("result", appeared_on=day.first().over("line"))
    return results.select("result", "place").join(appeared, on="result").explode("place").drop("result")


def happened_on(benchmark_released_on: pl.Expr, as_of: date) -> pl.Expr:
    """The day on which a result became true, null where no day is known.

    No result is of a day before its benchmark existed: a day that `date_results` lets stand lies at most 31 days
    before that, and counts as the release. No date lies after the row was seen or after `as_of`.
    """
    last = pl.min_horizontal(pl.col("observed_at").dt.date(), pl.lit(as_of))
    return pl.when(pl.col("dated_on").is_not_null()).then(_begun(benchmark_released_on, last))
