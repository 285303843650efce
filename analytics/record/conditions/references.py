"""The condition by which each benchmark is judged."""

import polars as pl

from benchhealth.analytics.record.conditions.kinds import words_of
from benchhealth.analytics.record.conditions.recognise import EXCLUDED, KINDS, UNSTATED, id_with_rules, with_parts
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables.columns import COUNT, FLAG, TEXT, by_type

_PAIR = ["benchmark_id", "condition"]
TOP_RESULTS = 5
"""A condition is judged by the best five results under it."""

REFERENCE = by_type(
    (TEXT, "benchmark_id condition"),
    (COUNT, "models"),
    (FLAG, "curated"),
    (TEXT, "other"),
    (COUNT, "other_models n_conditions"),
)
"""Each benchmark with results once: the condition that its curve and its verdict are about, and how many models have a
result in it. `curated`: a curator chose it. `other` is the stated condition with the most models, where the one chosen
has no top five, or states nothing, and the other has one: then nothing can be said of the benchmark. What was run
on a part of the test is never the other."""


def references(frames: Frames) -> pl.DataFrame:
    """The condition by which each benchmark is judged.

    A curator's choice, of several versions the last to begin that has a top five; but results that state no condition
    stand in where nobody stated one for five models. Without a choice the condition with the most models counts, of
    equals a stated one.
    """
    sizes = (
        frames.result.filter(
            (pl.col("kind") == "model") & (pl.col("condition") != EXCLUDED) & pl.col("score").is_finite()
        )
        .group_by("benchmark_id", "condition")
        .agg(models=pl.col("model_id").n_unique().cast(COUNT), began_at=pl.col("observed_at").min())
        .collect()
        .with_columns(is_stated=pl.col("condition") != UNSTATED)
        .sort("benchmark_id", "models", "is_stated", "condition", descending=[False, True, True, False])
    )
    most = sizes.group_by("benchmark_id", maintain_order=True).agg(
        most=pl.col("condition").first(), n_conditions=pl.len().cast(COUNT)
    )
    stated = sizes.filter("is_stated").join(parts_of_tests(sizes, frames.condition), on=_PAIR, how="anti")
    stated = stated.unique("benchmark_id", keep="first", maintain_order=True)
    chosen = (
        most.with_columns(key=id_with_rules(pl.col("benchmark_id")))
        .join(curated_references(frames.condition), on="key", how="left")
        .join(
            sizes.select("benchmark_id", "began_at", curators="condition", own="models"),
            on=["benchmark_id", "curators"],
            how="left",
        )
        .with_columns(has_top=pl.col("own").fill_null(0) >= TOP_RESULTS)
        .sort("benchmark_id", "has_top", "began_at", "curators", descending=[False, True, True, False], nulls_last=True)
        .unique("benchmark_id", keep="first", maintain_order=True)
        .join(sizes.filter(condition=UNSTATED).select("benchmark_id", unstated="models"), on="benchmark_id", how="left")
        .join(stated.select("benchmark_id", best="condition", best_models="models"), on="benchmark_id", how="left")
        .with_columns(pl.col("own", "unstated", "best_models").fill_null(0))
    )
    stands_in = (
        (pl.col("own") < TOP_RESULTS) & (pl.col("best_models") < TOP_RESULTS) & (pl.col("unstated") > pl.col("own"))
    )
    condition = (
        pl.when(pl.col("curators").is_null()).then("most").when(stands_in).then(pl.lit(UNSTATED)).otherwise("curators")
    )
    named = chosen.with_columns(condition=condition, curated=pl.col("curators").is_not_null()).join(
        sizes.select("benchmark_id", "condition", "models"), on=["benchmark_id", "condition"], how="left"
    )
    lacks = (pl.col("models").fill_null(0) < TOP_RESULTS) | (pl.col("condition") == UNSTATED)
    blocked = lacks & (pl.col("best_models") >= TOP_RESULTS) & (pl.col("best") != pl.col("condition"))
    return (
        named.with_columns(
            pl.col("models").fill_null(0),
            other=pl.when(blocked).then("best"),
            other_models=pl.when(blocked).then("best_models"),
        )
        .sort("benchmark_id")
        .match_to_schema(REFERENCE, extra_columns="ignore", integer_cast="upcast")
    )


def parts_of_tests(conditions: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """The conditions on a part of the test by which it is not judged: they tell nothing of the whole."""
    words = words_of(conditions, rules)
    return words.filter(pl.col("kind") == "subset", ~pl.col("is_reference")).select(_PAIR).unique()


def curated_references(table: pl.DataFrame) -> pl.DataFrame:
    """`key` of a benchmark and `curators`, the reference condition that they chose for it: the words of all kinds.

    Of versions several may be chosen: each is a row.
    """
    kinds = pl.Enum(KINDS)
    chosen = (
        with_parts(table)
        .filter("is_reference")
        .select(key="benchmark_id", kind=pl.col("kind").cast(kinds), word="condition")
        .unique()
    )
    version = pl.col("kind") == "version"
    versions = chosen.filter(version).select("key", version="word")
    of_all_versions = (
        chosen.filter(~version).join(versions, on="key", how="left").select("key", "version", "kind", "word")
    )
    of_version = versions.select("key", "version", kind=pl.lit("version").cast(kinds), word="version")
    return (
        pl.concat([of_all_versions, of_version])
        .sort("key", "version", "kind", "word")
        .group_by("key", "version", maintain_order=True)
        .agg(curators=pl.col("word").str.join(", "))
        .drop("version")
    )


def in_reference(rows: pl.DataFrame, chosen: pl.DataFrame) -> pl.DataFrame:
    """The rows of results measured under the condition that their benchmark is judged by."""
    return rows.join(chosen, on=["benchmark_id", "condition"], how="semi", maintain_order="left")
