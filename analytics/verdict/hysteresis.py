"""Hysteresis: on which side of their thresholds the benchmarks were, so that verdicts do not flicker.

A value that swings around its threshold would change the stage every night. So every threshold of headroom, resolution
and human margin has a margin, as `analytics.verdict.rule.Comparison` says. Which rules held before is computed anew
each time from the leaderboards as they were known at the ends of earlier months, so a verdict follows from the facts
alone and not from the verdicts before it.
"""

from dataclasses import replace

import polars as pl

from benchhealth.analytics.corroboration.running_bests import of_others
from benchhealth.analytics.record.conditions.references import in_reference
from benchhealth.analytics.record.current import leaderboard, ranked_results
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.saturation.headroom import HEADROOM, HEADROOM_OF_CEILING, HUMAN_MARGIN
from benchhealth.analytics.saturation.resolution import RESOLUTION, SPREAD
from benchhealth.analytics.verdict.rules import RULES
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.values import values

REMEMBERED = (HEADROOM, HEADROOM_OF_CEILING, HUMAN_MARGIN, RESOLUTION, SPREAD)
"""The indicators whose thresholds have a margin; all follow from the leaderboard of a day."""

WITH_MARGIN = tuple(rule for rule in RULES if rule.has_margin)

SIDES_BEFORE = pl.Schema({"benchmark_id": pl.String(), **{f"was_{rule.name}": pl.Boolean() for rule in WITH_MARGIN}})
"""Which rules held before, where that is known and matters."""


def sides_before(
    frames: Frames, evidence: Evidence, observed_indicator: pl.DataFrame, thresholds: Thresholds
) -> pl.DataFrame:
    """For each benchmark near a threshold: `was_<rule>` of the rules with a margin, as at the last month's end.

    Reads the leaderboards as known at the end of every earlier month in which a source of the benchmark said anything
    new. In each the value decides where it is outside the margin; within it the month before does, and in the first
    month that has a value the threshold itself. A rule whose value was never known is null. Benchmarks that are within
    no margin now are left out: for them what was does not matter.
    """
    near = _near_thresholds(values(observed_indicator, thresholds), thresholds)
    facts = evidence.facts.join(near, on="benchmark_id", how="semi")
    months = sides_by_month(_month_ends(frames, facts, evidence, thresholds), thresholds)
    return months.group_by("benchmark_id", maintain_order=True).agg(
        pl.col(f"was_{rule.name}").last() for rule in WITH_MARGIN
    )


def sides_by_month(months: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """`was_<rule>` of each benchmark at the end of each month `on`, as `sides_before` says.

    `months` has `benchmark_id`, `on` and the columns that the rules with a margin compare.
    """
    sides = []
    for rule in WITH_MARGIN:
        plain = rule.holds(limits)
        if_held, if_not = rule.holds(limits, pl.lit(value=True)), rule.holds(limits, pl.lit(value=False))
        is_first = plain.is_not_null() & (plain.is_not_null().cum_sum().over("benchmark_id") == 1)
        side = pl.when(if_not).then(True).when(~if_held).then(False).when(is_first).then(plain)
        sides.append(side.forward_fill().over("benchmark_id").alias(f"was_{rule.name}"))
    return months.sort("benchmark_id", "on").with_columns(sides)


def _near_thresholds(table: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """The benchmarks for which what was before can decide a rule."""
    matters = [
        rule.holds(limits, pl.lit(value=True)) != rule.holds(limits, pl.lit(value=False)) for rule in WITH_MARGIN
    ]
    return table.filter(pl.any_horizontal(near.fill_null(value=False) for near in matters)).select("benchmark_id")


def _month_ends(frames: Frames, facts: pl.DataFrame, evidence: Evidence, limits: Thresholds) -> pl.DataFrame:
    """The `values` of each benchmark of `facts`, as known at the ends `on` of earlier months."""
    results = frames.result.join(facts.lazy(), on="benchmark_id", how="semi", maintain_order="left")
    rows = in_reference(ranked_results(replace(frames, result=results), facts), evidence.reference)
    seen_on = pl.col("observed_at").dt.date()
    versions = rows.select("benchmark_id", "file", "snapshot_id", "observed_at").unique()
    months = versions.select("benchmark_id", on=seen_on.dt.month_end()).unique()
    ends = months.join(evidence.known_until, on="benchmark_id").filter(pl.col("on") < pl.col("known_until"))
    return _values_on(ends.drop("known_until"), rows, facts, evidence, limits)


def _values_on(
    days: pl.DataFrame, rows: pl.DataFrame, facts: pl.DataFrame, evidence: Evidence, limits: Thresholds
) -> pl.DataFrame:
    """The `values` for each `benchmark_id` and day `on` of `days`, as known at the end of that day.

    Only those that rest on the indicators `REMEMBERED`. `rows` are ranked results, `facts` their benchmarks, `evidence`
    lends what is not read.
    """
    versions = rows.select("benchmark_id", "file", "snapshot_id", "observed_at", "led_until").unique()
    still_leads = (pl.col("led_until") > pl.col("on")).fill_null(value=True)
    newest_versions = (
        days.join(versions, on="benchmark_id")
        .filter(pl.col("observed_at").dt.date() <= pl.col("on"), still_leads)
        .sort("observed_at", "snapshot_id")
        .group_by("benchmark_id", "on", "file")
        .agg(pl.col("snapshot_id").last())
        .with_columns(benchmark_on_day=pl.format("{} on {}", "benchmark_id", "on"))
    )
    results = newest_versions.join(rows, on=["benchmark_id", "file", "snapshot_id"]).with_columns(
        benchmark_id="benchmark_on_day"
    )
    board = leaderboard(results)
    keys = newest_versions.select("benchmark_id", "on", "benchmark_on_day").unique()
    facts_then = facts.join(keys, on="benchmark_id").with_columns(benchmark_id="benchmark_on_day")
    by_others = leaderboard(of_others(results))
    evidence_then = replace(
        evidence,
        facts=facts_then,
        board=board,
        frontier=_leaders(board),
        board_by_others=by_others,
        frontier_by_others=_leaders(by_others),
    )
    indicators = [each.compute(evidence_then).with_columns(indicator=pl.lit(each.key)) for each in REMEMBERED]
    table = values(pl.concat(indicators), limits).rename({"benchmark_id": "benchmark_on_day"})
    return table.join(keys, on="benchmark_on_day").drop("benchmark_on_day")


def _leaders(board: pl.DataFrame) -> pl.DataFrame:
    return board.filter(pl.col("place") == 1).with_columns(carried=pl.lit(value=True))
