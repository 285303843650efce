"""The published tables of forecasts: what is expected, how good such forecasts were, and the record of those issued."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT, schema

ISSUED = schema(
    benchmark_id=TEXT,
    horizon_months=COUNT,
    issued_on=DAY,
    generation=TEXT,
    made_on=DAY,
    target_on=DAY,
    population=TEXT,
    method=TEXT,
    best=NUMBER,
    chance=NUMBER,
    median=NUMBER,
    low80=NUMBER,
    high80=NUMBER,
)
"""A forecast as it is stored on the day on which it is published; nothing of it is ever changed."""

FORECAST_TABLES: Mapping[str, pl.Schema] = {
    "forecast": schema(
        benchmark_id=TEXT,
        made_on=DAY,
        target_on=DAY,
        method=TEXT,
        median=NUMBER,
        low80=NUMBER,
        high80=NUMBER,
        horizon_months=COUNT,
        population=TEXT,
        chance=NUMBER,
        best=NUMBER,
    ),
    "forecast_skill": schema(
        method=TEXT,
        horizon_months=COUNT,
        n=COUNT,
        mae=NUMBER,
        skill_vs_persistence=NUMBER,
        skill_vs_drift=NUMBER,
        coverage80=NUMBER,
        part=TEXT,
        population=TEXT,
        skill=NUMBER,
        skill_low=NUMBER,
        skill_high=NUMBER,
        brier=NUMBER,
        brier_of_base_rate=NUMBER,
        coverage80_moved=NUMBER,
        n_covered=COUNT,
        n_benchmarks=COUNT,
        n_families=COUNT,
        n_stretches=COUNT,
        holds=FLAG,
    ),
    "forecast_reliability": schema(
        population=TEXT,
        horizon_months=COUNT,
        from_chance=NUMBER,
        to_chance=NUMBER,
        n=COUNT,
        expected=NUMBER,
        observed=NUMBER,
        observed_low=NUMBER,
        observed_high=NUMBER,
    ),
    "forecast_record": schema(
        **ISSUED,
        state=TEXT,
        happened=FLAG,
        outcome=NUMBER,
        inside=FLAG,
        error=NUMBER,
        persistence_error=NUMBER,
    ),
}
