"""Chance and human scores that boards print themselves: candidates for a benchmark's floor and human line."""

import polars as pl

from analytics.record.current import newest
from analytics.record.frames import Frames
from analytics.record.lineages.stretches import follow
from analytics.record.tables.columns import COUNT, INSTANT, NUMBER, TEXT

ATTRIBUTE = {"random": "floor", "human": "human"}
"""Which fact of a benchmark a row of each kind is a candidate for."""

BASELINE = pl.Schema(
    {
        "benchmark_id": TEXT,
        "attribute": TEXT,
        "place": COUNT,
        "value": NUMBER,
        "published_name": TEXT,
        "source_id": TEXT,
        "snapshot_id": TEXT,
        "source_row": TEXT,
        "observed_at": INSTANT,
    }
)
"""`attribute` is floor or human; `place` 1 is the candidate to take, further ones are what else the boards print."""


def baselines(frames: Frames, facts: pl.DataFrame) -> pl.DataFrame:
    """The printed candidates for each floor and human line that is not known, with the schema BASELINE.

    `facts` are those of `benchmark_facts`: a value there, curated or stated by a source, stands above every row.
    Rows of the newest snapshot of each file count: what a board no longer prints it no longer says. Of several random
    rows the worst comes first (guessing, before always taking the most frequent answer), of several human rows the
    best (of groups of experts the strongest). A floor needs a bounded unit: nobody guesses a rating.
    """
    about = facts.filter(pl.col("sign").is_not_null()).select("benchmark_id", "bounded", "sign", "floor", "human")
    files = frames.snapshot.select("snapshot_id", file="board_id")
    # The newest snapshot is that of all rows: a board that dropped its human row holds none.
    filed = frames.result.join(files, on="snapshot_id", how="left").with_columns(file=pl.coalesce("file", "board_id"))
    listed = newest(follow(filed, frames.lineage))
    attribute = pl.col("kind").replace_strict(ATTRIBUTE, default=None, return_dtype=TEXT)
    is_floor = pl.col("attribute") == "floor"
    is_wanted = (
        pl.when(is_floor).then(pl.col("floor").is_null() & pl.col("bounded")).otherwise(pl.col("human").is_null())
    )
    better = pl.col("score") * pl.col("sign")
    return (
        listed.filter(pl.col("score").is_finite())
        .with_columns(attribute=attribute)
        .filter(pl.col("attribute").is_not_null())
        .join(about, on="benchmark_id", how="inner")
        .filter(is_wanted)
        .with_columns(order=pl.when(is_floor).then(better).otherwise(-better))
        .sort("benchmark_id", "attribute", "order", "source_id", "snapshot_id", "source_row")
        .with_columns(place=pl.int_range(1, pl.len() + 1, dtype=COUNT).over("benchmark_id", "attribute"))
        .select("benchmark_id", "attribute", "place", pl.col("score").alias("value"), *BASELINE.names()[4:])
    )


def with_baselines(facts: pl.DataFrame, candidates: pl.DataFrame) -> pl.DataFrame:
    """The facts with each unknown floor and human line filled by its first candidate, where that leaves room.

    A floor that reaches the ceiling is no floor, and a human score at or below chance is no human line.
    """
    joined = facts
    for attribute in ATTRIBUTE.values():
        taken = candidates.filter((pl.col("place") == 1) & (pl.col("attribute") == attribute))
        printed = taken.select("benchmark_id", pl.col("value").alias(f"printed_{attribute}"))
        joined = joined.join(printed, on="benchmark_id", how="left", maintain_order="left")
    room = ((pl.col("ceiling") - pl.col("printed_floor")) * pl.col("sign")).fill_null(1.0)
    filled = joined.with_columns(
        floor=pl.when(pl.col("floor").is_null() & (room > 0)).then("printed_floor").otherwise("floor")
    )
    above = ((pl.col("printed_human") - pl.col("floor")) * pl.col("sign")).fill_null(1.0)
    return filled.with_columns(
        human=pl.when(pl.col("human").is_null() & (above > 0)).then("printed_human").otherwise("human")
    ).select(facts.columns)
