"""What is said of the map at the end of a month: its finding, what makes it whole, and what it rests on."""

from collections.abc import Mapping, Sequence
from datetime import date

from benchhealth.dashboard.words.first import in_use
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count

Counts = Mapping[str, int]
"""How many benchmarks are in each stage: a row of `states.counted`."""

AGES = ("", "no result for 6 months", "no result for 18 months")
"""What the age of the newest result is called, from fresh to old."""

LANE = ("released, no dated result yet", "released, no result")
"""What those in the lane are, and the same where there is little room."""

NONE = "No benchmark had a dated result by then"
TAIL_SAID = "A tail is the fall of the last twelve months."


def month_name(day: date) -> str:
    """The month of a day in full: `June 2019`."""
    return f"{day:%B %Y}"


def title(counts: Counts, on: date) -> str:
    """How many could tell models apart at the end of a month that is over."""
    if not counts["benchmarks"]:
        return f"{month_name(on)}: no benchmark had a dated result"
    return in_use.title(counts, about=month_name(on), past=True)


def rest(counts: Counts, *, is_last: bool) -> str:
    """Those that did not measure, or do not now; they add up to all that count."""
    if not counts["benchmarks"]:
        return f"{NONE}, by what is on record here."
    return f"{in_use.rest(counts, past=not is_last)} {TAIL_SAID}"


def basis(counts: Counts, on: date, *, is_last: bool, today_alone: int, curated: int) -> str:
    """By which rules and from which results the month is told, and what counts without having a place.

    `today_alone` is how many have a stage on the last day and none before, `curated` of how many all months are.
    """
    parts = [
        f"By the rules of today, from results dated to {day_of(on)}, whenever they were seen, of the "
        f"{count(curated, 'benchmark')} that are curated today; in use is what was known within six months and still "
        "reported"
    ]
    if counts["open"]:
        verbs = "counts and has" if counts["open"] == 1 else "count and have"
        parts.append(f"{counts['open']} without a ceiling or a known release {verbs} no place")
    if is_last and today_alone:
        parts.append(f"{today_alone}, ratings and those without dated results, have a stage on this day alone")
    return "; ".join(parts)


def first_month_text(day: date) -> str:
    """Where to go from a month without results."""
    return f"First: {month_name(day)}"


def share(counts: Counts) -> str:
    """`7 of 12`: how many benchmarks measured, of how many that were in use."""
    return f"{counts['measuring']} of {counts['benchmarks']}"


def six(counts: Counts) -> str:
    """The line beside one of the small maps: how many benchmarks still measured at its date."""
    return f"{share(counts)} still measured"


def strip_alt(maps: Sequence[tuple[str, Counts]]) -> str:
    """The small maps for who does not see them."""
    return f"Small maps: {', '.join(f'{head} {six(counts)}' for head, counts in maps)}."


def strip_title(before: Counts, now: Counts, year: int) -> str:
    """How many the map held at the end of a year, and holds today."""
    return f"{count(before['benchmarks'], 'benchmark')} in use at the end of {year}, {now['benchmarks']} today"


def strip_subtitle(now: Counts) -> str:
    """What the six small maps show and by which rules they are drawn."""
    return (
        f"{in_use.title(now)}. The same map at the ends of years, by the rules "
        "of today from results dated until then; beside each year how many still measured, of those in use"
    )
