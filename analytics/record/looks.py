"""The day until which each file, board, benchmark and source is known; all that is computed over time ends there."""

from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.conditions.recognise import EXCLUDED
from benchhealth.analytics.record.dating import beginnings, happened_on
from benchhealth.analytics.record.frames import EVERY_BOARD, Frames
from benchhealth.analytics.record.lineages.stretches import follow
from benchhealth.analytics.record.tables import PUBLISHED

LIVE = ("board", "collection")
"""Kinds of sources (`ingest.source.Kind`) whose answer without a new version shows that nothing new was published."""


class Looks(NamedTuple):
    """`board` is the published table; `benchmark` and `source` have an id and `known_until`, where a day is known.

    A live board or collection is known until the newest look at it; any other source until its newest version.
    """

    board: pl.DataFrame
    benchmark: pl.DataFrame
    source: pl.DataFrame


def looks(frames: Frames, competitors: Rows, as_of: date) -> Looks:
    """Until when everything is known, none of it later than `as_of`; `competitors` are the ranked results.

    A board is known until its file is, a source until the latest of its files, and a benchmark until the latest of the
    boards that its ranked results come from (of all its boards where it has no ranked result). A look made after
    `as_of` counts as one at `as_of`: who saw the newest version later knows that no other came before.
    """
    files = _files(frames).with_columns(pl.min_horizontal("known_until", pl.lit(as_of)))
    board = _boards(frames, files, as_of)
    return Looks(
        board=board,
        benchmark=known_by_boards(board, competitors),
        source=files.group_by("source_id").agg(pl.col("known_until").max()).sort("source_id"),
    )


def known_benchmarks(frames: Frames, looks: Looks) -> pl.DataFrame:
    """Table `benchmark`: the facts of every benchmark, with the day until which it is known."""
    return _with_known(frames.benchmark, looks.benchmark, "benchmark")


def known_sources(frames: Frames, looks: Looks) -> pl.DataFrame:
    """Table `source`: the facts of every source, with the day until which it is known."""
    return _with_known(frames.source, looks.source, "source")


def _with_known(rows: pl.DataFrame, known_until: pl.DataFrame, table: str) -> pl.DataFrame:
    joined = rows.join(known_until, on=f"{table}_id", how="left", maintain_order="left")
    return joined.select(PUBLISHED[table].names())


def _files(frames: Frames) -> pl.DataFrame:
    """The day until which each file of each source is known: columns `source_id`, `file` and `known_until`."""
    newest_versions = frames.snapshot.group_by("source_id", file="board_id").agg(version_at=pl.col("observed_at").max())
    looked_at_source = frames.look.filter(pl.col("board_id") == EVERY_BOARD).select(
        "source_id", source_looked_at="looked_at"
    )
    looked_at_file = frames.look.filter(pl.col("board_id") != EVERY_BOARD).select(
        "source_id", "looked_at", file="board_id"
    )
    is_live = pl.col("kind").is_in(LIVE).fill_null(value=False)
    known_at = (
        pl.when(is_live).then(pl.max_horizontal("version_at", "looked_at", "source_looked_at")).otherwise("version_at")
    )
    return (
        newest_versions.join(looked_at_file, on=["source_id", "file"], how="left")
        .join(looked_at_source, on="source_id", how="left")
        .join(frames.source.select("source_id", "kind"), on="source_id", how="left")
        .select("source_id", "file", known_until=known_at.dt.date())
    )


_DAYS = ("dated_on", "date_basis", "observed_at")


def _boards(frames: Frames, files: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """The table `board`. Of a board that is published at several addresses only those count that lead it or led it."""
    of_file = frames.snapshot.select("snapshot_id", file="board_id")
    named = frames.result.select("benchmark_id").unique().collect()
    counts = (pl.col("kind") == "model") & (pl.col("condition") != EXCLUDED)
    day = pl.when(counts).then(happened_on(pl.col("begun_on"), as_of))
    versions = (
        frames.result.select("board_id", "source_id", "benchmark_id", "snapshot_id", "kind", "condition", *_DAYS)
        .join(of_file.lazy(), on="snapshot_id")
        .join(beginnings(named, frames.benchmark).lazy(), on="benchmark_id", how="left")
        .with_columns(day=day)
        .group_by("board_id", "source_id", "benchmark_id", "file", "observed_at")
        .agg(newest_result_on=pl.col("day").max())
        .collect()
    )
    return (
        follow(versions, frames.lineage)
        .join(files, on=["source_id", "file"])
        .group_by("board_id", "source_id", "benchmark_id")
        .agg(pl.col("known_until", "newest_result_on").max())
        .sort("board_id", "source_id", "benchmark_id")
        .match_to_schema(PUBLISHED["board"])
    )


def known_by_boards(board: pl.DataFrame, ranked: Rows) -> pl.DataFrame:
    """`known_until` of each benchmark: the latest of the boards that its ranked results come from, else of any."""
    ranked_on = (
        ranked.lazy().select("benchmark_id", "source_id").unique().collect().with_columns(used=pl.lit(value=True))
    )
    return (
        board.join(ranked_on, on=["benchmark_id", "source_id"], how="left")
        .group_by("benchmark_id")
        .agg(used=pl.col("known_until").filter("used").max(), any=pl.col("known_until").max())
        .select("benchmark_id", known_until=pl.coalesce("used", "any"))
        .sort("benchmark_id")
    )
