"""Scores that a source changed after it had published them."""

import polars as pl

from benchhealth.analytics.record.dating import RESULT_KEY
from benchhealth.analytics.record.steps import EDIT_AT_LEAST


def edits(rows: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark: results `seen_again` in a later snapshot, and `edited`, those whose score moved since.

    Versions of one source are compared: a board that moved prints its scores otherwise.
    A move below `EDIT_AT_LEAST` of the score's unit (of the score itself above 1) is rounding or a rerun of the same.
    """
    versions = rows.group_by(*RESULT_KEY).agg(
        snapshots=pl.col("snapshot_id").n_unique(),
        moved=pl.col("score").max() - pl.col("score").min(),
        size=pl.max_horizontal(pl.col("score").abs().max(), pl.lit(1.0)),
    )
    again = versions.filter(pl.col("snapshots") > 1)
    moved = pl.col("moved") >= EDIT_AT_LEAST * pl.col("size")
    return again.group_by("benchmark_id").agg(seen_again=pl.len(), edited=moved.sum())
