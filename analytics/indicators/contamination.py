"""Documented evidence that test items were seen in training, and what would make it possible."""

import polars as pl

from analytics.evidence import Evidence, Indicator, Unless, settle

VISIBILITY = {"public": 1.0, "mixed": 0.5, "hidden": 0.0, "private": 0.0, "live": 0.0}
"""How much of the test's labels anybody can download, by the registry's word for it."""


def _labels_public(evidence: Evidence) -> pl.DataFrame:
    share = pl.col("labels").replace_strict(VISIBILITY, default=None, return_dtype=pl.Float64)
    return settle(
        evidence.facts.with_columns(share=share),
        Unless(pl.col("share").is_null(), "visibility of the labels unknown"),
        value=pl.col("share"),
        note=pl.format("labels: {}", "labels"),
    )


def _reports(evidence: Evidence) -> pl.DataFrame:
    counted = evidence.report.group_by("benchmark_id").agg(reports=pl.len())
    count = pl.col("reports").fill_null(0)
    return settle(
        evidence.facts.join(counted, on="benchmark_id", how="left"),
        value=count,
        n=count,
        note=pl.lit("documented reports; none found is no proof of absence"),
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
        Unless(pl.col("share").is_null(), "no documented share"),
        value=pl.col("share"),
        n=pl.col("n"),
        note=pl.format(
            "{}, by {}",
            pl.col("subject").fill_null("subject not named"),
            pl.col("method").fill_null("method not named"),
        ),
    )


LABELS_PUBLIC = Indicator(
    "labels_public",
    "Labels public",
    "1 where the test labels are public, 0.5 where a part is, 0 where they are hidden, private or made anew.",
    "the registry, with its source",
    _labels_public,
)
REPORTS = Indicator(
    "contamination_reports",
    "Documented contamination reports",
    "How many published measurements of overlap between this benchmark and training data are on record.",
    "the contamination_report table, with a reference for each",
    _reports,
)
MAX_SHARE = Indicator(
    "contamination_max_share",
    "Largest documented contaminated share",
    "The largest share of test items that any report found in a training corpus or model.",
    "the contamination_report table, with a reference for each",
    _max_share,
)
