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
    interval,
)

CORROBORATION_TABLES = (
    Table(
        "corroboration",
        "a best score of a curated benchmark: who measured it, and what others found",
        (
            BENCHMARK_ID,
            text(
                "kind",
                "Why it is here: `step` of the best score, `first` of the leaderboard, `top_ten` (places 2 to 10), "
                "or `condition`, the best under a condition that the benchmark is not judged by.",
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
            text(
                "class",
                "`measured`: by others, or they were first; `confirmed`: the maker's, and others lie within the error "
                "plus two points, or above; `lower`: below that; `contradicted`: comparable, and below by more than "
                "the error plus five; `claimed`: by the maker alone; `quoted`: the same, printed by others too; "
                "`not_comparable`: others measured under another condition.",
            ),
            text("reason", "What differs between the two, or which of the two does not say.", label="what differs"),
            count("lag_days", "Days from the maker's score to the first independent one that decides.", label="days"),
        ),
        ("benchmark_id", "kind", "rank", "condition"),
        Sharing.ITS_OWN,
        "corroboration",
        Own.BENCHMARK,
    ),
)
"""Who measured what is the best."""
