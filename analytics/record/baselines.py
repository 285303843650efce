"""Chance and human scores that boards print themselves: candidates for a benchmark's floor and human line."""

import polars as pl

from benchhealth.analytics.record.current import newest
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.lineages.stretches import follow
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import COUNT, TEXT

ATTRIBUTE = {"random": "floor", "human": "human"}
"""Which fact of a benchmark a row of each kind is a candidate for."""

HIGHEST_CHANCE = 0.5
"""The chance of a two-way choice: a `random` row beyond it is no guess but, say, a random forest."""

_SCHEMA = PUBLISHED["baseline"]


def baselines(frames: Frames, known_facts: pl.DataFrame) -> pl.DataFrame:
    """Table `baseline`: the printed candidates for each floor and human line that is not known.

    `known_facts` are those of `benchmark_facts`: a value there, curated or stated by a source, stands above every row.
    Rows of the newest snapshot of each file count: what a board no longer prints it no longer says. Of several random
    rows the worst comes first (guessing, before always taking the most frequent answer), of several human rows the
    best (of groups of experts the strongest). A floor needs a bounded unit: nobody guesses a rating.

    `taken`: the first candidate, where it can be what it is taken for. A floor lies no nearer to the ceiling than the
    chance of a two-way choice; a human line lies above chance, and within the bounds of its unit.
    """
    about = known_facts.filter(pl.col("sign").is_not_null()).select(
        "benchmark_id", "bounded", "sign", "floor", "human", "ceiling"
    )
    files = frames.snapshot.select("snapshot_id", file="board_id")
    # The newest snapshot is that of all rows: a board that dropped its human row holds none.
    versions = (
        frames.result.select("source_id", "board_id", "benchmark_id", "observed_at", "snapshot_id").unique().collect()
    )
    filed = versions.join(files, on="snapshot_id", how="left").with_columns(file=pl.coalesce("file", "board_id"))
    baseline = pl.col("kind").is_in(list(ATTRIBUTE))
    printed = frames.result.filter(baseline).drop("source_id", "board_id", "observed_at").collect()
    listed = newest(follow(filed, frames.lineage)).join(printed, on=["benchmark_id", "snapshot_id"])
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
        .with_columns(value=pl.col("score"), taken=(pl.col("place") == 1) & _is_plausible(is_floor))
        .match_to_schema(_SCHEMA, extra_columns="ignore", integer_cast="upcast")
    )


def with_baselines(known_facts: pl.DataFrame, baseline: pl.DataFrame) -> pl.DataFrame:
    """The facts with each unknown floor and human line filled by the candidate that is taken for it."""
    filled = known_facts
    for attribute in ATTRIBUTE.values():
        chosen = baseline.filter("taken", attribute=attribute).select("benchmark_id", printed="value")
        filled = (
            filled.join(chosen, on="benchmark_id", how="left", maintain_order="left")
            .with_columns(pl.coalesce(attribute, "printed").alias(attribute))
            .drop("printed")
        )
    return filled


def _is_plausible(is_floor: pl.Expr) -> pl.Expr:
    score, sign = pl.col("score"), pl.col("sign")
    chance = pl.when(sign > 0).then(score).otherwise(1 - score)
    room = ((pl.col("ceiling") - score) * sign).fill_null(1.0) > 0
    above_chance = ((score - pl.col("floor")) * sign).fill_null(1.0) > 0
    in_bounds = ~pl.col("bounded") | score.is_between(0, 1)
    return pl.when(is_floor).then((chance <= HIGHEST_CHANCE) & room).otherwise(above_chance & in_bounds)
