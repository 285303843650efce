"""Verdicts that do not flicker: a limit counts as passed only by a margin beyond the side where the value stood.

A value that dances around its limit would change the stage every night. So every limit of headroom, resolution and
human margin has a margin (Schmitt's trigger): a condition that held goes on holding until the value is past the limit
by the margin, and one that did not hold begins to only when the value is as far on the other side. Where it stood is
computed anew each time from the leaderboards as they were known at the ends of earlier months, so a verdict follows
from the facts alone and not from the verdicts before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from analytics.record.current import leaderboard, ranked_results
from analytics.record.evidence import Evidence
from analytics.record.frames import Frames
from analytics.saturation.headroom import HEADROOM, HEADROOM_OF_CEILING, HUMAN_MARGIN
from analytics.saturation.resolution import RESOLUTION
from analytics.verdict.thresholds import Thresholds

REMEMBERED = (HEADROOM, HEADROOM_OF_CEILING, HUMAN_MARGIN, RESOLUTION)
"""The indicators whose limits have a margin; all follow from a leaderboard as it stood on a day."""


@dataclass(frozen=True)
class Band:
    """A limit with a margin: the column held against it, the names of both among the thresholds, and the side."""

    column: str
    limit: str | None
    margin: str
    side: Literal["below", "not above", "above"]

    def met(self, limits: Thresholds, was: pl.Expr) -> pl.Expr:
        """Whether the condition holds given whether it did before; where that is null the limit itself decides."""
        limit = 0.0 if self.limit is None else float(getattr(limits, self.limit))
        margin = float(getattr(limits, self.margin))
        give = pl.when(was).then(margin).when(~was).then(-margin).otherwise(0.0)
        value = pl.col(self.column)
        if self.side == "above":
            return value > limit - give
        return value < limit + give if self.side == "below" else value <= limit + give


BANDS: Mapping[str, Band] = {
    "is_exhausted": Band("left_high", "exhausted_headroom", "headroom_margin", "below"),
    "is_nearly": Band("left_max", "exhausted_headroom", "headroom_margin", "below"),
    "is_narrow": Band("left_min", "narrow_headroom", "headroom_margin", "below"),
    "is_surely_narrow": Band("left_max", "narrow_headroom", "headroom_margin", "below"),
    "is_not_wide": Band("left_min", "wide_headroom", "headroom_margin", "below"),
    "is_unresolved": Band("resolution_top5", "unresolved_pairs", "pairs_margin", "not above"),
    "is_crowded": Band("resolution_top5", "crowded_pairs", "pairs_margin", "not above"),
    "is_human_passed": Band("human_margin.low", None, "headroom_margin", "above"),
}
"""The conditions of the stages that have a margin, by name."""

UNKNOWN = pl.lit(None, dtype=pl.Boolean)


def wide(indicators: pl.DataFrame, names: tuple[str, ...], limits: Thresholds) -> pl.DataFrame:
    """One row for each benchmark; columns `<indicator>`, `<indicator>.low`, `.high`, `.reason` of those named.

    With `left_min`, `left_max` and `left_high`: headroom at least, at most, and its upper confidence bound at most.
    """
    ids = indicators.select("benchmark_id").unique(maintain_order=True)
    for name in names:
        one = indicators.filter(pl.col("indicator") == name).select(
            "benchmark_id",
            pl.col("value").alias(name),
            pl.col("low").alias(f"{name}.low"),
            pl.col("high").alias(f"{name}.high"),
            pl.col("reason").alias(f"{name}.reason"),
        )
        ids = ids.join(one, on="benchmark_id", how="left")
    known = pl.col("headroom").is_not_null()
    share = 1 - limits.highest_chance
    of_ceiling = pl.col("headroom_of_ceiling")
    return ids.with_columns(
        left_min=pl.when(known).then("headroom").otherwise(of_ceiling),
        left_max=pl.when(known).then("headroom").otherwise(of_ceiling / share),
        left_high=pl.when(known).then("headroom.high").otherwise(pl.col("headroom_of_ceiling.high") / share),
    )


def stood(frames: Frames, evidence: Evidence, indicators: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """For each benchmark near a limit: `was_<condition>` of `BANDS`, on which side it stood at the last month's end.

    Reads the leaderboards as known at the end of every earlier month in which a source of the benchmark said anything
    new. In each the value decides where it is outside the margin; within it the month before does, and in the first
    month that has a value the limit itself. A condition that was never known is null. Benchmarks that are within no
    margin now are left out: for them what was does not matter.
    """
    near = _near(wide(indicators, tuple(each.key for each in REMEMBERED), limits), limits)
    facts = evidence.facts.join(near, on="benchmark_id", how="semi")
    months = sides(_month_ends(frames, facts, evidence), limits)
    return months.group_by("benchmark_id", maintain_order=True).agg(pl.col(f"was_{name}").last() for name in BANDS)


def sides(months: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """`was_<condition>` at each instant of each benchmark by the rule of `stood`; `months` has the columns of `BANDS`.

    Rows are `benchmark_id`, `on` and the values; they are read in the order of `on`.
    """
    states = []
    for name, band in BANDS.items():
        if_was, if_not = band.met(limits, pl.lit(value=True)), band.met(limits, pl.lit(value=False))
        is_first = pl.col(band.column).is_not_null().cum_sum().over("benchmark_id") == 1
        plain = pl.when(is_first & pl.col(band.column).is_not_null()).then(band.met(limits, UNKNOWN))
        state = pl.when(if_not).then(True).when(~if_was).then(False).otherwise(plain)
        states.append(state.forward_fill().over("benchmark_id").alias(f"was_{name}"))
    return months.sort("benchmark_id", "on").with_columns(states)


def _near(values: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """The benchmarks for which what was before can decide a condition."""
    was = (band.met(limits, pl.lit(value=True)) != band.met(limits, pl.lit(value=False)) for band in BANDS.values())
    return values.filter(pl.any_horizontal(each.fill_null(False) for each in was)).select("benchmark_id")


def _month_ends(frames: Frames, facts: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """The columns that `BANDS` read of each benchmark of `facts`, as known at the ends of earlier months."""
    known = frames.result.join(facts, on="benchmark_id", how="semi")
    rows = ranked_results(replace(frames, result=known), facts)
    seen_on = pl.col("observed_at").dt.date()
    versions = rows.select("benchmark_id", "file", "snapshot_id", "observed_at").unique()
    ends = versions.select("benchmark_id", on=seen_on.dt.month_end()).unique().filter(pl.col("on") < evidence.as_of)
    return known_at(rows, facts, evidence, ends)


def known_at(rows: pl.DataFrame, facts: pl.DataFrame, evidence: Evidence, days: pl.DataFrame) -> pl.DataFrame:
    """The columns that `BANDS` read, for each `benchmark_id` and day `on` of `days`, as known at the end of that day.

    `rows` are ranked results, `facts` their benchmarks, `evidence` lends what is not read.
    """
    versions = rows.select("benchmark_id", "file", "snapshot_id", "observed_at").unique()
    standing = (
        days.join(versions, on="benchmark_id")
        .filter(pl.col("observed_at").dt.date() <= pl.col("on"))
        .sort("observed_at", "snapshot_id")
        .group_by("benchmark_id", "on", "file")
        .agg(pl.col("snapshot_id").last())
        .with_columns(then=pl.format("{} on {}", "benchmark_id", "on"))
    )
    listed = standing.join(rows, on=["benchmark_id", "file", "snapshot_id"]).with_columns(benchmark_id="then")
    board = leaderboard(listed)
    named = standing.select("benchmark_id", "on", "then").unique()
    then = facts.join(named, on="benchmark_id").with_columns(benchmark_id="then")
    best = board.filter(pl.col("place") == 1).with_columns(carried=pl.lit(value=True))
    past = replace(evidence, facts=then, board=board, frontier=best)
    computed = [each.compute(past).with_columns(indicator=pl.lit(each.key)) for each in REMEMBERED]
    values = wide(pl.concat(computed), tuple(each.key for each in REMEMBERED), Thresholds())
    return values.rename({"benchmark_id": "then"}).join(named, on="then").drop("then")
