"""Claims about many benchmarks at once: the saturation study's index of 60 benchmarks and what is left of it with the
true error, the pace of models (Epoch's index, METR's time horizons), and how far tasks agree on the order of models as
published and after equal preparation.
"""

from collections.abc import Mapping
from datetime import date
from math import inf

import numpy as np
import polars as pl

from benchhealth.analytics.reproduction.claim import (
    Compute,
    Facts,
    Found,
    best_of_each,
    computed_from,
    of_facts,
    spearman,
)
from benchhealth.analytics.saturation.s_index import STUDY
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low
from benchhealth.analytics.statistics.float_noise import without_float_noise
from benchhealth.analytics.statistics.regression import least_squares
from benchhealth.analytics.statistics.summaries.principal_share import principal_share
from benchhealth.analytics.twins.pairs import agreements, mean_agreement

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


@of_facts
def _high(facts: Facts, indicator: str) -> Found | None:
    """How many of the study's benchmarks are high."""
    values = _ours(facts, indicator)["value"]
    return computed_from((values >= HIGH).sum(), values.len()) if values.len() else None


@of_facts
def _high_of_age(facts: Facts, *, from_months: float = 0, until_months: float = inf) -> Found | None:
    """What share of the study's benchmarks of an age, in percent, is high; 95% of it as of benchmarks drawn."""
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


SOURCE, INDEX = "eci", "epoch-capabilities-index"
HORIZON = "metr-horizon-1.1"
SPED_UP, FROM, UNTIL = date(2024, 4, 1), date(2021, 12, 1), date(2025, 12, 31)
"""Where Epoch's two lines meet, and the models that they go through."""

YEAR = 365.25


def agreement(facts: Facts) -> Found | None:
    """Spearman's correlation of our capability with Epoch's newest index, over the models that both have."""
    index = best_of_each(facts.newest_version(SOURCE, INDEX))
    return spearman(facts.tables["capability"].select("model_id", "score"), index)


def _records(rows: pl.DataFrame) -> pl.DataFrame:
    """The models that were above all before them, by day: `dated_on`, `score`."""
    best = (
        rows.group_by("model_id").agg(without_float_noise(pl.col("score").max()), pl.col("dated_on").min()).drop_nulls()
    )
    ordered = best.sort("dated_on", "score", "model_id")
    before = pl.col("score").cum_max().shift(1)
    return ordered.filter(before.is_null() | (pl.col("score") > before))


@of_facts
def _pace(facts: Facts, first: date, last: date) -> Found | None:
    """Points of the index a year: the slope through the records of models released from `first` until `last`."""
    released = facts.beside.model.select("model_id", "released_on")
    index = facts.newest_version(SOURCE, INDEX).join(released, on="model_id", how="left")
    by_release = index.with_columns(dated_on=pl.coalesce("released_on", "dated_on"))
    rows = by_release.filter(pl.col("dated_on").is_between(FROM, UNTIL))
    records = _records(rows).filter(pl.col("dated_on").is_between(first, last))
    line = least_squares(_days(records) / YEAR, records["score"])
    return None if line is None else Found(line.slope, rows.height)


@of_facts
def _doubling(facts: Facts, version: int, first: date) -> Found | None:
    """Days in which the record horizon doubles, in one version of METR's file (0 the first, -1 the newest)."""
    rows = facts.every_version("metr", HORIZON)
    if rows.is_empty():
        return None
    looks = rows["observed_at"].unique().sort()
    rows = rows.filter(pl.col("observed_at") == looks[version])
    records = _records(rows).filter(pl.col("dated_on") >= first)
    line = least_squares(_days(records), np.log2(records["score"].to_numpy()))
    return None if line is None or line.slope == 0 else Found(1 / line.slope, rows.height)


def _days(rows: pl.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray((rows["dated_on"] - FROM).dt.total_days().to_numpy(), dtype=np.float64)


_ALWAYS = date(2000, 1, 1)
_SINCE_2023 = date(2023, 1, 1)


TUNED = "-tuned"


def _tasks(facts: Facts, *, tuned: bool) -> pl.DataFrame:
    """The newest scores of lm-harmony's tasks, one a model and task; its corpora, scored by loss, are no tasks."""
    rows = facts.newest_version("lm-harmony")
    ending = pl.col("benchmark_id").str.ends_with(TUNED)
    return (
        rows.filter(pl.col("sign") > 0, ending if tuned else ~ending)
        .with_columns(pl.col("benchmark_id").str.strip_suffix(TUNED))
        .group_by("benchmark_id", "model_id")
        .agg(merit=pl.col("score").max())
    )


@of_facts
def _mean_tau(facts: Facts, *, tuned: bool) -> Found | None:
    """Mean Kendall's tau over all pairs of tasks, each over the models that were run on both."""
    rows = _tasks(facts, tuned=tuned)
    return None if rows.is_empty() else computed_from(mean_agreement(agreements(rows, fewest=2)), rows.height)


def _pairs_that_agree_more(facts: Facts) -> Found | None:
    """How many pairs of tasks agree more after equal preparation."""
    before, after = _tasks(facts, tuned=False), _tasks(facts, tuned=True)
    if before.is_empty() or after.is_empty():
        return None
    matched = agreements(before, fewest=2).join(agreements(after, fewest=2), on=["original_id", "other_id"])
    better = matched.filter(pl.col("kendall_tau_right") > pl.col("kendall_tau"))
    return Found(float(better.height), before.height + after.height) if matched.height else None


@of_facts
def _first_component(facts: Facts, *, tuned: bool) -> Found | None:
    """The share of the variance that the first principal component of the standardised scores explains, in percent."""
    rows = _tasks(facts, tuned=tuned)
    if rows.is_empty():
        return None
    wide = rows.sort("benchmark_id").pivot("benchmark_id", index="model_id", values="merit").sort("model_id")
    share = principal_share(wide.drop("model_id", strict=False).to_numpy())
    return None if share is None else Found(100 * share, rows.height)


COMPUTED: Mapping[str, Compute] = {
    "s-index-values": _largest_difference,
    "s-index-high": _high("s_index_published"),
    "s-index-high-with-true-error": _high("s_index_true_error"),
    "s-index-high-young": _high_of_age(until_months=24),
    "s-index-high-old": _high_of_age(from_months=60),
    "eci-order": agreement,
    "eci-pace": _pace(SPED_UP, UNTIL),
    "metr-doubling-first": _doubling(0, _SINCE_2023),
    "metr-doubling": _doubling(-1, _SINCE_2023),
    "metr-doubling-ever-first": _doubling(0, _ALWAYS),
    "metr-doubling-ever": _doubling(-1, _ALWAYS),
    "lm-harmony-direct": _mean_tau(tuned=False),
    "lm-harmony-tuned": _mean_tau(tuned=True),
    "lm-harmony-improved": _pairs_that_agree_more,
    "lm-harmony-component-direct": _first_component(tuned=False),
    "lm-harmony-component-tuned": _first_component(tuned=True),
}
