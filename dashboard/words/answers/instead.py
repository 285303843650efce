"""What to use in its place, in words."""

from benchhealth.dashboard.words.answers.parts import Names, Row, Said, named, room
from benchhealth.dashboard.words.numbers import correlation
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import count

NONE = "None that we know of measures the same and still has room"
_REASONS = {
    "named": "is what a curator names",
    "same_domain": "is of the same domain",
    "kin_domain": "measures the same ability in another form",
    "named_only": "is what a curator names, though it has run out itself or too little is known of it",
}


def said(row: Row, names: Names) -> Said:
    """The first alternative, why it is one, and what is known of it."""
    if row["case"] == "none_fits":
        return Said("none known", NONE)
    if row["case"] == "no_domain":
        return Said("", "What it measures is not on record, so nothing that measures the same can be named")
    other = named(names, row["other_id"])
    left = "" if row["value"] is None else room(row)
    stage = STAGE_WORDS[row["kind"]].lower() if row["kind"] else ""
    state = ", ".join(part for part in (stage, f"{left} of the scale left" if left else "") if part)
    sentence = f"{other} {_REASONS[row['case']]}{f' ({state})' if state else ''}"
    alike = (
        "How alike the two rank models is not known: too few are on both."
        if row["second"] is None
        else f"The two rank {count(row['n'], 'model')} alike at Kendall's tau {correlation(row['second'])}."
    )
    return Said(f"{other}{f', {left} left' if left else ''}", sentence, (alike,))
