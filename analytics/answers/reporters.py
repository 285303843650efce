"""Who reports it: of each maker of models what the last document says that was read."""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.record.tables.case import ALWAYS, first_case

CASES = (
    Case("shown", "yes", "the last document read of a maker, or of several, shows it"),
    Case(
        "reported_elsewhere",
        "yes",
        "no last document read shows it, and makers report scores of their models elsewhere",
    ),
    Case("shown_earlier", "no", "earlier documents show it; the last one read of no maker does"),
    Case("never_shown", "no", "no document that was read shows it"),
    Case("no_documents", "unknown", "no document of any maker was read", "nobody_looked"),
)
"""Which documents are read is somebody's choice: that one leaves a benchmark out is weak evidence."""

LATELY_DAYS = 365
"""How long before the last document that was read a maker's own score counts as one that makers report."""


def find(tables: AssessedTables) -> pl.DataFrame:
    """`count` of the `n` makers of whom a document was read show it in the last one that was read.

    `said_by` is the maker whose document showed it last, `on_day` the day of that document (where makers report it
    elsewhere alone, that of the last such score); `second` how many makers ever showed it. `known_until` is the day of
    the last document that was read, of whatever maker.
    """
    mentions = tables.full_evidence.mention.filter(pl.col("mentioned_on") <= tables.full_evidence.as_of)
    totals = mentions.select(makers=pl.col("organisation").n_unique(), read_until=pl.col("mentioned_on").max())
    rows = tables.full_evidence.facts.select("benchmark_id").join(
        _makers_showing(mentions), on="benchmark_id", how="left"
    )
    rows = rows.join(totals, how="cross").join(_last_claim_days(tables), on="benchmark_id", how="left")
    lately = pl.col("claimed_on") >= pl.col("read_until") - pl.duration(days=LATELY_DAYS)
    any_read, showing = pl.col("makers") > 0, pl.col("lately").fill_null(0)
    case = first_case(
        ("no_documents", ~any_read),
        ("shown", showing > 0),
        ("reported_elsewhere", lately),
        ("shown_earlier", pl.col("ever") > 0),
        ("never_shown", ALWAYS),
    )
    elsewhere = pl.col("case") == "reported_elsewhere"
    return rows.with_columns(case=case).select(
        "benchmark_id",
        "case",
        on_day=pl.when(elsewhere).then("claimed_on").otherwise("on_day"),
        value=only(any_read, showing.cast(pl.Float64)),
        unit=only(any_read, pl.lit("makers")),
        count=only(any_read, showing),
        n=only(any_read, pl.col("makers")),
        n_of=only(any_read, pl.lit("makers")),
        second=only(any_read, pl.col("ever").fill_null(0).cast(pl.Float64)),
        second_unit=only(any_read, pl.lit("makers")),
        said_by="organisation",
        known_until=only(any_read, pl.col("read_until")),
        evidence=only(pl.col("document").is_not_null(), pl.concat_list(pl.format("mention/{}", "document"))),
    )


def _last_claim_days(tables: AssessedTables) -> pl.DataFrame:
    """The day of the last score that makers report of their own models."""
    ends = tables.reporter_frontier.filter("carried", pl.col("reporter") == "self")
    return ends.select("benchmark_id", claimed_on="dated_on")


def _makers_showing(mentions: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark how many makers show it in their last document, how many ever did, and the last that did."""
    last = mentions.group_by("organisation").agg(newest=pl.col("mentioned_on").max())
    marked = mentions.join(last, on="organisation").with_columns(is_last=pl.col("mentioned_on") == pl.col("newest"))
    latest = marked.sort("mentioned_on", "organisation", "document")
    return latest.group_by("benchmark_id", maintain_order=True).agg(
        ever=pl.col("organisation").n_unique(),
        lately=pl.col("organisation").filter("is_last").n_unique(),
        on_day=pl.col("mentioned_on").last(),
        organisation=pl.col("organisation").last(),
        document=pl.col("document").last(),
    )


REPORTERS = Question("reporters", CASES, find)
