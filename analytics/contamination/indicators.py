"""Documented evidence that test items were seen in training, and what would make it possible."""

from functools import partial

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit

VISIBILITY = {"public": 1.0, "mixed": 0.5, "hidden": 0.0, "private": 0.0, "live": 0.0}
"""How much of the test's labels anybody can download, by the registry's word for it."""


def _labels_public(evidence: Evidence) -> pl.DataFrame:
    share = pl.col("labels").replace_strict(VISIBILITY, default=None, return_dtype=pl.Float64)
    return settle(
        evidence.facts.with_columns(share=share),
        Unless(pl.col("share").is_null(), "labels_unknown"),
        value=pl.col("share"),
        note=Case("labels", kind="labels"),
    )


def _reports(evidence: Evidence) -> pl.DataFrame:
    counted = evidence.report.group_by("benchmark_id").agg(reports=pl.len())
    count = pl.col("reports").fill_null(0)
    return settle(
        evidence.facts.join(counted, on="benchmark_id", how="left"),
        value=count,
        n=count,
        note="documented_reports",
    )


def _max_share(evidence: Evidence) -> pl.DataFrame:
    largest = evidence.report.group_by("benchmark_id").agg(
        share=pl.col("share").max(),
        n=pl.col("share").count(),
        subject=pl.col("subject").sort_by("share", descending=True, nulls_last=True).first(),
        method=pl.col("method").sort_by("share", descending=True, nulls_last=True).first(),
    )
    return settle(
        evidence.facts.join(largest, on="benchmark_id", how="left"),
        Unless(pl.col("share").is_null(), "no_documented_share"),
        value=pl.col("share"),
        n=pl.col("n"),
        note=Case("documented_share", names=("subject", "method")),
    )


def _of_rung(evidence: Evidence, rung: str) -> pl.DataFrame:
    """Every benchmark with its own row of one rung of the ladder."""
    of_benchmarks = evidence.risk.filter(pl.col("model_id").is_null() & (pl.col("rung") == rung))
    return evidence.facts.join(of_benchmarks.drop("model_id", "status"), on="benchmark_id", how="left")


def _rungs(evidence: Evidence) -> pl.DataFrame:
    level = pl.col("level").fill_null("unknown")
    return settle(
        _of_rung(evidence, "overall"),
        Unless(level == "unknown", "no_rung_tells"),
        value=pl.col("value"),
        n=pl.col("n"),
        note=Case("risk_by_rungs", kind="level", names=pl.col("names")),
    )


def _flagged(evidence: Evidence, rung: str) -> pl.DataFrame:
    reason = Case(pl.coalesce("case", pl.lit("none_testable")), numbers=pl.col("numbers"), names=pl.col("names"))
    share, low, high, n = (pl.col(name) for name in ("value", "low", "high", "n"))
    return settle(_of_rung(evidence, rung), Unless(share.is_null(), reason), value=(share, low, high), n=n, note=reason)


LABELS_PUBLIC = Indicator(
    "labels_public",
    "Labels public",
    "1 where the test labels are public, 0.5 where a part is, 0 where they are hidden, private or made anew.",
    "the registry, with its source",
    _labels_public,
    unit=Unit.SHARE,
)
REPORTS = Indicator(
    "contamination_reports",
    "Documented contamination reports",
    "How many published measurements of overlap between this benchmark and training data are on record.",
    "the contamination_report table, with a reference for each",
    _reports,
    unit=Unit.COUNT,
)
MAX_SHARE = Indicator(
    "contamination_max_share",
    "Largest documented contaminated share",
    "The largest share of test items that any report found in a training corpus or model.",
    "the contamination_report table, with a reference for each",
    _max_share,
    unit=Unit.SHARE,
)
RUNGS_RAISED = Indicator(
    "contamination_rungs",
    "Rungs of contamination evidence that raise the risk",
    "How many rungs of the ladder of evidence, exposure not counted, give a moderate or high risk; n is how many had "
    "an answer at all. The reason names the overall level and each rung.",
    "the contamination_risk table; the ladder is defined on this page",
    _rungs,
    unit=Unit.COUNT,
)
BREAK_SHARE = Indicator(
    "cutoff_break_share",
    "Share of models that score higher on items from before the end of their training",
    "Share of the tested models whose score on dated items breaks at the end of their training data, difficulty "
    "matched, after Benjamini-Hochberg at 5%; Wilson's 95% interval. A statement about scores, not about causes.",
    "Roberts et al. 2023, arXiv:2310.10628; Jain et al. 2024, arXiv:2403.07974",
    partial(_flagged, rung="cutoff_break"),
    unit=Unit.SHARE,
)
ANOMALY_SHARE = Indicator(
    "anomaly_share",
    "Share of models that score higher than fresh benchmarks predict",
    "Share of the tested models that score higher here than benchmarks which they cannot have seen predict, after "
    "Benjamini-Hochberg at 5% over all pairs; Wilson's 95% interval.",
    "after ConStat, Dekoninck et al. 2024, arXiv:2405.16281",
    partial(_flagged, rung="anomaly"),
    unit=Unit.SHARE,
)
