"""Who reports it, in words: what the last documents read say, each with its day, and nothing about today."""

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.answers.parts import WITHHELD, Names, Wording
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count

_CHOICE = "Which documents are read is a choice: that one leaves a benchmark out is weak evidence."


def wording(row: Row, _names: Names) -> Wording:
    """In the last documents of how many makers it stands, and where it was shown last."""
    if row["case"] == "no_documents":
        return Wording("no document read", "No document of a maker of models was read")
    if row["count"] is None:
        return Wording(WITHHELD, f"Which documents show it is {WITHHELD}")
    makers = count(row["n"], "maker")
    shown_by = f"{row['count']} of {makers}"
    number = f"in the last document of {shown_by}"
    if row["case"] == "never_shown":
        return Wording(number, f"No document that was read of {makers} shows it", (_CHOICE,))
    if row["case"] == "reported_elsewhere":
        elsewhere = (
            f"No last document read of {makers} shows it, but makers report scores of their own models elsewhere"
        )
        return Wording("elsewhere", f"{elsewhere}, the last of {day_of(row['on_day'])}", (_CHOICE,))
    last = f"{row['said_by']} showed it last, on {day_of(row['on_day'])}"
    ever = f"{count(round(row['second']), 'maker')} showed it at some time."
    if row["case"] == "shown":
        show = "shows" if row["count"] == 1 else "show"
        sentence = f"{shown_by} {show} it in the last document of theirs that was read; {last}"
    else:
        sentence = f"The last documents read of {makers} leave it out; {last}"
    return Wording(number, sentence, (ever, _CHOICE))
