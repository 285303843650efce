"""What is published: forecasts with intervals, the skill of every candidate, and when a benchmark will be used up."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from analytics.forecast.backtest import PUBLISHABLE, Backtest, backtest, interval
from analytics.forecast.origins import HORIZONS, YEAR, Origins, origins, quarterly
from analytics.forecast.series import Numbers, Series, known_until, series
from analytics.forecast.shift import shifts
from analytics.forecast.skill import Skill, skill_table, skills
from analytics.record.evidence import OUTLOOK
from analytics.record.tables import PUBLISHED
from analytics.verdict.thresholds import Thresholds

USED_UP_AT = Thresholds().exhausted_headroom
"""Headroom at which a benchmark counts as used up."""
MONTHS_AHEAD = 120.0
"""Ten years: beyond, a rate of one year says nothing."""
FALLBACK = "persistence"


@dataclass(frozen=True)
class Forecasts:
    """`forecast` and `forecast_skill` as published.

    `outlook`: by benchmark and `months` (6, 12) what was published with its `basis` in words, and for 12 months `wait`,
    `wait_low` and `wait_high`: months until the headroom falls below a tenth (infinite where it never does at that
    rate). `skill`: by horizon and method.
    """

    forecast: pl.DataFrame
    forecast_skill: pl.DataFrame
    outlook: pl.DataFrame
    skill: dict[int, dict[str, Skill]]


def forecasts(dated: pl.DataFrame, facts: pl.DataFrame, known: pl.DataFrame, rng: np.random.Generator) -> Forecasts:
    """Forecasts made on the day until which each benchmark is known, of those reported within a year of it.

    `dated` are the `dated_results`, `facts` and `known` as in `Evidence`. They learn from what is known of all
    benchmarks on the newest of those days. The combination is published where its skill over
    persistence at that horizon has a 95% interval above 0, persistence with its interval otherwise.
    """
    past = series(dated, facts)
    until = known_until(past, known)
    today = int(until.max(initial=0))
    past_origins = quarterly(past, today)
    benchmarks = np.arange(len(past.benchmark_ids))
    reported = past.last >= until - YEAR
    new_origins = origins(past, benchmarks[reported], until[reported])
    at = past_origins.followed_by(new_origins)
    computed_on = np.concatenate([past_origins.day, np.full(len(new_origins), today)])
    with threadpool_limits(1):  # small matrices, as in the stitching
        shift = shifts(dated, facts, past, at)
        tested = {
            months: backtest(past, at, shift, days, today, computed_on=computed_on) for months, days in HORIZONS.items()
        }
    is_new = np.arange(len(at)) >= len(past_origins)
    skill = {months: skills(past, _part(each, ~is_new), rng) for months, each in tested.items()}
    made = [_outlook(past, _part(tested[months], is_new), months, skill[months]) for months in HORIZONS]
    outlook = pl.concat([pl.DataFrame(schema=OUTLOOK), *made]).sort("benchmark_id", "months")
    return Forecasts(
        forecast=outlook.select(PUBLISHED["forecast"].names()),
        forecast_skill=skill_table(skill),
        outlook=outlook,
        skill=skill,
    )


def _part(tested: Backtest, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Backtest:
    return Backtest(
        days=tested.days,
        at=tested.at.where(keep),
        closed=tested.closed[keep],
        scale=tested.scale[keep],
        expected={name: values[keep] for name, values in tested.expected.items()},
        width={name: values[keep] for name, values in tested.width.items()},
    )


def chosen(skill: dict[str, Skill]) -> tuple[str, str]:
    """The method to publish at a horizon and why, in a sentence."""
    if not skill:
        return FALLBACK, "too few outcomes are known to test any method"
    combination = skill[PUBLISHABLE]
    evidence = (
        f"skill over persistence {combination.vs_persistence:.2f} "
        f"({combination.vs_persistence_low:.2f} to {combination.vs_persistence_high:.2f}, {combination.n} forecasts of "
        f"{combination.n_benchmarks} benchmarks)"
    )
    if combination.proven:
        return PUBLISHABLE, f"combination of candidates, {evidence}"
    return FALLBACK, f"no method has proven skill, so the last best score stands: the combination's {evidence}"


def _outlook(past: Series, tested: Backtest, months: int, skill: dict[str, Skill]) -> pl.DataFrame:
    """The published forecasts of one horizon; none where no interval could be calibrated."""
    method, why = chosen(skill)
    at = tested.at
    low, high = interval(tested, method)
    usable = np.isfinite(low) & np.isfinite(high)
    at, low, high, middle = at.where(usable), low[usable], high[usable], tested.expected[method][usable]
    ends = [_score(past, at, share) for share in (low, high)]
    waits = [_wait(at, share) for share in (middle, high, low)]
    made_on = pl.Series(at.day, dtype=pl.Int32).cast(pl.Date)
    coverage = f"; its 80% intervals held {skill[method].coverage80:.0%} of outcomes" if skill else ""
    return pl.DataFrame(
        {
            "benchmark_id": pl.Series([past.benchmark_ids[b] for b in at.benchmark], dtype=pl.String),
            "made_on": made_on,
            "target_on": made_on.dt.offset_by(f"{months}mo"),
            "method": pl.Series([method] * len(at), dtype=pl.String),
            "median": _score(past, at, middle),
            "low80": np.minimum(*ends),
            "high80": np.maximum(*ends),
            "months": pl.Series([months] * len(at), dtype=pl.Int64),
            "basis": pl.Series([why + coverage] * len(at), dtype=pl.String),
            "n": pl.Series([skill[method].n if skill else 0] * len(at), dtype=pl.Int64),
            "wait": waits[0],
            "wait_low": waits[1],
            "wait_high": waits[2],
        },
        schema=OUTLOOK,
    )


def _score(past: Series, at: Origins, share: Numbers) -> Numbers:
    """The score when that share of the room is closed."""
    b = at.benchmark
    return np.asarray(past.floor[b] + past.span[b] * (at.best + share * at.room))


def _wait(at: Origins, share: Numbers) -> Numbers:
    """Months until the headroom falls below `USED_UP_AT` if that share of what is left is closed every year.

    0 where it has or all is closed, infinite where nothing is closed or it takes longer than `MONTHS_AHEAD`.
    """
    headroom = 1 - at.best
    with np.errstate(divide="ignore", invalid="ignore"):
        months = 12 * np.log(USED_UP_AT / headroom) / np.log1p(-share)
    months = np.where((headroom <= USED_UP_AT) | (share >= 1), 0.0, np.where(share > 0, months, np.inf))
    return np.where(months <= MONTHS_AHEAD, months, np.inf)
