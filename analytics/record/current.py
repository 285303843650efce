"""What is listed now: the newest snapshot of each file, and the leaderboard of models that follows from it."""

import polars as pl

from benchhealth.analytics.record.conditions.recognise import EXCLUDED
from benchhealth.analytics.record.dating import beginnings
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.lineages.stretches import follow, standing
from benchhealth.analytics.record.origins.origins import with_passed_on
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, true_error
from benchhealth.analytics.statistics.float_noise import without_float_noise

CONTINUOUS = "continuous"
"""The `refresh` of a benchmark that is counted on from day to day: its past scores move by themselves."""


def benchmark_facts(frames: Frames) -> pl.DataFrame:
    """Every benchmark once, with `bounded`, `continuous` and `sign` (+1 higher is better, -1 lower; null: unknown).

    A part of a continuous benchmark is continuous too.
    A benchmark that has results but no row of its own is present with all facts null.
    """
    named = frames.result.select("benchmark_id").unique().collect()
    unlisted = named.join(frames.benchmark, on="benchmark_id", how="anti")
    continuous = frames.benchmark.filter(pl.col("refresh") == CONTINUOUS)["benchmark_id"]
    return (
        pl.concat([frames.benchmark, unlisted], how="diagonal")
        .with_columns(
            continuous=pl.col("benchmark_id").str.split("/").list.first().is_in(continuous.implode()),
            bounded=pl.col("unit").is_in(BOUNDED_UNITS).fill_null(False),
            sign=pl.when(pl.col("higher_is_better")).then(1.0).when(~pl.col("higher_is_better")).then(-1.0),
        )
        .sort("benchmark_id")
    )


def ranked_results(frames: Frames, facts: pl.DataFrame) -> pl.DataFrame:
    """Every stored version of every result that can be ranked, with `merit` and `file`.

    `merit` is the score to be compared by: higher is better, and without the noise of arithmetic (`settled`).

    Left out: humans, random and cheating baselines, rows without a finite score, benchmarks of unknown direction, and
    rows that a curator excluded. All conditions are here: `in_reference` chooses.
    `released_on` is the benchmark's, of a part without one that of its whole, `model_released_on` the model's, null
    where nobody knows.
    `file` is the board that the snapshot follows, `n_items` falls back to the benchmark's, `board_id` and `led_until`
    are those of `lineages.stretches.follow`: where several addresses are one board only the leading one counts.
    `passed_on` is that of `origins.with_passed_on`.
    An open-ended unit is read from one board alone, the one looked at last (then the longer, then by name), because
    scores of different boards share no scale.
    """
    about = facts.filter(pl.col("sign").is_not_null()).select(
        "benchmark_id", "bounded", "sign", "unit", benchmark_items=pl.col("n_items")
    )
    released = beginnings(about, facts).select("benchmark_id", released_on="begun_on")
    files = frames.snapshot.select("snapshot_id", file="board_id")
    models = frames.model.select("model_id", model_released_on="released_on")
    rows = (
        frames.result.filter(
            (pl.col("kind") == "model") & pl.col("score").is_finite() & (pl.col("condition") != EXCLUDED)
        )
        .drop("kind", "published_name", "score_published")
        .collect()
        .join(about.join(released, on="benchmark_id"), on="benchmark_id", how="inner", maintain_order="left")
        .join(files, on="snapshot_id", how="left", maintain_order="left")
        .join(models, on="model_id", how="left", maintain_order="left")
        .with_columns(
            file=pl.coalesce("file", "board_id"),
            n_items=pl.coalesce("n_items", "benchmark_items"),
            merit=without_float_noise(pl.col("score")) * pl.col("sign"),
        )
        .drop("benchmark_items")
    )
    with_origin = with_passed_on(rows, frames.measurer).drop("printed_in")
    return _one_board_where_open_ended(follow(with_origin, frames.lineage))


def competitors(rows: pl.DataFrame) -> pl.DataFrame:
    """Who has a ranked result on what, from which source: distinct `benchmark_id`, `model_id`, `source_id`, `unit`."""
    return rows.select("benchmark_id", "model_id", "source_id", "unit").unique()


def newest(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of the newest snapshot of each file that has the benchmark at all and is not led by another since."""
    per_file = ("benchmark_id", "file")
    rows = standing(rows)
    latest = rows.filter(pl.col("observed_at") == pl.col("observed_at").max().over(per_file))
    return latest.filter(pl.col("snapshot_id") == pl.col("snapshot_id").max().over(per_file))


def leaderboard(listed: pl.DataFrame) -> pl.DataFrame:
    """One row for each (benchmark, model), best first, with `place` from 1 and `error` (standard error or null).

    A model listed in several settings or by several sources is ranked by its best: a leaderboard of models, as the
    upstream boards do it. Equal scores keep the order of model ids, so `place` has no ties; `rank` tables do.
    """
    return leaders(best_first(listed))


def best_first(listed: pl.DataFrame) -> pl.DataFrame:
    """The rows of each benchmark in the order in which `leaders` takes them."""
    order = ["benchmark_id", "merit", "model_id", "source_id", "setting", "source_row"]
    return listed.sort(order, descending=[False, True, False, False, False, False], nulls_last=True)


def leaders(in_order: pl.DataFrame) -> pl.DataFrame:
    """The `leaderboard` of rows that are `best_first`: to sort them takes most of its time."""
    best = in_order.unique(subset=["benchmark_id", "model_id"], keep="first", maintain_order=True)
    return best.drop("stands", "file", "led_until", "date_basis", "model_released_on", strict=False).with_columns(
        place=pl.int_range(1, pl.len() + 1).over("benchmark_id"),
        error=true_error(),
    )


def _one_board_where_open_ended(rows: pl.DataFrame) -> pl.DataFrame:
    boards = (
        rows.filter(~pl.col("bounded"))
        .group_by("benchmark_id", "board_id")
        .agg(pl.col("observed_at").max(), rows=pl.len())
        .sort("observed_at", "rows", "board_id", descending=[True, True, False])
    )
    dropped = boards.filter(~pl.col("benchmark_id").is_first_distinct())["board_id"]
    return rows.filter(~pl.col("board_id").is_in(dropped.implode()))
