"""Leaderboards as they stood: which rows a board had at each instant, and each model's best of them.

A file is known by the board that its snapshot follows; a newer version of a file replaces the older. Where several
files feed one board, the board at an instant is the union of the newest version of each that has the benchmark.
"""

from dataclasses import replace
from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.packed import in_runs, packed, packed_apart
from benchhealth.analytics.record.conditions.recognise import EXCLUDED
from benchhealth.analytics.record.conditions.references import references
from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.frames import Frames, benchmark_by_benchmark, is_whole
from benchhealth.analytics.record.lineages.stretches import follow, standing, stretches
from benchhealth.analytics.statistics.errors import true_error
from benchhealth.analytics.statistics.float_noise import without_float_noise

STATE = ["board_id", "observed_at"]
"""The columns that identify the state of one board at one instant."""

PLACED = [*STATE, "rank", "model_id"]
"""The columns that sort the models of a board by rank."""

_KEPT = (
    *("board_id", "observed_at", "benchmark_id", "model_id", "setting", "published_name", "source_row", "source_id"),
    *("score", "score_published", "std_error", "reported_items", "merit", "error"),
)
OF_ROWS = (*_KEPT, "reporter", "snapshot_id", "dated_on", "date_basis")
OF_STATES = (*_KEPT, "reporter", "bounded", "continuous")
OF_PLACED = (*_KEPT, "n_items", "bounded", "snapshot_id", "condition", "rank")
"""The columns that are read of each frame of `Boards`: there are too many rows to hold all."""


class Boards(NamedTuple):
    """All leaderboards, without parts of benchmarks, read once.

    `states` are their rankable results at every instant (see `states`), `placed` the models of each state in order (see
    `rank_models`), `rows` the `newest` results of addresses that lead their board to this day;
    `lineage` is the table of that name. The others are packed: a step unpacks what it reads, for as long as it works.
    Boards are named and followed as `lineages.stretches.follow` says: of a lineage only the leading address counts.
    """

    rows: pl.LazyFrame
    states: pl.LazyFrame
    placed: pl.LazyFrame
    lineage: pl.DataFrame


def boards(frames: Frames) -> Boards:
    """The leaderboards of the facts, which must be `in_order`; computed some benchmarks at a time."""
    rows, states, ranked, lineage = packed_apart(
        _boards(replace(frames, result=results)) for results in benchmark_by_benchmark(frames.result)
    )
    placed = packed(in_runs(ranked, PLACED))
    return Boards(rows, states, placed, lineage.collect().sort("board_id", "from_on", "address"))


def _boards(frames: Frames) -> tuple[pl.DataFrame, ...]:
    """The fields of `Boards`, of some benchmarks."""
    rows = on_leaderboards(frames)
    by_address = states(rows)
    listed = follow(by_address, frames.lineage).drop("led_until")
    current = standing(follow(rows, frames.lineage)).select(rows.columns)
    return (
        newest(current).select(OF_ROWS),
        listed.select(OF_STATES),
        rank_models(listed).select(OF_PLACED),
        stretches(by_address, frames.lineage),
    )


def rankable(frames: Frames) -> pl.DataFrame:
    """Every stored result of a model that has a finite score and a benchmark of known direction, parts included.

    Adds `file_id`, `bounded`, `continuous`, `sign` (+1 higher is better, -1 lower), `merit` (score times sign,
    without the noise of arithmetic) and `error` (standard error of the score in its own unit, null where unknown);
    `n_items` falls back to the benchmark's.
    """
    facts = benchmark_facts(frames).select("benchmark_id", "bounded", "continuous", "sign", listed_items="n_items")
    files = frames.snapshot.select("snapshot_id", file_id="board_id")
    return (
        frames.result.filter(
            (pl.col("kind") == "model") & pl.col("score").is_finite() & (pl.col("condition") != EXCLUDED)
        )
        .join(facts.filter(pl.col("sign").is_not_null()).lazy(), on="benchmark_id", maintain_order="left")
        .join(files.lazy(), on="snapshot_id", how="left", maintain_order="left")
        .with_columns(
            file_id=pl.coalesce("file_id", "board_id"),
            merit=without_float_noise(pl.col("score")) * pl.col("sign"),
            reported_items="n_items",
            n_items=pl.coalesce("n_items", "listed_items"),
        )
        .with_columns(error=true_error())
        .drop("listed_items")
        .collect()
    )


def on_leaderboards(frames: Frames) -> pl.DataFrame:
    """The rankable results of whole benchmarks alone, without those of their parts (`<benchmark>/<part>`).

    A board is ranked in one condition: that by which its benchmark is judged, or the one in which it has most models
    where it has nobody in that.
    """
    wholes = replace(frames, result=frames.result.filter(is_whole()))
    rows = rankable(wholes)
    judged = references(wholes).select("benchmark_id", "condition", is_reference=pl.lit(value=True))
    chosen = (
        rows.group_by("board_id", "benchmark_id", "condition")
        .agg(models=pl.col("model_id").n_unique())
        .join(judged, on=["benchmark_id", "condition"], how="left")
        .sort("is_reference", "models", "condition", descending=[True, True, False], nulls_last=True)
        .unique("board_id", keep="first", maintain_order=True)
    )
    return rows.join(chosen, on=["board_id", "condition"], how="semi", maintain_order="left")


def states(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of every board at every instant at which one of its files changed; `observed_at` is that instant."""
    several = rows.group_by("board_id").agg(pl.col("file_id").n_unique() > 1).filter("file_id").select("board_id")
    if several.is_empty():
        return rows
    unmoved = rows.join(several, on="board_id", how="anti")
    fed = rows.join(several, on="board_id", how="semi")
    versions = fed.select("board_id", "file_id", "observed_at").unique()
    standing = (
        versions.select(*STATE)
        .unique()
        .join(versions, on="board_id", suffix="_of_file")
        .filter(pl.col("observed_at_of_file") <= pl.col("observed_at"))
        .group_by("board_id", "observed_at", "file_id")
        .agg(pl.col("observed_at_of_file").max())
    )
    moved = standing.join(
        fed.rename({"observed_at": "observed_at_of_file"}), on=["board_id", "file_id", "observed_at_of_file"]
    )
    return pl.concat([unmoved, moved.select(rows.columns)])


def newest(rows: pl.DataFrame, until: date | None = None) -> pl.DataFrame:
    """The rows of each file's newest version that has the benchmark, as of the end of the day `until` (null: now)."""
    seen_by_then = rows if until is None else rows.filter(pl.col("observed_at").dt.date() <= until)
    return seen_by_then.filter(
        pl.col("observed_at") == pl.col("observed_at").max().over("source_id", "benchmark_id", "file_id")
    )


def best(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The best row of each group, in no order; of equals the one of smaller error, then by setting and address."""
    rivals = rows.select(keys).is_duplicated()  # most groups have one row: sorting those alone is five times faster
    order = ["merit", "error", "source_id", "setting", "source_row"]
    contested = rows.filter(rivals).sort(order, descending=[True] + [False] * 4, nulls_last=True)
    return pl.concat([rows.filter(~rivals), contested.unique(subset=keys, keep="first", maintain_order=True)])


def rank_models(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each (board, instant, model), its best, with `rank`: 1 is best, equal scores share the best rank."""
    return (
        best(rows, [*STATE, "model_id"])
        .with_columns(rank=pl.col("merit").rank("min", descending=True).over(STATE).cast(pl.Int64))
        .sort(PLACED)
    )
