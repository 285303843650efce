"""Past statements in words: verdicts that were taken back, how late a stage was known, forecasts that came true."""

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from benchhealth.analytics.forecast.held import INTERVAL, PUBLISHED_COVERAGE
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.summaries.ends import day_span, extent
from benchhealth.analytics.verdict.history import KNOWN_THEN, SAME_SOURCES
from benchhealth.analytics.verdict.known_then.revisions import (
    ANY,
    CURATED,
    EDITS,
    FACTS,
    LATE,
    NAMES,
    RULES,
    TAKEN_BACK,
)
from benchhealth.dashboard.words.numbers import month_of, percent, percent_interval, score
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import count, known, known_at_latest, listed

_CAUSE: Mapping[str, str] = {
    RULES: "other rules",
    NAMES: "other names",
    EDITS: "a best score that was changed or withdrawn",
    LATE: "results of that time that were seen later",
    FACTS: "other facts, another condition, or undated results",
}
_BASIS: Mapping[str, str] = {
    KNOWN_THEN: "all sources",
    SAME_SOURCES: "the sources that had spoken by the first day, whatever was taken up later",
}


def revisions_sentence(rows: Sequence[Row]) -> str:
    """The rows of table `verdict_revision` of one benchmark on all sources, oldest first; empty where there are none.

    What was said from when until when, what of it was taken back and why, and how late the present stage was known.
    """
    every = [row for row in rows if row["basis"] == KNOWN_THEN]
    if not every:
        return ""
    stretches = [f"{_stage(row)} from {month_of(row['from_on'])}" for row in every]
    taken_back = [row for row in every if row["fate"] == TAKEN_BACK]
    clauses = [f"Known then, by what sources had said at the ends of months: {listed(stretches)}"]
    if taken_back:
        withdrawn = [f"{_stage(row)} of {month_of(row['from_on'])} (by {_CAUSE[row['cause']]})" for row in taken_back]
        clauses.append(f"taken back since: {listed(withdrawn)}")
    else:
        clauses.append("none of it was taken back")
    lag = every[-1]["lag"]
    if lag is not None:
        began = f"{_stage(every[-1])} holds since {month_of(every[-1]['began_on'])}"
        clauses.append(f"by what is known now {began}, which was said {count(lag, 'day')} later")
    return f"{'; '.join(clauses)}."


def revision_count_list(rows: Iterable[Row]) -> str:
    """The rows of table `verdict_revision_count` of curated benchmarks as a list in markdown, empty without any."""
    curated = [row for row in rows if row["of"] == CURATED]
    lines = []
    for basis, words in _BASIS.items():
        row_of_stage = {row["stage"]: row for row in curated if row["basis"] == basis}
        if ANY not in row_of_stage:
            continue
        first = row_of_stage[ANY]
        days = f"{count(first['on_days'], 'day')} from {month_of(first['first_on'])} to {month_of(first['last_on'])}"
        lines.append(f"Of {words}, on {days}, of curated benchmarks:")
        order = [
            stage for stage in ("saturated", "compressing", "discriminating", "emerging", ANY) if stage in row_of_stage
        ]
        lines.append("\n".join(f"- {_taken_back_line(row_of_stage[stage])}" for stage in order))
    return "\n\n".join(lines)


def _taken_back_line(row: Row) -> str:
    """One line: how many were taken back of how many, why, and how late such a stage was known."""
    verdicts = "verdicts of any stage" if row["stage"] == ANY else f"‘{_stage(row)}’ verdicts"
    facts = [f"**{row['taken_back']} of {row['said']} {verdicts}** were taken back"]
    if row["taken_back"]:
        because = [f"{row[f'by_{cause}']} by {words}" for cause, words in _CAUSE.items() if row[f"by_{cause}"]]
        interval = percent_interval(row["share_low"], row["share_high"])
        facts[0] += f" (95% interval {interval}, {count(row['benchmarks'], 'benchmark')}): {listed(because)}"
        facts.append(f"after {row['days']:.0f} days in the median")
    if row["lags"]:
        facts.append(f"{count(row['lags'], 'stage')} that began since known {row['lag']:.0f} days later in the median")
    return f"{'; '.join(facts)}{known_at_latest(row['last_on'])}."


