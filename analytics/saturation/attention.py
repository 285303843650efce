"""Which makers mention a benchmark in their documents: by quarter, and within the last year.

A mention shows that a maker chose to present a benchmark, whatever the score. Only a selection of documents was read:
that a benchmark is mentioned is evidence of attention; that it is not mentioned is weak evidence that it has none.
"""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, months_between, settle
from benchhealth.analytics.record.tables import as_published
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.saturation.activity import RECENT_DAYS


def attention(mention: pl.DataFrame) -> pl.DataFrame:
    """The published table `attention`: for each benchmark and quarter how many makers' documents mention it.

    `quarter` is its first day. `makers` and `documents` count those that mention the benchmark in it, out of
    `of_makers` and `of_documents` that were read of it; `named` lists those makers, sorted. `last_mention_on` is the
    day of the benchmark's last mention in any quarter.
    Quarters without a mention have no row.
    """
    dated = mention.with_columns(
        quarter=pl.col("mentioned_on").dt.truncate("1q"), document=pl.struct("source_id", "document")
    )
    totals = dated.group_by("quarter").agg(
        of_makers=pl.col("organisation").n_unique(), of_documents=pl.col("document").n_unique()
    )
    counted = dated.group_by("benchmark_id", "quarter").agg(
        makers=pl.col("organisation").n_unique(),
        documents=pl.col("document").n_unique(),
        named=pl.col("organisation").unique().sort(),
        last=pl.col("mentioned_on").max(),
    )
    table = counted.join(totals, on="quarter").with_columns(last_mention_on=pl.col("last").max().over("benchmark_id"))
    return as_published(table, "attention").sort("benchmark_id", "quarter")


def _lately(evidence: Evidence) -> pl.DataFrame:
    """The mentions of the last RECENT_DAYS before the assessment."""
    until = pl.lit(evidence.as_of)
    dated = evidence.mention.filter(pl.col("mentioned_on") <= until)
    return dated.filter(pl.col("mentioned_on") > until.dt.offset_by(f"-{RECENT_DAYS}d"))


def _makers_mentioning(evidence: Evidence) -> pl.DataFrame:
    lately = _lately(evidence)
    counted = lately.group_by("benchmark_id").agg(
        makers=pl.col("organisation").n_unique(), named=pl.col("organisation").unique().sort()
    )
    makers_read = lately["organisation"].n_unique()
    return settle(
        evidence.facts.join(counted, on="benchmark_id", how="left"),
        Unless(pl.lit(makers_read == 0), "no_document"),
        value=pl.col("makers").fill_null(0),
        n=pl.lit(makers_read),
        note=Case(
            pl.when(pl.col("makers").is_null()).then(pl.lit("not_mentioned")).otherwise(pl.lit("mentioned_by")),
            names=pl.col("named"),
        ),
    )


def _since_mention(evidence: Evidence) -> pl.DataFrame:
    past_mentions = evidence.mention.filter(pl.col("mentioned_on") <= evidence.as_of)
    newest = past_mentions.group_by("benchmark_id").agg(
        last=pl.col("mentioned_on").max(),
        by=pl.col("organisation").sort_by("mentioned_on", "organisation").last(),
        n=pl.struct("source_id", "document").n_unique(),
    )
    return settle(
        evidence.facts.join(newest, on="benchmark_id", how="left"),
        Unless(pl.col("last").is_null(), "never_mentioned"),
        value=months_between(pl.col("last"), pl.lit(evidence.as_of)),
        n=pl.col("n"),
        note=Case("last_mentioned", on_day="last", names=("by",)),
    )


MAKERS_MENTIONING = Indicator(
    "makers_mentioning_12m",
    "Makers that showed it within a year",
    "Makers of models of whom a model card, report or release post of the last 365 days mentions the benchmark, of "
    "those makers of whom such a document was read.",
    "counted; the documents are a choice made by one project, so that absence is weak evidence",
    _makers_mentioning,
    unit=Unit.COUNT,
)
SINCE_MENTION = Indicator(
    "months_since_mention",
    "Time since a maker last mentioned it",
    "From the newest model card, report or release post that mentions the benchmark to the day of the assessment.",
    "the documents' own dates",
    _since_mention,
    unit=Unit.MONTHS,
)
