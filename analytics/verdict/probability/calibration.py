"""Table `stage_calibration`: how often a stage of some probability was found again, by others at once or a year later.

A second source that measured the same models under the same condition shows another measurement of one state: there
the probability should be the share of stages that come out again. What a year later shows is another state: a stage
that is another then was left by progress, and says nothing about whether it was right.
"""

import itertools
from dataclasses import replace
from datetime import timedelta

import numpy as np
import polars as pl

from benchhealth.analytics.corroboration.running_bests import of_others
from benchhealth.analytics.record.conditions.references import TOP_RESULTS
from benchhealth.analytics.record.current import leaderboard
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frontier import RATING, frontier
from benchhealth.analytics.record.tables import PUBLISHED, STAGES
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low
from benchhealth.analytics.verdict.probability.indicators import stage_indicators
from benchhealth.analytics.verdict.probability.stages import (
    Uncertain,
    drawn_values,
    of_boards,
    shares_of_stages,
    uncertain,
)
from benchhealth.analytics.verdict.replay import values_then
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import SIDES_BEFORE, staged, values, with_headroom

SOURCE, YEAR = "source", "year"

RANGE_BOUNDS = (0.0, 0.6, 0.9, 1.0)
"""The bounds of the ranges into which probabilities are grouped."""

SURE = 0.9
"""The least probability of the stages that are looked at a year later."""

DRAWS = 200
"""Draws of each state: the ranges are wide."""

YEARS = 3
"""How many years back a state is looked at again a year later."""

OF_NUMBERS = ("discriminating", "compressing", "saturated")
"""Stages that follow from scores: what is too new on one day is older a year later whatever its scores are."""

YEAR_DAYS = 365
SAME_MEASUREMENT = 1e-6
"""Scores that differ by no more are one measurement that two sources print."""

_MODEL = ["benchmark_id", "model_id"]


def stage_calibration(
    evidence: Evidence,
    observed_indicator: pl.DataFrame,
    curated_breakpoint: pl.DataFrame,
    thresholds: Thresholds,
    calibration_rng: np.random.Generator,
) -> pl.DataFrame:
    """The table, of the likeliest stage of each state; `low` to `high` is Wilson's 95% interval of `again`."""
    counts = [
        _of_sources(evidence, observed_indicator, thresholds, calibration_rng),
        _of_years(evidence, observed_indicator, curated_breakpoint, thresholds, calibration_rng),
    ]
    same_again, n = pl.col("again"), pl.col("n")
    return (
        pl.concat(counts)
        .with_columns(low=wilson_low(same_again, n), high=wilson_high(same_again, n))
        .match_to_schema(PUBLISHED["stage_calibration"], extra_columns="ignore")
        .sort("basis", pl.col("stage").replace_strict(STAGES, range(len(STAGES)), default=-1), "p_least")
    )


def _likeliest(shares: pl.DataFrame) -> pl.DataFrame:
    """The stage with the highest `p` of each `benchmark_id`."""
    return shares.sort("benchmark_id", "p", descending=[False, True]).unique("benchmark_id", keep="first")


def _summed(outcomes: pl.DataFrame, basis: str, stage: pl.Expr) -> pl.DataFrame:
    """Rows of `of`, `stage`, `p` and `held` counted by range of `p` and by `stage`."""
    least = pl.max_horizontal(pl.when(pl.col("p") >= end).then(end) for end in RANGE_BOUNDS[:-1])
    ends = dict(itertools.pairwise(RANGE_BOUNDS))
    return (
        outcomes.with_columns(stage=stage, p_least=least)
        .group_by("stage", "p_least")
        .agg(
            n=pl.len().cast(pl.Int64),
            benchmarks=pl.col("of").n_unique().cast(pl.Int64),
            p=pl.col("p").mean(),
            again=pl.col("held").mean(),
        )
        .with_columns(basis=pl.lit(basis), p_most=pl.col("p_least").replace_strict(ends, return_dtype=pl.Float64))
        .select("basis", "stage", "p_least", "p_most", "n", "benchmarks", "p", "again")
    )


def _of_sources(
    evidence: Evidence, indicator: pl.DataFrame, limits: Thresholds, rng: np.random.Generator
) -> pl.DataFrame:
    with_sides = values(indicator, limits).with_columns(
        pl.lit(None, kind).alias(name) for name, kind in SIDES_BEFORE.items() if name != "benchmark_id"
    )
    references = uncertain(evidence.board, evidence.facts, with_sides)
    first, second = (of_boards(board, references) for board in both_measured(evidence.history))
    shares = shares_of_stages(first, limits, rng, DRAWS)
    table = drawn_values(second.values, stage_indicators(second.boards, second.facts))
    earlier = staged(with_headroom(table, limits), limits).select("benchmark_id", found="stage")
    compared = _likeliest(shares).join(earlier, on="benchmark_id").with_columns(held=pl.col("stage") == pl.col("found"))
    named = compared.with_columns(of=pl.col("benchmark_id").str.split(" ").list.first())
    return _summed(named, SOURCE, pl.lit(None, pl.String))


