"""Until when benchmarks are known, one by one and together."""

from collections.abc import Iterable
from datetime import date

import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.dashboard.published.generation import View


def known_until(view: View, benchmark_ids: Iterable[str]) -> date | None:
    """The day until which all of these are known: the earliest of theirs; None where one has none."""
    days = view.table("benchmark").filter(pl.col("benchmark_id").is_in(list(benchmark_ids)))["known_until"]
    return None if days.is_empty() or days.null_count() else _day(days.min())


def sources_known_until(view: View, benchmark_id: str) -> date | None:
    """The last look at any source of a benchmark, whatever the condition of its results."""
    boards = view.table("board").filter(pl.col("benchmark_id") == benchmark_id)
    return latest(boards["known_until"])


def last_look(view: View) -> date | None:
    """The newest look at any source of others: who imports results of their own has not looked at those."""
    sources = view.table("source")
    return latest(sources.filter(~pl.col("source_id").is_in(with_terms(sources, Terms.IMPORTED)))["known_until"])


def last_known(view: View) -> date | None:
    """The last day on which anything is known of any benchmark."""
    return latest(view.table("benchmark")["known_until"])


def latest(days: pl.Series) -> date | None:
    """The last of these days; None where none is known."""
    return _day(days.max())


def _day(value: object) -> date | None:
    return value if isinstance(value, date) else None
