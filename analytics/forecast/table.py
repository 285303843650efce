"""What is published: chances and forecasts with intervals, their skill, and when a benchmark will be used up."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from benchhealth.analytics.forecast.backtest import POPULATIONS, Backtest, backtest
from benchhealth.analytics.forecast.candidates import HALF_SHIFT
from benchhealth.analytics.forecast.origins import HORIZONS, YEAR, Origins, origins, quarterly
from benchhealth.analytics.forecast.record import ON_SCALE, Judge
from benchhealth.analytics.forecast.scale import standing
from benchhealth.analytics.forecast.series import Flags, Numbers, Series, known_until, series
from benchhealth.analytics.forecast.skill import (
    CHANCE,
    REGRESSION,
    TESTED,
    Record,
    Skill,
    published,
    reliability,
    skill_table,
    skills,
)
from benchhealth.analytics.record.evidence import OUTLOOK
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.thresholds import Thresholds

USED_UP_AT = Thresholds().exhausted_headroom
"""Headroom at which a benchmark counts as used up, as in its verdict."""
MONTHS_AHEAD = 120.0
"""Ten years: beyond, a rate of one year says nothing."""
YEARS_AHEAD = f"{MONTHS_AHEAD / 12:.0f} years"

OF_SCORE = ("skill", "skill_low", "skill_high", "n", "n_benchmarks", "coverage80", "coverage80_moved")
OF_CHANCE = ("brier", "brier_of_base_rate", "skill", "skill_low", "skill_high", "n", "n_benchmarks")
"""Fields of `Skill` that the basis of a score and of a chance rest on, in the order of `numbers`."""


@dataclass(frozen=True)
class Forecasts:
    """`forecast`, `forecast_skill` and `forecast_reliability` as published.

    `outlook`: by benchmark that could be forecast and `horizon_months` (6, 12) what is published, with its `basis` and
    the `numbers` of that (`_basis`), which say why where `chance` or `median` is null; and for 12 months `wait`,
    `wait_low` and `wait_high`: months until the headroom falls below `USED_UP_AT` (infinite where it never does at that
    rate). `judge` tells what came of forecasts issued before.
    """

    forecast: pl.DataFrame
    forecast_skill: pl.DataFrame
    forecast_reliability: pl.DataFrame
    outlook: pl.DataFrame
    judge: Judge


def forecasts(
    dated: pl.DataFrame, benchmark_facts: pl.DataFrame, known: pl.DataFrame, forecast_rng: np.random.Generator
) -> Forecasts:
    """Two forecasts of each benchmark, made of what was known on the day until which it is known.

    The chance that a stronger model is tested within the window, and where the best score would be then, given that
    one is: half way between the last best and where the growth of the best capability would carry it. Each is published
    where it had skill on benchmarks of the same kind (`analytics.forecast.skill`), those on the capability scale apart
    from others and those dated by evaluation apart from those dated by their models' release; elsewhere nothing is. A
    score is never without a chance: where the regression told no better, how often it happened before stands for it.
    Benchmarks without a result in the last year are not forecast.

    `dated` are the `known_results`, `benchmark_facts` and `known` as in `Evidence`. All learn from what is known of all
    benchmarks on the newest of the days.
    """
    past = series(dated, benchmark_facts)
    until = known_until(past, known)
    today = int(until.max(initial=0))
    past_origins = quarterly(past, until, today)
    benchmarks = np.arange(len(past.benchmark_ids))
    reported = past.last >= until - YEAR
    new_origins = origins(past, benchmarks[reported], until[reported])
    at = past_origins.followed_by(new_origins)
    computed_on = np.concatenate([past_origins.day, np.full(len(new_origins), today)])
    with threadpool_limits(1):  # small matrices, as in the stitching
        stands = standing(dated, benchmark_facts, past, at, today, HORIZONS)
        tested = {months: backtest(past, at, until, stands, days, computed_on) for months, days in HORIZONS.items()}
        is_new = np.arange(len(at)) >= len(past_origins)
        before = {months: each.where(~is_new) for months, each in tested.items()}
        found = {months: skills(past, each, forecast_rng) for months, each in before.items()}
    made = [_outlook(past, tested[months].where(is_new), months, published(found[months])) for months in HORIZONS]
    outlook = pl.concat([pl.DataFrame(schema=OUTLOOK), *made]).sort("benchmark_id", "horizon_months")
    said = pl.col("chance").is_not_null() | pl.col("median").is_not_null()
    bins = [row for months, each in before.items() for row in reliability(past, each, months)]
    return Forecasts(
        forecast=outlook.filter(said).select(PUBLISHED["forecast"].names()),
        forecast_skill=skill_table(found),
        forecast_reliability=pl.DataFrame(bins, schema=PUBLISHED["forecast_reliability"]),
        outlook=outlook,
        judge=Judge(past, until, stands.reach),
    )


def _outlook(past: Series, made: Backtest, months: int, record: Record) -> pl.DataFrame:
    """What is published for one horizon, a row for each benchmark that could be forecast."""
    at = made.at
    score = _holding(record, TESTED)[made.population] & np.isfinite(made.low)
    regressed = _holding(record, CHANCE)[made.population] & np.isfinite(made.chance)
    chance = np.where(regressed, made.chance, made.base)
    given_any = score | regressed
    basis = [_basis(record, place, given) for place, given in zip(made.population, given_any, strict=True)]
    ends = [_score(past, at, share) for share in (made.low, made.high)]
    middle = made.expected[HALF_SHIFT]
    waits = [_wait(at, share) for share in (middle, made.high, made.low)]
    made_on = pl.Series(at.day, dtype=pl.Int32).cast(pl.Date)
    counts = [record[TESTED, name].n if (TESTED, name) in record else 0 for name in POPULATIONS]

    def given(values: Numbers, where: Flags) -> pl.Series:
        return pl.Series(np.where(where, values, np.nan), dtype=pl.Float64, nan_to_null=True)

    return pl.DataFrame(
        {
            "benchmark_id": pl.Series([past.benchmark_ids[b] for b in at.benchmark], dtype=pl.String),
            "made_on": made_on,
            "target_on": made_on.dt.offset_by(f"{months}mo"),
            "method": pl.Series(np.where(score, HALF_SHIFT, REGRESSION), dtype=pl.String),
            "median": given(_score(past, at, middle), score),
            "low80": given(np.minimum(*ends), score),
            "high80": given(np.maximum(*ends), score),
            "horizon_months": pl.Series([months] * len(at), dtype=pl.Int64),
            "population": pl.Series([POPULATIONS[place] for place in made.population], dtype=pl.String),
            "chance": given(chance, given_any & np.isfinite(chance)),
            "best": past.score[past.record_row[past.row_at(at.benchmark, at.day)]],
            "basis": pl.Series([codes for codes, _ in basis], dtype=pl.List(pl.String)),
            "numbers": pl.Series([numbers for _, numbers in basis], dtype=pl.List(pl.Float64)),
            "n": pl.Series([counts[place] for place in made.population], dtype=pl.Int64),
            "wait": given(waits[0], score),
            "wait_low": given(waits[1], score),
            "wait_high": given(waits[2], score),
        },
        schema=OUTLOOK,
    )


def _holding(record: Record, part: str) -> Flags:
    """By population whether that part may be published."""
    return np.array([(part, name) in record and record[part, name].holds for name in POPULATIONS])


def _basis(record: Mapping[tuple[str, str], Skill], place: int, given: bool) -> tuple[list[str], list[float | None]]:
    """What the score and, where it is `given`, the chance rest on: two codes and the numbers of OF_SCORE and OF_CHANCE.

    Of the score: `no_capability` to go by, `few_outcomes` to tell its skill, its `skill` without that of its intervals,
    or `skill_and_coverage`. Of the chance: `untested`, as too few outcomes are known, by `regression`, or the
    `base_rate`, as a regression has not proven better; empty where no chance is given.
    """
    population = POPULATIONS[place]
    tested, chance = record.get((TESTED, population)), record.get((CHANCE, population))
    codes = [_of_score(population, tested), _of_chance(chance) if given else ""]
    numbers = [_number(tested, name) for name in OF_SCORE] + [_number(chance, name) for name in OF_CHANCE]
    return codes, numbers


def _of_score(population: str, skill: Skill | None) -> str:
    if not population.startswith(ON_SCALE):
        return "no_capability"
    if _lacks_skill(skill):
        return "few_outcomes"
    covered = skill is not None and skill.coverage80 is not None and skill.coverage80_moved is not None
    return "skill_and_coverage" if covered else "skill"


def _of_chance(skill: Skill | None) -> str:
    if skill is None or _lacks_skill(skill):
        return "untested"
    return "regression" if skill.holds else "base_rate"


def _lacks_skill(skill: Skill | None) -> bool:
    return skill is None or skill.skill is None or skill.skill_low is None or skill.skill_high is None


def _number(skill: Skill | None, name: str) -> float | None:
    number = None if skill is None else getattr(skill, name)
    return None if number is None else float(number)


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
