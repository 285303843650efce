"""Claims about the saturation study: its index of 60 benchmarks, and what is left of it with the true error."""

from collections.abc import Mapping
from datetime import date
from math import inf

import polars as pl

from benchhealth.analytics.reproduction.claim import Compute, Facts, Found, computed_from
from benchhealth.analytics.saturation.s_index import STUDY
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low

HIGH = 0.7
"""From here on the study reads its index as high."""

PAPER = "arXiv 2602.16763"
"""The name of the study's column in paper_table.csv, by benchmark without the source's name in front."""

DAY_OF_AGES = date(2025, 11, 1)
"""From which the study counts the age of a benchmark back."""

DAYS_A_MONTH = 30.44


def _ours(facts: Facts, indicator: str) -> pl.DataFrame:
    """The indicator of the study's benchmarks: `benchmark_id` without the source's name, `value`."""
    return (
        facts.tables["indicator"]
        .filter(
            pl.col("indicator") == indicator,
            pl.col("benchmark_id").str.starts_with(f"{STUDY}-"),
            pl.col("value").is_not_null(),
        )
        .select(pl.col("benchmark_id").str.strip_prefix(f"{STUDY}-"), "value")
    )


def _with_published(facts: Facts) -> pl.DataFrame:
    published = facts.paper_table(PAPER).select(benchmark_id="subject", published="value")
    return published.join(_ours(facts, "s_index_published"), on="benchmark_id")


def _largest_difference(facts: Facts) -> Found | None:
    compared = _with_published(facts)
    return computed_from(compared.select((pl.col("value") - pl.col("published")).abs().max()).item(), compared.height)


def _high(indicator: str) -> Compute:
    """How many of the study's benchmarks are high."""

    def compute(facts: Facts) -> Found | None:
        values = _ours(facts, indicator)["value"]
        return computed_from((values >= HIGH).sum(), values.len()) if values.len() else None

    return compute


def _high_of_age(*, from_months: float = 0, until_months: float = inf) -> Compute:
    """What share of the study's benchmarks of an age, in percent, is high; 95% of it as of benchmarks drawn."""

    def compute(facts: Facts) -> Found | None:
        of_study = facts.beside.benchmark.filter(pl.col("benchmark_id").str.starts_with(f"{STUDY}-"))
        released = of_study.select(pl.col("benchmark_id").str.strip_prefix(f"{STUDY}-"), "released_on")
        months = (pl.lit(DAY_OF_AGES) - pl.col("released_on")).dt.total_days() / DAYS_A_MONTH
        of_age = (
            _ours(facts, "s_index_published")
            .join(released, on="benchmark_id")
            .filter(months.is_between(from_months, until_months))
        )
        if of_age.is_empty():
            return None
        share, n = (pl.col("value") >= HIGH).mean(), pl.len()
        ends = of_age.select(share.alias("share"), wilson_low(share, n).alias("low"), high=wilson_high(share, n)).row(0)
        value, low, high = (100 * end for end in ends)
        return Found(value, of_age.height, low, high)

    return compute


COMPUTED: Mapping[str, Compute] = {
    "s-index-values": _largest_difference,
    "s-index-high": _high("s_index_published"),
    "s-index-high-with-true-error": _high("s_index_true_error"),
    "s-index-high-young": _high_of_age(until_months=24),
    "s-index-high-old": _high_of_age(from_months=60),
}
