"""The published tables about open and closed weights."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT, schema

WEIGHTS_TABLES: Mapping[str, pl.Schema] = {
    "weights_frontier": schema(
        benchmark_id=TEXT, weights=TEXT, dated_on=DAY, score=NUMBER, model_id=TEXT, carried=FLAG, condition=TEXT
    ),
    "weights_lag": schema(
        benchmark_id=TEXT,
        known_until=DAY,
        level=NUMBER,
        closed_on=DAY,
        open_on=DAY,
        lag_months=NUMBER,
        median_months=NUMBER,
        low_months=NUMBER,
        high_months=NUMBER,
        n=COUNT,
        leads=TEXT,
        open_models=COUNT,
        closed_models=COUNT,
        unknown_models=COUNT,
        status=TEXT,
        reason=TEXT,
        case=TEXT,
    ),
}
