"""A recommended benchmark in words: its numbers, why it is one, and what speaks against it."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchhealth.analytics.answers.desk.choose import CHOSEN_CONSTRUCT, FIRST, SAME_ANSWER, SAME_CONSTRUCT
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.desk.question import WEIGHED
from benchhealth.dashboard.words.numbers import UNKNOWN, day_of, month_of, percent, room_interval
from benchhealth.dashboard.words.text import capital, count

RESERVATIONS_SHOWN = 3
"""How many reservations a card names, the weightiest first."""

NO_CEILING = "No ceiling"
NOT_KNOWN_APART = "Not known: errors missing"

_AGAINST: Mapping[str, str] = {
    "needs_more": "Scoring takes more than a laptop (kind of answer: {kind})",
    "keys_hidden": "Its keys are not public, so a class cannot score it alone",
    "stage_doubted": "Which of two stages it is in is not sure",
    "apart_unknown": "Not every one of its top five has a known error, so how many differ is not known",
    "crowded": "Only {apart} of {pairs} of its top five differ beyond error",
    "makers_most": "Of most of its {models} the best score is the maker's own",
    "others_earlier": "Data of others end in {others}, those of makers in {until}",
    "one_house": "One party alone measured the models of others",
    "measurer_unknown": "Who measured it is not said",
    "makers_ahead": "Makers report a higher best than others measured",
    "labels_some_wrong": "{flawed} of the audited items are known to be wrong",
    "no_ceiling": "Its scale has no ceiling, so room cannot be said",
    "no_floor": "Its chance level is not known, so the room is the least that is left",
    "under_condition": "All numbers are of one condition: {condition}",
    "labels_unaudited": "No audit of its labels is on record",
    "one_construct": "It speaks of {construct}, of nothing else",
}


@dataclass(frozen=True)
class Card:
    """A recommendation as every surface prints it; all texts are plain.

    `numbers` are pairs of what is said and the number; `why` and `reservation` are sentences, neither of them empty.
    """

    benchmark_id: str
    name: str
    about: str
    numbers: tuple[tuple[str, str], ...]
    why: str
    reservation: str


def card(row: Row, first: Row) -> Card:
    """The card of a row of `published.deciding.desk`; `first` is the first one that is recommended."""
    items = f", {count(row['n_items'], 'item')}" if row["n_items"] else ""
    return Card(
        benchmark_id=row["benchmark_id"],
        name=row["label"],
        about=f"{capital(row['construct'])}{items}",
        numbers=(
            ("Room", room(row)),
            ("Clear differences", pairs_apart(row)),
            ("Measured", measured_by_others(row)),
            ("Data to", days_known(row)),
            ("A run costs", cost(row)),
        ),
        why=f"{recommendation_reason(row, first)}.",
        reservation=" ".join(f"{sentence}." for sentence in drawbacks(row)[:RESERVATIONS_SHOWN]),
    )


def room(row: Row) -> str:
    """The share of the scale that is left, with its interval."""
    if row["room"] is None:
        return NO_CEILING if "no_ceiling" in row["reservations"] else UNKNOWN
    least = "at least " if row["room_bound"] == "at_least" else ""
    interval = room_interval(row["room_low"], row["room_high"])
    left = percent(row["room"]) if row["room"] > 0 else "nothing"
    return f"{least}{left} left{f', {interval}' if interval else ''}"


def pairs_apart(row: Row) -> str:
    """How many pairs of the top five differ beyond error."""
    if row["pairs_apart"] is None:
        return NOT_KNOWN_APART
    return f"{row['pairs_apart']} of {count(row['pairs'], 'pair')} of the top five"


def measured_by_others(row: Row) -> str:
    """How many of the models that are listed now were measured by others than their makers, and of how many none says.

    `unsaid` counts the models of which nobody says who measured any result.
    """
    unsaid = f"; of {row['unsaid']:,} nobody says who measured" if row["unsaid"] else ""
    return f"{row['by_others']:,} of {count(row['models'], 'listed model')} by others{unsaid}"


def days_known(row: Row) -> str:
    """When results of others were last looked at, and when all were where that is later; they may be older."""
    theirs, every = row["independent_until"], row["known_until"]
    if theirs is None:
        return f"{day_of(every)}, by makers or not said by whom" if every else UNKNOWN
    later = f"; in all {month_of(every)}" if every and (every.year, every.month) > (theirs.year, theirs.month) else ""
    return f"{day_of(theirs)}, last look at results of others{later}"


def cost(row: Row) -> str:
    """What a run costs, as the median of the runs with a price; `not known` without one."""
    if row["run_cost"] is None:
        return UNKNOWN
    return f"{dollars(row['run_cost'])}, median of {count(row['priced_runs'], 'run')}"


def dollars(amount: float) -> str:
    """An amount of dollars as it is written: whole from $10 on, two digits below."""
    return f"${amount:,.0f}" if amount >= 10 else f"${amount:.2g}"


def kind(row: Row) -> str:
    """The construct that a benchmark measures, and the kind of answer that it asks for."""
    return f"{row['construct']} (kind of answer: {row['answer_kind']})"


def recommendation_reason(row: Row, first: Row) -> str:
    """Why it is recommended: by what it is like what was asked for. Raises KeyError for a reason that is none."""
    leader = first["label"]
    reasons = {
        CHOSEN_CONSTRUCT: f"It asks for what you chose: {kind(row)}",
        FIRST: f"Weighed by {WEIGHED[row['role']]}, it comes first. It asks for {kind(row)}",
        SAME_CONSTRUCT: f"Same construct as {leader}: {kind(row)}",
        SAME_ANSWER: f"Same domain and kind of answer as {leader} ({row['answer_kind']}), here for {row['construct']}",
    }
    return reasons[row["reason"]]


def drawbacks(row: Row) -> list[str]:
    """What speaks against a recommended benchmark, the weightiest first; never empty."""
    values = {
        "kind": row["answer_kind"],
        "construct": row["construct"],
        "condition": row["condition"],
        "models": count(row["models"], "model"),
        "apart": row["pairs_apart"],
        "pairs": count(row["pairs"] or 0, "pair"),
        "others": month_of(row["independent_until"]),
        "until": month_of(row["known_until"]),
        "flawed": percent(row["flawed"]),
    }
    return [_AGAINST[code].format(**values) for code in row["reservations"]]
