"""What benchmarks are about: the eight groups of domains, and what addresses of earlier editions called them."""

from collections.abc import Iterable, Mapping

import polars as pl

from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.words.domains import NAMES

FORMER: Mapping[str, str] = {"coding": "code", "math": "mathematics"}
"""Words of earlier addresses that are neither a group nor the domain of a benchmark."""

CALLED: Mapping[str, str] = {group: word for word, group in FORMER.items()}
"""What else readers call a group, to be found by."""


def groups(view: View) -> dict[str, str]:
    """The names of the groups that have curated benchmarks, by id, in their order."""
    curated = set(view.table("benchmark").filter("curated")["domain_group"])
    return {group: name for group, name in NAMES.items() if group in curated}


def groups_of(view: View, word: str) -> tuple[str, ...]:
    """The groups that a word of an address stands for: a group's id, or a domain, whose commonest group is first.

    Until 2026 addresses named one of some forty domains. Empty for what is neither.
    """
    current = FORMER.get(word, word)
    return (current,) if current in NAMES else _former(view).get(current, ())


def in_groups(view: View, words: Iterable[str]) -> list[str]:
    """The words of an address as ids of groups, each once; unknown words stay, so that a message can name them."""
    return list(dict.fromkeys(domain for word in words if word for domain in groups_of(view, word) or (word,)))


@always
def _former(view: View) -> dict[str, tuple[str, ...]]:
    """The groups of each domain, those with the most curated benchmarks first."""
    grouped = view.table("benchmark").drop_nulls(["domain", "domain_group"])
    counted = grouped.group_by("domain", "domain_group").agg(curated=pl.col("curated").sum(), every=pl.len())
    ordered = counted.sort("curated", "every", "domain_group", descending=[True, True, False])
    by_domain = ordered.group_by("domain").agg("domain_group")
    return {domain: tuple(named) for domain, named in by_domain.iter_rows()}
