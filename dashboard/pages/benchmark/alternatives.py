"""Which benchmarks to use instead of one, or beside it: the table `alternative` with how each of them stands."""

import polars as pl

from benchhealth.dashboard.published.benchmarks import benchmarks, is_alive, is_fresh, is_in_use, named_stage
from benchhealth.dashboard.published.generation import View, recently

SHOWN = 4


@recently
def standing(view: View) -> pl.DataFrame:
    """`published.benchmarks` with `fresh`, `in_use`, `alive`, the `named` stage, and the `reservations` against a
    better result on each.
    """
    stands = {"fresh": is_fresh(), "in_use": is_in_use(), "alive": is_alive(), "named": named_stage()}
    rows = benchmarks(view).with_columns(**stands)
    return rows.join(view.table("reservation"), on="benchmark_id", how="left", maintain_order="left")


@recently
def alternatives(view: View, benchmark_id: str) -> pl.DataFrame:
    """What fits, then, `fits` false, what a curator names although it does not, in the order of the table.

    Columns of `standing` for the other benchmark, with those of the table `alternative`.
    """
    placed = view.table("alternative").filter(pl.col("benchmark_id") == benchmark_id, pl.col("place").is_not_null())
    others = placed.sort("place").head(SHOWN).drop("benchmark_id").rename({"other_id": "benchmark_id"})
    return others.join(standing(view), on="benchmark_id", how="left", maintain_order="left")
