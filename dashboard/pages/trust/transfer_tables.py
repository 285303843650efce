"""How orders of models carry over from benchmark to benchmark, as pages show it."""

import polars as pl

from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View

FIRST = "imagenet"
"""The benchmark that is shown where the reader has not chosen one."""


def originals(view: View) -> list[str]:
    """The benchmarks with at least one pair, the first to be shown first, the others by id."""
    names = sorted(set(view.table("transfer")["original_id"]) | set(view.table("transfer")["other_id"]))
    curated = set(view.table("benchmark").filter("curated")["benchmark_id"])
    return sorted((name for name in names if name in curated), key=lambda name: (name != FIRST, name))


def transfers(view: View, params: Params) -> pl.DataFrame:
    """One benchmark against every other it has models in common with, most alike first, unknown last.

    Raises ParameterError for a benchmark without any pair.
    """
    benchmarks = originals(view)
    chosen = params.get("from") or (benchmarks[0] if benchmarks else "")
    if benchmarks and chosen not in benchmarks:
        raise ParameterError(f"no pair of benchmark {chosen!r}")
    pairs = view.table("transfer")
    turned = pairs.select("n_models", "kendall_tau", "low", "high", original_id="other_id", other_id="original_id")
    either = pl.concat([pairs, turned.select(pairs.columns)]).filter(pl.col("original_id") == chosen)
    return (
        either.unique("other_id", keep="first", maintain_order=True)
        .join(
            view.table("benchmark").select("benchmark_id", other="name"),
            left_on="other_id",
            right_on="benchmark_id",
            how="left",
        )
        .with_columns(pl.coalesce("other", "other_id").alias("other"))
        .sort("kendall_tau", "other_id", descending=[True, False], nulls_last=True)
    )


TRANSFERS = PublishedTable("transfers", transfers)
