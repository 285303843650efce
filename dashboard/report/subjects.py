"""What several benchmarks are about together: domains, and groups of domains under the word that people use."""

from collections.abc import Mapping

from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.text import one_line

GROUPS: Mapping[str, tuple[str, ...]] = {
    "coding": ("code", "agentic-code"),
    "agents": ("agentic", "tool-use", "computer-use"),
}
"""Several domains under one word."""


def subjects(view: View) -> dict[str, str]:
    """The words with their names: groups of domains, then each domain that has curated benchmarks."""
    found = view.table("benchmark").filter("curated")["domain"].drop_nulls().unique().sort().to_list()
    grouped = {name: name.capitalize() for name, domains in GROUPS.items() if set(domains) & set(found)}
    return {**grouped, **{domain: one_line(domain).replace("-", " ").capitalize() for domain in found}}


def domains_of(subject: str) -> tuple[str, ...]:
    """The domains that a word stands for."""
    return GROUPS.get(subject, (subject,))
