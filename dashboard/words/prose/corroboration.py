"""Who measured what, in words: classes, what differs, and the two bests."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from benchhealth.analytics.corroboration.classes import AGREES_WITHIN, CLASSES, NOT_COMPARABLE
from benchhealth.analytics.corroboration.field import CONFIRMED_SHARE, HELD, LEAD, TESTABLE, TESTED_SHARE, WITHIN_YEAR
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.words.numbers import month_of, percent, percent_interval, points_between, score
from benchhealth.dashboard.words.text import count, known, one_line

CLAIMS_APART = AGREES_WITHIN
"""The share of the scale from which on the best that makers report is shown beside the best that others measured."""

CLASS_WORDS: Mapping[str, str] = dict(
    zip(
        CLASSES,
        (
            "measured by others",
            "confirmed by others",
            "lower when others measured",
            "contradicted by others",
            "reported by its maker alone",
            "printed by a place that did not measure it",
            "others measured it under another condition",
        ),
        strict=True,
    )
)
"""The phrase for each class of a score that others measured, or did not."""

DIFFERS: Mapping[str, str] = {
    "help": "other tools, or another agent",
    "tuning": "one of the two was trained on the task",
    "attempts": "another number of attempts",
    "subset": "another subset",
    "judge": "another judge",
    "version": "another version",
    "condition": "another condition",
    "scaffold": "another agent",
    "effort": "another effort",
    "shots": "another number of examples",
    "condition_unstated": "one of the two states no condition",
    "scaffold_unstated": "one of the two states no agent",
    "effort_unstated": "one of the two states no effort",
    "shots_unstated": "one of the two does not say how many examples",
    "error_unknown": "no error is known of either",
}
"""The phrase for each reason why a score could not be compared."""


def is_apart(measured: float, claimed: float, unit: str | None) -> bool:
    """Whether the makers' best and the best of others differ enough for both to be printed."""
    return unit in BOUNDED_UNITS and abs(claimed - measured) > CLAIMS_APART


def ahead(measured: float, claimed: float, *, higher_is_better: bool, silent_since: date | None = None) -> str:
    """The finding of a curve of two sides; empty where makers do not lead by more than CLAIMS_APART.

    `silent_since` is the day of others' last result, where they stopped long before the makers: whoever no longer
    looks is not behind.
    """
    lead = claimed - measured if higher_is_better else measured - claimed
    if lead <= CLAIMS_APART:
        return ""
    apart = points_between(claimed, measured)
    if silent_since is not None:
        return (
            f"Others measured last in {month_of(silent_since)}; what makers reported later stands {apart} above "
            "it, in the condition that counts"
        )
    return f"Makers' reports run {apart} ahead of what others measured in the condition that counts"


def so_it_is(row: Mapping[str, Any]) -> str:
    """The class of a row of `corroboration`, with what differs where something does."""
    words = CLASS_WORDS[row["class"]]
    differs = DIFFERS[row["reason"]] if row["class"] == NOT_COMPARABLE else ""
    return f"{words}: {differs}" if differs else words


def bests_sentence(benchmark: str, bests: int, model: str, until: date | None) -> str:
    """How many best scores of a benchmark, or of one model on it, are on record; `model` is empty for all."""
    of_model = f" of {model}" if model else ""
    return f"{benchmark}: {count(bests, 'best score')}{of_model} on record with who measured it{known(until)}."


def best_sentence(row: Mapping[str, Any], unit: str | None) -> str:
    """One best score of a benchmark: whose, how high, under which condition, and what it rests on."""
    stated = row["condition"] if row["condition"] not in (None, UNSTATED) else "no condition is stated"
    return f"{one_line(row['model'])}, {score(row['score'], unit)} ({stated}): {so_it_is(row)}."


def field_title(measures: Mapping[str, Mapping[str, Any]]) -> str:
    """How many of the records that makers report others confirmed; `measures` are the rows over all, by measure."""
    row = measures[CONFIRMED_SHARE]
    ends = percent_interval(row["low"], row["high"])
    return f"Others confirmed {row['events']:,} of {row['n']:,} records that makers report ({ends})"


def field_claims_sentence(measures: Mapping[str, Mapping[str, Any]]) -> str:
    """Who could have tested, how soon, how those that were tested fared, and by how long claims are ahead."""
    tested, testable, confirmed = (measures[name] for name in (TESTED_SHARE, TESTABLE, HELD))
    clauses = [
        f"others have a result of the same model on the same benchmark for {tested['events']:,} of {tested['n']:,}"
    ]
    if testable["value"] is not None:
        clauses.append(
            f"of the {testable['n']:,} others, {testable['events']:,} are of models that somebody else measured on "
            "another curated benchmark and so could have measured here "
            f"({percent_interval(testable['low'], testable['high'])})"
        )
    if confirmed["value"] is not None:
        clauses.append(
            f"of {confirmed['n']} that were measured under the same condition {confirmed['events']} held "
            f"({percent_interval(confirmed['low'], confirmed['high'])})"
        )
    within_year, lead = measures[WITHIN_YEAR], measures[LEAD]
    if within_year["value"] is not None:
        ends = percent_interval(within_year["low"], within_year["high"])
        clauses.append(f"{percent(within_year['value'])} were confirmed within 12 months ({ends})")
    if lead["value"] is not None:
        high = "" if lead["high"] is None else f" to {lead['high']:.0f}"
        clauses.append(
            f"half of the {lead['n']} claims that were ahead were reached by what others measured, of whichever model, "
            f"within {lead['value']:.0f} months ({lead['low']:.0f}{high})"
        )
    return "; ".join(clauses)
