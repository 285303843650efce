"""What happened to a benchmark, in words: a head of a few words, a sentence, and the other side."""

from benchhealth.analytics.record.happened.incidents import CONSTANT_ANSWER
from benchhealth.analytics.record.lineages.handovers import GAP, MOVED
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import month_of, percent, score
from benchhealth.dashboard.words.text import count, one_line

_CHANGED = {
    "scale": "its scores are on another scale",
    "names": "its names were changed",
    "data": "past scores were changed",
    "rules": "its rules were changed",
    "reset": "the board was begun anew",
    GAP: "its source goes on after a silence",
    MOVED: "its results are read at another address and may differ there",
}
"""What is said of a break whose note is empty, by its kind."""

HEADS = {
    "retired": "No longer recommended",
    "exploit": "Scores could be had otherwise",
    CONSTANT_ANSWER: "A constant answer scores",
    "withdrawn": "A result was withdrawn",
    "access": "Who had access",
    "selection": "What was published was chosen",
    "audit": "Items were audited",
    "relabelled": "Labelled anew",
    "regraded": "Tasks were mended",
    "contamination": "Items reported in training data",
    "break": "The measurement changed",
}
"""The heading of each kind of incident."""


def what_happened(row: Row) -> str:
    """What happened, with its number, where that is known; no full stop."""
    if row["home"] == "label_error":
        checked_items = (
            count(row["n"], "checked item") if row["n"] else f"the items checked ({row['part'] or 'no number stated'})"
        )
        part_text = f", a part: {row['part']}" if row["part"] and row["n"] else ""
        are = "is" if row["n"] == 1 else "are"
        return f"{percent(row['share'], error=0.0)} of {checked_items} {are} faulty{part_text}; {row['subject']}"
    if row["home"] == "contamination_report":
        share = (
            "items"
            if row["share"] is None
            else f"{percent(row['share'], error=0.0)} of the items (no number of them is stated)"
        )
        return f"{share} reported in the training data of {row['subject']}: {row['said']}"
    if row["home"] == "breakpoint":
        return one_line(row["said"] or _CHANGED[row["subject"]])
    scored = f" ({score(row['score'], row['unit'])})" if row["score"] is not None else ""
    return f"{row['subject']}: {one_line(row['said'])}{scored}"


def month_of_incident(row: Row) -> str:
    """The month of an incident, or that its day is not on record."""
    return month_of(row["on_date"]) if row["on_date"] else "day not on record"


def other_side(row: Row) -> str:
    """The other side of a dispute, with who says so; empty where nobody is on record."""
    return "" if row["disputed_by"] is None else f"The other side, {row['disputed_by']}: {one_line(row['dispute'])}"
