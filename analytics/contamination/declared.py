"""Rung 4: what developers say they trained on."""

import polars as pl

from benchhealth.analytics.contamination.findings import Rung, RungInputs, shaped
from benchhealth.analytics.contamination.reports import DECLARED, with_model
from benchhealth.analytics.record.tables.case import Case


def find(inputs: RungInputs) -> pl.DataFrame:
    """Models whose developers name the benchmark as training data, and the benchmarks so named."""
    reports = with_model(inputs.report.filter(pl.col("method").str.contains(DECLARED)), inputs.model)
    reports = reports.with_columns(
        on_test=pl.col("method").str.starts_with("declared")
        & pl.col("split").str.contains("test").fill_null(value=False)
    )
    return pl.concat(
        [
            shaped(_counted(reports, ["benchmark_id"]), RUNG.key),
            shaped(_counted(reports.drop_nulls("model_id"), ["benchmark_id", "model_id"]), RUNG.key),
        ]
    )


def _counted(reports: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    counted = (
        reports.sort("on_test", "subject", descending=[True, False])
        .group_by(key, maintain_order=True)
        .agg(
            n=pl.len().cast(pl.Int64),
            value=pl.col("subject").n_unique().cast(pl.Float64),
            on_test=pl.col("on_test").any(),
            subject=pl.col("subject").first(),
            split=pl.col("split").first(),
            source_url=pl.col("reference_url").first(),
        )
    )
    return counted.with_columns(
        level=pl.when("on_test").then(pl.lit("high")).otherwise(pl.lit("moderate")),
        **Case("declared_training", names=("subject", "split")).named(),
    )


RUNG = Rung(
    "declared_training",
    "Declared training on the task",
    "The developers name the benchmark among their training data. High where they name its test split, moderate "
    "otherwise: training on a task's own training split is open practice and still makes the score one of preparation. "
    "The value is how many models say so.",
    "MTEB's model cards (field training_datasets) and HELM's notes; why it matters: Dominguez-Olmedo et al. 2024, "
    "arXiv:2407.07890",
    is_test=False,
    find=find,
)
