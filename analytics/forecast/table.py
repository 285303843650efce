"""What is published: chances and forecasts with intervals, their skill, and when a benchmark will be used up."""

from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from benchhealth.analytics.forecast.backtest import POPULATIONS, Backtest, at_least, backtest
from benchhealth.analytics.forecast.basis import Display, basis
from benchhealth.analytics.forecast.candidates import RUNNING_MEAN
from benchhealth.analytics.forecast.origins import HORIZONS, YEAR, Origins, origins, quarterly
from benchhealth.analytics.forecast.record import Judge
from benchhealth.analytics.forecast.scale import regrades, scale_at_origins
from benchhealth.analytics.forecast.series import Series, last_known_days, series_of
from benchhealth.analytics.forecast.skill import (
    CHANCE,
    REGRESSION,
    TESTED,
    Record,
    published,
    reliability,
    skill_table,
    skills,
)
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.evidence import MONTH_DAYS, OUTLOOK
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.of_forecasts import BACKCAST
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places
from benchhealth.analytics.statistics.random_streams import stream_of
from benchhealth.analytics.verdict.thresholds import LIMITS

USED_UP_AT = LIMITS.exhausted_headroom
"""Headroom at which a benchmark counts as used up, as in its verdict."""
MONTHS_AHEAD = 120.0
"""Ten years: beyond, a rate of one year says nothing."""
WIDEST = 1 / 3
"""A share of the scale from chance to the ceiling: with a wider interval the best could be anywhere."""
_MADE = pl.Schema(
    {
        **OUTLOOK,
        "shown": pl.Boolean(),
        **dict.fromkeys((f"made_{name}" for name in ("median", "low80", "high80", "chance")), pl.Float64()),
    }
)
"""What is published, and beside it what was computed and is not shown."""


@dataclass(frozen=True)
class Forecasts:
    """`forecast`, `forecast_skill` and `forecast_reliability` as published.

    `outlook`: by benchmark that could be forecast and `horizon_months` (6, 12) what is published, with its `basis` and
    the `numbers` of that (`basis.basis`), which say why where `chance` or `median` is null; and for 12 months `wait`,
    `wait_low` and `wait_high`: months until the headroom falls below `USED_UP_AT` (infinite where it never does at that
    rate). `attempt`: every forecast of a day to come that could be made, `shown` or not, which a backcast keeps; schema
    BACKCAST. `judge` tells what came of forecasts issued before.
    """

    forecast: pl.DataFrame
    forecast_skill: pl.DataFrame
    forecast_reliability: pl.DataFrame
    outlook: pl.DataFrame
    attempt: pl.DataFrame
    judge: Judge


