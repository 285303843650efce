"""Which group each domain belongs to: a curated benchmark of a domain without one is refused."""

import polars as pl

from benchhealth.analytics.record.words import DOMAIN, GROUPS, word_of
from benchhealth.warehouse.curated.checked import CuratedFile, Rule, one_of

DOMAIN_FILE = CuratedFile(
    "domain.csv",
    DOMAIN,
    key=("domain", "modality"),
    required=("domain", "domain_group"),
    rules=(one_of("domain_group", *GROUPS),),
    optional=True,
)


def has_group(domains: pl.DataFrame, words: pl.DataFrame) -> tuple[Rule, ...]:
    """The rule of benchmark.csv that a domain, in whichever spelling of `words`, has a group; none without the file."""
    if domains.is_empty():
        return ()
    of_any_modality = domains.filter(pl.col("modality").is_null())["domain"]
    return (Rule("domain", ~word_of("domain", words).is_in(of_any_modality.implode()), "has no group in domain.csv"),)
