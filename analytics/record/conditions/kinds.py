"""The kinds of the words of a condition, and the words by which a benchmark is judged."""

import polars as pl

from benchhealth.analytics.record.conditions.recognise import EVERY_BENCHMARK, KINDS, UNSTATED, id_with_rules
from benchhealth.analytics.record.tables.columns import TEXT

_ANY = "{}"


def words_of(conditions: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """The words of each of these conditions: `benchmark_id`, `condition`, `word`, `kind`, `is_reference`.

    A word has the kind of the benchmark's own rule that gives it, else of a rule for all; `{}` in a rule matches any
    word. UNSTATED is not a word. `kind` is null for a word that no rule gives. `conditions` have `benchmark_id` and
    `condition`, `rules` the schema of `recognise.CONDITION`.
    """
    benchmark_id = pl.col("benchmark_id")
    words = (
        conditions.select("benchmark_id", "condition")
        .unique()
        .with_columns(key=id_with_rules(benchmark_id).str.strip_suffix("/"), word=pl.col("condition").str.split(", "))
        .explode("word")
        .filter(pl.col("word") != UNSTATED)
    )
    stated = rules.filter(pl.col("condition") != UNSTATED)
    kinds = stated.group_by("benchmark_id", word="condition", maintain_order=True).agg(
        pl.col("kind").first(), pl.col("is_reference").any()
    )
    of_benchmark = kinds.select("word", "is_reference", key="benchmark_id", own="kind")
    general = kinds.filter(benchmark_id == EVERY_BENCHMARK)
    literal = general.select("word", general="kind").unique("word")
    patterned = [
        pl.when(pl.col("word").str.contains(_pattern(word))).then(pl.lit(kind))
        for word, kind in sorted(general.select("word", "kind").iter_rows(), key=lambda row: -len(row[0]))
        if _ANY in word
    ]
    return (
        words.join(of_benchmark, on=["key", "word"], how="left", maintain_order="left")
        .join(literal, on="word", how="left", maintain_order="left")
        .with_columns(
            kind=pl.coalesce("own", "general", *patterned, pl.lit(None, TEXT)),
            is_reference=pl.col("is_reference").fill_null(value=False),
        )
        .select("benchmark_id", "condition", "word", "kind", "is_reference")
    )


def by_kind(words: pl.DataFrame) -> pl.DataFrame:
    """For each condition its first word by kind, `word <kind>`; `usual <kind>`: whether one is a reference word."""
    columns = [
        column
        for kind in KINDS
        for column in (
            pl.col("word").filter(pl.col("kind") == kind).sort().first().alias(f"word {kind}"),
            pl.col("is_reference").filter(pl.col("kind") == kind).any().alias(f"usual {kind}"),
        )
    ]
    return words.group_by("benchmark_id", "condition").agg(columns)


def _pattern(word: str) -> str:
    before, after = (text.replace("(", r"\(").replace(")", r"\)") for text in word.split(_ANY, 1))
    return f"^{before}.+{after}$"
