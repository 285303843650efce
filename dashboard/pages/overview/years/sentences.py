"""The sentences over the map as it stood at the end of a month: its finding, the remaining benchmarks, its basis.

The lane is the strip beside the map with benchmarks that are released and have no result; the tail of a mark shows how
much of its room went within twelve months.
"""

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
"""The label of the lane, and the same where there is little space."""

NO_RESULT_THEN = "No benchmark had a dated result by then"
TAIL_EXPLAINED = "A tail is the fall of the last twelve months."


def month_name(day: date) -> str:
    """The month of a day in full: `June 2019`."""
    return f"{day:%B %Y}"


def title(counts: Counts, on: date) -> str:
    """How many benchmarks could tell models apart at the end of a past month."""
    if not counts["benchmarks"]:
        return f"{month_name(on)}: no benchmark had a dated result"
    return in_use.title(counts, about=month_name(on), past=True)


def not_measuring(counts: Counts, *, is_last: bool) -> str:
    """How many of the benchmarks in use did not tell models apart; with those of the title they are all in use."""
    if not counts["benchmarks"]:
        return f"{NO_RESULT_THEN}, by what is on record here."
    return f"{in_use.rest(counts, past=not is_last)} {TAIL_EXPLAINED}"


def basis(counts: Counts, on: date, *, is_last: bool, today_alone: int, curated: int) -> str:
    """By which rules and from which results the month is drawn, and how many benchmarks in use have no place on it.

    `today_alone` is how many have a stage on the last day and none before; `curated` is how many benchmarks are
    looked at in every month.
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
    """The label of the link from a month without results to the first month that has some."""
    return f"First: {month_name(day)}"


def share(counts: Counts) -> str:
    """`7 of 12`: how many benchmarks measured, of how many that were in use."""
    return f"{counts['measuring']} of {counts['benchmarks']}"


def small_map_line(counts: Counts) -> str:
    """The line beside one of the small maps: how many benchmarks still measured at its date."""
    return f"{share(counts)} still measured"


def strip_alt(maps: Sequence[tuple[str, Counts]]) -> str:
    """The alternative text of the small maps."""
    return f"Small maps: {', '.join(f'{head} {small_map_line(counts)}' for head, counts in maps)}."


def strip_title(before: Counts, now: Counts, year: int) -> str:
    """How many the map held at the end of a year, and holds today."""
    return f"{count(before['benchmarks'], 'benchmark')} in use at the end of {year}, {now['benchmarks']} today"


def strip_subtitle(now: Counts) -> str:
    """What the six small maps show and by which rules they are drawn."""
    return (
        f"{in_use.title(now)}. The same map at the ends of years, by the rules "
        "of today from results dated until then; beside each year how many still measured, of those in use"
    )
