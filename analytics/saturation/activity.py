"""How many models are listed, how many results are new, and who reports them."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.origins.sides import is_claim, is_makers
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit

RECENT_DAYS = 365


def _n_models(evidence: Evidence) -> pl.DataFrame:
    models = evidence.board.group_by("benchmark_id").agg(models=pl.len().cast(pl.Int64))
    count = pl.col("models").fill_null(0)
    return settle(evidence.facts.join(models, on="benchmark_id", how="left"), value=count, n=count)


def _n_results_12m(evidence: Evidence) -> pl.DataFrame:
    recent = pl.col("dated_on") > pl.col("known_until").dt.offset_by(f"-{RECENT_DAYS}d")
    reported = evidence.reported.join(evidence.known_until, on="benchmark_id", how="left")
    counted = reported.group_by("benchmark_id").agg(recent=recent.sum(), ever=pl.len())
    return settle(
        evidence.facts.join(counted, on="benchmark_id", how="left"),
        value=pl.col("recent").fill_null(0),
        n=pl.col("ever").fill_null(0),
    )


def _self_reported(evidence: Evidence) -> pl.DataFrame:
    handed_in = is_claim() & ~is_makers()
    with_reporter = evidence.board.filter(pl.col("reporter").is_not_null() & ~handed_in)
    shares = with_reporter.group_by("benchmark_id").agg(
        share=is_makers().mean(), by_maker=is_makers().sum(), n=pl.len()
    )
    return settle(
        evidence.facts.join(shares, on="benchmark_id", how="left"),
        Unless(pl.col("share").is_null(), "reporter_unknown"),
        value=pl.col("share"),
        n=pl.col("n"),
        note=Case("listed_by_maker", numbers=("by_maker",)),
    )


N_MODELS = Indicator(
    "n_models", "Models listed", "Models with a score in the newest snapshots.", "counted", _n_models, unit=Unit.COUNT
)
N_RESULTS_12M = Indicator(
    "n_results_12m",
    "Results of the last 12 months",
    "Results dated in the 365 days up to the day until which the benchmark is known.",
    "counted",
    _n_results_12m,
    unit=Unit.COUNT,
)
SELF_REPORTED = Indicator(
    "self_reported_share",
    "Share of self-reported results",
    "Among the listed models, the share whose best score was reported by its own maker. Left out are results that "
    "were handed in to a list: whoever did that need not be the maker.",
    "the sources' own statement of who reports",
    _self_reported,
    unit=Unit.SHARE,
)
