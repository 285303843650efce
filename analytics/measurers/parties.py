"""Who measured models that are not its own, by benchmark and year."""

import polars as pl

from benchhealth.analytics.measurers.numbers import MAKER
from benchhealth.analytics.record.tables import as_published

NOT_NAMED = ""
"""The `house` of results that a collection prints without saying who measured them."""


def measuring_parties(standing_numbers: pl.DataFrame) -> pl.DataFrame:
    """Table `measuring_party`: by curated benchmark and year the houses with a standing result of another's model.

    The year is that of the result's day; where a source dates a result by the release of the model alone, the house
    measured it in that year or later, and not before the benchmark's release: `by_release` counts those. Results
    without a day have a row without a year.
    Copies of one number count once, for the house that measured it; `models` are those with a result of that year.
    """
    houses = (
        standing_numbers.filter(pl.col("who") != MAKER, "counts")
        .with_columns(house=pl.col("house").fill_null(NOT_NAMED), year=_earliest().dt.year())
        .group_by("benchmark_id", "house", "year")
        .agg(
            results=pl.len(),
            models=pl.col("model_id").n_unique(),
            by_release=(pl.col("date_basis") == "model_release").sum(),
        )
    )
    return as_published(houses, "measuring_party").sort("benchmark_id", "house", "year", nulls_last=True)


def _earliest() -> pl.Expr:
    """The day, or where only the model's release is known, the first on which it can have been measured."""
    is_release = pl.col("date_basis") == "model_release"
    return pl.when(is_release).then(pl.max_horizontal("dated_on", "benchmark_released_on")).otherwise("dated_on")
