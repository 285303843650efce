"""The published tables that are computed of single models: see `analytics.models`."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT, schema

MODEL_TABLES: Mapping[str, pl.Schema] = {
    "position": schema(
        benchmark_id=TEXT,
        model_id=TEXT,
        condition=TEXT,
        out_on=DAY,
        score=NUMBER,
        error=NUMBER,
        rank=COUNT,
        rank_low=COUNT,
        rank_high=COUNT,
        n_models=COUNT,
        n_then=COUNT,
        rival_then=TEXT,
        best_then=NUMBER,
        behind_then=NUMBER,
        behind_then_error=NUMBER,
        rival_now=TEXT,
        best_now=NUMBER,
        behind_now=NUMBER,
        behind_now_error=NUMBER,
        exposed=FLAG,
        reporter=TEXT,
        self_score=NUMBER,
        self_error=NUMBER,
        other_score=NUMBER,
        other_error=NUMBER,
        self_above=NUMBER,
        self_above_error=NUMBER,
        quoted=FLAG,
        superseded=FLAG,
        rank_low_joint=COUNT,
        rank_high_joint=COUNT,
        paired=COUNT,
    ),
    "model_position": schema(
        model_id=TEXT,
        clock=TEXT,
        benchmarks=COUNT,
        n=COUNT,
        best=COUNT,
        beyond=COUNT,
        seen_gap=NUMBER,
        seen_low=NUMBER,
        seen_high=NUMBER,
        n_seen=COUNT,
        fresh_gap=NUMBER,
        fresh_low=NUMBER,
        fresh_high=NUMBER,
        n_fresh=COUNT,
        by_others=COUNT,
        by_self=COUNT,
    ),
}
"""Tables that `analytics.assess` computes: name to schema."""
