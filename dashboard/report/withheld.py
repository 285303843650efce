"""Whose results a report leaves out: sources that have a benchmark, and may not be passed on."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.dashboard.published.generation import View


def sources(view: View, benchmark_ids: Sequence[str]) -> list[str]:
    """The titles of the sources of these benchmarks that may not be mixed with others and passed on, by title."""
    source = view.table("source")
    listing = view.table("board").filter(pl.col("benchmark_id").is_in(list(benchmark_ids)))["source_id"]
    bound = set(listing) - set(with_terms(source, Terms.OPEN))
    return sorted(source.filter(pl.col("source_id").is_in(bound))["title"].str.split(":").list.first())
