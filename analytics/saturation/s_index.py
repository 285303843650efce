"""The saturation index as published, and the same formula with the true standard error, under two names."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.declared import Unit

TOP_MODELS = 5
STUDY = "saturation-annotations"
"""The source whose index this is. It lists the five best lines of each benchmark, a model in two settings twice."""


def s_index(best: pl.Expr, fifth: pl.Expr, error: pl.Expr) -> pl.Expr:
    """exp(-R^2) with R = |best - fifth| / error; 1 where they are equal, 0 where they differ and the error is 0.

    >>> round(pl.select(s_index(pl.lit(0.9), pl.lit(0.8), pl.lit(0.1))).item(), 3)
    0.368
    """
    spread = (best - fifth).abs()
    return pl.when(spread == 0).then(1.0).when(error <= 0).then(0.0).otherwise((-((spread / error) ** 2)).exp())


def published_error(best: pl.Expr, fifth: pl.Expr, n_best: pl.Expr, n_fifth: pl.Expr) -> pl.Expr:
    """The index's own standard error: binomial with sqrt(n) in place of n, of the difference of first and fifth.

    >>> pl.select(published_error(pl.lit(0.5), pl.lit(0.5), pl.lit(2_500), pl.lit(2_500))).item()
    0.1
    """
    return (best * (1 - best) / n_best.sqrt() + fifth * (1 - fifth) / n_fifth.sqrt()).sqrt()


def _first_and_fifth(evidence: Evidence) -> pl.DataFrame:
    """The first and the fifth model of each benchmark; where the study alone reports, its first and fifth line."""
    wanted = ("score", "error", "n_items")
    outside_study = evidence.history.filter("listed", pl.col("source_id") != STUDY)
    lines = (
        evidence.history.filter("listed", pl.col("source_id") == STUDY)
        .join(outside_study, on="benchmark_id", how="anti")
        .sort("benchmark_id", "merit", "model_id", "setting", descending=[False, True, False, False])
        .with_columns(place=pl.int_range(1, pl.len() + 1).over("benchmark_id"))
    )
    models = evidence.board.join(lines, on="benchmark_id", how="anti")
    columns = ["benchmark_id", "place", *wanted]
    picked = pl.concat([models.select(columns), lines.select(columns)], how="vertical_relaxed").filter(
        pl.col("place").is_in([1, TOP_MODELS])
    )
    first = picked.filter(pl.col("place") == 1).select(
        "benchmark_id", *(pl.col(name).alias(f"{name}_1") for name in wanted)
    )
    fifth = picked.filter(pl.col("place") == TOP_MODELS).select(
        "benchmark_id", *(pl.col(name).alias(f"{name}_5") for name in wanted)
    )
    return evidence.facts.join(first, on="benchmark_id", how="left").join(fifth, on="benchmark_id", how="left")


FEWER_THAN_FIVE = Unless(pl.col("score_5").is_null(), "fewer_than_five")


def _s_index_indicator(evidence: Evidence) -> pl.DataFrame:
    best, fifth = pl.col("score_1"), pl.col("score_5")
    return settle(
        _first_and_fifth(evidence),
        Unless(~pl.col("bounded"), "only_shares", "not_applicable"),
        FEWER_THAN_FIVE,
        Unless(~(best.is_between(0, 1) & fifth.is_between(0, 1)), "outside_shares"),
        Unless(
            ~((pl.col("n_items_1") > 0) & (pl.col("n_items_5") > 0)),
            "items_unknown",
        ),
        value=s_index(best, fifth, published_error(best, fifth, pl.col("n_items_1"), pl.col("n_items_5"))),
        n=pl.col("n_items_1"),
    )


def _true_error(evidence: Evidence) -> pl.DataFrame:
    error = (pl.col("error_1") ** 2 + pl.col("error_5") ** 2).sqrt()
    return settle(
        _first_and_fifth(evidence),
        FEWER_THAN_FIVE,
        Unless(error.is_null(), "errors_of_first_and_fifth_unknown"),
        value=s_index(pl.col("score_1"), pl.col("score_5"), error),
        n=pl.col("n_items_1"),
    )


SOURCE = "evaleval/benchmark-saturation, data/manual_annotation_data.csv"

S_INDEX_PUBLISHED = Indicator(
    "s_index_published",
    "Saturation index as published",
    "exp(-R^2), R = (first - fifth) / error, where the error takes sqrt(n) for n. That error is far too large, so the "
    "index calls most benchmarks saturated; it is shown for comparison and no verdict rests on it.",
    SOURCE,
    _s_index_indicator,
    unit=Unit.INDEX,
)
S_INDEX_TRUE_ERROR = Indicator(
    "s_index_true_error",
    "Saturation index with the true error",
    "exp(-R^2), R = (first - fifth) / error, with the reported or binomial standard error.",
    f"formula: {SOURCE}; the error is ours",
    _true_error,
    unit=Unit.INDEX,
)
