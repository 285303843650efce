"""The published tables of facts: what sources said, what is curated, and what was run.

Instants are naive UTC. Scores named `score` are fractions of the metric's unit where it is bounded (percent / 100)
and plain numbers where it is not (ratings); `score_published` is the number in the unit the source prints.
"""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, INSTANT, NUMBER, NUMBERS, TEXT, TEXTS, schema

REFUSED = "refused"
"""The `state` in the table `kept_out` of a version that a curator refused for good; others are held or failed."""

FACT_TABLES: Mapping[str, pl.Schema] = {
    "benchmark": schema(
        benchmark_id=TEXT,
        name=TEXT,
        domain=TEXT,
        modality=TEXT,
        metric=TEXT,
        higher_is_better=FLAG,
        unit=TEXT,
        floor=NUMBER,
        ceiling=NUMBER,
        ceiling_basis=TEXT,
        human=NUMBER,
        n_items=COUNT,
        released_on=DAY,
        labels=TEXT,
        refresh=TEXT,
        paper_url=TEXT,
        curated=FLAG,
        known_until=DAY,
        confidence=TEXT,
    ),
    "model": schema(model_id=TEXT, name=TEXT, organisation=TEXT, released_on=DAY, open_weights=FLAG),
    "alias": schema(source_id=TEXT, published_name=TEXT, model_id=TEXT, setting=TEXT),
    "source": schema(
        source_id=TEXT,
        title=TEXT,
        homepage=TEXT,
        licence=TEXT,
        redistributable=FLAG,
        cadence=TEXT,
        last_observed_at=INSTANT,
        last_fetched_at=INSTANT,
        status=TEXT,
        kind=TEXT,
        known_until=DAY,
    ),
    "fact_source": schema(entity=TEXT, id=TEXT, attribute=TEXT, source_id=TEXT),
    "snapshot": schema(
        snapshot_id=TEXT,
        source_id=TEXT,
        board_id=TEXT,
        observed_at=INSTANT,
        fetched_at=INSTANT,
        url=TEXT,
        ref=TEXT,
        sha256=TEXT,
        rows_in=COUNT,
        rows_kept=COUNT,
        rows_rejected=COUNT,
    ),
    "result": schema(
        snapshot_id=TEXT,
        benchmark_id=TEXT,
        model_id=TEXT,
        setting=TEXT,
        reporter=TEXT,
        score=NUMBER,
        score_published=NUMBER,
        std_error=NUMBER,
        n_items=COUNT,
        dated_on=DAY,
        date_basis=TEXT,
        source_row=TEXT,
        condition=TEXT,
        stands=FLAG,
    ),
    "item_result": schema(
        snapshot_id=TEXT,
        benchmark_id=TEXT,
        model_id=TEXT,
        setting=TEXT,
        reporter=TEXT,
        condition=TEXT,
        n_items=COUNT,
        items=TEXTS,
        outcomes=NUMBERS,
        source_row=TEXT,
    ),
    "rejection": schema(snapshot_id=TEXT, source_row=TEXT, reason=TEXT, published=TEXT),
    "breakpoint": schema(board_id=TEXT, on_date=DAY, kind=TEXT, note=TEXT, source_url=TEXT),
    "successor": schema(benchmark_id=TEXT, successor_id=TEXT, why=TEXT, source_url=TEXT),
    "contamination_report": schema(
        benchmark_id=TEXT,
        subject=TEXT,
        subject_kind=TEXT,
        split=TEXT,
        share=NUMBER,
        method=TEXT,
        reference_url=TEXT,
    ),
    "mention": schema(
        benchmark_id=TEXT,
        document=TEXT,
        document_kind=TEXT,
        organisation=TEXT,
        model=TEXT,
        mentioned_on=DAY,
        url=TEXT,
        source_id=TEXT,
    ),
    "kept_out": schema(
        source_id=TEXT,
        board_id=TEXT,
        path=TEXT,
        ref=TEXT,
        version_at=INSTANT,
        state=TEXT,
        reason=TEXT,
        since=INSTANT,
    ),
    "run": schema(run_id=TEXT, started_at=INSTANT, ended_at=INSTANT, command=TEXT, status=TEXT, detail=TEXT),
}
"""Tables that the warehouse holds: name to schema."""
