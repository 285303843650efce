"""When each benchmark was last looked at."""

from datetime import date

import polars as pl

from analytics.record.frames import Frames


def last_looks(frames: Frames, as_of: date) -> pl.DataFrame:
    """For each benchmark `looked_on`: the last day that a source of it was fetched, or said something, up to `as_of`.

    A file that did not change since 2023 and was fetched yesterday was looked at yesterday.
    """
    looks = (
        frames.result.select("benchmark_id", "snapshot_id", "source_id", "observed_at")
        .unique()
        .join(frames.snapshot.select("snapshot_id", "fetched_at"), on="snapshot_id", how="left")
        .join(frames.source.select("source_id", "last_fetched_at"), on="source_id", how="left")
    )
    newest_look = pl.max_horizontal("observed_at", "fetched_at", "last_fetched_at").max().dt.date()
    return looks.group_by("benchmark_id").agg(looked_on=pl.min_horizontal(newest_look, pl.lit(as_of)))
