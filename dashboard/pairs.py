"""Twins as pages show them: every declared pair, and the models measured on both sides of one."""

import polars as pl

from analytics.indicators.twins import SAME_THING
from dashboard.generation import View
from dashboard.page import ParameterError, Params, PublishedTable, required

SCALES = ("linear", "probit")


def twins(view: View, params: Params) -> pl.DataFrame:
    """Every twin on one scale with the names of both sides and how many of its models are flagged."""
    return view.kept(("twins", _scale(params)), lambda: _twins(view, _scale(params)))


def _twins(view: View, scale: str) -> pl.DataFrame:
    named = view.table("benchmark").select("benchmark_id", "name", "unit")
    tested = (
        view.table("twin_residual")
        .group_by("twin_id")
        .agg(
            tested=pl.col("flagged").is_not_null().sum().cast(pl.Int64),
            flagged=pl.col("flagged").sum().cast(pl.Int64),
        )
    )
    return (
        view.table("twin")
        .filter(pl.col("scale") == scale)
        .join(
            named.rename({"benchmark_id": "original_id", "name": "original", "unit": "original_unit"}),
            on="original_id",
            how="left",
        )
        .join(
            named.rename({"benchmark_id": "other_id", "name": "other", "unit": "other_unit"}), on="other_id", how="left"
        )
        .join(tested, on="twin_id", how="left")
        .with_columns(
            pl.coalesce("original", "original_id").alias("original"),
            pl.coalesce("other", "other_id").alias("other"),
            pl.col("tested", "flagged").fill_null(0),
        )
        .with_columns(same=pl.col("kind").is_in(SAME_THING))
        .sort("same", "n_models", "twin_id", descending=[True, True, False])
        .drop("same")
    )


def residuals(view: View, params: Params) -> pl.DataFrame:
    """The models of one twin with both scores, what was expected, residual, error, p and q; lowest residual first."""
    twin_id = required(params, "twin")
    if twin_id not in set(view.table("twin")["twin_id"]):
        raise ParameterError(f"no twin {twin_id!r}")
    return (
        view.table("twin_residual")
        .filter(pl.col("twin_id") == twin_id)
        .drop("twin_id")
        .join(view.table("model").select("model_id", model="name"), on="model_id", how="left")
        .with_columns(pl.coalesce("model", "model_id").alias("model"))
        .sort("residual", "model_id", "original", nulls_last=True)
    )


def reports(view: View, _params: Params) -> pl.DataFrame:
    """Every documented contamination report with the benchmark's name, the largest share first."""
    named = view.table("benchmark").select("benchmark_id", benchmark="name")
    return (
        view.table("contamination_report")
        .join(named, on="benchmark_id", how="left")
        .sort("share", "benchmark_id", "subject", descending=[True, False, False], nulls_last=True)
    )


def visibility(view: View, _params: Params) -> pl.DataFrame:
    """Benchmarks by what is known about the visibility of their labels: each word with its number of benchmarks."""
    return (
        view.table("benchmark")
        .filter(~pl.col("benchmark_id").str.contains("/", literal=True))
        .group_by(labels=pl.col("labels").fill_null("unknown"))
        .agg(benchmarks=pl.len().cast(pl.Int64), curated=pl.col("curated").fill_null(value=False).sum().cast(pl.Int64))
        .sort("benchmarks", "labels", descending=[True, False])
    )


def _scale(params: Params) -> str:
    scale = params.get("scale") or SCALES[0]
    if scale not in SCALES:
        raise ParameterError(f"scale is one of {', '.join(SCALES)}")
    return scale


TWINS = PublishedTable("twins", twins)
RESIDUALS = PublishedTable("twin-residuals", residuals)
REPORTS = PublishedTable("contamination-reports", reports)
VISIBILITY = PublishedTable("labels", visibility)