def forecasts(  # noqa: PLR0913, PLR0917 - the values that it reads, by name
    dated: pl.DataFrame,
    benchmark_facts: pl.DataFrame,
    known_until: pl.DataFrame,
    edits: Rows,
    as_of: date,
    forecast_rng: np.random.Generator,
) -> Forecasts:
    """Two forecasts of each benchmark, made of what was known on the day until which it is known.

    The chance that a stronger model is tested within the window, and where the best score would be then, given that
    one is: the last best, and of the room to the ceiling the mean share that earlier steps closed. Whether or not one
    is tested, no forecast that was tried beats "no change" for certain, and that is said first. A score is published
    where it had skill, given that one was tested, on benchmarks of the same kind, its 80%
    interval spans at most a third of the way from chance to the ceiling, and its day has not come: elsewhere a reader
    is told which of these it lacks. A chance is published where it has proven better than one rate for all. The
    interval ends below the last best where a regrade is possible. Benchmarks without a
    result in the last year are not forecast.

    What was published before went half way from the last best to where the growth of the best capability would carry
    it. It gave one chance to all benchmarks of a kind, targets lay in the past, nearly every interval began at the last
    best, and its coverage was measured on two days. It is tried beside, on the same origins (`skill_vs_half_shift`):
    the running mean errs less, not beyond the error of that comparison. Nothing that was tried is better than it:
    logistic and Gompertz curves, a steady drift, the whole shift by capability, the mean of a benchmark's own steps, of
    steps that beat the best alone, of steps weighted by room, a median, half of the half-life and twice of it; for the
    chance how often it came true on the benchmark itself, and a regression on ten things in place of four. On
    benchmarks dated by evaluation alone, or by release alone, its skill is not clear of zero.

    All learn from what is known of all benchmarks on the newest of the days. No forecast is of a day up to `as_of`.
    """
    series = series_of(dated, benchmark_facts)
    until = last_known_days(series, known_until)
    today = int(until.max(initial=0))
    past_origins = quarterly(series, until, today)
    benchmarks = np.arange(len(series.benchmark_ids))
    reported = series.last >= until - YEAR
    new_origins = origins(series, benchmarks[reported], until[reported])
    all_origins = past_origins.followed_by(new_origins)
    computed_on = np.concatenate([past_origins.day, np.full(len(new_origins), today)])
    with threadpool_limits(1):  # small matrices, as in the stitching
        scale = scale_at_origins(dated, benchmark_facts, series, all_origins, today, HORIZONS)
        tested = {
            months: backtest(series, all_origins, until, scale, days, computed_on) for months, days in HORIZONS.items()
        }
        tested[max(HORIZONS)] = at_least(tested[max(HORIZONS)], tested[min(HORIZONS)])
        is_new = np.arange(len(all_origins)) >= len(past_origins)
        before = {months: backtested.where(~is_new) for months, backtested in tested.items()}
        skills_by_horizon = {
            months: skills(series, backtested, stream_of(forecast_rng, str(months)))
            for months, backtested in before.items()
        }
    fall = regrades(series, edits)
    outlooks = [
        _outlook(series, tested[months].where(is_new), months, published(skills_by_horizon[months]), fall, as_of)
        for months in HORIZONS
    ]
    all_outlooks = pl.concat([pl.DataFrame(schema=_MADE), *outlooks]).sort("benchmark_id", "horizon_months")
    outlook = all_outlooks.select(OUTLOOK.names())
    has_forecast = pl.col("chance").is_not_null() | pl.col("median").is_not_null()
    bins = [row for months, backtested in before.items() for row in reliability(series, backtested, months)]
    return Forecasts(
        forecast=outlook.filter(has_forecast).select(PUBLISHED["forecast"].names()),
        forecast_skill=skill_table(skills_by_horizon),
        forecast_reliability=pl.DataFrame(bins, schema=PUBLISHED["forecast_reliability"]),
        outlook=outlook,
        attempt=_attempts(all_outlooks, as_of),
        judge=Judge(series, until, scale.reach),
    )


def _outlook(  # noqa: PLR0913, PLR0917 - what one horizon is made of
    series: Series, backtested: Backtest, months: int, record: Record, fall: Numbers, as_of: date
) -> pl.DataFrame:
    """The forecasts for one horizon, a row for each benchmark that could be forecast; schema _MADE."""
    asked_at, at_kind = backtested.origins, backtested.population
    middle = backtested.expected[RUNNING_MEAN]
    fallen = fall[asked_at.benchmark]
    low, high = (
        np.maximum(asked_at.best + backtested.low * asked_at.room - fallen, 0),
        asked_at.best + backtested.high * asked_at.room,
    )
    made_on = pl.Series(asked_at.day, dtype=pl.Int32).cast(pl.Date)
    target_on = made_on.dt.offset_by(f"{months}mo")
    ahead = (target_on > as_of).to_numpy()
    proven = _is_proven(record, TESTED)[at_kind] & np.isfinite(backtested.low)
    narrow = high - low <= WIDEST
    is_shown = ahead & proven & narrow
    trusted = _is_proven(record, CHANCE)[at_kind] & np.isfinite(backtested.chance)
    ends = np.sort([_score(series, asked_at, low), _score(series, asked_at, high)], axis=0)
    reasons = _bases(record, backtested, np.column_stack([ahead, proven, narrow]), ends)
    elapsed = (pl.select(pl.lit(as_of)).to_series().to_physical().item() - asked_at.day) / MONTH_DAYS
    waits = [_wait(asked_at, share, elapsed) for share in (middle, backtested.high, backtested.low)]
    has_chance = ahead & trusted
    tried = np.where(
        has_chance & ~is_shown,
        _numbers_tried(record, CHANCE)[backtested.population],
        _numbers_tried(record, TESTED)[backtested.population],
    )

    def given(values: Numbers, where: Flags) -> pl.Series:
        return pl.Series(np.where(where, values, np.nan), dtype=pl.Float64, nan_to_null=True)

    return pl.DataFrame(
        {
            "benchmark_id": pl.Series([series.benchmark_ids[index] for index in asked_at.benchmark], dtype=pl.String),
            "made_on": made_on,
            "target_on": target_on,
            "method": pl.Series(np.where(is_shown, RUNNING_MEAN, REGRESSION), dtype=pl.String),
            "median": given(_score(series, asked_at, asked_at.best + middle * asked_at.room), is_shown),
            "low80": given(ends[0], is_shown),
            "high80": given(ends[1], is_shown),
            "horizon_months": pl.Series([months] * len(asked_at), dtype=pl.Int64),
            "population": pl.Series([POPULATIONS[kind] for kind in at_kind], dtype=pl.String),
            "chance": given(backtested.chance, has_chance),
            "best": series.score[series.record_row[series.row_at(asked_at.benchmark, asked_at.day)]],
            "regrade": given(fallen * np.abs(series.span[asked_at.benchmark]), fallen > 0),
            "basis": pl.Series([codes for codes, _ in reasons], dtype=pl.List(pl.String)),
            "numbers": pl.Series([numbers for _, numbers in reasons], dtype=pl.List(pl.Float64)),
            "n": pl.Series(tried, dtype=pl.Int64),
            "wait": given(waits[0], is_shown),
            "wait_low": given(waits[1], is_shown),
            "wait_high": given(waits[2], is_shown),
            "shown": pl.Series(is_shown, dtype=pl.Boolean),
            "made_median": given(
                _score(series, asked_at, asked_at.best + middle * asked_at.room), np.isfinite(backtested.low)
            ),
            "made_low80": given(ends[0], np.isfinite(backtested.low)),
            "made_high80": given(ends[1], np.isfinite(backtested.low)),
            "made_chance": given(backtested.chance, np.isfinite(backtested.chance)),
        },
        schema=_MADE,
    )


