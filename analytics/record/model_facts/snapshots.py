"""Numbers that stand under the name of one version of a model and were measured on another."""

from collections.abc import Iterable

import polars as pl

from benchhealth.analytics.record.model_facts.named_dates import NO_DATE, named_date, without_date
from benchhealth.analytics.statistics.errors import Z95

BEYOND_ERROR = 0.05
"""Five points beyond the error: what prompts and extraction move a score of one version by stays below that."""

_MEASURED = ["benchmark_id", "condition", "model_id"]


def of_another_version(rows: pl.DataFrame) -> pl.DataFrame:
    """The `snapshot_id` and `source_row` of makers' numbers that cannot be dated by the release of their model.

    A maker goes on printing a name (GPT-4o) while the version behind it changes; a list that enters the number under
    the first version dates it by that one's release. Such a number is one that nobody dates but by the release; that
    was first seen after a later version of the same name came out; and that lies further above every independent
    measurement of the version itself, under the same condition, than their errors and five points explain.

    `rows` are results as `analytics.record.frontier.history_of` holds them; only scores with a range are compared.
    """
    independent = (
        rows.filter("bounded", pl.col("reporter") == "third_party")
        .group_by(_MEASURED)
        .agg(best=pl.col("merit").max(), best_error=pl.col("error").sort_by("merit").last())
    )
    further = pl.col("merit") - pl.col("best") - Z95 * (_squared("error") + _squared("best_error")).sqrt()
    suspects = (
        rows.filter("bounded", pl.col("reporter") == "self", pl.col("date_basis") == "model_release")
        .join(independent, on=_MEASURED)
        .filter(further > BEYOND_ERROR)
    )
    versions = rows.select("benchmark_id", "model_id", "model_released_on").drop_nulls().unique()
    suspected_versions = versions.join(suspects.select("benchmark_id").unique(), on="benchmark_id", how="semi")
    names = suspected_versions.join(_names(suspected_versions["model_id"].unique().to_list()), on="model_id")
    suspected = suspects.join(names.select("benchmark_id", "model_id", "name"), on=["benchmark_id", "model_id"])
    later = names.select("benchmark_id", "name", later_on="model_released_on")
    is_later = (pl.col("later_on") > pl.col("model_released_on")) & (pl.col("later_on") <= pl.col("seen_by"))
    misdated = suspected.join(later, on=["benchmark_id", "name"]).filter(is_later)
    return misdated.select("snapshot_id", "source_row").unique()


def _squared(error: str) -> pl.Expr:
    return pl.col(error).fill_null(0.0) ** 2


def _names(model_ids: Iterable[str]) -> pl.DataFrame:
    """`name` of each `model_id` with a date in it: what the versions of a model are called together."""
    names = [(model_id, without_date(model_id)) for model_id in model_ids if named_date(model_id) != NO_DATE]
    return pl.DataFrame(names, schema={"model_id": pl.String, "name": pl.String}, orient="row")