def held_sentence(rows: Iterable[Row]) -> str:
    """How many intervals of the table `forecast_held` held the outcome, of how many; empty where none is due."""
    intervals = [row for row in rows if row["what"] == INTERVAL and row["shown"] is None]
    sentences = [
        f"of {count(row['statements'], 'backcast statement')} at {PUBLISHED_COVERAGE:.0%} {row['horizon_months']} "
        f"months ahead, on {count(row['benchmarks'], 'benchmark')} at {count(row['months'], 'month end')} from "
        f"{month_of(row['first_on'])} to {month_of(row['last_on'])}, {percent(row['held'])} held "
        f"(95% interval {percent_interval(row['held_low'], row['held_high'])}; half of them span at most "
        f"{row['width']:.0f} points)"
        for row in intervals
    ]
    return "; ".join(sentences)


def published_statements_sentence(rows: Iterable[Row]) -> str:
    """How many of the statements that are due would have been published."""
    intervals = [row for row in rows if row["what"] == INTERVAL]
    every = sum(row["statements"] for row in intervals if row["shown"] is None)
    published = sum(row["statements"] for row in intervals if row["shown"])
    until = max((row["last_on"] for row in intervals), default=None)
    if not every:
        return ""
    if not published:
        return (
            f"None of the {count(every, 'statement')} would have been published: on none of these days had such "
            f"forecasts proven skill by what was known then{known(until)}."
        )
    return f"{published:,} of the {count(every, 'statement')} would have been published{known(until)}."


def _stage(row: Row) -> str:
    return STAGE_WORDS[row["stage"]].lower()


FANS = (
    "Backcast: computed later, of what sources had said by the day that each was made; of every third month. Drawn "
    "are 80% intervals, for the case that a stronger model is tested (off the capability scale: that the best is "
    "beaten), dotted from the best known then. The line is the best so far by what is known now."
)


def backcast_sentence(forecasts: pl.DataFrame) -> str:
    """How many of the backcast forecasts of a benchmark held of those that can be judged, and from when they are."""
    judged = forecasts["inside"].drop_nulls()
    first, last = day_span(forecasts["issued_on"], forecasts["issued_on"])
    span = f"made from {month_of(first)} to {month_of(last)}"
    if judged.is_empty():
        return f"none of {count(forecasts.height, 'backcast forecast')} can be judged yet, {span}"
    left = f"; {forecasts.height - len(judged)} cannot be judged" if len(judged) < forecasts.height else ""
    return f"{judged.sum()} of {count(len(judged), 'backcast forecast')} held the best score, {span}{left}"


def outcome_clause(row: Row, unit: str | None) -> str:
    """A clause that says what became of one forecast made for an earlier day."""
    if row["state"] != "due":
        return "not due, or no data since"
    outcome = f"came: {score(row['outcome'], unit)}"
    return outcome if row["happened"] else f"{outcome}; no stronger model was tested"


def held_title(rows: pl.DataFrame) -> str:
    """The finding: what share of the intervals held the outcome, beside the stated 80%."""
    intervals = rows.filter(what=INTERVAL)
    if intervals.is_empty():
        return "No backcast interval can be judged yet"
    row = intervals.row(0, named=True)
    interval = percent_interval(row["held_low"], row["held_high"])
    return (
        f"Of {count(row['statements'], 'backcast statement')} at {PUBLISHED_COVERAGE:.0%}, {percent(row['held'])} held "
        f"(95% interval {interval})"
    )


def held_subtitle(rows: pl.DataFrame) -> str:
    """The benchmarks and days it is about, how wide the intervals were, and how to read the marks."""
    first, last = map(month_of, day_span(rows["first_on"], rows["last_on"]))
    ahead, most = rows["horizon_months"][0], int(extent(rows["benchmarks"])[1])
    intervals = rows.filter(what=INTERVAL)
    wide = (
        f"; half of {intervals['statements'][0]:,} intervals span at most {intervals['width'][0]:.0f} points"
        if intervals.height
        else ""
    )
    return (
        f"On {count(most, 'benchmark')}, {ahead} months ahead, at months' ends from {first} to {last}{wide}. "
        "Diamond: 80% intervals; circles: chances of a stronger model by fifths; numbers: statements; grey bars: their "
        "share. On the dotted line what is said comes true as often. Months overlap, so the statements are no "
        "independent trials."
    )


def probability_bin_text(row: Row) -> str:
    """The text of one mark: the chance that was given, and how often it happened."""
    statements, benchmarks = count(row["statements"], "statement"), count(row["benchmarks"], "benchmark")
    return f"said {percent(row['expected'])}, came {percent(row['held'])}<br>{statements} on {benchmarks}"
