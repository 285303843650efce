"""Claims about the saturation study: its index of 60 benchmarks, and what is left of it with the true error."""

from datetime import date
from math import inf

import polars as pl

from benchhealth.analytics.reproduction.claim import Claim, Compute, Facts, Found, Publication, found, ours
from benchhealth.analytics.saturation.s_index import STUDY
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low

TABLE = "https://github.com/evaleval/benchmark-saturation/blob/main/data/manual_annotation_data.csv"
STUDY_OF_60 = Publication(
    "Akhtar et al. 2026, When AI benchmarks plateau",
    2026,
    "https://arxiv.org/abs/2602.16763",
    "data/manual_annotation_data.csv of evaleval/benchmark-saturation; the count as quoted in two public repositories",
)
UNREAD = (
    "57 of the 60 are computed: of QuALITY and both editions of Terminal-Bench fewer than five models are "
    "on record, and two of the three are high in the study"
)
HIGH = 0.7
"""From here on the study reads its index as high."""

PAPER = "arXiv 2602.16763"
"""Under which paper_table.csv has the study's column, by benchmark without the source's name in front."""

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


def _both(facts: Facts) -> pl.DataFrame:
    published = facts.paper_table(PAPER).select(benchmark_id="subject", published="value")
    return published.join(_ours(facts, "s_index_published"), on="benchmark_id")


def _largest_difference(facts: Facts) -> Found | None:
    both = _both(facts)
    return found(both.select((pl.col("value") - pl.col("published")).abs().max()).item(), both.height)


def _high(indicator: str) -> Compute:
    """How many of the study's benchmarks are high."""

    def compute(facts: Facts) -> Found | None:
        values = _ours(facts, indicator)["value"]
        return found((values >= HIGH).sum(), values.len()) if values.len() else None

    return compute


def high_of_age(*, from_months: float = 0, until_months: float = inf) -> Compute:
    """What share of the study's benchmarks of an age, in percent, is high; 95% of it as of benchmarks drawn."""

    def compute(facts: Facts) -> Found | None:
        own = facts.beside.benchmark.filter(pl.col("benchmark_id").str.starts_with(f"{STUDY}-"))
        released = own.select(pl.col("benchmark_id").str.strip_prefix(f"{STUDY}-"), "released_on")
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


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "s-index-values",
        "The saturation index of every benchmark is as published: the largest difference is none",
        0,
        1e-3,
        STUDY_OF_60,
        _largest_difference,
        unit="index, 0 to 1",
        place="column Saturation Index of data/manual_annotation_data.csv",
        within="what the rounding of the five scores behind each index can move it by",
        null_value=1,
        null_reason="an index that is high where the study's is low",
    ),
    Claim(
        "s-index-high",
        "29 of the 60 benchmarks have a high saturation index, 0.7 or more",
        29,
        0,
        STUDY_OF_60,
        _high("s_index_published"),
        why=UNREAD,
        unit="benchmarks",
        place="results, and the column Saturation Index",
        within="a count of benchmarks is whole",
    ),
    ours(
        "s-index-high-with-true-error",
        "Of the same benchmarks, how many stay high with the true standard error in place of one with the root of n",
        TABLE,
        _high("s_index_true_error"),
        "benchmarks",
    ),
)
