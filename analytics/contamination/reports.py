"""Two rungs of reports: 2, what others measured and published; 4, what developers say they trained on."""

from collections.abc import Callable

import polars as pl

from benchhealth.analytics.contamination.findings import Rung, RungInputs, in_schema
from benchhealth.analytics.record.tables.case import ALWAYS, Case, first_case
from benchhealth.analytics.verdict.thresholds import LIMITS

DECLARED = r"developers say|declared by the (?:developers|maker)"
"""Methods that are the developers' word on their training data: the rung of declared training, not this one."""


def find(inputs: RungInputs) -> pl.DataFrame:
    """Documented reports of each benchmark, and of the models on record that they are about.

    Shares of different methods (reviewed by Sainz et al. 2023, arXiv:2310.18018) do not compare.
    """
    reports = with_model(inputs.report.filter(~pl.col("method").str.contains(DECLARED)), inputs.model)
    return _rows_of(reports, _measured_share, RUNG.key)


def find_declared(inputs: RungInputs) -> pl.DataFrame:
    """Models whose developers name the benchmark as training data, and the benchmarks so named.

    Training on a task's own training split is open practice and still makes the score one of preparation
    (Dominguez-Olmedo et al. 2024, arXiv:2407.07890). Sources: MTEB's model cards, field training_datasets, and HELM's
    notes.
    """
    reports = with_model(inputs.report.filter(pl.col("method").str.contains(DECLARED)), inputs.model)
    reports = reports.with_columns(
        on_test=pl.col("method").str.starts_with("declared")
        & pl.col("split").str.contains("test").fill_null(value=False)
    )
    return _rows_of(reports, _declared_training, DECLARED_RUNG.key)


def _rows_of(
    reports: pl.DataFrame, counted: Callable[[pl.DataFrame, list[str]], pl.DataFrame], rung: str
) -> pl.DataFrame:
    """Rows of FOUND: what the reports of each benchmark come to, then those about each model of it."""
    of_benchmarks = counted(reports, ["benchmark_id"])
    of_models = counted(reports.drop_nulls("model_id"), ["benchmark_id", "model_id"])
    return pl.concat([in_schema(of_benchmarks, rung), in_schema(of_models, rung)])


def with_model(reports: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    """The reports with `model_id` where the subject is a model on record by its very name, else null.

    Letter case, blanks and a leading `maker/` are all that may differ: a family or a related model is not the model.
    """
    named = pl.col("subject").str.to_lowercase().str.replace_all(r"[\s_]+", "-").str.replace(r"^[^/]+/", "")
    is_model = pl.col("subject_kind") == "model"
    return reports.with_columns(named=pl.when(is_model).then(named)).join(
        model.select("model_id", named="model_id"), on="named", how="left", maintain_order="left"
    )


def _measured_share(reports: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    first = reports.sort("share", "subject", "method", descending=[True, False, False], nulls_last=True)
    counted = first.group_by(key, maintain_order=True).agg(
        n=pl.len().cast(pl.Int64),
        value=pl.col("share").first(),
        subject=pl.col("subject").first(),
        method=pl.col("method").first(),
        split=pl.col("split").first(),
        source_url=pl.col("reference_url").first(),
    )
    share = LIMITS.contaminated_share
    measured = pl.col("value").is_not_null()
    code = pl.when(measured).then(pl.lit("largest_share")).otherwise(pl.lit("reports_without_share"))
    return counted.with_columns(
        level=first_case(("high", pl.col("value") >= share), ("low", measured), ("moderate", ALWAYS)),
        **Case(code, names=("subject", "method", "split")).columns(),
    )


def _declared_training(reports: pl.DataFrame, key: list[str]) -> pl.DataFrame:
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
        **Case("declared_training", names=("subject", "split")).columns(),
    )


RUNG = Rung("report", "Documented reports", is_test=False, find=find)
DECLARED_RUNG = Rung("declared_training", "Declared training on the task", is_test=False, find=find_declared)
