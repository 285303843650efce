"""What an assessment says of each benchmark, as the ledger of verdicts keeps it."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.tables import with_missing
from benchhealth.analytics.record.tables.of_verdicts import VERDICT_ISSUED
from benchhealth.analytics.verdict.probability.table import FEWEST_DATED
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import values


def stated_verdicts(
    judged: pl.DataFrame, observed_indicator: pl.DataFrame, thresholds: Thresholds, evidence: Evidence, as_of: date
) -> pl.DataFrame:
    """The verdicts of curated benchmarks and of others with FEWEST_DATED dated results, schema VERDICT_ISSUED.

    Each has the headroom and the best score that it rests on, with the score's model and condition. The verdicts rest
    on all sources, are issued on the day `as_of` and are no backcasts. `generation` is null: whoever enters them in the
    ledger fills it in.
    """
    dated = evidence.history.drop_nulls("dated_on").group_by("benchmark_id").len().filter(pl.col("len") >= FEWEST_DATED)
    curated = evidence.facts.filter("curated").select("benchmark_id")
    listed = pl.concat([curated, dated.select("benchmark_id")]).unique()
    best = evidence.judged_frontier.filter("carried").select(
        "benchmark_id", "condition", best="score", best_model="model_id"
    )
    return (
        judged.join(listed, on="benchmark_id", how="semi", maintain_order="left")
        .join(values(observed_indicator, thresholds).select("benchmark_id", "headroom"), on="benchmark_id", how="left")
        .join(best, on="benchmark_id", how="left")
        .with_columns(issued_on=pl.lit(as_of), backcast=pl.lit(value=False))
        .pipe(with_missing, VERDICT_ISSUED)
        .sort("benchmark_id")
    )
