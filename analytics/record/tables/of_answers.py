"""The published table of answers: see `analytics.answers`."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, NUMBER, TEXT, TEXTS, schema

ANSWER_TABLES: Mapping[str, pl.Schema] = {
    "answer": schema(
        benchmark_id=TEXT,
        question=TEXT,
        reply=TEXT,
        case=TEXT,
        why_unknown=TEXT,
        value=NUMBER,
        low=NUMBER,
        high=NUMBER,
        unit=TEXT,
        bound=TEXT,
        count=COUNT,
        n=COUNT,
        n_of=TEXT,
        second=NUMBER,
        second_unit=TEXT,
        missed=NUMBER,
        missed_unit=TEXT,
        flagged=COUNT,
        tested=COUNT,
        kind=TEXT,
        side=TEXT,
        twin_id=TEXT,
        other_id=TEXT,
        said_by=TEXT,
        part=TEXT,
        on_day=DAY,
        condition=TEXT,
        known_until=DAY,
        evidence=TEXTS,
    ),
}
"""Name to schema, as in `DERIVED_TABLES`."""
