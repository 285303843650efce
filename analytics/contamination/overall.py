"""The risk of a benchmark and of each pair of model and benchmark: the strongest finding, with all reasons."""

import polars as pl

from benchhealth.analytics.contamination.findings import FOUND, LEVELS, Rung, shaped
from benchhealth.analytics.statistics.false_discovery import q_values

KEY = "overall"


def overall(findings: pl.DataFrame, rungs: tuple[Rung, ...]) -> pl.DataFrame:
    """One row in FOUND for each benchmark and each pair in the rungs' findings.

    The level is the highest of the rungs that look at evidence. Exposure is none: alone it gives `low` to what cannot
    have been seen and leaves the rest unknown. `value` is how many rungs raise the risk (moderate or high), `n` how
    many had an answer at all; `p_value` is the smallest of the tests times their number (Bonferroni), `q_value` is over
    all pairs (Benjamini-Hochberg); `names` are the rungs that had an answer, each
    followed by its level.
    """
    order = {level: place for place, level in enumerate(LEVELS)}
    place = pl.col("level").replace_strict(order, return_dtype=pl.Int64)
    is_evidence = pl.col("rung") != rungs[0].key
    numbered = {rung.key: number for number, rung in enumerate(rungs, 1)}
    is_known = pl.col("level") != "unknown"
    grouped = (
        findings.with_columns(place=place, number=pl.col("rung").replace_strict(numbered, return_dtype=pl.Int64))
        .sort("number")
        .group_by("benchmark_id", "model_id", maintain_order=True)
        .agg(
            highest=pl.col("place").filter(is_evidence).max(),
            exposure=pl.col("level").filter(~is_evidence).first(),
            value=(is_evidence & (pl.col("place") >= order["moderate"])).sum().cast(pl.Float64),
            n=is_known.sum().cast(pl.Int64),
            p_value=(pl.col("p_value").min() * pl.col("p_value").count()).clip(0, 1),
            names=pl.concat_list("rung", "level").filter(is_known).explode(),
            source_url=pl.col("source_url").sort_by("place", descending=True, maintain_order=True).first(),
        )
        .with_columns(highest=pl.col("highest").fill_null(0))
    )
    without_evidence = pl.when(pl.col("exposure") == "low").then(pl.lit("low")).otherwise(pl.lit("unknown"))
    level = (
        pl.when(pl.col("highest") > 0)
        .then(pl.col("highest").replace_strict({place: name for name, place in order.items()}, return_dtype=pl.String))
        .otherwise(without_evidence)
    )
    judged = grouped.with_columns(level=level).with_columns(
        q_value=q_values(grouped["p_value"]),
        value=pl.when(pl.col("level") != "unknown").then("value"),
        names=pl.col("names").list.drop_nulls(),
        case=pl.when(pl.col("n") > 0).then(pl.lit("by_rungs")).otherwise(pl.lit("nothing_known")),
    )
    return shaped(judged.select([name for name in FOUND.names() if name in judged.columns]), KEY)
