"""Scores that a source changed after it had published them."""

import polars as pl

from benchhealth.analytics.record.dating import RESULT_KEY
from benchhealth.analytics.record.steps import EDIT_AT_LEAST


def edits(rows: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark: results `seen_again` in a later snapshot, and `edited`, those whose score moved since.

    `lowered` of them ended worse than they once were, half of these by `fall` (in the score's unit) or more;
    `watched_days` is the longest that one result was watched. Versions of one source are compared: a board that moved
    prints its scores otherwise. A move below `EDIT_AT_LEAST` of the score's unit (of the score itself above 1) is
    rounding or a rerun of the same.
    """
    observed_at = pl.col("observed_at")
    versions = rows.group_by(*RESULT_KEY).agg(
        snapshots=pl.col("snapshot_id").n_unique(),
        moved=pl.col("score").max() - pl.col("score").min(),
        # the best of the newest version last: a filter within the groups takes three times as long
        fell=pl.col("merit").max() - pl.col("merit").sort_by(observed_at, "merit").last(),
        size=pl.max_horizontal(pl.col("score").abs().max(), pl.lit(1.0)),
        days=(observed_at.max() - observed_at.min()).dt.total_days(),
    )
    seen_again = versions.filter(pl.col("snapshots") > 1)
    least = EDIT_AT_LEAST * pl.col("size")
    moved, fell = pl.col("moved") >= least, pl.col("fell") >= least
    return seen_again.group_by("benchmark_id").agg(
        seen_again=pl.len(),
        edited=moved.sum(),
        lowered=fell.sum(),
        fall=pl.col("fell").filter(fell).median(),
        watched_days=pl.col("days").max(),
    )
