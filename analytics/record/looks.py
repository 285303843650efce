"""Until when each file, board, benchmark and source is known: everything in time ends there."""

from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.dating import happened_on
from benchhealth.analytics.record.frames import EVERY_BOARD, Frames
from benchhealth.analytics.record.lineages.stretches import follow
from benchhealth.analytics.record.tables import PUBLISHED

LIVE = ("board", "collection")
"""Kinds of sources of which an answer without anything new says that nothing new came (`ingest.source.Kind`)."""


class Looks(NamedTuple):
    """`board` as published; `benchmark` and `source` have the id of each that anything is known of and `known_until`.

    The days are those of `ingest.source.Kind`: a look at a live board or collection, what is in any other source.
    """

    board: pl.DataFrame
    benchmark: pl.DataFrame
    source: pl.DataFrame


def looks(frames: Frames, competitors: Rows, as_of: date) -> Looks:
    """Until when everything is known, none of it later than `as_of`; `competitors` are the ranked results.

    A board is known until the look at the file that feeds it, a source until the latest of its files, a benchmark until
    the latest of the boards that its results are ranked from (of all its boards where none is). A look made after
    `as_of` counts as one at `as_of`: whoever saw the newest version later knows that nothing came before it.
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
    """Until when each file of each source (`source_id`, `file`) is known: columns of those names and `known_until`."""
    seen = frames.snapshot.group_by("source_id", file="board_id").agg(inside=pl.col("observed_at").max())
    at_all = frames.look.filter(pl.col("board_id") == EVERY_BOARD).select("source_id", at_all="looked_at")
    at_one = frames.look.filter(pl.col("board_id") != EVERY_BOARD).select("source_id", "looked_at", file="board_id")
    is_live = pl.col("kind").is_in(LIVE).fill_null(value=False)
    last = pl.when(is_live).then(pl.max_horizontal("inside", "looked_at", "at_all")).otherwise("inside")
    return (
        seen.join(at_one, on=["source_id", "file"], how="left")
        .join(at_all, on="source_id", how="left")
        .join(frames.source.select("source_id", "kind"), on="source_id", how="left")
        .select("source_id", "file", known_until=last.dt.date())
    )


_DAYS = ("dated_on", "date_basis", "observed_at")


def _boards(frames: Frames, files: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """The published table `board`: of a board under several addresses those count that lead it or led it."""
    of_file = frames.snapshot.select("snapshot_id", file="board_id")
    released = frames.benchmark.select("benchmark_id", "released_on")
    day = happened_on(pl.col("released_on"), as_of).filter(pl.col("kind") == "model")
    versions = (
        frames.result.select("board_id", "source_id", "benchmark_id", "snapshot_id", "kind", *_DAYS)
        .join(of_file.lazy(), on="snapshot_id")
        .join(released.lazy(), on="benchmark_id", how="left")
        .group_by("board_id", "source_id", "benchmark_id", "file", "observed_at")
        .agg(newest_result_on=day.max())
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
    """`known_until` of each benchmark: that of the latest of the boards that its ranked results are of, or of any."""
    used = ranked.lazy().select("benchmark_id", "source_id").unique().collect().with_columns(used=pl.lit(value=True))
    return (
        board.join(used, on=["benchmark_id", "source_id"], how="left")
        .group_by("benchmark_id")
        .agg(used=pl.col("known_until").filter("used").max(), any=pl.col("known_until").max())
        .select("benchmark_id", known_until=pl.coalesce("used", "any"))
        .sort("benchmark_id")
    )
