"""The published table of answers: see `analytics.answers`."""

from benchhealth.analytics.record.tables.declared import Own, Sharing, Table, count, day, percent, text, texts
from benchhealth.analytics.record.tables.shared import (
    BENCHMARK_ID,
    CONDITION,
    KNOWN_UNTIL,
    TWIN_ID,
    N,
    interval,
    of_row,
)

ANSWER_TABLES = (
    Table(
        "answer",
        "what every surface says of a benchmark to one question",
        (
            BENCHMARK_ID,
            text("question", "The question, a key of `analytics.answers.table.QUESTIONS`."),
            text("reply", "`yes`, `no`, `partly` or `unknown`."),
            text("case", "The code of the answer, of the question's closed list; the reply follows from it."),
            text("why_unknown", "Of an unknown: `nobody_looked`, `looked_too_weakly` or `cannot_be_asked`."),
            of_row("value", "The number of the answer in `unit`; null where the reply is unknown."),
            *interval(of_row),
            text("unit", "What the value counts or measures."),
            text("bound", "`at_least` or `at_most` where the value is a bound."),
            count("count", "How many of `n`, where the value is a share of things that are counted."),
            N,
            text("n_of", "What `n` is a number of: models, pairs, items, makers, reports, forecasts, results."),
            of_row("second", "A second number of the answer in `second_unit`."),
            text("second_unit", "What the second number counts or measures."),
            of_row(
                "known_top", "The best score that papers print, in the benchmark's own unit, where nobody else has it."
            ),
            of_row("measured", "The best score that others than its maker measured, in `second_unit`."),
            day("measured_on", "The day of the last result that others measured."),
            of_row("claimed", "The best score that a maker reports, in `second_unit`."),
            day("claimed_on", "The day of the last result that a maker reports."),
            of_row("missed", "The least that would have been seen, in `missed_unit`; less is unknown."),
            text("missed_unit", "What `missed` counts or measures."),
            count("flagged", "How many of those that were tested stand out."),
            count("tested", "How many were tested."),
            text("kind", "Which kind of second measurement, report or document it is; of a stage, how its day is set."),
            text("side", "Which side of the twin the benchmark is: `original` or `second`."),
            TWIN_ID,
            text("other_id", "The other benchmark that the answer is about."),
            text("said_by", "Who says so: a source, an auditor, a maker."),
            text("part", "The part of the benchmark that it is about."),
            day("on_day", "The day that the answer is about: since when, when last."),
            percent("p", "The share of draws of what is uncertain that give the stage; empty: none was drawn."),
            texts("between", "The two likeliest stages, where that share is too small to name one alone."),
            CONDITION,
            KNOWN_UNTIL,
            texts("evidence", "The keys of its evidence, such as `indicator/headroom` or `twin/<id>`."),
        ),
        ("benchmark_id", "question"),
        Sharing.ITS_OWN,
        "answer",
        Own.BENCHMARK,
    ),
)
