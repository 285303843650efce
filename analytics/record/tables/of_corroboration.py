"""The published tables on who measured the best scores."""

from benchhealth.analytics.record.tables.declared import Own, Sharing, Table, count, day, link, place, score, text
from benchhealth.analytics.record.tables.shared import (
    BENCHMARK_ID,
    CONDITION,
    MODEL_ID,
    REPORTER,
    SCORE,
    SETTING,
    SNAPSHOT_ID,
    SOURCE_ID,
    SOURCE_ROW,
    N,
    interval,
    of_row,
)

CORROBORATION_TABLES = (
    Table(
        "corroboration",
        "a best score of a curated benchmark: who measured it, and what others found",
        (
            BENCHMARK_ID,
            text(
                "kind", "`step` of the best score, `first` place, `top_ten`, or `condition`: best of another condition."
            ),
            place("rank", "Which step, or which place."),
            MODEL_ID,
            CONDITION,
            SETTING,
            SCORE,
            REPORTER,
            SOURCE_ID,
            SNAPSHOT_ID,
            SOURCE_ROW,
            link("source_url", "The file that prints it.", label="printed in"),
            day("dated_on", "The day that the score is of; empty where nobody knows.", label="when"),
            day("seen_on", "The day by which it was seen.", label="seen by"),
            score("independent", "The independent score of the same model that decides.", label="by others"),
            text("independent_source_id", "Who prints that.", label="others' source"),
            text("independent_snapshot_id", "The version of the file that says so."),
            text("independent_row", "The address of the row in that file."),
            day("independent_on", "The day that it is of.", label="others when"),
            text("independent_condition", "The condition that it was measured under.", label="others' condition"),
            text("independent_setting", "What the model was run with there.", label="others' setting"),
            score("difference", "How much better the maker's score is; empty where others measured it first."),
            *interval(score),
            text("class", "measured, confirmed, lower, contradicted, claimed, quoted or not_comparable."),
            text("reason", "What differs between the two, or which of the two does not say.", label="what differs"),
            count("lag_days", "Days from the maker's score to the first independent one that decides.", label="days"),
        ),
        ("benchmark_id", "kind", "rank", "condition"),
        Sharing.ITS_OWN,
        "corroboration",
        Own.BENCHMARK,
    ),
    Table(
        "claim_check",
        "a measure of how far makers' reports run ahead, over all or in a year, a domain or of a maker",
        (
            text("measure", "What is measured, a key of `analytics.corroboration.field.MEASURES`."),
            text("subject_kind", "`all`, `year`, `domain` or `maker`."),
            text("subject", "The year, domain or maker; those with fewer than ten are `other`."),
            of_row("value", "The share, or the median months; null where half was never reached."),
            *interval(of_row),
            N,
            count("events", "How many of them are what the share counts."),
        ),
        ("measure", "subject_kind", "subject"),
        Sharing.ITS_OWN,
        "claim_check",
    ),
)
"""Who measured what is the best."""
