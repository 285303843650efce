"""What a benchmark is about, in eight groups: some seventy domains are too many to choose from or to compare.

`data/registry/domain.csv` says which group a domain belongs to. The groups are a closed list, and their ids are the
same in the published tables, in filters and in addresses.
"""

import polars as pl

from benchhealth.analytics.record.tables.columns import TEXT

GROUPS = ("knowledge", "mathematics", "code", "agents", "science", "language", "vision", "series")
"""The ids, in the order in which readers see them."""

DOMAIN = pl.Schema({"domain": TEXT, "modality": TEXT, "domain_group": TEXT, "note": TEXT})
"""The group of a domain: where a row names a modality, of the benchmarks of that modality alone."""


def grouped(benchmark: pl.DataFrame, domains: pl.DataFrame) -> pl.DataFrame:
    """The benchmarks with the id of their group in `domain_group`, null where no row of `domains` has their domain.

    `domain` and `modality` are in the words of the closed lists (`record.words.in_words`).
    """
    both, group = ["domain", "modality"], ["domain_group"]
    of_modality = domains.drop_nulls("modality").select(*both, *group)
    of_domain = domains.filter(pl.col("modality").is_null()).select("domain", any_modality="domain_group")
    return (
        benchmark.drop(group, strict=False)
        .join(of_modality, on=both, how="left", maintain_order="left")
        .join(of_domain, on="domain", how="left", maintain_order="left")
        .with_columns(domain_group=pl.coalesce("domain_group", "any_modality"))
        .drop("any_modality")
    )