def _attempts(all_outlooks: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """The forecasts of days to come that could be made, whether or not they are shown."""
    upcoming = all_outlooks.filter(pl.col("target_on") > as_of, pl.col("made_median").is_not_null())
    return (
        upcoming.drop("median", "low80", "high80", "chance")
        .rename({f"made_{name}": name for name in ("median", "low80", "high80", "chance")})
        .with_columns(issued_on=pl.lit(as_of), method=pl.lit(RUNNING_MEAN))
        .match_to_schema(BACKCAST, extra_columns="ignore", integer_cast="upcast")
    )


def _bases(record: Record, test: Backtest, flags: Flags, ends: Numbers) -> list[tuple[list[str], list[float | None]]]:
    """By forecast its `basis`; `flags` by forecast those of `Shown.of`, `ends` those of the intervals, shape (2, n)."""
    regressed = np.isfinite(test.chance).tolist()
    rows = zip(test.population.tolist(), flags.tolist(), regressed, ends.T.tolist(), strict=True)
    return [
        basis(record, POPULATIONS[kind], Display.of(*states), is_regressed, pair)
        for kind, states, is_regressed, pair in rows
    ]


def _numbers_tried(record: Record, part: str) -> Places:
    """On how many forecasts the part was tried, for each population."""
    return np.array([record[part, name].n if (part, name) in record else 0 for name in POPULATIONS])


def _is_proven(record: Record, part: str) -> Flags:
    """By population whether that part may be published."""
    return np.array([(part, name) in record and record[part, name].holds for name in POPULATIONS])


def _score(series: Series, asked_at: Origins, height: Numbers) -> Numbers:
    """The score of each benchmark at this height between its floor (0) and its ceiling (1)."""
    return np.asarray(series.floor[asked_at.benchmark] + series.span[asked_at.benchmark] * height)


def _wait(asked_at: Origins, share: Numbers, elapsed: Numbers) -> Numbers:
    """Months until the headroom falls below `USED_UP_AT` if that share of what is left is closed every year.

    No fewer than have `elapsed`, as it has not been seen to; 0 where it has, infinite where nothing is closed or it
    takes longer than `MONTHS_AHEAD`.
    """
    headroom = 1 - asked_at.best
    with np.errstate(divide="ignore", invalid="ignore"):
        months = 12 * np.log(USED_UP_AT / headroom) / np.log1p(-share)
    months = np.where(share >= 1, 0.0, np.where(share > 0, months, np.inf))
    months = np.where(headroom <= USED_UP_AT, 0.0, np.maximum(months, elapsed))
    return np.where(months <= MONTHS_AHEAD, months, np.inf)
