"""Closed lists: what sources call a domain, a modality or an organisation, as the one word that a curator chose for it.

Sources write `Google`, `google` and `google-deepmind`, `math` and `mathematics`. The table `word` says what is the same
word. What it does not know stays as it was published and is listed by `unknown_words`, never guessed at.

Some seventy domains are too many to choose from or to compare: `data/registry/domain.csv` says which of eight groups a
domain belongs to. Their ids are the same in the published tables, in filters and in addresses.
"""

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, TEXT

WORD = pl.Schema({"kind": TEXT, "spelling": TEXT, "word": TEXT, "note": TEXT})
"""A spelling of a `kind` and its word; null where the spelling says that there is none (an anonymous organisation)."""

KINDS = ("domain", "modality", "organisation")
"""The columns that hold words of a closed list."""

GROUPS = ("knowledge", "mathematics", "code", "agents", "science", "language", "vision", "series")
"""The ids of groups of domains, in the order in which readers see them."""

DOMAIN = pl.Schema({"domain": TEXT, "modality": TEXT, "domain_group": TEXT, "note": TEXT})
"""The group of a domain: where a row names a modality, of the benchmarks of that modality alone."""

UNKNOWN = pl.Schema({"kind": TEXT, "spelling": TEXT, "rows": COUNT})


def spelt(published: pl.Expr) -> pl.Expr:
    """The text in small letters and digits alone, to compare spellings; the text itself where it has none."""
    bare = published.str.to_lowercase().str.replace_all(r"[^a-z0-9]", "")
    return pl.when(bare == "").then(published.str.strip_chars()).otherwise(bare)


def in_words(table: pl.DataFrame, words: pl.DataFrame) -> pl.DataFrame:
    """The table with the columns among `KINDS` that it has in the words of the lists; unknown spellings stay."""
    return table.with_columns(word_of(kind, words) for kind in KINDS if kind in table.columns)


def grouped(benchmark: pl.DataFrame, domains: pl.DataFrame) -> pl.DataFrame:
    """The benchmarks with the id of their group in `domain_group`, null where no row of `domains` has their domain.

    `domain` and `modality` are in the words of the closed lists (`in_words`).
    """
    keys, group = ["domain", "modality"], ["domain_group"]
    of_modality = domains.drop_nulls("modality").select(*keys, *group)
    of_domain = domains.filter(pl.col("modality").is_null()).select("domain", any_modality="domain_group")
    return (
        benchmark.drop(group, strict=False)
        .join(of_modality, on=keys, how="left", maintain_order="left")
        .join(of_domain, on="domain", how="left", maintain_order="left")
        .with_columns(domain_group=pl.coalesce("domain_group", "any_modality"))
        .drop("any_modality")
    )


def unknown_words(benchmark: pl.DataFrame, model: pl.DataFrame, words: pl.DataFrame) -> pl.DataFrame:
    """The spellings in use that no list has, for a curator: schema UNKNOWN, in each kind the most frequent first."""
    spellings = [
        table.select(kind=pl.lit(kind), spelling=pl.col(kind))
        .drop_nulls()
        .filter(~spelt(pl.col("spelling")).is_in(list(_of_kind(kind, words))))
        for table in (benchmark, model)
        for kind in KINDS
        if kind in table.columns
    ]
    counted = pl.concat(spellings).group_by("kind", "spelling").agg(rows=pl.len())
    return counted.cast(UNKNOWN).sort("kind", "rows", "spelling", descending=[False, True, False])


def word_of(kind: str, words: pl.DataFrame) -> pl.Expr:
    """The column of this name in the words of its list; a spelling that the list does not know stays."""
    word_by_spelling = _of_kind(kind, words)
    key = spelt(pl.col(kind))
    listed = key.replace_strict(
        list(word_by_spelling), list(word_by_spelling.values()), default=None, return_dtype=TEXT
    )
    return pl.when(key.is_in(list(word_by_spelling))).then(listed).otherwise(pl.col(kind)).alias(kind)


def _of_kind(kind: str, words: pl.DataFrame) -> dict[str, str | None]:
    listed = words.filter(pl.col("kind") == kind).select(spelt(pl.col("spelling")), "word")
    return dict(listed.iter_rows())
