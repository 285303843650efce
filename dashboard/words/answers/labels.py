"""The words of the answer to: are the labels right?"""

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.answers.parts import NOBODY, Names, Wording
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.text import count


def wording(row: Row, _names: Names) -> Wording:
    """The share found faulty, of how many that were checked, and who checked them how."""
    if row["case"] == "no_labels":
        return Wording(
            "no labels", "Its score is a rating of wins, not of right answers, so there is no label to be wrong"
        )
    if row["case"] == "not_audited":
        return Wording(NOBODY, "No audit of its labels is on record")
    share = percent(row["value"], error=0.0)
    by_whom = f" ({row['said_by']})" if row["said_by"] else ""
    checked_items = _share_of(row)
    if row["case"].startswith("none_wrong"):
        return Wording("none known wrong", f"None {checked_items} was found faulty{by_whom}")
    beyond = (
        ()
        if row["second"] is None
        else (f"On {percent(row['second'], error=0.0)} of the checked items no right answer scores.",)
    )
    unchecked = ("Of the other items nothing is known.",) if row["kind"] == "part" else ()
    where = {"whole": "", "sample": " in a sample", "part": " in a part"}[row["kind"]]
    sentence = f"{share} {checked_items} {'were' if row['n'] != 1 else 'was'} found faulty{by_whom}"
    checked = "" if row["n"] is None else f" of {count(row['n'], 'item')}"
    return Wording(f"{share}{checked} found faulty{where}", sentence, (*beyond, *unchecked))


def _share_of(row: Row) -> str:
    """What the share is a share of: all items, a sample of them or a part."""
    stated = row["n"] is not None
    checked = count(row["n"], "item") if stated else "what was checked, of which no number of items is stated,"
    if row["kind"] == "whole":
        return f"of {'all ' if stated else ''}{checked}"
    if row["kind"] == "sample":
        return f"of {checked} drawn from the test"
    return f"of {checked} in a part of the data, {row['part'] or 'which is not named'},"