def both_measured(history: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The leaderboards of models that two sources measured, as the one and as the other has them, both ways round.

    A pair of sources with TOP_RESULTS models in common is one `row_id` of a `benchmark_id`; pairs of which most scores
    are the same number are one measurement and left out.
    """
    listed = history.filter("listed").sort("merit", "source_row", descending=[True, False])
    listed = listed.unique([*_MODEL, "source_id"], keep="first", maintain_order=True)
    pairs = listed.select(*_MODEL, "source_id", "score").join(
        listed.select(*_MODEL, "source_id", "score"), on=_MODEL, suffix="_other"
    )
    sides = ["benchmark_id", "source_id", "source_id_other"]
    same = (pl.col("score") - pl.col("score_other")).abs() <= SAME_MEASUREMENT
    fit = (
        pairs.filter(pl.col("source_id") != pl.col("source_id_other"))
        .with_columns(same=same)
        .filter(pl.len().over(sides) >= TOP_RESULTS, pl.col("same").mean().over(sides) < 1 / 2)
        .with_columns(row_id=pl.format("{} {} {}", *sides))
        .sort(sides)
    )

    def measured_by(side: str) -> pl.DataFrame:
        keys = fit.select("row_id", *_MODEL, source_id=side)
        rows = keys.join(listed, on=[*_MODEL, "source_id"], maintain_order="left").with_columns(of="benchmark_id")
        board = leaderboard(rows.drop("error").with_columns(benchmark_id="row_id"))
        return board.drop("row_id").rename({"benchmark_id": "row_id", "of": "benchmark_id"})

    return measured_by("source_id"), measured_by("source_id_other")


def _of_years(
    evidence: Evidence,
    indicator: pl.DataFrame,
    breakpoints: pl.DataFrame,
    limits: Thresholds,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """The sure stages of states a year and more ago, and whether a year later they held."""
    states = [_state(years, evidence, indicator, breakpoints, limits) for years in range(YEARS + 1)]
    outcomes = []
    for later, earlier in itertools.pairwise(states):
        likeliest = _likeliest(shares_of_stages(earlier, limits, rng, DRAWS)).filter(
            pl.col("p") >= SURE, pl.col("stage").is_in(OF_NUMBERS)
        )
        stages_later = staged(with_headroom(later.values, limits), limits).select("benchmark_id", found="stage")
        outcomes.append(likeliest.join(stages_later, on="benchmark_id"))
    compared = pl.concat(outcomes).with_columns(of="benchmark_id", held=pl.col("stage") == pl.col("found"))
    return _summed(compared, YEAR, pl.col("stage"))


def _state(
    years: int, evidence: Evidence, indicator: pl.DataFrame, breakpoints: pl.DataFrame, limits: Thresholds
) -> Uncertain:
    """The inputs of the draws for the benchmarks as they stood some years before the day until which each is known.

    On results dated until then, with the facts of today; of those whose best score had an error then, and TOP_RESULTS
    models.
    """
    known_until = evidence.known_until.with_columns(pl.col("known_until") - timedelta(days=YEAR_DAYS * years))
    known_then = (
        evidence.history.filter(pl.col("unit") != RATING)
        .join(known_until, on="benchmark_id")
        .filter(pl.col("dated_on") <= pl.col("known_until"))
        .drop("known_until")
    )
    enough = (
        known_then.group_by("benchmark_id")
        .agg(models=pl.col("model_id").n_unique())
        .filter(pl.col("models") >= TOP_RESULTS)
    )
    known_then = known_then.join(enough, on="benchmark_id", how="semi")
    by_others, none = of_others(known_then), known_then.clear()
    evidence_then = replace(
        evidence,
        facts=evidence.facts.join(enough, on="benchmark_id", how="semi"),
        board=leaderboard(known_then),
        history=known_then,
        reported=known_then,
        frontier=frontier(none, known_then, breakpoints, known_until),
        board_by_others=leaderboard(by_others),
        frontier_by_others=frontier(none, by_others, breakpoints, known_until),
        known_until=known_until,
    )
    today = indicator.join(enough, on="benchmark_id", how="semi")
    table = values_then(evidence_then, today, enough, limits)
    led = evidence_then.judged_board.filter(pl.col("place") == 1).drop_nulls("error")
    forgotten = table.join(led, on="benchmark_id", how="semi", maintain_order="left").with_columns(
        pl.lit(None, kind).alias(name) for name, kind in SIDES_BEFORE.items() if name != "benchmark_id"
    )
    return uncertain(evidence_then.judged_board, evidence_then.facts, forgotten)
