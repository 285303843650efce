"""The record of forecasts issued live: what came of each that the warehouse's ledger holds."""

from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.forecast.scale import is_stronger
from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers, Places

ON_SCALE = "on the capability scale"


@dataclass(frozen=True)
class Judge:
    """What the results known today say of any day: their series, until when each benchmark is known, and by row the
    strongest model tested until then (`analytics.forecast.scale`)."""

    series: Series
    until: Places
    reach: Numbers


def forecast_record(issued: pl.DataFrame, judge: Judge, as_of: date) -> pl.DataFrame:
    """Every forecast in the ledger and what came of it; schema `forecast_record`.

    A forecast is due once its day has come and its benchmark was looked at since. The outcome is the best score on that
    day, as results stand now; `happened` whether a stronger model was tested in the window (off the capability scale:
    whether the best was beaten). The interval is about the case that one is, so it is judged only there; beside its
    error stands that of saying that the best score of the day of the forecast stands. Nothing is scored by the
    backtest, and no row is there that was not stored when its forecast was published.
    """
    return (
        with_outcomes(issued, judge, as_of)
        .match_to_schema(PUBLISHED["forecast_record"], extra_columns="raise")
        .sort("issued_on", "benchmark_id", "horizon_months")
    )


def forecast_backcast(forecasts_backcast: pl.DataFrame, judge: Judge, as_of: date) -> pl.DataFrame:
    """Every backcast forecast and what came of it, judged as those of `forecast_record` are; schema of that name.

    A backcast one was made later, of what sources had said by its day: it is stated as such and counted apart.
    """
    return (
        with_outcomes(forecasts_backcast.filter(pl.col("issued_on") < as_of), judge, as_of)
        .match_to_schema(PUBLISHED["forecast_backcast"], extra_columns="raise")
        .sort("issued_on", "benchmark_id", "horizon_months")
    )


def with_outcomes(issued: pl.DataFrame, judge: Judge, as_of: date) -> pl.DataFrame:
    """Forecasts with `state`, `happened`, `outcome`, `inside`, `error`, `persistence_error`: by what is known now."""
    series = judge.series
    ids = {name: benchmark_index for benchmark_index, name in enumerate(series.benchmark_ids)}
    benchmark = np.array([ids.get(name, -1) for name in issued["benchmark_id"]], dtype=np.int64)
    made_on, target = (issued[name].to_physical().to_numpy().astype(np.int64) for name in ("made_on", "target_on"))
    is_there = benchmark >= 0
    benchmark_index = np.maximum(benchmark, 0)
    is_known = np.full(issued.height, fill_value=False)
    outcome, happened = np.full(issued.height, np.nan), np.full(issued.height, np.nan)
    if series.benchmark_ids:
        is_known = is_there & (judge.until[benchmark_index] >= target)
        row = series.row_at(benchmark_index, target)
        outcome = np.where(is_known & (row >= 0), series.score[series.record_row[np.maximum(row, 0)]], np.nan)
        stronger = is_stronger(series, judge.reach, benchmark_index, made_on, target)
        beaten = series.best_at(benchmark_index, target) > series.best_at(benchmark_index, made_on)
        on_scale = issued["population"].str.starts_with(ON_SCALE).to_numpy()
        happened = np.where(on_scale, stronger, beaten.astype(np.float64))
    scored = issued.with_columns(
        state=pl.Series(
            [_state(target_on, is_due, as_of) for target_on, is_due in zip(issued["target_on"], is_known, strict=True)]
        ),
        outcome=pl.Series(outcome, dtype=pl.Float64, nan_to_null=True),
        happened=pl.Series(np.where(is_known, happened, np.nan), dtype=pl.Float64, nan_to_null=True).cast(pl.Boolean),
    )
    off_by = (pl.col("outcome") - pl.col("median")).abs()
    inside = pl.col("outcome").is_between("low80", "high80")
    return scored.with_columns(
        inside=pl.when("happened").then(inside),
        error=off_by,
        persistence_error=pl.when(pl.col("median").is_not_null()).then((pl.col("outcome") - pl.col("best")).abs()),
    )


def _state(target_on: date, is_known: bool, as_of: date) -> str:
    if is_known:
        return "due"
    return "not seen" if target_on <= as_of else "waiting"
