"""Why a benchmark is not recommended: the first rule that it fails, and the number behind it."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchhealth.analytics.answers.desk.choose import MOST_RECOMMENDED
from benchhealth.analytics.answers.desk.rules import FLAWED, LEAST_ROOM
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.desk.cards import cost, kind, measured_by_others, pairs_apart, room
from benchhealth.dashboard.words.numbers import month_of, percent
from benchhealth.dashboard.words.text import NO_RESULT, count

REASONS: Mapping[str, str] = {
    "no_result": "No result that counts",
    "few_models": "Too few models",
    "dormant": "No longer reported",
    "makers_all": "No known results of others",
    "few_by_others": "Too few models by others",
    "not_since": "Measured too long ago",
    "saturated": "Saturated",
    "little_room": "Little room is left",
    "room_unknown": "Room left is not known",
    "unresolved": "Top models lie within error",
    "labels_wrong": "Too many wrong labels",
    "part": "Part of another benchmark",
    "construct_unknown": "Construct is not on record",
    "over_budget": "A run costs more than the budget",
    "other_construct": "Asks for something else",
    "ranked_after": f"After the first {MOST_RECOMMENDED}",
}
"""The first reason in a few plain words, by code."""

TABS: Mapping[str, str] = {
    "result": "Sources",
    "independence": "Who reports",
    "room": "",
    "order": "Top models",
    "labels": "All indicators",
    "construct": "",
    "day": "Sources",
    "budget": "Sources",
    "likeness": "",
    "place": "",
}
"""The tab of a benchmark's page that shows what each rule rests on; empty: what it opens with."""

HEAD = ("Benchmark", "First reason", "The number behind it")
NONE_IS_BAD = "Each other benchmark with the first reason that ruled it out; none is bad at everything."


def number(row: Row) -> str:
    """The number behind the reason, in plain text. Raises KeyError for a code that is none."""
    left = f"{room(row)}; best of {count(row['models'], 'model')}"
    by_others = measured_by_others(row)
    until = month_of(row["known_until"])
    numbers: dict[str, Any] = {
        "no_result": NO_RESULT if row["condition"] is None else "all of its results are under other conditions",
        "few_models": f"{count(row['models'], 'model')}; {LIMITS.min_models} are the least",
        "dormant": f"no result and no maker's document of the last year; data to {until}",
        "makers_all": f"{by_others}; data to {until}",
        "few_by_others": f"{by_others}; {LIMITS.min_models} are the least; data to {until}",
        "not_since": _labels_checked(row),
        "saturated": f"{left}; data to {until}",
        "little_room": f"{left}; {percent(LEAST_ROOM)} left is the least; data to {until}",
        "room_unknown": "chance or ceiling is not known, so how much is left is not",
        "unresolved": f"{pairs_apart(row)} differ beyond error; data to {until}",
        "labels_wrong": f"{_audit_text(row)}; below {percent(FLAWED)} passes",
        "part": "its whole is judged",
        "construct_unknown": "what it asks for is not on record",
        "over_budget": f"{cost(row)}; data to {until}",
        "other_construct": f"asks for {kind(row)}",
        "ranked_after": f"fails no rule; {left}, {by_others}; data to {until}",
    }
    return str(numbers[row["why"]])


def heading(rejected: Sequence[Row], n_chosen: int) -> str:
    """What rules most of them out: `Why not the others: for 5 of 10 the first reason is “Not independent”`."""
    why = "Why not the others" if n_chosen else "Why none"
    codes = [row["why"] for row in rejected]
    most = max(dict.fromkeys(codes), key=codes.count)
    return f"{why}: for {codes.count(most)} of {len(codes)} the first reason is “{REASONS[most]}”"


def elsewhere(number: int) -> str:
    """The words before the constructs for which other benchmarks could be recommended."""
    more = "One more fails no rule, but asks" if number == 1 else f"{number} more fail no rule, but ask"
    return f"{more} for something else:"


def what_is_needed(rejected: Sequence[Row]) -> str:
    """What would be needed for one to be recommended, where none is: of what fails latest."""
    nearest = rejected[0]
    remedies = {
        "result": f"results of {LIMITS.min_models} models or more, and somebody who reports it",
        "independence": f"results of {LIMITS.min_models} models or more by others than their makers",
        "room": f"more room, at least {percent(LEAST_ROOM)} of the scale left above the best score",
        "order": "more items, so that the top models differ beyond error",
        "labels": "corrected labels",
        "construct": "a stated construct",
        "day": "newer data",
        "budget": "a cheaper run",
        "likeness": "a benchmark that asks for this construct and fails no rule",
    }
    return (
        f"What would be needed: {remedies[nearest['rule']]}. {nearest['label']} comes nearest "
        f"({REASONS[nearest['why']].lower()}: {number(nearest)})."
    )


def _labels_checked(row: Row) -> str:
    theirs, every = row["independent_until"], row["known_until"]
    if theirs is None:
        return f"data to {month_of(every)}; until when others measured it is not on record"
    return f"data to {month_of(every)}, of others than the makers to {month_of(theirs)}"


def _audit_text(row: Row) -> str:
    audited = count(row["checked"], "audited item") if row["checked"] else "the items of an audited part"
    return f"{percent(row['flawed'])} of {audited} are known to be wrong; data to {month_of(row['known_until'])}"
