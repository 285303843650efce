"""The months since the best score passed the documented human score."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, months_between, settle, with_known_until
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.saturation.headroom import NO_HUMAN_LINE


def _since_passed(evidence: Evidence) -> pl.DataFrame:
    """The months from the first dated step of the frontier above the human score to the day until which it is known.

    The row that is carried to that day tells whether people were passed, but not when: it may be an undated result.
    """
    human = evidence.facts.select("benchmark_id", bar=pl.col("human") * pl.col("sign"))
    above, is_step = pl.col("merit") > pl.col("bar"), ~pl.col("carried")
    passed = (
        evidence.judged_frontier.join(human, on="benchmark_id", how="left")
        .group_by("benchmark_id")
        .agg(passed_on=pl.col("dated_on").filter(above & is_step).min(), passed=above.any(), results=pl.len())
    )
    return settle(
        with_known_until(evidence).join(passed, on="benchmark_id", how="left"),
        *NO_HUMAN_LINE,
        Unless(pl.col("results").is_null(), "no_result"),
        Unless(~pl.col("passed"), "human_not_passed", "not_applicable"),
        Unless(pl.col("passed_on").is_null(), "human_passed_undated"),
        value=months_between(pl.col("passed_on"), pl.col("known_until")),
        note=Case("human_passed", on_day="passed_on", numbers=("human",)),
    )


HUMAN_PASSED = Indicator(
    "months_since_human_passed",
    "Time since the human baseline was passed",
    "From the first day on which the best score exceeded the documented human score to the day until which the "
    "benchmark is known.",
    "the registry's human baseline, with its source",
    _since_passed,
    unit=Unit.MONTHS,
)
