"""What the words of several questions share: the row, what a question says of it, and small parts of sentences."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import fixed, percent, points, points_number, room_interval
from benchhealth.dashboard.words.text import known

Names = Mapping[str, str]
"""The names of benchmarks by their ids; of one without a name the id stands."""

NOBODY = "nothing on record"
WITHHELD = "not passed on"
"""Stands in a cell that would repeat what may not be passed on."""
STANDARD = "standard"
"""The condition of who follows the protocol of the test itself: it needs no words."""


@dataclass(frozen=True)
class Wording:
    """What a question says of a row, in plain text.

    `number` stands in brackets after the reply (empty: nothing does); `sentence` is the answer with how many of what,
    without its full stop and without until when it is known; `more` are further whole sentences.
    """

    number: str
    sentence: str
    more: tuple[str, ...] = ()


def name_or_id(names: Names, benchmark_id: str | None) -> str:
    """The name of a benchmark; its id where it has none, and empty for None."""
    return "" if benchmark_id is None else names.get(benchmark_id) or benchmark_id


def until(row: Row) -> str:
    """What ends a sentence about the row: `; data to Nov 2025`."""
    return known(row["known_until"])


def condition_note(row: Row) -> str:
    """The condition that the row is about, where one is stated: ` (under: no tools)`."""
    condition = stated_condition(row)
    return f" (under: {condition})" if condition else ""


def stated_condition(row: Row) -> str:
    """The condition that the row is about; empty where none is stated."""
    condition = row["condition"]
    return "" if condition in (None, UNSTATED, STANDARD) else str(condition)


def room(row: Row, key: str = "value") -> str:
    """The share of the scale that is left: `16%`, `at least 54%`, `nothing`."""
    left = row[key]
    if left <= 0:
        return "nothing"
    return f"{'at least ' if row['bound'] == 'at_least' else ''}{percent(left)}"


def room_with_error(row: Row) -> str:
    """The room that is left with its 95% interval: `16% (12 to 20% with error)`."""
    interval = room_interval(row["low"], row["high"])
    return f"{room(row)}{f' ({interval} with error)' if interval else ''}"


def gap(row: Row) -> str:
    """A gap, as it is on the second: `3.6 points lower`, `31 units higher`."""
    return f"{amount(abs(row['value']), row['unit'])} {'lower' if row['value'] >= 0 else 'higher'}"


def gap_number(row: Row) -> str:
    """The gap as a number without its unit: `3.6 lower`."""
    size = points_number(row["value"] / 100) if row["unit"] == "points" else f"{abs(row['value']):.0f}"
    return f"{size} {'lower' if row['value'] >= 0 else 'higher'}"


def gap_interval(row: Row) -> str:
    """Its 95% interval in the direction in which the gap is said: `0.8 to 6.3`; empty where it is not known."""
    if row["low"] is None or row["high"] is None:
        return ""
    low, high = (row["low"], row["high"]) if row["value"] >= 0 else (-row["high"], -row["low"])
    return f"{fixed(low)} to {fixed(high)}"


def amount(size: float, unit: str) -> str:
    """A size in points of a bounded scale or in units of an open one."""
    return points(size / 100) if unit == "points" else f"{size:.0f} units"


def a(kind: str) -> str:
    """A kind of twin with its article: `an independent rerun`, `a fresh sample`."""
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"
